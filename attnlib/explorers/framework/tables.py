"""How an explorer writes a number and a table: the same in Python as in ``ui.js``."""

from decimal import ROUND_HALF_UP, Decimal
from html import escape
from math import inf

SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def format_number(x, decimals=None):
    """Write `x` with at least two significant decimals: 0.125, 12.50, 512.0, 2.3×10⁻¹⁴, 4.9×10⁸.

    Parameters
    ----------
    x : float
    decimals : int, optional
        Fixed, where it is given.
    """
    size = abs(x)
    sign = "−" if x < 0 else ""
    if size == inf:
        return f"{sign}∞"
    if decimals is None:
        if 0 < size < 0.01 or size >= 1e5:
            exponent = Decimal(size).adjusted()
            digits = _half_up(Decimal(size).scaleb(-exponent), 1)
            if digits == 10:
                exponent, digits = exponent + 1, "1.0"
            return f"{sign}{digits}×10{str(exponent).translate(SUPERSCRIPT)}"
        decimals = 3 if size < 10 else 2 if size < 100 else 1 if size < 1000 else 0
    digits = _half_up(Decimal(size), decimals)
    return f"{sign}{digits}" if digits else f"{digits}"


def _half_up(x, decimals):
    """Round half up on the exact binary value, as JavaScript's toFixed does."""
    return x.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)


def both(english, chinese):
    """The same words in both languages; the style sheet shows one, without it both read well."""
    return f'<span lang="en">{english}</span> <span lang="zh">{chinese}</span>'


def symbol(name):
    """Markup of a symbol with an index, such as d_k."""
    base, _, index = name.partition("_")
    return f"<i>{escape(base)}</i>" + (f"<sub><i>{escape(index)}</i></sub>" if index else "")


def table(caption, head, rows):
    """An HTML table; the first cell of each row is its header, numbers are formatted.

    Parameters
    ----------
    caption : str
        Markup.
    head : sequence of str
        Markup of the column headers, the corner first.
    rows : sequence of sequences
        The row header as markup, then numbers or markup.
    """
    columns = "".join(f'<th scope="col">{cell}</th>' if cell else "<td></td>" for cell in head)
    texts = [
        (label, [cell if isinstance(cell, str) else format_number(cell) for cell in cells])
        for label, *cells in rows
    ]
    lines = [
        f'<tr><th scope="row">{label}</th>{"".join(f"<td>{cell}</td>" for cell in cells)}</tr>'
        for label, cells in texts
    ]
    return "\n".join(
        [
            "<table>",
            f"<caption>{caption}</caption>",
            f"<thead><tr>{columns}</tr></thead>",
            "<tbody>",
            *lines,
            "</tbody>",
            "</table>",
        ]
    )


def matrix_table(caption, entries, rows, columns=None):
    """An HTML table of a matrix; columns are counted from 1 where they have no labels."""
    labels = columns or [str(j) for j in range(1, len(entries[0]) + 1)]
    lines = [(label, *map(float, row)) for label, row in zip(rows, entries, strict=True)]
    return table(caption, ["", *labels], lines)
