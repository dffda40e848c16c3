"""A cell that only proves, checks, measures or sets up is one line on the site, until it is opened.

Its metadata say in words what it shows: ``"shown": {"says": "proved for 1 to 5 features"}``. A cell
right after it with ``"shown": {"joins": "above"}`` stands behind the same line, and so does the
code of a figure; a figure or an explorer alone has a line of its own. What a cell measures or sets
up stays in sight when it is printed, and so does what a cell with ``"output": "stays"`` prints;
figures, explorers and the formulas of SymPy do always.

The words become a message while the page is read, so that the catalogues translate them. That the
lines are native ``<details>`` is decided for HTML alone, when all else about the page is settled.
"""

from __future__ import annotations

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.transforms.post_transforms import SphinxPostTransform

from book.builders import makes_messages, makes_site
from book.lesson.words import parsed

TOOLS = {"proved": "SymPy", "checked": "NumPy", "measured": "NumPy"}
"""What the first word of a line may be, besides "set-up", and what such cells are made with."""

IN_SIGHT = ("measured", "set-up")
"""Cells whose first word is this print for the page, not for those who look behind it."""

# What stands on every page the same; the rest of a line is the page's own.
WORDS = {
    "en": {
        "figure": "code of the figure",
        "explorer": "code of the explorer",
        "line": "1 line",
        "lines": "{} lines",
    },
    "zh_CN": {
        "figure": "图的代码",
        "explorer": "交互演示的代码",
        "line": "1 行",
        "lines": "{} 行",
    },
}


class Fold(nodes.General, nodes.Element):
    """Cells behind one line."""


class FoldLine(nodes.Part, nodes.TextElement):
    """The words of that line."""


def elements(within: nodes.Element, name: str) -> list[nodes.Element]:
    """What MyST-NB calls by this name."""
    return [c for c in within.findall(nodes.container) if c.get("nb_element") == name]


def metadata(cell: nodes.Element) -> dict:
    return cell.get("cell_metadata", {})


def shown(cell: nodes.Element) -> dict:
    return metadata(cell).get("shown", {})


def picture(cell: nodes.Element) -> str:
    """What a cell is there to show, where that is no text."""
    if "figure" in metadata(cell).get("mystnb", {}):
        return "figure"
    tags = metadata(cell).get("tags", [])
    return "explorer" if any(tag.startswith("X-") for tag in tags) else ""


def tools(words: str) -> list[str]:
    """What cells with these words are made with."""
    return list(dict.fromkeys(tool for verb, tool in TOOLS.items() if verb in words.split()))


class SayWhatIsShown(SphinxTransform):
    """Put the words of a cell into the page, where they are translated."""

    # before sphinx.transforms.i18n.Locale
    default_priority = 12

    def apply(self) -> None:
        for cell in elements(self.document, "cell_code"):
            says = shown(cell).get("says")
            if says:
                # MyST-NB looks for a cell's code at its beginning
                cell += self.line(" ".join(says.split()), cell)

    def line(self, words: str, cell: nodes.Element) -> FoldLine:
        kind, at = words.partition(" ")[0].strip(":,"), cell.line or 0
        line = FoldLine(words, "", *parsed(self, words, at), kind=kind, tools=tools(words))
        line.source, line.line = self.document["source"], at
        return line


class FoldCells(SphinxPostTransform):
    """Put cells behind their lines in HTML; elsewhere the words go, once they are messages."""

    # after those of MyST-NB, and after what wraps parts of a page
    default_priority = 300

    def run(self, **kwargs) -> None:
        if makes_site(self.app.builder):
            for cells in folds(elements(self.document, "cell_code")):
                self.fold(cells)
        elif not makes_messages(self.app.builder):
            for line in [*self.document.findall(FoldLine)]:
                line.parent.remove(line)

    @property
    def words(self) -> dict[str, str]:
        return WORDS.get(self.config.language, WORDS["en"])

    def fold(self, cells: list[nodes.Element]) -> None:
        """Put cells that stand side by side behind one line, and what stays in sight after it."""
        line = self.line(cells[0])
        code = "\n".join(cell[0].astext() for cell in cells).splitlines()
        count = self.words["line" if len(code) == 1 else "lines"].format(len(code))
        line["tail"] = "".join(f" · {part}" for part in (*line["tools"], count))
        in_sight = [part for cell in cells for part in outputs_in_sight(cell, line["kind"])]
        parent, at = cells[0].parent, cells[0].parent.index(cells[0])
        for cell in cells:
            parent.remove(cell)
        fold = Fold("", line, *cells, kind=line["kind"])
        # how a picture is made is for those who have seen it
        parent.insert(at, [*in_sight, fold] if picture(cells[0]) else [fold, *in_sight])

    def line(self, cell: nodes.Element) -> FoldLine:
        """Take its words out of a cell; a picture has those of every page."""
        for line in cell.findall(FoldLine):
            cell.remove(line)
            return line
        kind = picture(cell)
        return FoldLine("", self.words[kind], kind=kind, tools=[])


def outputs_in_sight(cell: nodes.Element, kind: str) -> list[nodes.Element]:
    """Take out of a cell what is seen without opening the fold."""
    found = []
    for output in elements(cell, "cell_code_output"):
        stays = kind in IN_SIGHT or "output" in shown(cell) or picture(cell)
        parts = [part for part in output.children if stays or has_formula(part)]
        for part in parts:
            output.remove(part)
        if parts:
            alone = nodes.container("", *parts, **output.attributes)
            found.append(nodes.container("", alone, classes=[*cell["classes"]]))
        if not output.children:
            cell.remove(output)
    return found


def has_formula(node: nodes.Node) -> bool:
    return any(True for _ in node.findall(nodes.math_block))


def folds(cells: list[nodes.Element]) -> list[list[nodes.Element]]:
    """The cells behind each line, in their order."""
    found: list[list[nodes.Element]] = []
    for cell in cells:
        says, joins = shown(cell).get("says"), "joins" in shown(cell)
        if not says and (joins or picture(cell)) and found and follows(cell, found[-1][-1]):
            found[-1].append(cell)
        elif says or picture(cell):
            found.append([cell])
    return found


def follows(cell: nodes.Element, other: nodes.Element) -> bool:
    """Whether nothing stands between two cells."""
    parent = cell.parent
    return parent is other.parent and parent.index(cell) == parent.index(other) + 1


def visit_fold(self, node: Fold) -> None:
    self.body.append(self.starttag(node, "details", CLASS=f"shown shown-{node['kind']}"))


def depart_fold(self, node: Fold) -> None:
    self.body.append("</details>\n")


def visit_line(self, node: FoldLine) -> None:
    mark = '<span class="shown-mark" aria-hidden="true"></span>'
    self.body.append(self.starttag(node, "summary", "") + mark + '<span class="shown-words">')


def depart_line(self, node: FoldLine) -> None:
    tail = self.encode(node["tail"])
    self.body.append(f'<span class="shown-tail">{tail}</span></span></summary>\n')


def setup(app: Sphinx) -> dict:
    app.add_node(Fold, html=(visit_fold, depart_fold))
    app.add_node(FoldLine, html=(visit_line, depart_line))
    app.add_transform(SayWhatIsShown)
    app.add_post_transform(FoldCells)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
