"""Join the ES modules of an explorer into the single module that anywidget and a page load.

An explorer is a folder with a ``view.js`` that ends in an ``export default``. What it imports, and
what that imports, comes before it. Joining is concatenation: the import lines and the word
``export`` go (``export default`` stays), comments of whole lines and the types among the code go
too. For that every name is imported as it is and defined in one file only; anything else is
refused. A JSON file that is imported becomes a constant, and the settings of the explorer's class
become the content of ``SETTINGS`` in ``settings.js``.
"""

import json
import posixpath
import re
from pathlib import Path

FOLDER = Path(__file__).parents[1]
# the last of the files that all explorers share
EXPLORER = "framework/explorer.js"
# what all explorers share of style; what depends on room, colours and paper comes last
SHEETS = (
    "view", "controls", "tables", "matrices", "pictures", "room", "contrast_and_paper", "phrases",
)  # fmt: skip
NO_SETTINGS = "const SETTINGS = {};"

IMPORT = re.compile(r'^import\s*\{([^}]*)\}\s*from\s*"([./\w]+\.js)";\n', re.MULTILINE)
DATA = re.compile(r'^import (\w+) from "([./\w]+\.json)" with \{ type: "json" \};\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?function\b|const\b|class\b)", re.MULTILINE)
DEFAULT = re.compile(r"^export default ", re.MULTILINE)
DEFINED = re.compile(r"^(export )?(?:async )?(?:function\*?|const|let|class) (\w+)", re.MULTILINE)
COMMENT = re.compile(r"^[ \t]*(?://[^\n]*|/\*\*?(?:(?!\*/).)*\*/)\n", re.MULTILINE | re.DOTALL)
TYPE = re.compile(r"/\*\* @\w+ \{[^\n]*?\} \*/ ?")
BLANK = re.compile(r"\n{2,}")
INDENT = re.compile(r"^[ \t]+", re.MULTILINE)


def module(name, settings):
    """The whole ES module of an explorer, with the settings of its class."""
    return shared() + own(name, settings)


def for_jupyter(name, settings):
    """The module as a notebook gets it, with what keeps its state there."""
    jupyter = "framework/jupyter.js"
    _check([*_parts(EXPLORER), *_own_parts(name), jupyter])
    explorer = DEFAULT.sub("const EXPLORER = ", module(name, settings))
    return f"{explorer}{_without_joints(jupyter)}export default {{ ...EXPLORER, initialize }};\n"


def shared():
    """The part that all explorers have in common."""
    parts = _parts(EXPLORER)
    _check(parts)
    return "".join(map(_without_joints, parts))


def own(name, settings):
    """The part that only this explorer has, with the settings of its class."""
    parts = _own_parts(name)
    _check([*_parts(EXPLORER), *parts])
    text = "".join(map(_without_joints, parts))
    return text.replace(NO_SETTINGS, NO_SETTINGS.replace("{}", _one_line(settings)))


def for_the_page(source):
    """A part as a page loads it: without indentation, so no string may run over several lines."""
    return INDENT.sub("", source)


def data(name):
    """The data that only this explorer imports, as JSON text, by the name it has in the script."""
    return {
        constant: _json(_beside(part, file))
        for part in _own_parts(name)
        for constant, file in DATA.findall(_read(part))
    }


def css():
    """The style sheet of all explorers: the colours, what they share, what each has of its own."""
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
    shared = [f"framework/{name}.css" for name in SHEETS]
    sheets = [path.relative_to(FOLDER) for path in sorted(FOLDER.glob("*/*.css"))]
    own = [path.as_posix() for path in sheets if path.parent.name != "framework"]
    return "".join([*rules, *map(_read, [*shared, *own])])


def page_script():
    """The classic script that defines the custom element ``attn-explorer``."""
    parts = ("link", "phrases", "element")
    return _without_comments("".join(_read(f"framework/{part}.js") for part in parts))


def _own_parts(name):
    """The files that only this explorer has."""
    common = _parts(EXPLORER)
    return [part for part in _parts(f"{name}/view.js") if part not in common]


def _parts(part):
    """What a file imports, with what that imports before it, and the file itself."""
    parts = []
    for _, origin in IMPORT.findall(_read(part)):
        parts += _parts(_beside(part, origin))
    return [*dict.fromkeys(parts), part]


def _beside(part, file):
    """The path of a file, as one of the parts names it, from the folder of all explorers."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(part), file))


def _without_joints(part):
    """The source of one file without imports, exports and comments."""
    source = _without_comments(EXPORT.sub("", IMPORT.sub("", _read(part)))).lstrip("\n")
    return DATA.sub(lambda found: f"const {found[1]} = {_json(_beside(part, found[2]))};\n", source)


def _without_comments(source):
    return BLANK.sub("\n", TYPE.sub("", COMMENT.sub("", source)))


def _json(file):
    """The content of a JSON file on one line."""
    return _one_line(json.loads(_read(file)))


def _one_line(content):
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


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
                    f"{part} imports {', '.join(missing)} from {origin}, which does not export "
                    "it under that name"
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
