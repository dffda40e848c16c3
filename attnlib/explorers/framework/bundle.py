"""Join the ES modules of an explorer into the single module that anywidget and a page load.

An explorer is a folder with a ``view.js`` that ends in an ``export default``. It imports from the
files that all explorers share and from files of its own. Joining is concatenation: the import lines
and the word ``export`` go (``export default`` stays), comments that fill whole lines go too. For
that every name is imported as it is and defined in one file only; anything else is refused. A JSON
file that is imported becomes a constant. Standard library only: the Sphinx extension loads this
file without the rest.
"""

import json
import posixpath
import re
from pathlib import Path

FOLDER = Path(__file__).parents[1]
SHARED = tuple(f"framework/{name}.js" for name in ("core", "example", "ui", "explorer"))

IMPORT = re.compile(r'^import\s*\{([^}]*)\}\s*from\s*"([./\w]+\.js)";\n', re.MULTILINE)
DATA = re.compile(r'^import (\w+) from "([./\w]+\.json)" with \{ type: "json" \};\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?function\b|const\b|class\b)", re.MULTILINE)
DEFAULT = re.compile(r"^export default ", re.MULTILINE)
DEFINED = re.compile(r"^(export )?(?:async )?(?:function\*?|const|let|class) (\w+)", re.MULTILINE)
COMMENT = re.compile(r"^[ \t]*(?://[^\n]*|/\*\*?(?:(?!\*/).)*\*/)\n", re.MULTILINE | re.DOTALL)
BLANK = re.compile(r"\n{2,}")
INDENT = re.compile(r"^[ \t]+", re.MULTILINE)


def names():
    """The explorers there are, in alphabetical order."""
    return sorted(path.parent.name for path in FOLDER.glob("*/view.js"))


def module(name):
    """The whole ES module of one explorer."""
    return shared() + own(name)


def for_jupyter(name):
    """The module as a notebook gets it, with what keeps its state there."""
    jupyter = "framework/jupyter.js"
    _check([*SHARED, *_parts(name), jupyter])
    explorer = DEFAULT.sub("const EXPLORER = ", module(name))
    return f"{explorer}{_without_joints(jupyter)}export default {{ ...EXPLORER, initialize }};\n"


def shared():
    """The part that all explorers have in common."""
    _check(SHARED)
    return "".join(map(_without_joints, SHARED))


def own(name):
    """The part that only this explorer has."""
    if name not in names():
        raise ValueError(f"no explorer is called {name!r}; there are: {', '.join(names())}")
    parts = _parts(name)
    _check([*SHARED, *parts])
    return "".join(map(_without_joints, parts))


def for_the_page(source):
    """A part as a page loads it: without indentation, so no string may run over several lines."""
    return INDENT.sub("", source)


def data(name):
    """The data that an explorer imports, as JSON text, by the name it has in the script."""
    view = _view(name)
    return {constant: _json(_beside(view, file)) for constant, file in DATA.findall(_read(view))}


def css():
    """The style sheet of all explorers, colours included."""
    palette = json.loads((FOLDER.parent / "palette.json").read_text(encoding="utf-8"))
    rules = []
    for theme, selector in (
        ("light", ":root"),
        ("dark", 'html[data-theme="dark"], [data-jp-theme-light="false"]'),
    ):
        colours = "".join(
            f"  --attn-{role}: {colour[theme]};\n" for role, colour in palette.items()
        )
        rules.append(f"{selector} {{\n{colours}}}\n")
    return "".join(rules) + _read("framework/style.css")


def page_script():
    """The classic script that defines the custom element ``attn-explorer``."""
    source = _read("framework/link.js") + _read("framework/element.js")
    return BLANK.sub("\n", COMMENT.sub("", source))


def _parts(name):
    """The files that only this explorer has."""
    view = _view(name)
    imported = [_beside(view, origin) for _, origin in IMPORT.findall(_read(view))]
    return [*(part for part in imported if part not in SHARED), view]


def _view(name):
    return f"{name}/view.js"


def _beside(part, file):
    """The path of a file, as one of the parts names it, from the folder of all explorers."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(part), file))


def _without_joints(part):
    """The source of one file without imports, exports and whole-line comments."""
    source = EXPORT.sub("", IMPORT.sub("", _read(part)))
    source = BLANK.sub("\n", COMMENT.sub("", source)).lstrip("\n")
    return DATA.sub(lambda found: f"const {found[1]} = {_json(_beside(part, found[2]))};\n", source)


def _json(file):
    """The content of a JSON file on one line."""
    return json.dumps(json.loads(_read(file)), ensure_ascii=False, separators=(",", ":"))


def _check(parts):
    """Refuse what would join into something else than it was."""
    defined = {}
    exported = {}
    for part in parts:
        source = DATA.sub(r"const \1 = 0;\n", _read(part))
        for names_text, file in IMPORT.findall(source):
            origin = _beside(part, file)
            wanted = {name.strip() for name in names_text.split(",")} - {""}
            missing = sorted(wanted - exported.get(origin, set()))
            if missing:
                raise ValueError(
                    f"{part} imports {', '.join(missing)} from {origin}, which comes later "
                    "or does not export it under that name"
                )
        rest = EXPORT.sub("", IMPORT.sub("", source))
        if joint := re.search(r"^(?:import\b|export (?!default\b)).*", rest, re.MULTILINE):
            raise ValueError(
                f"{part}: {joint[0]!r} cannot be joined; write import {{ a, b }} "
                'from "../framework/core.js"; and export function, const or class'
            )
        exported[part] = set()
        for export, name in DEFINED.findall(source):
            if name in defined:
                raise ValueError(f"{name} is defined in {defined[name]} and in {part}")
            defined[name] = part
            if export:
                exported[part].add(name)


def _read(file):
    return (FOLDER / file).read_text(encoding="utf-8")
