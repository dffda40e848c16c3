"""Put into each exercise of the site what its reader can do there, in place of the notebook's stub.

An answer that is written down gets a form, made from the data of the exercise: a prediction has
its fields right below each question, numbers stand together at the end. An exercise that asks for a
function says what is checked, and where. All this is done in HTML alone, to the translated page.
"""

from __future__ import annotations

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

from attnlib.exercises.catalogue import exercise_ids
from attnlib.exercises.exported import exported
from book import ROOT
from book.boxes.exercise import Exercise
from book.builders import makes_site
from book.evidence.places import exercise_file
from book.exercises.markup import Form, checked


class Part(nodes.General, nodes.Element):
    """HTML as it stands; with children it surrounds them."""


class AnswerOnThePage(SphinxPostTransform):
    """Make every exercise one that the page can say something to."""

    formats = ("html",)
    # MyST-NB has chosen the outputs, and no cell is folded yet
    default_priority = 200

    def run(self, **kwargs) -> None:
        if makes_site(self.app.builder):
            for node, id_ in checked_exercises(self.document):
                self.answerable(node, id_)

    def answerable(self, node: Exercise, id_: str) -> None:
        data, lang = exported(id_), "zh" if self.config.language.startswith("zh") else "en"
        take_stub(node, id_)
        if data["fields"]:
            surround(node, Form(data, lang))
        else:
            page = self.env.docname
            notebook = "../" * page.count("/") + f"_sources/{page}.ipynb"
            node += Part(opening=checked(data, lang, notebook))


def checked_exercises(document: nodes.document) -> list[tuple[Exercise, str]]:
    """The exercises of a page that attnlib knows, each with its id."""
    known = {f"ex-{id_}": id_ for id_ in exercise_ids()}
    found = [*document.findall(Exercise)]
    return [(node, known[name]) for node in found for name in node["names"] if name in known]


def take_stub(node: Exercise, id_: str) -> None:
    """Take the cell to fill in off the page; links to it lead to the exercise."""
    after = node.parent.index(node) + 1
    cell = node.parent[after] if after < len(node.parent) else None
    if isinstance(cell, nodes.container) and f'check("{id_}"' in cell.astext():
        for inner in cell.findall(nodes.Element):
            node["ids"] += inner["ids"]
        node.parent.remove(cell)


def surround(node: Exercise, form: Form) -> None:
    """Put the task into a form, with a field for each part of the answer."""
    title, *task = node.children
    around = Part(opening=form.opening(f"sol-{form.id}"), closing=form.closing())
    if all(field["kind"] != "numbers" for field in form.fields):
        items = [item for part in task for item in part.findall(nodes.list_item)]
        for item, field in zip(items, form.fields, strict=True):
            question = next(item.findall(nodes.paragraph))
            question["ids"].append(f"{form.id}-question-{field['name']}")
            item += Part(opening=form.field(field, question["ids"][0]))
    else:
        fields = "".join(map(form.field, form.fields))
        task.append(Part(opening=f'<div class="answer-fields">\n{fields}</div>\n'))
    around += task
    node.children = []
    node += [title, around]


def visit_part(self, node: Part) -> None:
    self.body.append(node["opening"])


def depart_part(self, node: Part) -> None:
    self.body.append(node.get("closing", ""))


def note_files(app: Sphinx, doctree: nodes.document) -> None:
    """Build a page anew when one of its exercises has changed."""
    for _, id_ in checked_exercises(doctree):
        app.env.note_dependency(str(exercise_file(ROOT, id_)))


def setup(app: Sphinx) -> dict:
    app.add_node(Part, html=(visit_part, depart_part))
    app.add_post_transform(AnswerOnThePage)
    app.connect("doctree-read", note_files)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
