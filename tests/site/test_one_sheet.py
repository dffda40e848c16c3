"""The style sheets of a page are one file, in which nothing is lost."""

from __future__ import annotations

import hashlib
import re

import pytest
from book.theme.one_sheet import NAME, joined, merged
from manuscript import pages

SHEETS = {
    "_static/styles/theme.css": '@charset "utf-8";\n@import "../basic.css";\nb { color: red }\n',
    "_static/basic.css": "a { background: url(file.png) }\n",
    "_static/katex/katex.css": (
        "@font-face { src: url(fonts/A.woff2) format('woff2'), url('../B.woff2') }\n"
        "c { mask: url(\"data:image/svg+xml,%3Csvg xmlns='x'/%3E\"); filter: url(#f) }\n"
    ),
}


def test_imports_stand_in_their_place_and_addresses_lead_where_they_led(tmp_path):
    for name, text in SHEETS.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    text = joined(tmp_path, ["_static/styles/theme.css", "_static/katex/katex.css"])
    assert [line for line in text.split("\n") if line] == [
        'a { background: url("file.png") }',
        "b { color: red }",
        '@font-face { src: url("katex/fonts/A.woff2") format(\'woff2\'), url("B.woff2") }',
        "c { mask: url(\"data:image/svg+xml,%3Csvg xmlns='x'/%3E\"); filter: url(#f) }",
    ]


@pytest.mark.parametrize(
    ("order", "more", "both"),
    [
        ("", "abc", "abc"),
        ("abc", "abc", "abc"),
        ("abc", "axbc", "axbc"),
        ("ac", "abc", "abc"),
        ("abc", "cx", "abcx"),
        ("abc", "xa", "xabc"),
    ],
)
def test_what_is_new_comes_behind_what_it_stood_behind(order, more, both):
    assert "".join(merged([*order], more)) == both


@pytest.mark.parametrize("folder", ["en", "zh"])
def test_every_page_asks_for_the_sheet_as_it_is(site, folder):
    text = (site / folder / NAME).read_text(encoding="utf-8")
    version = hashlib.sha256(text.encode()).hexdigest()[:8]
    for page in [*pages(), "genindex", "search"]:
        html = (site / folder / f"{page}.html").read_text(encoding="utf-8")
        sheets = re.findall(r'<link[^>]*rel="stylesheet"[^>]*>', html)
        depth = "../" * page.count("/")
        assert sheets == [f'<link rel="stylesheet" href="{depth}{NAME}?v={version}" />'], page
    # each of what it is made of has left a mark; of the colours of code, those of both themes
    for mark in (".bd-sidebar", "KaTeX_Main", "attn-explorer", ".copy-button"):
        assert mark in text
    for theme in ("light", "dark"):
        assert re.search(rf"html\[data-theme=\"?{theme}\"?\] \.highlight \.k\b", text)
    for address in re.findall(r'url\("(?!data:)([^"]+)"\)', text):
        assert (site / folder / "_static" / address).is_file(), address
