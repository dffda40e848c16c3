"""What is wider than a phone scrolls by itself, and shows that it goes on."""

from __future__ import annotations

from browser import opened

# Of all that is wider than its place: whether it fades at its right end, and can be reached by Tab.
WIDE = """() => [...document.querySelectorAll(
  ".katex-display, .pst-scrollable-table-container, .highlight > pre, .guess.cells")]
  .filter((e) => e.checkVisibility() && e.scrollWidth > e.clientWidth + 1)
  .map((e) => ({
    fades: getComputedStyle(e).maskImage !== "none",
    reached: e.tabIndex === 0,
  }))"""
TO_THE_END = """() => new Promise((done) => {
  for (const e of document.querySelectorAll("[data-more]")) e.scrollLeft = e.scrollWidth;
  requestAnimationFrame(() => requestAnimationFrame(done));
})"""


def test_what_goes_on_to_the_right_fades_until_its_end_is_in_sight(browser, origin):
    url = f"{origin}/en/chapters/04_scaling.html"
    with opened(browser, url, width=360) as (page, record):
        wide = page.evaluate(WIDE)
        assert len(wide) > 3
        assert all(one["fades"] and one["reached"] for one in wide)
        page.evaluate(TO_THE_END)
        assert not any(one["fades"] for one in page.evaluate(WIDE))
        page.emulate_media(media="print")
        page.reload()
        assert not any(one["fades"] for one in page.evaluate(WIDE))
        assert not record.complaints


def test_on_a_desk_what_fits_does_not_fade(browser, origin):
    with opened(browser, f"{origin}/en/chapters/03_scores.html") as (page, _):
        faded = "document.querySelectorAll('[data-more]').length"
        assert page.evaluate(faded) == len(page.evaluate(WIDE))
