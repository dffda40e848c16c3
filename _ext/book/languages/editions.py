"""What the editions of the book know of each other: names, the switch between them, hreflang.

`editions` lists the folders in which they lie side by side (``-D editions=en,zh``). A build of one
edition alone, which is what `jupyter-book build .` makes, has no switch.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from markupsafe import Markup
from sphinx.application import Sphinx
from sphinx.config import Config


@dataclass(frozen=True)
class Edition:
    """One language of the book."""

    folder: str
    language: str
    name: str
    title: str
    search: str

    @property
    def tag(self) -> str:
        """The language as HTML and a browser name it."""
        return self.language.replace("_", "-")


EDITIONS = {
    edition.folder: edition
    for edition in (
        Edition("en", "en", "English", "Understanding Self-Attention", "Search this book..."),
        Edition("zh", "zh_CN", "中文", "理解自注意力", "搜索本书……"),
    )
}

# What the theme, MyST-NB and numpydoc write into attributes without asking any catalogue.
FIXED_WORDS = {
    "zh_CN": {
        "Main": "主导航",
        "Page": "页内导航",
        "Toggle primary sidebar": "显示或隐藏全书目录",
        "Toggle secondary sidebar": "显示或隐藏本页目录",
        "Toggle hidden content": "显示或隐藏内容",
        "Search": "搜索",
        "previous page": "上一页",
        "next page": "下一页",
        "列印成 PDF": "打印为 PDF",
    }
}
# what opens and closes a folded cell, where it is not MyST-NB's English
CODE_PROMPTS = {"zh_CN": ("显示代码", "隐藏代码")}
ATTRIBUTE = re.compile(r'\b(aria-label|title|placeholder)="([^"]*)"')


def of_language(language: str) -> Edition:
    """The edition in a language."""
    return next(edition for edition in EDITIONS.values() if edition.language == language)


def name_edition(app: Sphinx, config: Config) -> None:
    """Give the site its title and its search field in the language of the edition."""
    edition = of_language(config.language)
    config.html_title = edition.title
    config.html_theme_options["search_bar_text"] = edition.search
    if edition.language in CODE_PROMPTS:
        config.nb_code_prompt_show, config.nb_code_prompt_hide = CODE_PROMPTS[edition.language]
    config.html_theme_options["article_header_end"] = [
        "language-switch.html",
        "article-header-buttons.html",
    ]


def in_words_of(language: str):
    """A filter that puts the fixed words of a page into the language of the edition."""
    words = FIXED_WORDS.get(language, {})

    def replace(found: re.Match[str]) -> str:
        return f'{found[1]}="{words.get(found[2], found[2])}"'

    return lambda html: Markup(ATTRIBUTE.sub(replace, str(html)) if words else html)


def link_editions(app: Sphinx, page: str, template: str, context: dict, doctree) -> None:
    """Tell a page where it stands in each edition."""
    address = app.builder.get_target_uri(page)
    up = "../" * (address.count("/") + 1)
    present = [EDITIONS[folder] for folder in app.config.editions]
    links = [{"edition": one, "href": f"{up}{one.folder}/{address}"} for one in present]
    context["editions"] = links
    context["other_editions"] = [
        link for link in links if link["edition"].language != app.config.language
    ]
    context["in_words_of_edition"] = in_words_of(app.config.language)


def setup(app: Sphinx) -> dict:
    app.add_config_value("editions", [], "html", [list])
    app.connect("config-inited", name_edition)
    app.connect("html-page-context", link_editions)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
