"""Markdown tables of the results."""


def markdown(header, rows):
    """Return a table as lines of Markdown, columns lined up."""
    cells = [[str(cell) for cell in row] for row in [header, *rows]]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = [
        "| " + " | ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)) + " |"
        for row in cells
    ]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return lines


def verdict(value, limit):
    """Return a cell that says whether a number stays within its limit."""
    return f"{value:.2f} ({'reached' if value <= limit else 'MISSED'}: ≤ {limit:.3g})"
