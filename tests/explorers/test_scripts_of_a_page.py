"""What a page gets: joined modules, the style sheet, and scripts only where an explorer is."""

import gzip
import json
import os
import re
import subprocess
import sys

import pytest
from book.explorers import assets
from book.explorers.minified import minified
from both_sides import in_node
from explorer_state import CLASSES, PLACES
from manuscript import ROOT

from attnlib.explorers import ScalingExplorer
from attnlib.explorers.framework import bundle


@pytest.mark.parametrize("name", CLASSES)
def test_a_joined_module_has_one_of_each_name_and_no_joints(name):
    settings = CLASSES[name].settings()
    module = bundle.module(name, settings)
    assert module == bundle.shared() + bundle.own(name, settings) == bundle.module(name, settings)
    assert re.findall(r"^\s*import\b.*", module, re.MULTILINE) == []
    assert len(re.findall(r"^export\b.*", module, re.MULTILINE)) == 1
    assert len(re.findall(r"^export default ", module, re.MULTILINE)) == 1
    defined = re.findall(r"^(?:function|const|let|class) (\w+)", module, re.MULTILINE)
    assert "softmax" in defined
    assert "explorer" in defined
    assert sorted(set(defined)) == sorted(defined)


# Bytes that a page may load for its explorers, as they are and compressed, without data like the
# weights of a trained model.
MOST = 70_000
MOST_COMPRESSED = 25_000
MOST_DATA = 30_000


@pytest.mark.parametrize("page", sorted({path.name for path, _ in PLACES}))
def test_the_scripts_of_a_page_stay_small(page):
    names = sorted({name for path, name in PLACES if path.name == page})
    data = [text for name in names for text in bundle.data(name).values()]
    sources = {"shared": bundle.shared(), "element": bundle.page_script()}
    sources |= {name: bundle.own(name, CLASSES[name].settings()) for name in names}
    for text in data:
        sources = {name: source.replace(text, "0") for name, source in sources.items()}
    scripts = "".join(minified(sources).values())
    assert len(scripts.encode()) <= MOST
    assert len(gzip.compress(scripts.encode())) <= MOST_COMPRESSED
    assert sum(len(text.encode()) for text in data) <= MOST_DATA


def test_no_string_runs_over_several_lines():
    texts = [cls._esm for cls in CLASSES.values()] + [bundle.page_script()]
    for text in texts:
        for line in text.splitlines():
            assert line.count("`") % 2 == 0, line


def write_sources(folder, **sources):
    (folder / "framework").mkdir()
    (folder / "my").mkdir()
    explorer = 'import {} from "./core.js";\n'
    for name, text in {"core": sources.pop("core", ""), "explorer": explorer}.items():
        (folder / "framework" / f"{name}.js").write_text(text, encoding="utf-8")
    for name, text in sources.items():
        (folder / "my" / f"{name}.js").write_text(text, encoding="utf-8")


def test_joining_keeps_everything_but_joints_and_comments(tmp_path, monkeypatch):
    monkeypatch.setattr(bundle, "FOLDER", tmp_path)
    write_sources(
        tmp_path,
        core=(
            "// what it is\n\n/**\n * @returns {number}\n */\n"
            "export function one() {\n  return 1; // kept\n}\n"
        ),
        parts='import { one } from "../framework/core.js";\n\nexport const two = one() + one();\n',
        view=(
            'import {\n  one,\n} from "../framework/core.js";\n'
            'import { two } from "./parts.js";\n\n'
            "export default { x: /** @type {number} */ (one()) + two };\n"
        ),
    )
    assert bundle.module("my", {}) == (
        "function one() {\n  return 1; // kept\n}\n"
        "const two = one() + one();\nexport default { x: (one()) + two };\n"
    )


def test_the_settings_of_the_class_take_the_place_of_none(tmp_path, monkeypatch):
    monkeypatch.setattr(bundle, "FOLDER", tmp_path)
    write_sources(
        tmp_path,
        settings="export const SETTINGS = {};\n",
        view='import { SETTINGS } from "./settings.js";\n\nexport default SETTINGS;\n',
    )
    own = bundle.own("my", {"i": {"kind": "whole", "label": "第"}})
    assert own == (
        'const SETTINGS = {"i":{"kind":"whole","label":"第"}};\nexport default SETTINGS;\n'
    )


def test_data_become_a_constant_on_one_line(tmp_path, monkeypatch):
    monkeypatch.setattr(bundle, "FOLDER", tmp_path)
    line = 'import ROLE from "./numbers.json" with { type: "json" };\n'
    write_sources(tmp_path, view=f"{line}\nexport default ROLE;\n")
    (tmp_path / "my" / "numbers.json").write_text(
        '{\n"a": [1,\n -2],\n"b": "书"\n}\n', encoding="utf-8"
    )
    assert bundle.data("my") == {"ROLE": '{"a":[1,-2],"b":"书"}'}
    assert bundle.own("my", {}) == 'const ROLE = {"a":[1,-2],"b":"书"};\nexport default ROLE;\n'
    assert bundle.data("my")["ROLE"] in bundle.module("my", {})
    (tmp_path / "framework" / "core.js").write_text("const ROLE = 1;\n", encoding="utf-8")
    with pytest.raises(
        ValueError, match=r"ROLE is defined in framework/core\.js and in my/view\.js"
    ):
        bundle.module("my", {})


@pytest.mark.parametrize(
    ("core", "my", "message"),
    [
        (
            "const a = 1;\n",
            "function a() {}\n",
            "a is defined in framework/core.js and in my/view.js",
        ),
        (
            "",
            'import { b } from "../framework/core.js";\n',
            "my/view.js imports b from framework/core.js",
        ),
        ("function b() {}\n", 'import { b } from "../framework/core.js";\n', "does not export"),
        ("export const b = 1;\n", 'import { b as c } from "../framework/core.js";\n', "b as c"),
        ("", 'import * as core from "./core.js";\n', "cannot be joined"),
        ("", "const a = 1;\nexport { a };\n", "cannot be joined"),
    ],
)
def test_what_would_join_into_something_else_is_refused(core, my, message, tmp_path, monkeypatch):
    monkeypatch.setattr(bundle, "FOLDER", tmp_path)
    write_sources(tmp_path, core=core, view=f"{my}export default {{}};\n")
    with pytest.raises(ValueError, match=re.escape(message)):
        bundle.module("my", {})


def colours(css, selector):
    """The custom properties that the rules of a selector set."""
    rules = re.findall(
        rf"^{re.escape(selector)}(?:,\s*\S+)? \{{\n(.*?)\}}", css, re.MULTILINE | re.DOTALL
    )
    assert len(rules) == 2, selector
    return dict(re.findall(r"--attn-(\w+): (#\w{6});", "".join(rules)))


def contrast(one, other):
    """The contrast ratio of WCAG 2."""

    def luminance(colour):
        channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("selector", [":root", 'html[data-theme="dark"]'])
def test_colours_have_contrast_in_both_themes(selector):
    css = bundle.css()
    theme = colours(css, selector)
    palette = json.loads((ROOT / "attnlib" / "palette.json").read_text(encoding="utf-8"))
    kind = "light" if selector == ":root" else "dark"
    assert {role: theme[role] for role in palette} == {r: c[kind] for r, c in palette.items()}
    for ground in ("paper", "panel"):
        for text in ("ink", "muted", "scores", *palette):
            assert contrast(theme[text], theme[ground]) >= 4.5, (text, ground)
        assert contrast(theme["line"], theme[ground]) >= 3, ground


def build(folder, pages):
    """Build a small site; return the folder of its pages and the warnings."""
    (folder / "conf.py").write_text(
        "extensions = ['book.explorers.assets']\nhtml_theme = 'basic'\n", encoding="utf-8"
    )
    for name, text in pages.items():
        (folder / f"{name}.rst").write_text(text, encoding="utf-8")
    here = os.pathsep.join([str(ROOT / "_ext"), str(ROOT)])
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", "-b", "html", str(folder), str(folder / "out")],
        capture_output=True,
        encoding="utf-8",
        check=False,
        env={**os.environ, "PYTHONPATH": here, "PYTHONUTF8": "1"},
    )
    assert done.returncode == 0, done.stderr
    return folder / "out", done.stderr


def raw(html):
    return ".. raw:: html\n\n" + "".join(f"   {line}\n" for line in html.splitlines())


def test_only_pages_with_an_explorer_get_its_scripts(tmp_path):
    folder = tmp_path / "a folder 书"
    folder.mkdir()
    explorer = ScalingExplorer()
    html = explorer.to_html()
    explorer.close()
    title = "Title\n=====\n\n"
    pages = {
        "index": f"{title}.. toctree::\n\n   with\n   without\n   unknown\n",
        "with": title + raw(html) + "\n" + raw(html),
        "without": f"{title}It has no attn-explorer.\n",
        "unknown": title + raw('<attn-explorer name="nothing" state="{}">x</attn-explorer>'),
    }
    out, warnings = build(folder, pages)
    page = (out / "with.html").read_text(encoding="utf-8")
    scripts = re.findall(r'<script([^>]*) src="_static/explorers/(\w+)\.js', page)
    assert scripts == [(' async="async"', name) for name in ("shared", "scaling", "element")]
    assert page.count("_static/explorers/explorers.css") == 1
    for name in ("index", "without", "unknown"):
        assert "_static/explorers" not in (out / f"{name}.html").read_text(encoding="utf-8")
    assert "no explorer is called 'nothing'" in warnings
    assert "unknown" in warnings


def on_a_page(name):
    """The parts of an explorer's module that a page joins."""
    script = assets.assets()[f"{name}.js"]
    start = f'(globalThis.attnExplorerSources ??= {{}})["{name}"] = '
    assert script.startswith(start)
    return json.loads(script.removeprefix(start).removesuffix(";\n"))


@pytest.mark.parametrize("name", CLASSES)
def test_a_page_loads_the_module_that_jupyter_loads_made_shorter(name):
    cls = CLASSES[name]
    module = bundle.module(name, cls.settings())
    short = on_a_page("shared") + on_a_page(name)
    # as short as it may be, and with the very names that its parts have in common
    for top in re.findall(
        r"^(?:async )?(?:function\*?|const|let|class) (\w+)", module, re.MULTILINE
    ):
        assert re.search(rf"\b{top}\b", short), top
    assert len(short) < 0.8 * len(module)
    # it computes the same
    explorer = cls()
    state, numbers = explorer.state, explorer.numbers
    explorer.close()
    shown = in_node(name, "const result = TESTED.compute(data).numbers;", state, short)
    assert {n: float(x) for n, x in shown.items()} == pytest.approx(numbers, abs=1e-12)


def test_jupyter_loads_the_module_with_a_hook_of_its_own():
    explorer = ScalingExplorer()
    module = bundle.module("scaling", explorer.settings())
    assert explorer._esm == bundle.for_jupyter("scaling", explorer.settings())
    joined = module.replace("\nexport default ", "\nconst EXPLORER = ")
    assert explorer._esm.startswith(joined)
    rest = explorer._esm.removeprefix(joined)
    assert rest.endswith("export default { ...EXPLORER, initialize };\n")
    assert rest.count("export") == 1
    assert explorer._css == assets.assets()["explorers.css"] == bundle.css()
    explorer.close()


def test_nothing_names_another_host_or_evaluates_text():
    for name, text in assets.assets().items():
        hosts = set(re.findall(r"\b(?:https?:)?//[\w.-]+\.\w{2,}", text))
        assert hosts <= {"http://www.w3.org"}, name
        assert not re.search(r"\beval\b|\bFunction\(|innerHTML|@import", text), name
