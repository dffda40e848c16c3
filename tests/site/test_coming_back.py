"""A page that was there before: reached by Back, or opened from a copy that a browser has saved."""

from __future__ import annotations

from browser import opened

ALL_LIVE = """() => [...document.querySelectorAll("attn-explorer")].every(
  (explorer) => explorer.dataset.status === "live" && explorer.querySelector(".attn-view"))"""


def test_the_drawer_is_closed_after_back_on_a_phone(browser, origin):
    with opened(browser, f"{origin}/en/chapters/notation.html", width=360) as (page, record):
        drawer = page.locator(".bd-sidebar-primary")
        page.locator("button.primary-toggle").click()
        page.wait_for_function("document.querySelector('#pst-primary-sidebar-checkbox').checked")
        drawer.locator("a[href='glossary.html']").click()
        page.wait_for_url("**/glossary.html")
        page.go_back(wait_until="load")
        page.wait_for_url("**/notation.html")
        page.wait_for_function("!document.querySelector('#pst-primary-sidebar-checkbox').checked")
        assert not record.complaints


def test_beside_the_page_the_table_stays_as_the_reader_has_left_it(browser, origin):
    """On a wide screen the box says that the table is hidden; the reader's choice is kept."""
    with opened(browser, f"{origin}/en/chapters/notation.html", width=1280) as (page, _):
        box = "document.querySelector('#pst-primary-sidebar-checkbox').checked"
        page.evaluate("document.querySelector('#pst-primary-sidebar-checkbox').checked = true")
        page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
        assert page.evaluate(box)


def test_a_saved_copy_starts_once(browser, origin):
    """What a browser saves is the page as it stands, with all that scripts have made in it."""
    url = f"{origin}/en/chapters/05_attention_weights.html"
    with opened(browser, url) as (page, record):
        page.wait_for_function(ALL_LIVE)
        views = page.locator("attn-explorer > .attn-view").count()
        words = page.locator(".attn-view").all_inner_texts()
        saved = page.content()
        page.route(
            "**/saved.html", lambda route: route.fulfill(body=saved, content_type="text/html")
        )
        page.goto(url.replace("05_attention_weights", "saved"), wait_until="load")
        page.wait_for_function(ALL_LIVE)
        assert views > 0
        assert page.locator("attn-explorer > .attn-view").count() == views
        assert page.locator("attn-explorer .attn-failed").count() == 0
        assert page.locator(".attn-view").all_inner_texts() == words
        assert not record.complaints
