"""What the catalogues of an edition say (no extension by itself)."""

from __future__ import annotations

from pathlib import Path

from babel.messages.pofile import read_po
from sphinx.application import Sphinx


def translations(path: Path) -> dict[str, str]:
    """What a catalogue translates; a message that is still to be looked at does not count."""
    if not path.is_file():
        return {}
    with path.open("rb") as file:
        whole = [m for m in read_po(file) if m.id and m.string and not m.fuzzy]
    return {str(m.id): str(m.string) for m in whole}


def of_page(app: Sphinx, page: str) -> dict[str, str]:
    """What the edition that is being built translates on a page."""
    folder = Path(app.srcdir) / "locale" / app.config.language / "LC_MESSAGES"
    return translations(folder / f"{page}.po")
