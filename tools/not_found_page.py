"""The page for an address that leads nowhere, for whoever serves the site: ``404.html``.

It is shown in the place of an address at any depth, so it brings its style with it and finds the
editions by the address of the published site, where that is known, or by the address asked for. It
speaks the language of the edition that was asked for, or the reader's; without scripts, both.
"""

from __future__ import annotations

import json
from html import escape
from urllib.parse import quote

from book import ROOT
from book.languages.editions import EDITIONS, Edition

PAGE = """<!DOCTYPE html>
<html lang="{first.tag}">
<meta charset="utf-8">
<title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="data:image/svg+xml,{icon}">
<style>
:root {{ color-scheme: light dark }}
body {{ font: 1.125rem/1.6 system-ui, sans-serif }}
body {{ margin: 3rem auto; max-width: 34rem; padding: 0 1rem }}
h1 {{ font-size: 1.6rem; line-height: 1.3 }}
section:not([hidden]) + section {{ border-top: 1px solid; margin-top: 2.5rem; padding-top: 1rem }}
</style>
{sections}
<script>
{{
  const tags = {tags};
  const asked = location.pathname.split("/").findLast((part) => Object.hasOwn(tags, part));
  let chosen = null;
  try {{
    chosen = localStorage.getItem("edition");
  }} catch {{
    // storage may be forbidden
  }}
  const codes = navigator.languages.map((language) => language.toLowerCase().split("-")[0]);
  const spoken = codes.find((code) => Object.hasOwn(tags, code));
  if (!Object.hasOwn(tags, chosen ?? "")) chosen = spoken ?? "{first.folder}";
  const edition = asked ?? chosen;
  for (const section of document.querySelectorAll("section")) {{
    section.hidden = section.id !== edition;
  }}
  document.documentElement.lang = tags[edition];
  document.title = document.querySelector("section:not([hidden]) h1").textContent;
  // the site begins before the folder of the edition
  const before = location.pathname.indexOf(`/${{asked}}/`);
  const root = {base} || (asked ? location.pathname.slice(0, before) : null);
  if (root !== null) {{
    for (const link of document.querySelectorAll("a")) link.href = `${{root}}/${{link.dataset.to}}`;
  }}
}}
</script>
</html>
"""
SECTION = """<section id="{one.folder}" lang="{one.tag}">
<h1>{words.heading}</h1>
<p>{words.text}</p>
<ul>
{items}
</ul>
</section>"""
ITEM = '<li><a href="{base}{to}" data-to="{to}" lang="{tag}" hreflang="{tag}">{text}</a></li>'


def links(edition: Edition, base: str) -> str:
    """The first page and the search of an edition, and the first page of the others."""
    entries = [
        (edition, "index.html", edition.title),
        (edition, "search.html", edition.search.rstrip(".…")),
        *((other, "index.html", other.title) for other in EDITIONS.values() if other != edition),
    ]
    return "\n".join(
        ITEM.format(base=base, to=f"{one.folder}/{page}", tag=one.tag, text=escape(text))
        for one, page, text in entries
    )


def not_found_page(published_at: str) -> str:
    """The page as HTML; `published_at` is the address of the site, or empty."""
    editions = [*EDITIONS.values()]
    base = f"{escape(published_at)}/" if published_at else ""
    return PAGE.format(
        first=editions[0],
        # a browser would ask for one that is not there either
        icon=quote((ROOT / "_static" / "favicon.svg").read_text(encoding="utf-8")),
        title=escape(" · ".join(one.not_found.heading for one in editions)),
        tags=json.dumps({one.folder: one.tag for one in editions}),
        base=json.dumps(published_at).replace("<", "\\u003c"),
        sections="\n".join(
            SECTION.format(one=one, words=one.not_found, items=links(one, base)) for one in editions
        ),
    )
