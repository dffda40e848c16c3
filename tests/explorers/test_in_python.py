"""The explorers in Python: what they hold, what they write into a notebook, what a page gets."""

import json
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from types import SimpleNamespace

import ipywidgets
import numpy as np
import pytest
import traitlets
from explorer_state import CLASSES

from attnlib.explorers import MixingExplorer, ProjectionExplorer, ScalingExplorer
from attnlib.explorers.framework import cells
from attnlib.explorers.framework.base import Explorer
from attnlib.explorers.framework.settings import Choice
from attnlib.explorers.framework.tables import format_number

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"


def python(code, **environment):
    """What a fresh interpreter prints."""
    done = subprocess.run(
        [sys.executable, "-X", "utf8", "-W", "error", "-c", code],
        capture_output=True,
        encoding="utf-8",
        check=False,
        env={**os.environ, **environment},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def bundle_of(explorer):
    data, _ = explorer._repr_mimebundle_()
    return data


class Page(HTMLParser):
    """The attributes of the explorer's element, and the texts of its table cells."""

    def __init__(self, html):
        super().__init__()
        self.element, self.cells, self.languages, self.open = {}, [], set(), []
        self.feed(html)
        self.close()
        assert not self.open, f"not closed: {self.open}"

    def handle_starttag(self, tag, attributes):
        self.open.append(tag)
        attributes = dict(attributes)
        if tag == "attn-explorer":
            self.element = attributes
        if "lang" in attributes:
            self.languages.add(attributes["lang"])
        if tag in ("td", "th"):
            self.cells.append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "td" in self.open or "th" in self.open:
            self.cells[-1] += data


def test_attnlib_alone_loads_no_widgets():
    code = (
        "import sys, attnlib, attnlib.explorers\n"
        "print(sorted({'anywidget', 'ipywidgets', 'traitlets'} & set(sys.modules)))\n"
        "from attnlib.explorers import ScalingExplorer\n"
        "print('anywidget' in sys.modules)"
    )
    assert python(code).split("\n") == ["[]", "True", ""]


def test_an_unknown_explorer_is_an_attribute_error():
    import attnlib.explorers as package

    with pytest.raises(AttributeError, match="NoSuchExplorer"):
        _ = package.NoSuchExplorer
    assert "ScalingExplorer" in dir(package)


def test_a_class_is_found_by_the_name_of_its_element():
    from attnlib.explorers import by_name

    assert {name: by_name(name) for name in CLASSES} == CLASSES
    with pytest.raises(ValueError, match=r"no explorer is called 'no'; there are: aggreg"):
        by_name("no")


def test_a_notebook_gets_the_widget_the_element_and_a_line_of_text():
    explorer = ScalingExplorer(d_k=128, rho=-0.25)
    data = bundle_of(explorer)
    assert data[WIDGET_VIEW]["model_id"] == explorer.model_id
    assert data["text/plain"] == repr(explorer) == (
        "ScalingExplorer(d_k=128, scaling='sqrt_d_k', mu_q=0.0, mu_k=0.0, "
        "sigma_q=1.0, sigma_k=1.0, rho=-0.25, seed=1)"
    )  # fmt: skip
    page = Page(data["text/html"])
    assert page.element["name"] == "scaling"
    assert json.loads(page.element["state"]) == explorer.state
    assert explorer.model_id not in data["text/html"]
    explorer.close()


@pytest.mark.parametrize("name", CLASSES)
def test_every_explorer_stands_in_a_notebook_with_its_table_in_both_languages(name):
    explorer = CLASSES[name]()
    data = bundle_of(explorer)
    assert data[WIDGET_VIEW]["model_id"] == explorer.model_id
    assert data["text/plain"] == repr(explorer)
    page = Page(data["text/html"])
    assert page.element["name"] == name
    assert json.loads(page.element["state"]) == json.loads(json.dumps(explorer.state))
    assert page.languages == {"en", "zh"}
    shown = [n for n, x in explorer.numbers.items() if format_number(x) in page.cells]
    assert shown
    assert explorer.model_id not in data["text/html"]
    explorer.close()


def test_the_plain_table_has_the_numbers_in_both_languages():
    explorer = ScalingExplorer(d_k=96, scaling="none", mu_k=0.5, seed=4)
    page = Page(explorer.to_html())
    hidden = {"scale", "variance-per-feature", "unscaled-variance", "tallest", "outside", "stuck"}
    # of three divisors the table has the one that is chosen
    hidden |= {n for n in explorer.numbers if re.match(r"weights-\w*d_k-", n)}
    shown = {n: format_number(x) for n, x in explorer.numbers.items() if n not in hidden}
    assert set(shown.values()) <= set(page.cells)
    assert {"96", "0.50", "1.00"} <= set(page.cells)
    assert page.languages == {"en", "zh"}
    explorer.close()


def test_the_table_names_what_the_scores_are_divided_by():
    for scaling, text in [("none", "1"), ("sqrt_d_k", "√dk"), ("d_k", "dk")]:
        explorer = ScalingExplorer(scaling=scaling)
        assert f"scores divided by 分数除以 {text}" in Page(explorer.to_html()).cells
        explorer.close()


@pytest.mark.claim("1.3", "1.4")
def test_shares_become_weights_of_the_visible_tokens_alone():
    explorer = MixingExplorer(share_1=30, share_2=0, share_3=10, share_4=60, share_5=0, i=3)
    np.testing.assert_allclose(explorer.weights, [0.3, 0, 0.1, 0.6, 0])
    explorer.mask = "causal"
    np.testing.assert_allclose(explorer.weights, [0.75, 0, 0.25, 0, 0])
    np.testing.assert_allclose(explorer.z, [0.75 * -1 + 0.25 * -2, 0.75 * 2])
    assert explorer.corners.tolist() == [True, True, True, False, False]
    explorer.share_1 = explorer.share_3 = 0
    np.testing.assert_allclose(explorer.weights, [1 / 3, 1 / 3, 1 / 3, 0, 0])
    explorer.close()


def test_stored_outputs_are_the_same_in_every_run():
    code = (
        "from attnlib.explorers import ScalingExplorer\n"
        "data, _ = ScalingExplorer(d_k=48, mu_q=1.0)._repr_mimebundle_()\n"
        "print(data['text/plain'], data['text/html'])"
    )
    runs = {python(code, PYTHONHASHSEED=seed) for seed in ("1", "2")}
    assert len(runs) == 1
    assert not re.search(r"0x[0-9a-f]{6}|[0-9a-f]{32}", runs.pop())


NASTY = "'\"><script>&amp;</script>\u2028的"


class Nasty(Explorer):
    name = "scaling"
    text = Choice({NASTY: (NASTY, NASTY)}, start=NASTY)

    def plain_table(self):
        return "<table></table>"


def test_any_state_survives_the_attribute():
    explorer = Nasty()
    html = explorer.to_html()
    assert json.loads(Page(html).element["state"]) == {"text": NASTY}
    assert "<script" not in html
    explorer.close()


@pytest.mark.parametrize(
    ("state", "message"),
    [
        ({"d_k": 0}, "d_k must be a whole number from 1 to 512, not 0"),
        ({"d_k": 513}, "d_k must be a whole number from 1 to 512, not 513"),
        ({"d_k": 64.0}, "d_k must be a whole number from 1 to 512, not 64.0"),
        ({"d_k": True}, "d_k must be a whole number from 1 to 512, not True"),
        ({"rho": 1.01}, "rho must be a number from -1.0 to 1.0, not 1.01"),
        ({"mu_q": float("nan")}, "mu_q must be a number from -2.0 to 2.0, not nan"),
        ({"sigma_k": "1"}, "sigma_k must be a number from 0.25 to 2.0, not '1'"),
        ({"scaling": "sqrt"}, "scaling must be one of 'none', 'sqrt_d_k', 'd_k', not 'sqrt'"),
        ({"scaling": None}, "scaling must be one of 'none', 'sqrt_d_k', 'd_k', not None"),
        ({"dk": 64}, "ScalingExplorer has no trait dk; it has d_k, scaling, mu_q"),
    ],
)
def test_a_value_out_of_range_is_refused_by_name(state, message):
    with pytest.raises(traitlets.TraitError, match=re.escape(message)):
        ScalingExplorer(**state)


@pytest.mark.parametrize(
    "matrix",
    [((1, 0),), ((1, 0), (0, 3.5)), ((1, 0), (0, np.nan)), ((1, 0), (0,)), "1001", None, 1],
)
def test_a_matrix_of_another_shape_or_out_of_range_is_refused_by_name(matrix):
    message = "W_Q must be 2 rows of 2 numbers from -3.0 to 3.0, not "
    with pytest.raises(traitlets.TraitError, match=re.escape(message)):
        ProjectionExplorer(W_Q=matrix)


def test_a_matrix_is_observed_and_cannot_change_unseen():
    explorer = ProjectionExplorer()
    seen = []
    explorer.observe(lambda change: seen.append(change.new), "W_V")
    assert list(explorer.moved.values()) == [0, 0, 0, 0, 0]
    explorer.W_V = np.array([[1, 1], [0, -2]])
    assert seen == [((1, 1), (0, -2))]
    with pytest.raises(TypeError):
        explorer.W_V[0][0] = 5
    assert [name for name, change in explorer.moved.items() if change] == ["V", "Z"]
    explorer.close()


def test_numbers_of_other_kinds_become_plain_ones():
    explorer = ScalingExplorer(d_k=np.int64(3), mu_q=1, rho=np.float32(0.5))
    assert repr(explorer.state["d_k"]) == "3"
    assert repr(explorer.state["mu_q"]) == "1.0"
    assert repr(explorer.state["rho"]) == "0.5"
    explorer.close()


def test_traits_can_be_observed_and_linked():
    first, second = ScalingExplorer(), ScalingExplorer(d_k=8)
    seen = []
    first.observe(lambda change: seen.append(change.new), "d_k")
    link = ipywidgets.link((first, "d_k"), (second, "d_k"))
    second.d_k = 256
    assert first.d_k == 256
    assert seen == [256]
    assert first.variance == pytest.approx(1.0)
    link.unlink()
    first.close()
    second.close()


def registry():
    return set(ipywidgets.widgets.widget._instances)


def test_fifty_explorers_leave_nothing_when_they_close():
    before = registry()
    explorers = [ScalingExplorer() for _ in range(50)]
    # each brings its layout along, as every ipywidget does
    mine = {e.model_id for e in explorers} | {e.layout.model_id for e in explorers}
    assert registry() - before == mine
    for explorer in explorers:
        explorer.close()
    assert registry() == before


def run_cell(monkeypatch, cell, run):
    """Be in a run of a cell, as ipykernel tells it."""
    request = {"header": {"msg_id": run}, "metadata": {"cellId": cell} if cell else {}}
    shell = SimpleNamespace(get_parent=lambda: request)
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))


def test_running_a_cell_fifty_times_keeps_the_last_run_only(monkeypatch):
    before = registry()
    run_cell(monkeypatch, "other", "run 0")
    elsewhere = ScalingExplorer()
    for i in range(50):
        run_cell(monkeypatch, "cell", f"run {i + 1}")
        pair = ScalingExplorer(), ScalingExplorer()
    assert {e.model_id for e in (elsewhere, *pair)} <= registry()
    assert len(registry() - before) == 2 * 3
    for explorer in (elsewhere, *pair):
        explorer.close()
    assert registry() == before


@pytest.mark.parametrize("shell", [None, SimpleNamespace()])
def test_outside_a_cell_nothing_is_closed(shell, monkeypatch):
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    assert cells.running_cell() is None
    first, second = ScalingExplorer(), ScalingExplorer()
    assert {first.model_id, second.model_id} <= registry()
    first.close()
    second.close()


def test_a_message_without_a_cell_is_no_cell(monkeypatch):
    run_cell(monkeypatch, None, "run 1")
    assert cells.running_cell() is None
