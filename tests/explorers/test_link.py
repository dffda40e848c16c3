"""A link with what the reader set: it brings another reader there, and harms nothing."""

import re

import pytest
from explorer_page import VIEW, page_of, value
from explorer_state import CLASSES, SHOWN, assert_equal_to_attnlib

from attnlib.explorers import ProjectionExplorer, ScalingExplorer
from attnlib.explorers.framework import bundle

LABELS = {"en": ("Copy link", "Link copied."), "zh-CN": ("复制链接", "链接已复制。")}
KEYS = {"range": "ArrowRight", "select-one": "End", "number": "ArrowUp", "checkbox": "Space"}
NO_CLIPBOARD = "Object.defineProperty(navigator, 'clipboard', { value: undefined })"


def set_by_keyboard(view):
    """Move every control of a view."""
    for control in view.locator("input, select").all():
        key = KEYS[control.evaluate("control => control.type")]
        control.press(key)


def copy(view):
    """Press the button; give what is said then."""
    view.locator("[name=link]").press("Enter")
    note = view.locator("[name=link] + [role=status]")
    note.filter(has_text=re.compile(".")).wait_for()
    return note.inner_text()


# by turns: how a page came and its language are nothing that an explorer's own code knows
WAYS = (("http", "en"), ("file", "zh-CN"))


@pytest.mark.parametrize(
    ("name", "scheme", "lang"), [(name, *WAYS[k % 2]) for k, name in enumerate(CLASSES)]
)
def test_a_link_brings_another_reader_to_the_same_state(name, scheme, lang, page_at):
    explorer, neighbour = CLASSES[name](), CLASSES[name]()
    label, copied = LABELS[lang]
    html = page_of(
        "<section id='here'>", explorer.to_html(), neighbour.to_html(), "</section>", lang=lang
    )
    with page_at(html, scheme, "?tongue=a%20b") as (page, record):
        views = page.locator(VIEW)
        views.nth(1).wait_for()
        start = views.nth(0).evaluate(SHOWN)
        set_by_keyboard(views.nth(0))
        shown = views.nth(0).evaluate(SHOWN)
        assert shown != start
        button = views.nth(0).get_by_role("button", name=label, exact=True)
        assert button.get_attribute("name") == "link"
        assert views.nth(0).locator("[name=reset] + [name=link]").count() == 1
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        assert copy(views.nth(0)) == copied
        assert page.evaluate("navigator.clipboard.readText()") == page.url
        page.keyboard.press("Tab")
        assert not page.evaluate("document.activeElement.matches('a')")
        address, query = page.url, page.url.partition("?")[2]
        assert query.startswith("tongue=a+b&")
        assert query.endswith("#here")
        assert re.fullmatch(rf"(&{name}\.\w+=[\w.-]+)+", query[len("tongue=a+b") : -len("#here")])
        page.reload()
        views.nth(1).wait_for()
        assert views.nth(0).evaluate(SHOWN) == shown
        assert views.nth(1).evaluate(SHOWN) == start
        views.nth(0).locator("[name=reset]").press("Enter")
        assert views.nth(0).evaluate(SHOWN) == start
        assert page.url == address.replace(query, "tongue=a+b#here")
        assert record.complaints == []
    explorer.close()
    neighbour.close()


def test_links_of_several_explorers_live_side_by_side(page_at):
    explorers = [ScalingExplorer(), ScalingExplorer(seed=3), ProjectionExplorer()]
    with page_at(page_of(*(e.to_html() for e in explorers)), query="#top") as (page, record):
        views = page.locator(VIEW)
        views.nth(2).wait_for()
        page.evaluate(NO_CLIPBOARD)
        views.nth(1).locator("[name=rho]").press("End")
        copy(views.nth(1))
        views.nth(2).get_by_label("W_V 2, 1").fill("-1.25")
        copy(views.nth(2))
        assert page.url.endswith("?scaling-2.rho=1&projection.W_V=1_1_-1.25_1#top")
        page.reload()
        views.nth(2).wait_for()
        assert [value(views.nth(i), "rho") for i in (0, 1)] == [0, 1]
        assert value(views.nth(1), "seed") == 3
        # a reset takes out what is its own
        views.nth(0).locator("[name=reset]").press("Enter")
        assert page.url.endswith("?scaling-2.rho=1&projection.W_V=1_1_-1.25_1#top")
        views.nth(1).locator("[name=reset]").press("Enter")
        assert page.url.endswith("?projection.W_V=1_1_-1.25_1#top")
        views.nth(2).get_by_label("W_V 2, 1").fill("0")
        copy(views.nth(2))
        assert page.url.endswith("page.html#top")
        assert record.complaints == []
    for explorer in explorers:
        explorer.close()


@pytest.mark.parametrize("lang", LABELS)
@pytest.mark.parametrize("scheme", ["http", "file"])
def test_without_a_clipboard_the_link_is_shown_and_selected(lang, scheme, page_at):
    explorer = ScalingExplorer()
    message = {"en": "Copy this link:", "zh-CN": "请复制此链接："}[lang]
    with page_at(page_of(explorer.to_html(), lang=lang), scheme, width=360) as (page, record):
        view = page.locator(VIEW)
        page.evaluate(NO_CLIPBOARD)
        view.locator("[name=rho]").press("End")
        assert copy(view) == message
        link = view.locator("[name=link] ~ a")
        assert link.inner_text() == link.get_attribute("href") == page.url
        assert page.url.endswith("?scaling.rho=1")
        assert page.evaluate("String(getSelection())") == page.url
        assert page.evaluate("document.activeElement.name") == "link"
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        assert link.bounding_box()["height"] >= 24
        # it is not that state's any more
        view.locator("[name=rho]").press("Home")
        assert not link.is_visible()
        assert view.locator("[name=link] + [role=status]").inner_text() == ""
        assert record.complaints == []
    explorer.close()


NO_LINKS = (
    "scaling.d_k=0",
    "scaling.d_k=513",
    "scaling.d_k=1.5",
    "scaling.d_k=",
    "scaling.d_k=abc",
    "scaling.d_k=null",
    "scaling.d_k=[64]",
    "scaling.d_k=%22128%22",
    "scaling.rho=1e9",
    "scaling.scaling=sqrt",
    "scaling.rho=0.5&scaling.d_k=-1",
    "scaling.other=1",
    "scaling._start=1",
    "scaling",
    "scaling=%7B%7D",
    "%E0%A4%A",
    "projection.W_V=1_1_0",
    "projection.W_V=1_1_0_1_1",
    "projection.W_V=1_1_0_4",
    "projection.W_V=1_1_0_x",
    "projection.W_V=1",
    "projection.W_V=",
)


def test_a_link_that_cannot_be_followed_leads_to_the_start(page_at):
    explorers = [ScalingExplorer(), ProjectionExplorer()]
    html = page_of(*(e.to_html() for e in explorers))
    with page_at(html) as (page, record):
        address = page.url
        views = page.locator(VIEW)
        views.nth(1).wait_for()
        starts = [view.evaluate(SHOWN) for view in views.all()]
        for explorer, start in zip(explorers, starts, strict=True):
            assert assert_equal_to_attnlib(type(explorer), start).state == explorer.state
        for query in NO_LINKS:
            page.goto(f"{address}?{query}")
            views.nth(1).wait_for()
            assert views.count() == 2, query
            assert page.locator(".attn-failed").count() == 0, query
            assert views.locator("[name=link]").count() == 2
            assert [view.evaluate(SHOWN) for view in views.all()] == starts, query
        # and one that can be followed
        page.goto(f"{address}?scaling.d_k=48")
        views.nth(1).wait_for()
        assert value(views.nth(0), "d_k") == 48
        assert record.complaints == []
    for explorer in explorers:
        explorer.close()


@pytest.mark.parametrize("name", CLASSES)
def test_jupyter_offers_no_link_to_a_page(name):
    assert "clipboard" in bundle.page_script()
    assert "clipboard" not in CLASSES[name]._esm
