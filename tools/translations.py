"""Tidy the catalogues of the Chinese edition, and say what is missing.

`nox -s translations` calls this after it has merged the English text into them. A message whose
English text changed is marked fuzzy, and its old translation kept until somebody has looked at it.
A message that another page translates, in one way only, is filled in. The tests refuse fuzzy and
untranslated messages alike.
"""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parent.parent
LANGUAGE = "zh_CN"
CATALOGUES = ROOT / "locale" / LANGUAGE / "LC_MESSAGES"
TEMPLATES = ROOT / "_build" / "gettext"
HEADER = (
    "# The Chinese edition of Understanding Self-Attention.\n"
    "# `nox -s translations` renews this file from the English text."
)
# a formula in a sentence or a table, numbers and marks
INLINE = re.compile(r"(?:\$[^$]*\$|[\d\s.,:;()/=→×·−+-])*")
NAMED = re.compile(r"\\(?:text|mathrm|operatorname)\*?\{([^}]*)\}|\\(?:begin|end)\{\w+\*?\}")
# names that mathematics writes alike everywhere
NAMES = {"model", "head", "Concat", "MultiHead", "overlap", "softmax", "Var", "diag", "tr"}


def is_mathematics(text: str) -> bool:
    """Whether a message holds mathematics and no words, so that it reads the same everywhere."""
    if INLINE.fullmatch(text):
        return True
    if "$" in text or not re.search(r"[\\=^_]", text):
        return False
    if any(name and name not in NAMES for name in NAMED.findall(text)):
        return False
    bare = re.sub(r"\\[A-Za-z]+", " ", NAMED.sub(" ", text))
    return not re.search(r"[A-Za-z]{3,}", bare)


def missing(catalogue: Catalog) -> list[Message]:
    """The messages that nobody has translated, mathematics aside."""
    return [m for m in catalogue if m.id and not m.string and not is_mathematics(str(m.id))]


def fuzzy(catalogue: Catalog) -> list[Message]:
    """The messages whose English text changed after they were translated."""
    return [message for message in catalogue if message.id and message.fuzzy]


def read(path: Path) -> Catalog:
    with path.open("rb") as file:
        return read_po(file, locale=LANGUAGE)


def translated_alike() -> dict[str, str]:
    """The translation of every message that all pages with it translate in the same way."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in CATALOGUES.rglob("*.po"):
        for message in read(path):
            if message.id and message.string and not message.fuzzy:
                found[str(message.id)].add(str(message.string))
    return {id_: strings.pop() for id_, strings in found.items() if len(strings) == 1}


def normalise(path: Path, known: dict[str, str]) -> None:
    """Write a catalogue without dates, names and versions: they change and say nothing.

    What is missing or fuzzy in it is translated as in `known`, where it stands there.
    """
    old = read(path)
    new = Catalog(locale=LANGUAGE, header_comment=HEADER, fuzzy=False)
    for message in old:
        if message.id:
            string, flags = message.string, message.flags & {"fuzzy"}
            untold = flags or (not string and not is_mathematics(str(message.id)))
            if untold and message.id in known:
                string, flags = known[message.id], set()
                print(f"filled in: {message.id[:100]!r}")
            kept = new.add(message.id, string, flags=flags)
            # TeX's braces are no Python format
            kept.flags &= {"fuzzy"}
    with path.open("wb") as file:
        write_po(file, new, width=0, omit_header=True)
    body = path.read_text(encoding="utf-8")
    path.write_text(
        f'{HEADER}\nmsgid ""\nmsgstr ""\n"Language: {LANGUAGE}\\n"\n'
        f'"Content-Type: text/plain; charset=UTF-8\\n"\n\n{body}',
        encoding="utf-8",
        newline="\n",
    )


def clean() -> None:
    """Normalise every catalogue; one whose page is gone goes too."""
    known = translated_alike()
    for path in sorted(CATALOGUES.glob("*/*.po")):
        if (TEMPLATES / path.relative_to(CATALOGUES)).with_suffix(".pot").is_file():
            normalise(path, known)
        else:
            path.unlink()


def report() -> None:
    """Print the counts of each catalogue and what is missing."""
    total = {"messages": 0, "translated": 0, "mathematics": 0, "fuzzy": 0, "missing": 0}
    for path in sorted(CATALOGUES.glob("*/*.po")):
        catalogue = read(path)
        lacking, doubtful = missing(catalogue), fuzzy(catalogue)
        messages = [message for message in catalogue if message.id]
        counts = {
            "messages": len(messages),
            "translated": sum(bool(message.string) for message in messages) - len(doubtful),
            "mathematics": sum(not m.string and is_mathematics(str(m.id)) for m in messages),
            "fuzzy": len(doubtful),
            "missing": len(lacking),
        }
        line = ", ".join(f"{number} {what}" for what, number in counts.items())
        print(f"{path.relative_to(CATALOGUES).as_posix()}: {line}")
        for message in [*lacking, *doubtful]:
            print(f"    {'fuzzy' if message.fuzzy else 'missing'}: {message.id[:100]!r}")
        total = {what: total[what] + number for what, number in counts.items()}
    print("all: " + ", ".join(f"{number} {what}" for what, number in total.items()))


if __name__ == "__main__":
    clean()
    report()
