"""The pipeline explorer: a cell is marked if and only if the chosen one follows it."""

import itertools

import numpy as np
import pytest
from explorer_page import VIEW, page_of, value

from attnlib import causal_mask, scores, self_attention, softmax
from attnlib.explorers import PipelineExplorer

STAGES = ("Q", "K", "V", "S", "S_scaled", "S_masked", "A", "Z")
PLACES = [
    (stage, i, column)
    for stage in STAGES
    for i, column in itertools.product(range(1, 6), range(1, 3 if stage in "QKVZ" else 6))
]


def run(given, causal, change=None):
    """Every matrix of the formula; `change` is a matrix, a place in it, and what is added there.

    What comes later is computed from the changed matrix, so the change stands for anything that
    could have made the matrix so. The mask is part of the formula: hidden weights are no terms.
    """
    visible = causal_mask(5) if causal else np.ones((5, 5), dtype=bool)
    made = {}

    def keep(name, matrix):
        made[name] = matrix.copy()
        if change and change[0] == name:
            made[name][change[1]] += change[2]
        return made[name]

    X, W_Q, W_K, W_V = (keep(name, given[name]) for name in ("X", "W_Q", "W_K", "W_V"))
    Q, K, V = keep("Q", X @ W_Q), keep("K", X @ W_K), keep("V", X @ W_V)
    S_scaled = keep("S_scaled", keep("S", scores(Q, K)) / np.sqrt(2))
    A = keep("A", softmax(keep("S_masked", np.where(visible, S_scaled, -np.inf))))
    keep("Z", np.where(visible, A, 0) @ V)
    return made


def generic(seed):
    """Numbers that no accident makes 0, small enough that no weight vanishes."""
    rng = np.random.default_rng(seed)
    shapes = {"X": (5, 2), "W_Q": (2, 2), "W_K": (2, 2), "W_V": (2, 2)}
    return {name: rng.uniform(0.3, 1.2, s) * rng.choice([-1, 1], s) for name, s in shapes.items()}


@pytest.fixture
def explorer():
    explorer = PipelineExplorer()
    yield explorer
    explorer.close()


@pytest.mark.claim("6.3")
@pytest.mark.parametrize("causal", ["on", "off"])
def test_a_cell_is_marked_if_and_only_if_the_chosen_one_follows_it(causal, explorer):
    compared = 0
    for seed in (1, 2):
        given = generic(seed)
        explorer.set_trait("causal", causal)
        for name, matrix in given.items():
            setattr(explorer, name, matrix)
        before = run(given, causal == "on")
        followed = {
            (name, place): run(given, causal == "on", (name, place, 0.25))
            for name in before
            for place in np.ndindex(before[name].shape)
        }
        for stage, i, column in PLACES:
            explorer.stage, explorer.i = stage, i
            setattr(explorer, "r" if stage in "QKVZ" else "j", column)
            at = i - 1, column - 1
            for name, marked in explorer.dependencies.items():
                for place in np.ndindex(marked.shape):
                    if name != stage or place != at:
                        after = followed[name, place][stage][at]
                        moves = after != before[stage][at] and abs(after - before[stage][at]) > 1e-9
                        assert marked[place] == moves, (explorer, name, place)
                        compared += 1
                    else:
                        assert not marked[place]
    # two samples, 140 chosen cells, each against the 162 others
    assert compared == 2 * 140 * 161


@pytest.mark.claim("6.3")
def test_its_matrices_are_those_of_attnlib(explorer):
    explorer.X = np.arange(10).reshape(5, 2) / 5
    explorer.causal = "off"
    trace = self_attention(explorer.X, explorer.W_Q, explorer.W_K, explorer.W_V)
    for name in ("Q", "K", "V", "S", "S_scaled", "A", "Z"):
        np.testing.assert_array_equal(explorer.matrices[name], getattr(trace, name))
    np.testing.assert_array_equal(explorer.matrices["S_masked"], trace.S_scaled)
    explorer.causal = "on"
    masked = explorer.matrices["S_masked"]
    np.testing.assert_array_equal(np.isneginf(masked), ~causal_mask(5))
    np.testing.assert_allclose(softmax(masked), explorer.trace.A, rtol=1e-15)


def test_what_depends_on_nothing_says_so():
    explorer = PipelineExplorer(stage="A", i=2, j=4)
    assert explorer.trace.A[1, 3] == 0
    assert not any(marked.any() for marked in explorer.dependencies.values())
    assert "nothing" in explorer.plain_table()
    explorer.close()


# How the page marks a cell: for each matrix the places, row and column from 1.
MARKED = """view => Object.fromEntries([...view.querySelectorAll(".attn-matrix")].map((table) => [
  table.querySelector("tbody [data-value]").outerHTML.match(/name="(\\w+)-1-1"/)[1],
  [...table.querySelectorAll("td[aria-current]")].map(
    (cell) => [cell.ariaCurrent, cell.parentNode.rowIndex, cell.cellIndex]),
]))"""


def assert_marked(view, explorer):
    marked = view.evaluate(MARKED)
    assert marked.keys() == explorer.dependencies.keys()
    for name, needed in explorer.dependencies.items():
        places = [["true", i + 1, j + 1] for i, j in np.argwhere(needed)]
        if name == explorer.stage:
            places.append(["location", *explorer.chosen])
        assert marked[name] == places, (name, explorer)


def test_a_cell_is_chosen_by_click_or_by_key_and_what_it_needs_is_marked_and_said(page_at):
    explorer = PipelineExplorer()
    with page_at(page_of(explorer.to_html())) as (page, record):
        view = page.locator(VIEW)
        view.wait_for()
        lines = view.locator(":is(.attn-tells, .attn-formula) p")
        view.locator("[name=show]").press("Enter")
        assert_marked(view, explorer)
        assert lines.all_inner_texts() == [
            "Column 1 of the values, mixed in the shares of row 4 of A.",
            "Z41 = 0.12 × 1.00 + 0.12 × 0.00 + 0.51 × 0.00 + 0.25 × 1.00 + 0.00 × 2.00 = 0.37",
            "Outlined, all that it depends on: "
            "A row 4 columns 1, 2, 3, 4; V rows 1, 2, 3, 4 column 1; "
            "(S̃ + M) row 4 columns 1, 2, 3, 4; S̃ row 4 columns 1, 2, 3, 4; "
            "S row 4 columns 1, 2, 3, 4; Q row 4; K rows 1, 2, 3, 4; X rows 1, 2, 3, 4; "
            "WV column 1; WK; WQ",
        ]
        view.locator("[data-name='S-2-5']").click()
        explorer.stage, explorer.i, explorer.j = "S", 2, 5
        assert_marked(view, explorer)
        assert [view.locator(f"[name={n}]").input_value() for n in "ij"] == ["2", "5"]
        assert view.locator("[name=r]").is_hidden()
        for stage, text in [
            ("S_scaled", "S̃25 = 2.00 ÷ √2 = 1.41"),
            ("S_masked", "(S̃ + M)25 = 1.41 + (−∞) = −∞"),
            ("A", "A25 = e−∞ ÷ (e0.71 + e0.00 + e−∞ + e−∞ + e−∞) = 0.00"),
        ]:
            view.locator("[name=next]").press("Enter")
            explorer.stage = stage
            assert_marked(view, explorer)
            assert lines.nth(1).inner_text() == text
        assert lines.nth(2).inner_text() == "Outlined, all that it depends on: none"
        view.locator("[name=causal]").press("Space")
        explorer.causal = "off"
        assert_marked(view, explorer)
        view.locator("[name=stage]").press("Home")
        view.locator("[name=r]").press("End")
        explorer.stage, explorer.r = "Q", 2
        assert_marked(view, explorer)
        assert lines.nth(1).inner_text() == "Q22 = 0.00 × 1.00 + 1.00 × (−1.00) = −1.00"
        page.get_by_label("X 2, 2").fill("-2.5")
        explorer.X = [[1, 0], [0, -2.5], [0, -1], [1, -1], [2, 1]]
        assert value(view, "Q-2-2") == 2.5
        for name, number in explorer.numbers.items():
            if not name.startswith(("X-", "W_", "rows-", "columns-")):
                assert value(view, name) == pytest.approx(number, abs=1e-12), name
        page.wait_for_function(
            "/Q22 = .*2.50/.test(document.querySelector('.attn-status').textContent)"
        )
        assert record.complaints == []
    explorer.close()
