"""The editions of the book, and the words of each that no catalogue holds (no extension itself)."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class NotFound:
    """What the page says that stands for one that is not there."""

    heading: str
    text: str


@dataclass(frozen=True)
class Edition:
    """One language of the book."""

    folder: str
    language: str
    name: str
    title: str
    search: str
    sidebar: str
    place: str
    """Of a chapter among the chapters, and the minutes that it takes."""
    locale: str
    """The language as Open Graph names it."""
    card: str
    """What the picture shows that stands beside a link to a page."""
    explorer_elsewhere: str
    """What stands for an explorer where its HTML cannot."""
    not_found: NotFound
    settings: dict[str, str] = field(default_factory=dict)
    """Values of ``conf.py`` that are words."""
    fixed_words: dict[str, str] = field(default_factory=dict)
    """What the theme, MyST-NB and numpydoc write into attributes without asking any catalogue."""

    @property
    def tag(self) -> str:
        """The language as HTML and a browser name it."""
        return self.language.replace("_", "-")


ENGLISH = Edition(
    folder="en",
    language="en",
    name="English",
    title="Understanding Self-Attention",
    search="Search this book...",
    sidebar="The book",
    place="{number} of {count} · {minutes} min",
    locale="en_US",
    card="The formula of attention, and the attention weights of five tokens.",
    explorer_elsewhere="(Here the website has an explorer: numbers to change, and what they do.)",
    not_found=NotFound(
        "This page is not here",
        "The address may be mistyped, or the page has moved. The book itself is here:",
    ),
)
CHINESE = Edition(
    folder="zh",
    language="zh_CN",
    name="中文",
    title="理解自注意力",
    search="搜索本书……",
    sidebar="全书",
    place="第 {number} 章，共 {count} 章 · {minutes} 分钟",
    locale="zh_CN",
    card="注意力的公式，以及五个 Token 的注意力权重。",
    explorer_elsewhere="（网站的这里有一个交互演示：改动数字，看结果怎样变化。）",
    not_found=NotFound("没有这个页面", "网址可能输错了，或者页面已经移走。书在这里："),
    settings={"nb_code_prompt_show": "显示代码", "nb_code_prompt_hide": "隐藏代码"},
    fixed_words={
        "Main": "主导航",
        "Page": "页内导航",
        "Toggle primary sidebar": "显示或隐藏全书目录",
        "Toggle secondary sidebar": "显示或隐藏本页目录",
        "Toggle hidden content": "显示或隐藏内容",
        "Search": "搜索",
        "previous page": "上一页",
        "next page": "下一页",
        "列印成 PDF": "打印为 PDF",
    },
)
EDITIONS = {edition.folder: edition for edition in (ENGLISH, CHINESE)}


def of_language(language: str) -> Edition:
    """The edition in a language."""
    return next(edition for edition in EDITIONS.values() if edition.language == language)
