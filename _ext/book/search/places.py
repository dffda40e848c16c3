"""The places of a page that a search can lead to, with what each says (no extension by itself).

A place is a section, an entry of the library or a term of the glossary. Its text is what a reader
reads, each formula once; code and the labels inside figures are found, but not shown in a result.
Explorers are numbers, and solutions would tell too much: both are left out.
"""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, field
from pathlib import PurePosixPath

from docutils import nodes
from sphinx import addnodes

from book.boxes.exercise import Solution
from book.plain_text import plain, said

CHAPTER, PAGE, LIBRARY = "chapter", "page", "library"
CODE = (nodes.literal_block, nodes.doctest_block)
LEFT_OUT = (Solution, nodes.Invisible, nodes.system_message, nodes.raw, nodes.image)
LABEL = re.compile(r"<text\b[^>]*>(.*?)</text>", re.DOTALL)
NAME = re.compile(r"[^\W\d]\w+")
# between two terms of one entry, and around the second name of a term
BETWEEN = re.compile(r"[·,、（）()]")


@dataclass
class Place:
    anchor: str
    title: str
    text: str = ""
    code: str = ""
    terms: list[str] = field(default_factory=list)
    """Of a term of the glossary: its names."""
    leads: list[str] = field(default_factory=list)
    """Of a term of the glossary: the pages that its entry names."""


class Collector:
    """Walk over a page and sort what it says by its places."""

    def __init__(self, page: str, document: nodes.document):
        self.glossary = PurePosixPath(page).name == "glossary"
        self.places: list[Place] = []
        self.parts: list[list[str]] = []
        self.names: list[dict[str, None]] = []
        self.open("", "")
        self.walk(document, 0)

    def open(self, anchor: str, title: str) -> int:
        self.places.append(Place(anchor, title))
        self.parts.append([])
        self.names.append({})
        return len(self.places) - 1

    def walk(self, node: nodes.Node, at: int) -> None:
        """Add what a node says to the place of this number, or to new ones."""
        if isinstance(node, nodes.Text):
            self.parts[at].append(str(node))
        elif isinstance(node, nodes.raw):
            self.note(at, " ".join(LABEL.findall(node.astext())))
        elif isinstance(node, nodes.math | nodes.math_block):
            room = " " if isinstance(node, nodes.math_block) else ""
            self.parts[at] += [room, plain(node.astext()), room]
        elif isinstance(node, CODE):
            self.note(at, node.astext())
        elif isinstance(node, LEFT_OUT) or not isinstance(node, nodes.Element):
            return
        elif isinstance(node, nodes.section):
            self.section(node, at)
        elif isinstance(node, addnodes.desc):
            self.entry(node, at)
        elif self.glossary and isinstance(node, nodes.definition_list_item):
            self.term(node, at)
        else:
            for child in node.children:
                self.walk(child, at)
            if not isinstance(node, nodes.Inline) and isinstance(node, nodes.TextElement):
                self.parts[at].append(" · " if isinstance(node, nodes.title) else " ")

    def section(self, node: nodes.section, at: int) -> None:
        title = node.next_node(nodes.title)
        name = said(title) if title else ""
        # the first section is the page
        if at or self.places[0].title:
            at = self.open(node["ids"][0], name)
        else:
            self.places[0].title = name
        for child in node.children:
            if child is not title:
                self.walk(child, at)

    def entry(self, node: addnodes.desc, at: int) -> None:
        """A function or class of the library, each method by itself."""
        [signature, *others] = [*node.findall(addnodes.desc_signature)]
        if signature.get("ids"):
            name = signature.get("fullname") or signature["ids"][0]
            at = self.open(signature["ids"][0], name)
            self.note(at, signature.astext())
        for child in node.children:
            if child is not signature and child not in others:
                self.walk(child, at)

    def term(self, node: nodes.definition_list_item, at: int) -> None:
        [term, *_] = node.findall(nodes.term)
        new = self.open(self.places[at].anchor, said(term))
        names = [name.strip() for name in BETWEEN.split(self.places[new].title)]
        self.places[new].terms = [*dict.fromkeys(name for name in names if name)]
        self.places[new].leads = [
            PurePosixPath(link["refuri"].partition("#")[0]).stem
            for link in node.findall(nodes.reference)
            if link.get("internal")
        ]
        for child in node.children:
            if child is not term:
                self.walk(child, new)

    def note(self, at: int, code: str) -> None:
        """Keep the names in a piece of code, each once."""
        self.names[at] |= dict.fromkeys(NAME.findall(code))

    def found(self) -> list[dict]:
        """The places, without what is empty."""
        for place, parts, names in zip(self.places, self.parts, self.names, strict=True):
            place.text = " ".join("".join(parts).split())
            place.code = " ".join(names)
        whole = [asdict(place) for place in self.places if place.title]
        return [{key: value for key, value in place.items() if value} for place in whole]


def kind_of(page: str) -> str:
    """A chapter, the page on the library, or another page."""
    name = PurePosixPath(page).name
    if re.match(r"\d", name):
        return CHAPTER
    return LIBRARY if name == "api" else PAGE
