"""Search in Chinese: the words of the book stay whole, and a query is cut as the index was.

jieba cuts the text; ``search_terms.txt`` beside the catalogues holds the book's own words. The
browser has no jieba, so a query is cut into the longest words that the index knows.
"""

from __future__ import annotations

import logging
import re

import jieba
from sphinx.application import Sphinx
from sphinx.search.zh import SearchChinese

from book import ROOT

TERMS = ROOT / "locale" / "zh_CN" / "search_terms.txt"
HAN = re.compile(r"[\u3400-\u9fff]")

SPLIT_QUERY = r"""
var splitQuery = (query) => {
  const { terms = {}, titleterms = {} } = Search._index ?? {};
  const known = (word) => Object.hasOwn(terms, word) || Object.hasOwn(titleterms, word);
  const words = [];
  for (const [run] of query.matchAll(/\p{Script=Han}+|(?:(?!\p{Script=Han})[\p{L}\p{N}_])+/gu)) {
    if (!/\p{Script=Han}/u.test(run)) {
      words.push(run);
      continue;
    }
    for (let start = 0; start < run.length; ) {
      let end = run.length;
      while (end > start + 1 && !known(run.slice(start, end))) end--;
      words.push(run.slice(start, end));
      start = end;
    }
  }
  return words;
};
"""


class BookChinese(SearchChinese):
    """Chinese with the book's own words, and with single characters."""

    js_splitter_code = SPLIT_QUERY

    def init(self, options: dict[str, str]) -> None:
        super().init(options)
        # its progress is no warning of this build
        jieba.setLogLevel(logging.WARNING)
        with TERMS.open("rb") as terms:
            jieba.load_userdict(terms)

    def split(self, input: str) -> list[str]:
        """Words, the shorter words inside them, and each character by itself."""
        return super().split(input) + HAN.findall(input)

    def word_filter(self, stemmed_word: str) -> bool:
        return super().word_filter(stemmed_word) or bool(HAN.fullmatch(stemmed_word))

    def stem(self, word: str) -> str:
        """As Sphinx does, who looks for every word in the list of all Latin words of the book."""
        stemmed = self.stemmer.stemWord(word.lower())
        return super().stem(word) if len(stemmed) < 3 <= len(word) else stemmed


def setup(app: Sphinx) -> dict:
    app.add_search_language(BookChinese)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
