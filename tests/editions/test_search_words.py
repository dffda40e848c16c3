"""The words of the Chinese search are those of Sphinx, and the single characters beside them."""

from __future__ import annotations

import pytest
from book.languages.chinese_search import BookChinese
from sphinx.search.zh import SearchChinese

TEXT = "注意力 的 Softmax weights, ONNX ions; the ups, aed and a TIES of RoPE"
WORDS = ["注意力", "Softmax", "weights", "ONNX", "ions", "ups", "aed", "a", "TIES", "RoPE", "eds"]


@pytest.fixture
def languages():
    made = [kind({}) for kind in (BookChinese, SearchChinese)]
    for language in made:
        language.latin_terms = []
        language.split(TEXT)
    return made


def test_a_word_has_the_stem_that_sphinx_gives_it(languages):
    ours, sphinx = languages
    assert [ours.stem(word) for word in WORDS] == [sphinx.stem(word) for word in WORDS]
    # a word of the text that its stem would make too short to be found keeps its end
    assert ours.stem("ups") == "ups"
    assert ours.stem("eds") == "ed"


def test_single_characters_are_words_only_in_chinese(languages):
    ours, _ = languages
    assert {word for word in ("的", "力", "a", "注意力", "ab") if ours.word_filter(word)} == {
        "的",
        "力",
        "注意力",
        "ab",
    }
    assert set("注意力的") <= set(ours.split(TEXT))
