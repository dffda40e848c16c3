"""What every prediction says in each language, on the page and in its script (no extension).

Where the three manners of asking differ, there is a sentence for each.
"""

from __future__ import annotations

WORDS = {
    "en": {
        "commit": {
            "predict": "That is my guess",
            "recognise": "That is the mistake",
            "find": "That is what I found",
        },
        "show": "Show me",
        "again": {"predict": "Guess again", "recognise": "Try again", "find": "Try again"},
        "closed": {
            "predict": "The answer opens with your guess.",
            "recognise": "The answer opens with your choice.",
            "find": "The answer opens with yours.",
        },
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
        "commit": {"predict": "就猜这个", "recognise": "就是这个错误", "find": "我找到了"},
        "show": "直接看结果",
        "again": {"predict": "再猜一次", "recognise": "再选一次", "find": "再找一次"},
        "closed": {
            "predict": "先猜，答案随后展开。",
            "recognise": "先选，答案随后展开。",
            "find": "先答，答案随后展开。",
        },
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
