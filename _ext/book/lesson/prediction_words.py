"""What every prediction says in each language, on the page and in its script (no extension)."""

from __future__ import annotations

WORDS = {
    "en": {
        "commit": "That is my guess",
        "show": "Show me",
        "again": "Guess again",
        "closed": "The answer opens with your guess.",
        "you": "you",
        "measured": "measured",
        "between": ": ",
        "legend": "ticked: you · diamond: measured",
        "empty": "A guess is missing here: type a number, or put the mark on the line.",
        "letters": "This is no number. Type one such as {example}.",
        "range": "The line goes from {low} to {high}.",
        "choose": "Choose one, or press “Show me”.",
        "opened": "The answer is open.",
    },
    "zh_CN": {
        "commit": "就猜这个",
        "show": "直接看结果",
        "again": "再猜一次",
        "closed": "先猜，答案随后展开。",
        "you": "你",
        "measured": "实测",
        "between": "：",
        "legend": "打勾：你的猜测 · 菱形：实测",
        "empty": "这里还没有猜：填一个数，或在线上移动圆点。",
        "letters": "这不是一个数。请填一个数，例如 {example}。",
        "range": "这条线从 {low} 到 {high}。",
        "choose": "请选一项，或点“直接看结果”。",
        "opened": "答案已展开。",
    },
}
SAID_BY_THE_SCRIPT = ("empty", "letters", "range", "choose", "opened")


def of_language(language: str) -> dict[str, str]:
    return WORDS.get(language, WORDS["en"])
