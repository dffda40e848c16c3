"""LaTeX, plain text and EPUB: built without a fault, with all that a page holds in plain form."""

from __future__ import annotations

import re
import sys
import zipfile
from xml.etree import ElementTree

import pytest
from builds import make_bare_book, run, write_settings

PAGE = """# A page

Half of $x$, see {eq}`eq-page-half`.

```{math}
:label: eq-page-half
\\frac{x}{2}
```

```{explorer} pipeline
```

Look at [its *first* row](set:pipeline?i=1).

````{exercise} Find a half
:label: ex-half

What is half of $8$?
````

````{solution} ex-half
It is *four*.
````
"""
SENTENCE = "Here the website has an explorer"


@pytest.fixture(scope="module")
def build(tmp_path_factory, katex_cache):
    """Build the page with one of Sphinx's builders; it is read once."""
    folder = tmp_path_factory.mktemp("formats") / "book"
    make_bare_book(folder, {"page.md": PAGE})
    write_settings(folder)

    def with_builder(name: str):
        command = [sys.executable, "-m", "sphinx", "-q", "-b", name]
        command += ["-d", folder.parent / "doctrees", ".", folder.parent / name]
        done = run(command, folder, PYTHONPATH="_ext", ATTNLIB_KATEX_CACHE=str(katex_cache))
        assert done.code == 0, done.said
        # what an EPUB asks for is no fault of the page
        assert "page.md" not in done.said
        return folder.parent / name

    return with_builder


def test_plain_text_has_the_boxes_and_a_word_for_the_explorer(build):
    text = (build("text") / "page.txt").read_text(encoding="utf-8")
    assert "Exercise: Find a half: What is half of 8?" in text
    assert "Solution: Find a half: It is *four*." in text
    assert SENTENCE in text
    assert "Look at its *first* row." in text
    assert "attn-" not in text
    assert "set:" not in text


def test_latex_has_the_formulas_as_tex_and_the_boxes_as_admonitions(build):
    [file] = build("latex").glob("understanding*.tex")
    text = file.read_text(encoding="utf-8")
    assert "\\frac{x}{2}" in text
    assert "{Exercise: Find a half}" in text
    assert "{Solution: Find a half}" in text
    assert SENTENCE in text
    assert "katex" not in text
    assert "set:" not in text


def test_an_epub_has_the_table_of_the_explorer_and_needs_no_script(build):
    [book] = build("epub").glob("*.epub")
    with zipfile.ZipFile(book) as files:
        names = files.namelist()
        page = files.read("page.xhtml").decode()
    assert not [name for name in names if name.endswith((".js", ".woff2"))]
    # well-formed, or a reader of EPUB refuses it
    ElementTree.fromstring(page)
    assert "<table" in page
    assert "attn-explorer" not in page
    assert re.search(r"Look at (<span>)?its <em>first</em> row(</span>)?\.", page)
    assert 'lang="zh' not in page
    assert "<math" in page
    assert "Exercise: Find a half" in page
    assert "<script" not in page
