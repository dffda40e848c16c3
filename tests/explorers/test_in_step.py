"""What holds for every explorer: in step with others, in Python and in the browser; else a table.

A state that differs from the start in every trait is what the tests move an explorer to.
"""

import json
import sys
from types import SimpleNamespace

import ipywidgets
import numpy as np
import pytest
from explorer_page import VIEW, page_of
from explorer_state import CLASSES, SHOWN

from attnlib.explorers.framework import bundle

RENDER = """async ([source, state, other]) => {
  class Model extends EventTarget {
    constructor(state) { super(); this.state = { ...state, _start: state }; }
    get(name) { return this.state[name]; }
    set(name, value) {
      if (JSON.stringify(this.state[name]) === JSON.stringify(value)) return;
      this.state[name] = value;
      this.dispatchEvent(new Event(`change:${name}`));
    }
    save_changes() {}
    on(event, callback) { this.addEventListener(event, callback); }
    off(event, callback) { this.removeEventListener(event, callback); }
  }
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const { default: explorer } = await import(url);
  const [model, linked] = [new Model(state), new Model(state)];
  for (const name in state) {
    model.on(`change:${name}`, () => linked.set(name, model.get(name)));
    linked.on(`change:${name}`, () => model.set(name, linked.get(name)));
  }
  const ends = [model, model, linked].map((shown) => {
    const el = document.createElement("div");
    document.body.append(el);
    return explorer.render({ model: shown, el });
  });
  Object.assign(globalThis, { model, other, ends });
}"""


def another(explorer):
    """A valid state in which every trait has another value than now."""

    def other(now, setting):
        if setting["kind"] == "choice":
            return next(option for option in setting["options"] if option != now)
        if setting["kind"] == "matrix":
            return tuple(tuple(other(x, setting | {"kind": "number"}) for x in row) for row in now)
        return setting["low"] if now != setting["low"] else setting["high"]

    settings = explorer.settings().items()
    return {name: other(getattr(explorer, name), setting) for name, setting in settings}


@pytest.fixture(params=CLASSES)
def explorer(request):
    explorer = CLASSES[request.param]()
    yield explorer
    explorer.close()


def test_linked_explorers_have_the_same_numbers(explorer):
    other = type(explorer)()
    for name in explorer.settings():
        ipywidgets.link((explorer, name), (other, name))
    state, seen = another(explorer), []
    other.observe(lambda change: seen.append(change.name), list(state))
    for name, value in state.items():
        setattr(explorer, name, value)
    assert seen == list(state)
    assert other.state == explorer.state == state
    fresh = type(explorer)(**state)
    for name, number in fresh.numbers.items():
        assert other.numbers[name] == pytest.approx(number, rel=1e-12, abs=1e-12), name
    other.close()
    fresh.close()


@pytest.mark.parametrize("name", CLASSES)
def test_running_its_cell_again_leaves_nothing_behind(name, monkeypatch):
    registry = ipywidgets.widgets.widget._instances
    before = set(registry)
    for run in range(50):
        request = {"header": {"msg_id": f"run {run}"}, "metadata": {"cellId": f"cell of {name}"}}
        shell = SimpleNamespace(get_parent=lambda request=request: request)
        ipython = SimpleNamespace(get_ipython=lambda shell=shell: shell)
        monkeypatch.setitem(sys.modules, "IPython", ipython)
        explorer = CLASSES[name]()
    assert set(registry) - before == {explorer.model_id, explorer.layout.model_id}
    explorer.close()
    assert set(registry) == before


def test_two_views_and_a_linked_explorer_stay_in_step(explorer, page_at):
    state = json.loads(json.dumps(explorer.state))
    other = json.loads(json.dumps(another(explorer)))
    fresh = type(explorer)(**another(explorer))
    with page_at(page_of()) as (page, record):
        page.evaluate(RENDER, [bundle.module(explorer.name, explorer.settings()), state, other])
        views = page.locator(VIEW)
        start = views.nth(0).evaluate(SHOWN)
        assert views.nth(1).evaluate(SHOWN) == views.nth(2).evaluate(SHOWN) == start
        page.evaluate("for (const name in other) model.set(name, other[name])")
        shown = [view.evaluate(SHOWN) for view in views.all()]
        assert len(shown) == 3
        assert shown[0] == shown[1] == shown[2] != start
        for name, number in fresh.numbers.items():
            if name in shown[0]["numbers"]:
                assert np.isclose(shown[0]["numbers"][name], number, rtol=1e-9, atol=1e-9), name
        # a reset in one view is one in all
        views.nth(2).locator("[name=reset]").press("Enter")
        assert [view.evaluate(SHOWN) for view in views.all()] == [start] * 3
        page.evaluate("for (const end of ends) end()")
        assert views.count() == 0
        page.evaluate("for (const name in other) model.set(name, other[name])")
        assert record.complaints == []
    fresh.close()


def tables_alone(page, count):
    """Every element has its table and one line, and no view."""
    page.locator(".attn-failed").nth(count - 1).wait_for()
    elements = page.locator("attn-explorer")
    assert elements.count() == count
    for element in elements.all():
        assert element.locator(".attn-plain table").first.is_visible()
        assert element.locator(".attn-failed").count() == 1
        assert element.locator(VIEW).count() == 0


@pytest.mark.parametrize("scheme", ["http", "file"])
def test_a_broken_module_or_state_leaves_every_table(scheme, page_at):
    explorers = [cls() for cls in CLASSES.values()]
    html = [explorer.to_html() for explorer in explorers]
    broken = [text.replace("state='{", "state='{broken", 1) for text in html]
    with page_at(page_of(*html, shared="no module"), scheme) as (page, _):
        tables_alone(page, len(CLASSES))
    with page_at(page_of(*broken), scheme) as (page, _):
        tables_alone(page, len(CLASSES))
    with page_at(page_of(*html), scheme) as (page, _):
        page.locator(VIEW).nth(len(CLASSES) - 1).wait_for()
        assert page.locator(".attn-failed").count() == 0
    for explorer in explorers:
        explorer.close()


def test_nothing_moves_on_its_own(page_at):
    explorers = [cls() for cls in CLASSES.values()]
    html = page_of(*(explorer.to_html() for explorer in explorers))
    moving = """views => views.flatMap((view) => [view, ...view.querySelectorAll("*")])
      .filter((e) => [e, "::before", "::after"].some((part) => {
        const style = getComputedStyle(e, part === e ? null : part);
        return style.animationName !== "none" || /[1-9]/.test(style.transitionDuration);
      })).map((e) => e.outerHTML.slice(0, 100))"""
    with page_at(html, reduced_motion="no-preference") as (page, _):
        page.locator(VIEW).nth(len(CLASSES) - 1).wait_for()
        assert page.locator(VIEW).evaluate_all(moving) == []
        page.add_style_tag(content=".attn-fill { transition: width 0.3s }")
        assert page.locator(VIEW).evaluate_all(moving) != []
    for explorer in explorers:
        explorer.close()
