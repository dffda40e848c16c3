// What classic scripts of a page share by name.

import type { Model } from "./attnlib/explorers/framework/controls.js";

type State = Record<string, unknown>;

declare global {
  /** The sources of the explorers' modules, by name; "shared" is what all have in common. */
  var attnExplorerSources: Record<string, string> | undefined;

  /** link.js, for phrases.js and element.js. */
  var attnExplorerLink: {
    nameOf(element: Element): string;
    parsed(text: string, start: unknown): unknown;
    written(value: unknown): string;
    read(element: Element, start: State): State;
    offer(element: Element, start: State, model: Model): void;
  };

  /** phrases.js, for element.js. */
  var attnExplorerPhrases: {
    join(element: HTMLElement, start: State, model: Model, check: (changes: State) => void): void;
    leave(element: HTMLElement): void;
  };

  /** in_page.js, for the tests. */
  var inPage: Record<string, () => unknown>;

  /** A place of the book that a search can lead to. */
  interface Place {
    anchor?: string;
    title: string;
    text?: string;
    code?: string;
    terms?: string[];
    leads?: string[];
    page: SearchPage;
    rows: Record<"title" | "text" | "code" | "page", string>;
  }

  interface SearchPage {
    name: string;
    address: string;
    title: string;
    kind: "chapter" | "page" | "library";
    places: Place[];
  }

  interface SearchIndex {
    pages: SearchPage[];
    same: string[][];
    idle: string[];
    weights: Record<string, number>;
  }
}
