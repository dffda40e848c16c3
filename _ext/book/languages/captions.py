"""Captions of the table of contents in the language of the edition.

sphinx-external-toc puts the table into the first page after Sphinx has translated it.
"""

from __future__ import annotations

from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

from book.languages.catalogues import of_page


class TranslateCaptions(SphinxTransform):
    """Replace the captions that the page's catalogue translates."""

    # after sphinx_external_toc.events.InsertToctrees
    default_priority = 150

    def apply(self) -> None:
        known = of_page(self.app, self.env.docname)
        for toctree in self.document.findall(addnodes.toctree):
            for name in ("caption", "rawcaption"):
                if toctree.get(name):
                    toctree[name] = known.get(toctree[name], toctree[name])


def setup(app: Sphinx) -> dict:
    app.add_transform(TranslateCaptions)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
