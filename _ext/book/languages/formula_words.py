"""Words inside displayed formulas, in the language of the edition.

Sphinx translates a block of mathematics through the marks of a reStructuredText literal, which
Markdown shows as two colons. So the translated TeX is put in place before Sphinx comes to it.
"""

from __future__ import annotations

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

from book.languages.catalogues import of_page


class TranslateFormulas(SphinxTransform):
    """Replace the TeX of displayed formulas that the page's catalogue translates."""

    # before sphinx.transforms.i18n.Locale
    default_priority = 15

    def apply(self) -> None:
        known = of_page(self.app, self.env.docname)
        for formula in self.document.findall(nodes.math_block):
            translated = known.get(formula.rawsource or formula.astext())
            if translated:
                formula.rawsource = translated
                formula.children = [nodes.Text(translated)]
                formula["translatable"] = False


def setup(app: Sphinx) -> dict:
    app.add_transform(TranslateFormulas)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
