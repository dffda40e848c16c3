"""The directive `formula-index`: every claim of the book with its formula and its evidence.

Nothing in it is written by hand. The claims come from ``claims.toml``; that a proof, a
check, an explorer or an exercise exists is what the notebooks declare by the tags of their cells,
and each entry links to the cell itself; a function names its claims in its docstring, and the entry
links to the page on the library. A formula is the displayed equation of that label in its chapter.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from book.evidence.claims import KINDS, claims, evidence, tags
from book.evidence.library import functions_of, public
from book.languages.catalogues import of_page

# The table's own words stand here, not in a catalogue: its rows change with every proof.
WORDS = {
    "en": {
        "head": ("No.", "Claim", "Evidence"),
        "evidence": {"P": "proof", "N": "check", "X": "explorer", "E": "exercise", "T": "text"},
        "function": "function",
        "comma": ", ",
        "totals": "Of {claims} claims {P} have a proof, {N} a check, {X} an explorer and {E} an "
        "exercise.",
    },
    "zh_CN": {
        "head": ("编号", "论断", "依据"),
        "evidence": {"P": "推导", "N": "验算", "X": "交互演示", "E": "练习", "T": "正文"},
        "function": "函数",
        "comma": "、",
        "totals": "共 {claims} 条论断，其中 {P} 条有推导，{N} 条有验算，{X} 条有交互演示，"
        "{E} 条有练习。",
    },
}
MATH = re.compile(r"```\{math\}\n((?::\w+:[^\n]*\n)*)(.+?)```", re.DOTALL)


def anchor(kind: str, claim: str, number: int) -> str:
    return f"{kind.lower()}-{claim}-{number}".replace(".", "-")


class Chapter:
    """What one notebook declares."""

    def __init__(self, path: Path):
        self.path = path
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        self.declared = [tag for cell in cells for tag in tags(cell)]
        self.formulas: dict[str, str] = {}
        for cell in cells:
            for options, tex in MATH.findall("".join(cell["source"])):
                label = re.search(r":label:\s*(\S+)", options)
                if label:
                    self.formulas[label[1]] = tex.strip()

    def anchors(self) -> dict[tuple[str, str], list[str]]:
        """For each kind and claim, the anchors of the cells that give that evidence.

        The cell to read first comes in front, the others in their order.
        """
        found, counts = defaultdict(list), defaultdict(int)
        for kind, claim, main in self.declared:
            counts[kind, claim] += 1
            name = anchor(kind, claim, counts[kind, claim])
            found[kind, claim].insert(0 if main else len(found[kind, claim]), name)
        return found


def totals(book: list[dict], chapters: list[Chapter]) -> dict[str, int]:
    """How many claims there are, and for each kind of evidence how many of them have it."""
    declared = {evidence for chapter in chapters for evidence in chapter.anchors()}
    ids = [claim["id"] for claim in book]
    return {"claims": len(ids)} | {
        kind: sum((kind, id_) in declared for id_ in ids) for kind in KINDS
    }


class FormulaIndex(SphinxDirective):
    """One sentence that counts, and one table for each chapter that exists."""

    @property
    def words(self) -> dict:
        return WORDS.get(self.config.language, WORDS["en"])

    def run(self) -> list[nodes.Node]:
        folder = Path(self.env.doc2path(self.env.docname)).parent
        book = claims(folder)
        by_chapter = defaultdict(list)
        for claim in book:
            by_chapter[claim["chapter"]].append(claim)
        paths = [folder / f"{name}.ipynb" for name in by_chapter]
        chapters = [Chapter(path) for path in paths if path.is_file()]
        self.functions = public(folder.parent, [claim["id"] for claim in book])
        for path in (folder / "claims.toml", folder / "api.md", *(d.path for d in self.functions)):
            self.env.note_dependency(str(path))
        sentence = self.words["totals"].format(**totals(book, chapters))
        return [
            self.paragraph([nodes.Text(sentence)]),
            *(node for chapter in chapters for node in self.chapter(chapter, by_chapter)),
        ]

    def chapter(self, declared: Chapter, by_chapter: dict[str, list[dict]]) -> list[nodes.Node]:
        path = declared.path
        self.env.note_dependency(str(path))
        anchors = declared.anchors()
        docname = f"{path.parent.name}/{path.stem}"
        known = of_page(self.env.app, docname)
        declared.formulas = {label: known.get(tex, tex) for label, tex in declared.formulas.items()}
        heading = nodes.rubric("", "", self.link("doc", f"/{docname}", domain="std"))
        body = nodes.tbody()
        for claim in by_chapter[path.stem]:
            row = nodes.row()
            row += self.cell([nodes.Text(claim["id"])])
            row += self.claim_and_formula(claim, declared)
            row += self.cell(self.evidence(claim, anchors))
            body += row
        head = nodes.row()
        for title in self.words["head"]:
            head += self.cell([nodes.Text(title)])
        group = nodes.tgroup(cols=3)
        group += [nodes.colspec(colwidth=width) for width in (6, 64, 30)]
        group += [nodes.thead("", head), body]
        return [heading, nodes.table("", group, classes=["formula-index", "colwidths-given"])]

    def paragraph(self, children: list[nodes.Node]) -> nodes.paragraph:
        paragraph = nodes.paragraph("", "", *children, translatable=False)
        self.set_source_info(paragraph)
        paragraph.rawsource = paragraph.astext()
        return paragraph

    def cell(self, children: list[nodes.Node]) -> nodes.entry:
        return nodes.entry("", self.paragraph(children))

    def claim_and_formula(self, claim: dict, declared: Chapter) -> nodes.entry:
        text, messages = self.state.inline_text(claim["text"], self.lineno)
        paragraph = nodes.paragraph(claim["text"], "", *text)
        self.set_source_info(paragraph)
        entry = nodes.entry("", paragraph, *messages)
        label = claim["label"]
        if label not in declared.formulas:
            raise self.error(f"{declared.path.name} has no displayed formula {label!r}")
        tex = declared.formulas[label]
        entry += nodes.math_block(tex, tex, nowrap=False, number=None, label=None)
        return entry

    def evidence(self, claim: dict, anchors: dict) -> list[nodes.Node]:
        found: list[nodes.Node] = [self.link("eq", claim["label"], domain="math")]
        for kind, word in self.words["evidence"].items():
            for number, target in enumerate(anchors.get((kind, claim["id"]), []), start=1):
                text = word if number == 1 else str(number)
                found.append(nodes.Text(self.words["comma"] if number == 1 else " "))
                found.append(self.link("ref", target, text, domain="std"))
        for function in functions_of(claim["id"], self.functions)[:1]:
            word = self.words["function"]
            found.append(nodes.Text(self.words["comma"]))
            found.append(self.link("obj", function.name, word, domain="py"))
        return found

    def link(self, kind: str, target: str, text: str = "", *, domain: str) -> nodes.Node:
        reference = addnodes.pending_xref(
            "",
            refdomain=domain,
            reftype=kind,
            reftarget=target,
            refexplicit=bool(text),
            refdoc=self.env.docname,
            refwarn=True,
        )
        self.set_source_info(reference)
        reference += nodes.inline(text, text, classes=["std", f"std-{kind}"])
        return reference


def name_evidence(app: Sphinx, doctree: nodes.document) -> None:
    """Give each cell with evidence its anchors, so that the table can link to it."""
    path = Path(app.env.doc2path(app.env.docname))
    if path.suffix != ".ipynb":
        return
    labels = app.env.domaindata["std"]["anonlabels"]
    counts: dict[tuple[str, str], int] = defaultdict(int)
    for cell in doctree.findall(nodes.container):
        for kind, claim in evidence({"metadata": cell.get("cell_metadata", {})}):
            counts[kind, claim] += 1
            name = anchor(kind, claim, counts[kind, claim])
            cell["ids"].append(name)
            labels[name] = app.env.docname, name


def setup(app: Sphinx) -> dict:
    app.add_directive("formula-index", FormulaIndex)
    app.connect("doctree-read", name_evidence)
    return {"parallel_read_safe": False, "parallel_write_safe": True}
