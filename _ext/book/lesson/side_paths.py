"""A section that is not needed to go on is closed on the site, behind the question it answers.

The metadata of the cell with its heading say so: ``"aside": {"The heading": "A question?"}``. The
heading stays in sight, and in the table of contents; what follows it is a native ``<details>``,
made for HTML alone. The question is a message of the page.
"""

from __future__ import annotations

import json
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging

from book.builders import makes_messages, makes_site
from book.lesson.words import parsed

log = logging.getLogger(__name__)


class SidePath(nodes.General, nodes.Element):
    """What is closed of a section."""


class Question(nodes.Part, nodes.TextElement):
    """The question that opens it."""


def asides(notebook: dict) -> dict[str, str]:
    """The questions of a notebook's side paths by their headings."""
    found: dict[str, str] = {}
    for cell in notebook["cells"]:
        found |= cell["metadata"].get("aside", {})
    return found


class AskQuestions(SphinxTransform):
    """Put its question under the heading of a side path, where it is translated."""

    # before sphinx.transforms.i18n.Locale
    default_priority = 13

    def apply(self) -> None:
        path = Path(self.document["source"])
        if path.suffix != ".ipynb":
            return
        questions = asides(json.loads(path.read_text(encoding="utf-8")))
        for section in [*self.document.findall(nodes.section)]:
            title = section[0]
            if isinstance(title, nodes.title) and title.rawsource in questions:
                section.insert(1, self.question(questions.pop(title.rawsource), title))
        for heading in questions:
            log.warning("no section has the heading %r of a side path", heading, location=str(path))

    def question(self, words: str, title: nodes.title) -> Question:
        line = title.line or 0
        question = Question(words, "", *parsed(self, words, line))
        question.source, question.line = self.document["source"], line
        return question


class CloseSidePaths(SphinxPostTransform):
    """Put what follows a question behind it in HTML; elsewhere the question goes."""

    # after what is folded and wrapped inside a section
    default_priority = 310

    def run(self, **kwargs) -> None:
        for question in [*self.document.findall(Question)]:
            section = question.parent
            if makes_site(self.app.builder):
                at = section.index(question)
                inside = section.children[at:]
                del section[at:]
                section += SidePath("", *inside)
            elif not makes_messages(self.app.builder):
                section.remove(question)


def visit_side_path(self, node: SidePath) -> None:
    self.body.append(self.starttag(node, "details", CLASS="side-path"))


def depart_side_path(self, node: SidePath) -> None:
    self.body.append("</details>\n")


def visit_question(self, node: Question) -> None:
    self.body.append(self.starttag(node, "summary", "") + "<span>")


def depart_question(self, node: Question) -> None:
    self.body.append("</span></summary>\n")


def setup(app: Sphinx) -> dict:
    app.add_node(SidePath, html=(visit_side_path, depart_side_path))
    app.add_node(Question, html=(visit_question, depart_question))
    app.add_transform(AskQuestions)
    app.add_post_transform(CloseSidePaths)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
