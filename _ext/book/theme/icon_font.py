"""Keep the theme's icon font off the pages.

Its script and fonts weigh more than all the rest of a page, for a dozen icons that
``_static/icons.css`` draws.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from markupsafe import Markup
from sphinx.application import Sphinx

ICON_FONT = re.compile(r"<(?:link|script)\b[^>]*vendor/fontawesome[^>]*>(?:\s*</script>)?\s*")


def without_icon_font(head: str) -> Markup:
    """The theme's head without the links and the script of its icon font."""
    lean, removed = ICON_FONT.subn("", str(head))
    if not removed:
        raise ValueError("the theme's head no longer loads its icon font: drop this workaround")
    return Markup(lean)


def offer_filter(app: Sphinx, page: str, template: str, context: dict, doctree) -> None:
    context["without_icon_font"] = without_icon_font


def remove_files(app: Sphinx, exception: Exception | None) -> None:
    if exception is None and app.builder.format == "html":
        shutil.rmtree(Path(app.outdir) / "_static" / "vendor" / "fontawesome", ignore_errors=True)


def setup(app: Sphinx) -> dict:
    # Jupyter Book always passes this option, also to a book without sphinx-comments.
    app.add_config_value("comments_config", {}, "")
    app.connect("html-page-context", offer_filter)
    app.connect("build-finished", remove_files)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
