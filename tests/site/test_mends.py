"""What is mended on the theme's pages, and that a mend says when the theme has changed."""

from __future__ import annotations

import pytest
from book.languages.editions import CHINESE, ENGLISH
from book.theme import mends
from sphinx.errors import ExtensionError
from sphinx.jinja2glue import BuiltinTemplateLoader

PAGE = """
<!DOCTYPE html>
<html><head>
<link href="../_static/vendor/fontawesome/a.css" rel="stylesheet" />
<link rel="icon" href="a.svg"/>
<script src="../_static/vendor/fontawesome/a.js"></script>
<script>const text = "<th></th>";</script>
</head><body>
<div class="bd-sidebar-primary bd-sidebar"><nav aria-label='Main' title="Main">Main</nav></div>
<a title="next page" href="?a&amp;b">next page</a>
<table><tr><th class="head"></th><th><p></p></th><th>&nbsp;</th><th>&#8212;</th></tr>
<tr><th><p>a</p></th><th><img></th></tr>
<div role="doc-biblioentry">&#8212; <svg viewBox="0 0 1 1"/></div>
</table></body></html>
"""
MENDED = """
<!DOCTYPE html>
<html><head>
<link rel="icon" href="a.svg"/>
<script>const text = "<th></th>";</script>
</head><body>
<div role="complementary" aria-label="The book" class="bd-sidebar-primary bd-sidebar">\
<nav aria-label='Main' title="Main">Main</nav></div>
<a title="next page" href="?a&amp;b">next page</a>
<table><tr><td class="head"></td><td></td><th>&nbsp;</th><th>&#8212;</th></tr>
<tr><th><p>a</p></th><th><img></th></tr>
<div role="listitem">&#8212; <svg viewBox="0 0 1 1"/></div>
</table></body></html>
"""


@pytest.fixture
def render(monkeypatch):
    """Mend a page as if the theme's templates had made it."""

    def render_page(page, edition=ENGLISH):
        monkeypatch.setattr(BuiltinTemplateLoader, "render", lambda *_: page)
        context = {"edition": edition, "pagename": "the/page"}
        return mends.MendedPages().render("page.html", context)

    return render_page


def test_a_page_changes_where_it_is_mended_and_nowhere_else(render):
    assert render(PAGE) == MENDED


def test_words_of_attributes_are_in_the_language_of_the_edition(render):
    chinese = (
        MENDED.replace("The book", "全书")
        .replace('title="Main"', 'title="主导航"')
        .replace('title="next page"', 'title="下一页"')
    )
    assert render(PAGE, CHINESE) == chinese


def test_a_part_of_a_page_stays_what_it_is(render):
    part = '<th></th><div class="bd-sidebar-primary"></div>'
    assert render(part) == part


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("vendor/fontawesome", "vendor/icons", "the/page: the theme loads no icon font any more"),
        ("bd-sidebar-primary", "bd-sidebar-first", "the/page: 0 sidebars, not one"),
        ("<table>", '<table class="bd-sidebar-primary">', "the/page: 2 sidebars, not one"),
    ],
)
def test_a_theme_that_has_changed_is_told(render, old, new, message):
    assert old in PAGE
    with pytest.raises(ExtensionError, match=message):
        render(PAGE.replace(old, new))
