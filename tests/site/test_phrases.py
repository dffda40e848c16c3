"""Phrases that set an explorer: what the build makes of them, and each fault that it tells."""

from __future__ import annotations

import sys

import pytest
from book.phrases.targets import fault_of, value_of
from builds import make_bare_book, run, write_settings
from explorer_state import CLASSES
from html_pages import tree

from attnlib import explorers

THERE = {"aggregation": 1, "projection": 2, "scaling": 1}
PAGE = """# A page

Choose [row *2* of $A$](set:aggregation?i=2), or {words}.

```{{explorer}} aggregation
```

```{{explorer}} aggregation
```
"""
CATALOGUE = """msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\\n"

msgid "Choose [row *2* of $A$](set:aggregation?i=2), or {words}."
msgstr "请选 [$A$ 的第 2 行](set:aggregation?i=2)，或 {chinese}。"
"""
FAULTS = {
    "scaling?d_k=64": "",
    "scaling?d_k=64&scaling=none&rho=-0.5": "",
    "projection?W_V=1_1_-1.25_1": "",
    "projection-2?i=5": "",
    "attention?i=4": "no explorer is called 'attention'",
    "softmax?shift=1": "the page has 0 explorers 'softmax'",
    "scaling-2?d_k=64": "the page has 1 explorers 'scaling'",
    "scaling-1?d_k=64": "not of the form",
    "scaling": "not of the form",
    "scaling?": "not of the form",
    "scaling?d_k": "bad query field",
    "scaling?dk=64": "ScalingExplorer has no trait dk; it has d_k, scaling",
    "scaling?_start=1": "no trait _start",
    "scaling?d_k=64&d_k=32": "d_k stands there twice",
    "scaling?d_k=": "d_k cannot be ''",
    "scaling?d_k=many": "d_k cannot be 'many'",
    "scaling?d_k=513": "d_k must be a whole number from 1 to 512, not 513",
    "scaling?d_k=1.5": "d_k must be a whole number",
    "scaling?rho=NaN": "rho must be a number",
    "scaling?scaling=sqrt": "scaling must be one of",
    "projection?W_V=1_1_0": "W_V must be 2 rows of 2 numbers",
    "projection?W_V=1_1_0_4": "W_V must be 2 rows of 2 numbers",
    "projection?W_V=1_x_0_1": "W_V cannot be",
}


@pytest.mark.parametrize("target", FAULTS)
def test_what_cannot_be_set_is_told(target):
    fault = fault_of(target, THERE)
    assert FAULTS[target] in fault
    assert bool(fault) == bool(FAULTS[target])


def entries(value):
    return "_".join(str(x) for row in value for x in row)


@pytest.mark.parametrize("name", CLASSES)
def test_every_state_can_be_written(name):
    explorer = explorers.by_name(name)()
    for trait, setting in explorer.settings().items():
        now = getattr(explorer, trait)
        text = entries(now) if setting["kind"] == "matrix" else str(now)
        setattr(explorer, trait, value_of(text, setting))
        assert getattr(explorer, trait) == now
        assert fault_of(f"{name}?{trait}={text}", {name: 1}) == ""
    explorer.close()


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    folder = tmp_path_factory.mktemp("phrases") / "book"
    make_bare_book(folder, {"page.md": PAGE})
    write_settings(folder)
    return folder


@pytest.fixture
def build(book, tmp_path, katex_cache):
    """Build a page with a phrase beside one that is right, in one of the languages."""
    catalogue = book / "locale" / "zh_CN" / "LC_MESSAGES" / "page.po"
    catalogue.parent.mkdir(parents=True, exist_ok=True)

    def build_page(language, words, chinese=""):
        page = PAGE.format(words=words)
        (book / "page.md").write_text(page, encoding="utf-8")
        text = CATALOGUE.format(words=words, chinese=chinese or words)
        catalogue.write_text(text, encoding="utf-8")
        command = [sys.executable, "-m", "sphinx", "-q", "-E", "-b", "html"]
        command += ["-D", f"language={language}", ".", tmp_path]
        done = run(command, book, PYTHONPATH="_ext", ATTNLIB_KATEX_CACHE=str(katex_cache))
        assert done.code == 0, done.said
        return tree(tmp_path / "page.html"), done.said

    return build_page


def test_a_phrase_keeps_its_words_and_its_formula(build):
    page, said = build("en", "[the other](set:aggregation-2?r=2&i=1)")
    assert said == ""
    first, other = page.cssselect("article .attn-set")
    assert first.tag == "span"
    assert first.get("data-set") == "aggregation?i=2"
    # what its button is called
    assert first.get("data-words") == "row 2 of A"
    assert other.get("data-words") is None
    assert first.cssselect("em")[0].text == "2"
    assert first.cssselect(".katex annotation")[0].text.strip() == "A"
    assert (other.get("data-set"), other.text) == ("aggregation-2?r=2&i=1", "the other")
    assert not page.xpath("//a[starts-with(@href, 'set:')]")
    assert "set:" not in page.cssselect("article")[0].text_content()


def test_a_translated_phrase_is_one_too_and_stays_with_its_mark(build):
    page, said = build("zh_CN", "not", "[另一处](set:aggregation-2?i=3)")
    assert said == ""
    first, other = page.cssselect("article .attn-set")
    assert first.cssselect(".katex")
    assert first.text_content().endswith("的第 2 行")
    assert first.getparent().text_content().endswith("行，")
    assert first.getparent().get("class") == "kept-together"
    assert (other.get("data-set"), other.text) == ("aggregation-2?i=3", "另一处")


@pytest.mark.parametrize(
    ("language", "words", "chinese"),
    [
        ("en", "[it](set:scores?i=2)", ""),
        ("zh_CN", "[it](set:aggregation?i=3)", "[它](set:aggregation?i=6)"),
    ],
)
def test_a_phrase_that_can_set_nothing_is_told_with_its_place(build, language, words, chinese):
    _, said = build(language, words, chinese)
    fault = "'它' cannot set an explorer: i must be" if chinese else "'it' cannot set an explorer"
    [line] = said.splitlines()
    assert "page.md:3" in line
    assert fault in line
