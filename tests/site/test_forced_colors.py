"""Where a reader's own few colours are forced: marks stay marks, and nothing else becomes one."""

from __future__ import annotations

import pytest
from browser import opened
from explorer_page import VIEW, page_of
from explorer_state import CLASSES

# Frames that are there and not seen; forced colours show them.
UNSEEN = """view => [...view.querySelectorAll("*")].flatMap((element) => {
  const style = getComputedStyle(element);
  const clear = (colour) => /^rgba\\(.*, 0\\)$/.test(colour);
  const sides = ["border-top", "border-right", "border-bottom", "border-left", "outline"];
  return sides.filter((side) => {
    const is = (what) => style.getPropertyValue(`${side}-${what}`);
    return is("style") !== "none" && parseFloat(is("width")) > 0 && clear(is("color"));
  }).map((side) => `${element.localName}.${element.className} ${side}`);
})"""

# Cells of matrices: whether each has a frame, and whether it is marked.
CELLS = """view => [...view.querySelectorAll(".attn-matrix td")].map((cell) => {
  const framed = [cell, ...cell.children].some((element) => {
    const style = getComputedStyle(element);
    const width = (side) => parseFloat(style[`${side}Width`]);
    const seen = (side) => style[`${side}Style`] !== "none" && width(side) > 0;
    // a field has its border always
    return seen("outline") || (element.localName !== "input" && seen("borderTop"));
  });
  return [cell.textContent, framed, cell.ariaCurrent !== null];
})"""

# Bars and their tracks, and what a marked cell of one's own is drawn with.
DRAWN = """view => ({
  tracks: [...view.querySelectorAll(".attn-track")].map((track) => {
    const bar = getComputedStyle(track.firstElementChild);
    const filled = bar.backgroundImage !== "none" ? bar.backgroundImage : bar.backgroundColor;
    return getComputedStyle(track).outlineStyle !== "none" && filled;
  }),
  located: [...view.querySelectorAll("[aria-current=location] > .attn-number")].map(
    (place) => getComputedStyle(place).backgroundColor),
  ground: getComputedStyle(view).backgroundColor,
})"""


def test_only_marked_cells_are_framed(page_at):
    explorers = [cls() for cls in CLASSES.values()]
    html = page_of(*(explorer.to_html() for explorer in explorers))
    settings = {"color_scheme": "dark", "forced_colors": "none"}
    with page_at(html, **settings) as (page, record):
        views = page.locator(VIEW)
        views.nth(len(explorers) - 1).wait_for()
        unseen = [fault for view in views.all() for fault in view.evaluate(UNSEEN)]
        assert not unseen
        before = [view.evaluate(CELLS) for view in views.all()]
        page.emulate_media(forced_colors="active")
        assert page.evaluate("matchMedia('(forced-colors: active)').matches")
        assert [view.evaluate(CELLS) for view in views.all()] == before
        cells = [cell for view in before for cell in view]
        assert all(framed == marked for _, framed, marked in cells)
        assert 10 < sum(framed for _, framed, _ in cells) < len(cells) / 2
        drawn = [view.evaluate(DRAWN) for view in views.all()]
        tracks = [(one["ground"], track) for one in drawn for track in one["tracks"]]
        located = [(one["ground"], place) for one in drawn for place in one["located"]]
        assert len(tracks) > 10
        assert located
        for ground, colour in tracks + located:
            assert colour not in (False, ground)
        assert not record.complaints
    for explorer in explorers:
        explorer.close()


ICONS = """() => {
  const shown = [...document.querySelectorAll(":is(i, span)[class*='fa-']")].filter(
    (icon) => icon.checkVisibility() && icon.getBoundingClientRect().width > 1);
  const title = document.querySelector(".admonition-title");
  const grounds = shown.map((icon) => getComputedStyle(icon).backgroundColor);
  return [...grounds, getComputedStyle(title, "::after").backgroundColor];
}"""

FOCUSED = """() => {
  const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(document.activeElement);
  return outlineStyle !== "none" && parseFloat(outlineWidth) >= 1 && outlineColor;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_icons_the_focus_and_what_was_searched_are_seen_on_the_site(browser, origin, scheme):
    url = f"{origin}/en/chapters/05_attention_weights.html?highlight=softmax"
    settings = {"color_scheme": scheme, "forced_colors": "active"}
    with opened(browser, url, **settings) as (page, record):
        ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
        icons = page.evaluate(ICONS)
        assert len(icons) > 5
        assert ground not in icons
        found = page.locator("article span.highlighted").first
        found.wait_for()
        assert found.evaluate("mark => getComputedStyle(mark).backgroundColor") != ground
        for _ in range(12):
            page.keyboard.press("Tab")
            assert page.evaluate(FOCUSED) not in (False, ground)
        assert not record.complaints
