"""Every chapter has the shape of the template: goals, headings, formulas, exercises, summary."""

from __future__ import annotations

import ast
import re

import pytest
from lesson_length import minutes, words
from manuscript import NOTEBOOKS, code_cells, is_solution, markdown, names_bound, read, source

from attnlib.exercises.catalogue import exercise_ids

# What a reader meets, in this order; a chapter may have more headings between them.
HEADINGS = (
    "A question",
    "Explorer",
    "Derivation",
    "Experiment",
    "Which mistake is it?",
    "Exercises",
    "Summary",
    "Where to read on",
)
MOST_WORDS = 2500
NUMBER_FOR_A_LABEL = re.compile(
    r"\b(?:equations?|eqs?\.|formulas?|figures?|figs?\.|tables?|exercises?)\s*\(?\d", re.IGNORECASE
)
BOLD_VERBS = re.compile(r"^- \*\*([^*]+)\*\*", re.MULTILINE)


def directives(text: str, name: str) -> list[dict]:
    """Each use of a directive in Markdown: its argument, its options, its body."""
    pattern = rf"^(`{{3,}}|:{{3,}})\{{{name}\}}([^\n]*)\n((?::[\w-]+:[^\n]*\n)*)(.*?)^\1$"
    found = re.finditer(pattern, text, re.MULTILINE | re.DOTALL)
    return [
        {
            "argument": match[2].strip(),
            "options": dict(re.findall(r"^:([\w-]+):[ \t]*(.*)$", match[3], re.MULTILINE)),
            "body": match[4],
        }
        for match in found
    ]


def checked(cell: dict) -> list[str]:
    """The exercises that a cell checks."""
    return re.findall(r"""\bcheck\(\s*["']([^"']+)["']""", source(cell))


def has_gap(cell: dict) -> bool:
    """Whether the learner has something to fill in."""
    nodes = ast.walk(ast.parse(source(cell)))
    return any(isinstance(node, ast.Constant) and node.value is ... for node in nodes)


def printed(cell: dict) -> str:
    return "".join(line for output in cell["outputs"] for line in output.get("text", []))


@pytest.fixture(params=NOTEBOOKS, ids=lambda path: path.stem)
def notebook(request):
    return read(request.param)


@pytest.fixture
def prose(notebook):
    return markdown(notebook)


@pytest.fixture
def name(prose):
    """The chapter's short name, from the label of its title."""
    match = re.match(r"\(ch-([a-z]+(?:-[a-z]+)*)\)=\n# \S", prose)
    assert match, "a chapter begins with a label (ch-name)= and its title"
    return match[1]


def test_names_of_chapters_differ():
    names = [re.match(r"\(ch-(.+?)\)=", markdown(read(path)))[1] for path in NOTEBOOKS]
    assert len(set(names)) == len(names)


def test_it_opens_with_a_box_of_goals(notebook, name):
    opening = source(notebook["cells"][0])
    boxes = directives(opening, "admonition")
    assert len(boxes) == 1
    assert 3 <= len(BOLD_VERBS.findall(boxes[0]["body"])) <= 5
    assert "Know first: " in boxes[0]["body"]


def test_the_time_on_the_box_is_measured(notebook):
    """Words at 200 a minute; questions, explorers and exercises by what they usually take."""
    total, reading = minutes(notebook)
    said = re.search(
        r"\bTime: about (\d+) minutes, (\d+) of them for reading\.", source(notebook["cells"][0])
    )
    assert said, f"Time: about {total} minutes, {reading} of them for reading."
    assert (int(said[1]), int(said[2])) == (total, reading)


def test_its_main_path_is_short(notebook, name, record_property):
    """Side paths stand behind the questions that they answer."""
    length = words(notebook)
    record_property("summary", f"{name}: {length} words on the main path")
    assert length <= MOST_WORDS


def test_the_explorer_comes_before_it_is_explained(notebook, prose):
    """Right after the question, within the first third of what is read."""
    cells = notebook["cells"]
    first = next(i for i, cell in enumerate(cells) if "attn-explorer" in str(cell.get("outputs")))
    before = {"cells": cells[:first], "metadata": {}}
    assert words(before) <= words(notebook) / 3


def test_its_headings_are_the_templates(prose):
    assert len(re.findall(r"^# ", prose, re.MULTILINE)) == 1
    headings = re.findall(r"^## (.+)$", prose, re.MULTILINE)
    found = [h for h in headings if h.startswith(HEADINGS)]
    order = [next(wanted for wanted in HEADINGS if h.startswith(wanted)) for h in found]
    assert order == list(HEADINGS), headings
    assert headings[-2:] == list(HEADINGS[-2:])


def test_its_summary_mirrors_the_box(notebook, prose):
    goals = BOLD_VERBS.findall(directives(source(notebook["cells"][0]), "admonition")[0]["body"])
    summary = re.search(r"^## Summary$(.*?)^## ", prose, re.MULTILINE | re.DOTALL)[1]
    assert BOLD_VERBS.findall(summary) == goals


def test_the_reader_predicts_before_seeing(prose):
    assert re.search(r"\*\*Predict\b", prose)


def test_an_explorer_is_introduced_by_a_question_and_followed_by_things_to_try(notebook):
    cells = notebook["cells"]
    places = [i for i, cell in enumerate(cells) if "attn-explorer" in str(cell.get("outputs"))]
    assert places
    for i in places:
        assert cells[i - 1]["cell_type"] == cells[i + 1]["cell_type"] == "markdown"
        assert "?" in source(cells[i - 1])
        assert re.search(r"^\d\. ", source(cells[i + 1]), re.MULTILINE)


def test_every_displayed_formula_has_a_label_of_the_chapter(prose, name):
    formulas = directives(prose, "math")
    assert formulas
    labels = [formula["options"].get("label", "") for formula in formulas]
    for label, formula in zip(labels, formulas, strict=True):
        assert re.fullmatch(rf"eq-{name}-[a-z0-9]+(-[a-z0-9]+)*", label), formula
    assert len(set(labels)) == len(labels)
    assert len(re.findall(r"^[`:]{3,}\{math\}", prose, re.MULTILINE)) == len(formulas)
    for other in ("$$", r"\[", r"\begin{equation", r"\begin{align}", r"\begin{align*}"):
        assert other not in prose


def test_formulas_and_figures_are_referred_to_by_label(prose):
    assert not NUMBER_FOR_A_LABEL.findall(prose)


def test_a_figure_that_is_referred_to_is_named_in_words_too(notebook, prose):
    """JupyterLab shows no `numref` to the figure of a cell."""
    for cell in code_cells(notebook):
        figure = cell["metadata"].get("mystnb", {}).get("figure", {})
        if figure and f"`{figure['name']}`" in prose:
            assert figure["caption"].partition(".")[0] in prose, cell["id"]


@pytest.fixture
def exercises(prose):
    """The labels of a chapter's exercises, in order."""
    return [exercise["options"].get("label", "") for exercise in directives(prose, "exercise")]


def test_there_are_exercises_each_with_a_closed_solution(prose, name, exercises):
    assert exercises
    assert len(set(exercises)) == len(exercises)
    for label in exercises:
        assert re.fullmatch(rf"ex-{name}-[a-z0-9]+(-[a-z0-9]+)*", label)
    solutions = directives(prose, "solution")
    assert [solution["argument"] for solution in solutions] == exercises
    assert all(solution["options"].get("class") == "dropdown" for solution in solutions)


def test_every_exercise_has_a_stub_and_a_solution_that_run_the_same_check(notebook, exercises):
    for id_ in [label.removeprefix("ex-") for label in exercises]:
        assert id_ in exercise_ids()
        stub, solution = [cell for cell in code_cells(notebook) if id_ in checked(cell)]
        assert not is_solution(stub)
        assert has_gap(stub)
        assert "not finished yet" in printed(stub).lower()
        assert is_solution(solution)
        assert not has_gap(solution)
        assert re.search(r"All \d+ properties hold\.", printed(solution))


def test_solutions_are_folded_in_jupyter_as_on_the_site(notebook):
    for cell in code_cells(notebook):
        folded = cell["metadata"].get("jupyter", {}).get("source_hidden", False)
        assert folded == is_solution(cell), cell["id"]


def test_solutions_leave_the_learners_names_alone(notebook):
    bound = {True: set(), False: set()}
    for cell in code_cells(notebook):
        bound[is_solution(cell)] |= names_bound(ast.parse(source(cell)))
    assert bound[True]
    assert not bound[True] & bound[False]
