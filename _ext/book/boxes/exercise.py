"""The directives `exercise` and `solution`.

jupyterlab-myst reads the same syntax, so a notebook shows them too. A solution is a native
``<details>`` element: it opens without a script, and its title is a text that can be translated.
"""

from __future__ import annotations

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

EXERCISE = "Exercise: "
"""What stands before the title of an exercise; the two are one message."""


class Exercise(nodes.Admonition, nodes.Element):
    """An exercise: a title and its text."""


class Solution(nodes.Admonition, nodes.Element):
    """A solution, closed until the reader opens it."""


class SolutionTitle(nodes.title):
    """The line that opens and closes a solution."""


class Labelled(SphinxDirective):
    """What both directives share: a title, a label of its own, a body of any content."""

    has_content = True
    required_arguments = 1
    final_argument_whitespace = True
    option_spec = {"label": directives.unchanged_required, "class": directives.class_option}  # noqa: RUF012

    def build(self, node_class, title_class, title: str, label: str) -> nodes.Element:
        self.assert_has_content()
        node = node_class("\n".join(self.content), classes=[*self.options.get("class", [])])
        self.set_source_info(node)
        # the cells of a table inside get their source, and so a message, through the document
        node.document = self.state.document
        node["names"].append(nodes.fully_normalize_name(label))
        self.state.document.note_explicit_target(node, node)
        text, messages = self.state.inline_text(title, self.lineno)
        heading = title_class(title, "", *text)
        self.set_source_info(heading)
        node += [heading, *messages]
        self.state.nested_parse(self.content, self.content_offset, node)
        return node


class ExerciseDirective(Labelled):
    def run(self) -> list[nodes.Node]:
        title = self.arguments[0]
        label = self.options.get("label")
        if not label:
            raise self.error(f"the exercise {title!r} needs a :label:")
        node = self.build(Exercise, nodes.title, EXERCISE + title, label)
        node["exercise_title"] = title
        return [node]


class SolutionDirective(Labelled):
    def run(self) -> list[nodes.Node]:
        of = self.arguments[0].strip()
        name = nodes.fully_normalize_name(of)
        titles = [
            exercise["exercise_title"]
            for exercise in self.state.document.findall(Exercise)
            if name in exercise["names"]
        ]
        if not titles:
            raise self.error(f"no exercise before this solution has the label {of!r}")
        label = self.options.get("label") or f"solution-{of}"
        return [self.build(Solution, SolutionTitle, f"Solution: {titles[0]}", label)]


DIRECTIVES = {"exercise": ExerciseDirective, "solution": SolutionDirective}


def visit_exercise(self, node) -> None:
    # The theme's class dresses it like the other boxes.
    self.body.append(self.starttag(node, "div", CLASS="admonition exercise"))


def depart_exercise(self, node) -> None:
    self.body.append("</div>\n")


def visit_solution(self, node) -> None:
    self.body.append(self.starttag(node, "details", CLASS="admonition solution"))


def depart_solution(self, node) -> None:
    self.body.append("</details>\n")


def visit_solution_title(self, node) -> None:
    self.body.append(self.starttag(node, "summary", "", CLASS="admonition-title"))


def depart_solution_title(self, node) -> None:
    self.body.append("</summary>\n")


def setup(app: Sphinx) -> dict:
    app.add_node(Exercise, html=(visit_exercise, depart_exercise))
    app.add_node(Solution, html=(visit_solution, depart_solution))
    app.add_node(SolutionTitle, html=(visit_solution_title, depart_solution_title))
    for name, directive in DIRECTIVES.items():
        app.add_directive(name, directive)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
