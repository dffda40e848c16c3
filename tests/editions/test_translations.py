"""The Chinese catalogues are complete, sound, and what a downloaded notebook says."""

from __future__ import annotations

import copy
import re

import chinese_lint
import chinese_notebooks
import nbformat
import pytest
import translations
from book.languages import catalogues, downloads
from book.lesson import predictions
from book.lesson.predictions import words_of
from manuscript import NOTEBOOKS, pages, read

CATALOGUES = {
    f"chapters/{path.stem}": path for path in sorted(translations.CATALOGUES.glob("*/*.po"))
}
SHARED = translations.CATALOGUES / "sphinx.po"


def messages(path):
    return [message for message in translations.read(path) if message.id]


def test_every_page_has_a_catalogue_and_every_catalogue_a_page():
    assert {*CATALOGUES} == {*pages()}


@pytest.mark.parametrize("page", CATALOGUES)
def test_nothing_is_untranslated_or_fuzzy(page):
    catalogue = translations.read(CATALOGUES[page])
    assert messages(CATALOGUES[page])
    assert not [message.id for message in translations.missing(catalogue)]
    assert not [message.id for message in translations.fuzzy(catalogue)]


@pytest.mark.parametrize("page", [*CATALOGUES, "sphinx"])
def test_the_chinese_keeps_its_rules_and_the_formulas(page):
    faults = [
        (message.string, fault)
        for message in messages(CATALOGUES.get(page, SHARED))
        if message.string
        for fault in chinese_lint.faults(message.id, message.string)
    ]
    assert not faults


@pytest.mark.parametrize(
    "text",
    [
        "设$x$ 与 $y$",
        "与 `code`的和",
        "**预测：**后面",
        "中文,后面",
        "中文 后面",
        "中文abc",
        "abc中文",
        "(中文)",
        '"中文"',
        "句子。 句子",
        "两行\n中文",
        "这是*斜体*字",
        "逗号，，两个",
        "形状 (n, H*d_h)",
    ],
)
def test_the_lint_sees_a_trap(text):
    assert chinese_lint.faults_of_text(text)


@pytest.mark.parametrize(
    "text",
    [
        "设 $x$ 与 `code` 的和。",
        "**预测**：当 $T$ 变大时",
        "见[第 4 章](04_scaling.ipynb)与 {eq}`eq-x`。",
        "“**每一行**”之和为 1",
        "小明 把 书 送给 小红",
        r"形状 (n, H\*d_h)",
    ],
)
def test_the_lint_lets_good_text_pass(text):
    assert not chinese_lint.faults_of_text(text)


@pytest.mark.parametrize(
    ("english", "chinese"),
    [
        ("the value $v_j$", "值 $v_i$"),
        ("see {eq}`eq-a`", "见 {eq}`eq-b`"),
        ("call `attend`", "调用 `attention`"),
        ("[here](a.md)", "[这里](b.md)"),
        ("two $a$ and $b$", "两个 $a$"),
    ],
)
def test_the_lint_sees_what_a_translation_lost(english, chinese):
    assert chinese_lint.faults(english, chinese)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_message_of_a_notebook_reaches_the_download(path):
    """Nothing of the page's catalogue is left out of the notebook that the page offers."""
    assert f"chapters/{path.stem}" in CATALOGUES, "make it: nox -s translations"
    known = {message.id for message in messages(CATALOGUES[f"chapters/{path.stem}"])}
    used = set()

    def translate(message: str) -> str:
        used.add(message)
        return message

    markdown = downloads.parser()
    notebook = read(path)
    downloads.translate_notebook(notebook, translate, markdown)
    left = {m for m in known - used if not translations.is_mathematics(m)}
    # the fields of a prediction are on the page alone
    asked = predictions.rewrite(notebook).values()
    left -= {words for data in asked for field in data["fields"] for words in words_of(field)}
    # a solution has the title of its exercise, which is not written twice
    assert {m for m in left if not m.startswith("Solution: ")} == set()
    assert used & known
    # and nothing in the notebook is left out of the catalogue
    assert {m for m in used - known if not translations.is_mathematics(m)} == set()


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_translated_into_its_own_language_stays_as_it_is(path):
    """Blocks are replaced where they stand, and nothing beside them moves."""
    markdown = downloads.parser()
    before, notebook = read(path), read(path)
    downloads.translate_notebook(notebook, lambda message: message, markdown)
    for old, new in zip(before["cells"], notebook["cells"], strict=True):
        assert "".join(new["source"]) == "".join(old["source"])


def without_words(outputs: list[dict]) -> list[dict]:
    """Outputs, of whose figures only the shapes."""
    outputs = copy.deepcopy(outputs)
    for output in outputs:
        data = output.get("data", {})
        if "image/svg+xml" in data:
            svg = "".join(data["image/svg+xml"])
            data["image/svg+xml"] = re.sub(r"(<text\b[^>]*>)[^<]*", r"\1", svg)
    return outputs


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_downloaded_notebook_has_chinese_words_and_the_same_code(path):
    assert f"chapters/{path.stem}" in CATALOGUES, "make it: nox -s translations"
    known = catalogues.translations(CATALOGUES[f"chapters/{path.stem}"])
    markdown = downloads.parser()
    english = read(path)
    chinese = copy.deepcopy(english)
    downloads.translate_notebook(chinese, lambda m: known.get(m, m), markdown)
    nbformat.validate(nbformat.from_dict(chinese))
    for old, new in zip(english["cells"], chinese["cells"], strict=True):
        if old["cell_type"] == "code":
            assert new["source"] == old["source"]
            assert without_words(new["outputs"]) == without_words(old["outputs"])
        else:
            text = "".join(new["source"])
            assert len(re.findall(chinese_lint.HAN, text)) >= 2, text


def test_the_chinese_notebooks_for_jupyterlab_keep_answers(tmp_path, capsys):
    chinese_notebooks.write(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {path.name for path in NOTEBOOKS}
    mine = tmp_path / NOTEBOOKS[2].name
    assert re.search(chinese_lint.HAN, mine.read_text(encoding="utf-8"))
    mine.write_text("answers", encoding="utf-8")
    chinese_notebooks.write(tmp_path)
    assert mine.read_text(encoding="utf-8") == "answers"
    assert f"kept {mine.name}" in capsys.readouterr().out


HERE = """
msgid "said before"
msgstr ""

#, fuzzy
msgid "nearly said before"
msgstr "以前说的"

msgid "said in two ways"
msgstr ""

msgid "said nowhere"
msgstr ""

msgid "doubtful there"
msgstr ""

msgid "said here already"
msgstr "这里的说法"

msgid "$1$, $2$"
msgstr ""
"""
THERE = """
msgid "said before"
msgstr "以前说过"

msgid "nearly said before"
msgstr "以前差不多说过"

msgid "said in two ways"
msgstr "一种说法"

#, fuzzy
msgid "doubtful there"
msgstr "那里有疑问"

msgid "said here already"
msgstr "那里的说法"

msgid "$1$, $2$"
msgstr "$1$，$2$"
"""
ELSEWHERE = """
msgid "said in two ways"
msgstr "另一种说法"
"""


def test_what_another_page_translates_in_one_way_is_filled_in(tmp_path, monkeypatch):
    folders = {name: tmp_path / name / "chapters" for name in ("locale", "templates")}
    for folder in folders.values():
        folder.mkdir(parents=True)
    for name, text in {"here": HERE, "there": THERE, "elsewhere": ELSEWHERE}.items():
        (folders["locale"] / f"{name}.po").write_text(text, encoding="utf-8")
        (folders["templates"] / f"{name}.pot").write_text("", encoding="utf-8")
    monkeypatch.setattr(translations, "CATALOGUES", tmp_path / "locale")
    monkeypatch.setattr(translations, "TEMPLATES", tmp_path / "templates")
    translations.clean()
    catalogue = translations.read(folders["locale"] / "here.po")
    assert {message.id: message.string for message in catalogue if message.id} == {
        "said before": "以前说过",
        "nearly said before": "以前差不多说过",
        "said in two ways": "",
        "said nowhere": "",
        "doubtful there": "",
        "said here already": "这里的说法",
        "$1$, $2$": "",
    }
    assert not translations.fuzzy(catalogue)
