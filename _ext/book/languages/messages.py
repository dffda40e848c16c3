"""Spare the Chinese edition an option parser for each of its messages.

docutils makes one for the settings of a document, and MyST a document for each message, beside the
one that it was given: a seventh of the time of a build. Sphinx keeps such settings in the same way.
"""

from __future__ import annotations

from copy import copy
from functools import cache

from docutils import frontend
from sphinx.application import Sphinx


def setup(app: Sphinx) -> dict:
    kept = cache(frontend.get_default_settings)
    frontend.get_default_settings = lambda *components: copy(kept(*components))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
