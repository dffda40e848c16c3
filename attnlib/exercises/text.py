"""Sentences in both languages of the book, and how they reach any console."""

import os
from dataclasses import dataclass

MARKS = str.maketrans({"✓": "+", "✗": "-"})


@dataclass(frozen=True)
class Text:
    """A sentence in both languages of the book."""

    en: str
    zh: str

    def __str__(self):
        return self.zh if os.environ.get("ATTNLIB_LANG", "en").startswith("zh") else self.en

    def format(self, **values):
        """Fill the gaps of both sentences, with texts in the language of each."""
        english = {name: getattr(value, "en", value) for name, value in values.items()}
        chinese = {name: getattr(value, "zh", value) for name, value in values.items()}
        return Text(self.en.format(**english), self.zh.format(**chinese))

    def on(self, encoding):
        """Return what a console with this encoding can show of the sentence: all of it, or the
        sentence with plain marks, or the English one.
        """
        for text in (str(self), str(self).translate(MARKS), self.en.translate(MARKS)):
            try:
                text.encode(encoding)
            except UnicodeEncodeError:
                continue
            return text
        return text.encode(encoding, "backslashreplace").decode(encoding)


def both(sentence):
    """Make a text of a sentence in both languages, written as ``English | 中文``."""
    english, _, chinese = sentence.partition(" | ")
    return Text(english, chinese or english)
