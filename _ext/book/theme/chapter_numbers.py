"""The number of a chapter before its heading; in its first box how many there are, and its minutes.

Only what is written has them: titles, contents, links and messages stay without. The sidebar counts
by itself (``_static/chapters.css``).
"""

from __future__ import annotations

import re

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

from book.builders import makes_site
from book.languages.editions import of_language

CHAPTER = re.compile(r"chapters/0*(\d+)_")


class NumberChapters(SphinxPostTransform):
    """Put the number where a reader begins."""

    formats = ("html",)
    default_priority = 900

    def run(self, **kwargs) -> None:
        chapter = CHAPTER.match(self.env.docname)
        if not (chapter and makes_site(self.app.builder)):
            return
        number, count = chapter[1], len([*filter(CHAPTER.match, self.env.found_docs)])
        heading = next(iter(self.document.findall(nodes.title)))
        heading.insert(0, nodes.inline("", number, classes=["chapter-number"]))
        box = next(iter(self.document.findall(nodes.admonition)))
        # the box ends: Time: about 50 minutes, 12 of them for reading
        *_, minutes, _ = re.findall(r"\d+", box[-1].astext())
        place = of_language(self.config.language).place.format(
            number=number, count=count, minutes=minutes
        )
        [title, *_] = box.findall(nodes.title)
        title += nodes.inline("", place, classes=["chapter-place"])


def setup(app: Sphinx) -> dict:
    app.add_post_transform(NumberChapters)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
