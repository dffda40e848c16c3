"""Titles, sentences and formulas as one line of plain text (no extension by itself)."""

from __future__ import annotations

import re
import unicodedata

from docutils import nodes

# what a line break may say of the room below it
ROOM_BELOW = re.compile(r"(?<=\\\\)\[[^\]]*\]")
TOKEN = re.compile(r"\\[a-zA-Z]+|\\.|.", re.DOTALL)
NAMES: dict[str, str] = {
    # what is only looks or room
    **dict.fromkeys(("left", "right", "bigl", "bigr", "Bigl", "Bigr", "boxed", "limits"), ""),
    **dict.fromkeys((",", ";", ":", " ", "quad", "qquad"), " "),
    **dict.fromkeys(("cdot", "cdotp"), "·"),
    **dict.fromkeys(("dots", "cdots", "ldots", "vdots"), "…"),
    **dict.fromkeys(("varepsilon", "epsilon"), "ε"),
    **dict.fromkeys(("varphi", "phi"), "φ"),
    **dict.fromkeys(("lVert", "rVert", "|"), "‖"),
    "!": "",
    "\\": "; ",
    "{": "{",
    "}": "}",
    "approx": "≈",
    "cup": "∪",
    "equiv": "≡",
    "ge": "≥",
    "in": "∈",
    "infty": "∞",
    "le": "≤",
    "Longrightarrow": "⟹",
    "mid": "|",
    "ne": "≠",
    "notin": "∉",
    "odot": "⊙",
    "partial": "∂",
    "pm": "±",
    "sum": "Σ",
    "times": "×",
    "to": "→",
    "top": "ᵀ",
}
GREEK = "alpha beta gamma delta eta theta lambda mu pi rho sigma tau Delta Sigma Lambda Omega"
NAMES |= {
    name: unicodedata.lookup(
        f"GREEK {'CAPITAL' if name[0].isupper() else 'SMALL'} LETTER "
        f"{'LAMDA' if name.lower() == 'lambda' else name.upper()}"
    )
    for name in GREEK.split()
}
MARKS: dict[str, str] = {"widetilde": "\u0303", "tilde": "\u0303", "hat": "\u0302", "bar": "\u0304"}
RAISED = dict(zip("0123456789+-TKVijkn", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ᵀᴷⱽⁱʲᵏⁿ", strict=True))
LOWERED = dict(zip("0123456789+-aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", strict=True))
SIMPLE = re.compile(r"√?[\w\u0300-\u036f]+|\([^()]*\)", re.DOTALL)


class Reader:
    """The tokens of a formula, read once from left to right."""

    def __init__(self, tex: str):
        self.tokens: list[str] = TOKEN.findall(tex)
        self.at = 0

    def until(self, end: str) -> str:
        """Everything up to a closing token, or to the end."""
        parts: list[str] = []
        while self.at < len(self.tokens) and self.tokens[self.at] != end:
            parts.append(self.next())
        self.at += 1
        return "".join(parts)

    def argument(self) -> str:
        while self.at < len(self.tokens) and self.tokens[self.at].isspace():
            self.at += 1
        return self.next().strip() if self.at < len(self.tokens) else ""

    def next(self) -> str:
        """What the next token, with its arguments, is in plain text."""
        token = self.tokens[self.at]
        self.at += 1
        if token == "{":
            return self.until("}")
        if token in ("^", "_"):
            return script(token, self.argument())
        if token == "&":
            return " "
        if not token.startswith("\\"):
            return token
        name = token[1:]
        if name == "sqrt":
            return "√" + grouped(self.argument())
        if name in ("frac", "dfrac", "tfrac"):
            return f"{grouped(self.argument())}/{grouped(self.argument())}"
        if name in MARKS:
            return unicodedata.normalize("NFC", self.argument() + MARKS[name])
        if name in ("begin", "end"):
            self.argument()
            return " "
        if name in ("operatorname", "mathrm", "text", "mathbf", "mathcal", "mathbb", "underbrace"):
            return self.argument()
        # a function such as \exp is its own name
        return NAMES.get(name, name)


def grouped(text: str) -> str:
    """In parentheses, where the text is more than one name, number or group."""
    return text if SIMPLE.fullmatch(text) else f"({text})"


def script(kind: str, text: str) -> str:
    """A sub- or superscript by the letters that Unicode has for it, or behind its mark."""
    letters = LOWERED if kind == "_" else RAISED
    if text and all(letter in letters for letter in text):
        return "".join(letters[letter] for letter in text)
    return f"{kind}{text if SIMPLE.fullmatch(text) else f'({text})'}"


def plain(tex: str) -> str:
    """The formula as one line."""
    return " ".join(Reader(ROOM_BELOW.sub("", tex)).until("").split()).strip(" ;")


def said(node: nodes.Element) -> str:
    """What a title or a paragraph says, each formula once."""
    parts = [
        plain(leaf.astext()) if isinstance(leaf, nodes.math) else str(leaf)
        for leaf in node.findall(lambda n: isinstance(n, nodes.math | nodes.Text))
        if not isinstance(leaf.parent, nodes.math)
    ]
    return " ".join("".join(parts).split())
