"""Several heads: their shapes on the way, their blocks in the product, and where they look.

In these pictures a colour is a head, in all of them the same, and no role.
"""

import numpy as np

from attnlib.plots.canvas import ASIDE, FAINT, NO_ROLE, WIDTH, array, new_figure, palette

POINTS = 72 * WIDTH  # the width of a figure, in points
CELL = 9.0  # the side of an entry
MOST_HEADS = 4
RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
STRENGTH = 0.6  # of a head's colour in the entries of its matrices
THICKEST = 10.0  # an arc of weight 1, in points
SMALLEST = 0.005  # a weight that has an arc
SAID = 0.1  # a weight that is written, too
ROW = 21.0  # from one word to the next
PANEL = 75.0  # the width of one head's arcs
TO_THE_SPINE = 36.0


def head_colours():
    """Return the colour of each head."""
    roles = palette()
    return roles["signed"], roles["output"], roles["weights"], NO_ROLE


def head_arcs(words, weights, *, at):
    """Show the words under one another, and for each head arcs from one of them to all.

    Parameters
    ----------
    words : sequence of str, length n
    weights : array_like, shape (H, n)
        The weights of each head: an arc is as thick as its weight is large.
    at : int
        The word, counted from 0, that attends to the others.

    Raises
    ------
    ValueError
        If there are no heads or more than four, a head has not one weight for each word, a weight
        lies outside 0 to 1, or `at` is no word.
    """
    weights = array("weights", weights, 2)
    _check_heads(len(weights))
    if weights.shape[1] != len(words):
        raise ValueError(f"weights has shape {weights.shape}, but there are {len(words)} words")
    if not ((weights >= 0) & (weights <= 1)).all():
        raise ValueError("weights has an entry that is not between 0 and 1")
    if not 0 <= at < len(words):
        raise ValueError(f"at is {at}, but there are {len(words)} words")
    height = ROW * (len(words) + 0.6)
    with new_figure(height / 72) as (axes,):
        _plane(axes, height)
        heights = ROW * (1.3 + np.arange(len(words)))
        left = POINTS - PANEL * len(weights)
        for j, word in enumerate(words):
            bold = {"weight": "bold"} if j == at else {}
            axes.text(left - 6, heights[j], word, ha="right", va="center", **bold)
        for h, (row, colour) in enumerate(zip(weights, head_colours(), strict=False)):
            spine = left + h * PANEL + TO_THE_SPINE
            title = {"ha": "center", "va": "center", "color": colour, "weight": "bold"}
            axes.text(spine, 0.45 * ROW, f"head {h + 1}", **title)
            _draw_arcs(axes, spine, heights, row, at, colour)


def head_blocks(*, n, d_model, n_heads, d_h):
    """Show that the columns of C meet rows of W_O, head by head, and that the products are added.

    Parameters
    ----------
    n, d_model, n_heads, d_h : int
        The sizes.

    Raises
    ------
    ValueError
        If there are no heads or more than four.
    """
    _check_heads(n_heads)
    colours = head_colours()[:n_heads]
    of_columns = [colour for colour in colours for _ in range(d_h)]
    size = 1.3 * CELL
    middle = 20 + size * n_heads * d_h / 2
    lower = middle + size * (n_heads * d_h + n) / 2 + 46
    height = lower + size * n / 2 + 20
    with new_figure(height / 72) as (axes,):
        _plane(axes, height)
        draw = _drawer(axes, size)
        whole = [
            ("C", n, len(of_columns), {"columns": of_columns}),
            "×",
            ("W_O", len(of_columns), d_model, {"rows": of_columns}),
            "=",
            ("O", n, d_model, {}),
        ]
        _draw_row(axes, draw, whole, middle, 14.0)
        parts = ["O", "="]
        for h, colour in enumerate(colours, start=1):
            parts += ["+"] * (h > 1)
            parts += [(f"head {h}", n, d_h, {"columns": [colour] * d_h}), "×"]
            parts += [(f"W_O{_of(h)}", d_h, d_model, {"columns": [colour] * d_model})]
        _draw_row(axes, draw, parts, lower, 7.0)


def head_shapes(*, n, d_model, n_heads, d_h):
    """Show the whole way of multi-head attention, from X to Y, with the shape of every matrix.

    Parameters
    ----------
    n, d_model, n_heads, d_h : int
        The sizes.

    Raises
    ------
    ValueError
        If there are no heads or more than four.
    """
    _check_heads(n_heads)
    colours = head_colours()[:n_heads]
    of_columns = [colour for colour in colours for _ in range(d_h)]
    tall = n * CELL
    stream, aside, first = 30.0, 68.0, 105.0
    pitch = (POINTS - first) / n_heads
    centres = first + pitch * (np.arange(n_heads) + 0.5)
    # beside C there is room for W_O
    middle = centres.mean() - 28
    # the upper ends of what stands in one line
    top, projections = 20.0, 46.0 + tall
    scores, outputs = projections + tall + 40, projections + 2 * (tall + 40)
    joined = outputs + tall + 36
    result = joined + max(tall, len(of_columns) * CELL) + 24
    last = result + tall / 2 + 20
    height = last + tall + 20
    with new_figure(height / 72) as (axes,):
        _plane(axes, height)
        draw = _drawer(axes, CELL)
        _line(axes, [(stream, top + tall + 2), (stream, last - 2)], width=4.0)
        draw("", n, d_model, stream, top, shape=False)
        draw("", n, d_model, stream, last, shape=False)
        named = {"ha": "center", "va": "center"}
        axes.text(stream, top - 10, f"X {_shape(n, d_model)}", **named)
        axes.text(stream, last + tall + 11, f"Y {_shape(n, d_model)}", **named)
        bus = top + tall / 2
        axes.text(POINTS, bus - 7, _each(d_model, d_h), ha="right", va="bottom")
        _line(axes, [(stream + CELL * d_model / 2 + 2, bus), (centres[-1], bus)])
        for y, shape in ((projections, (n, d_h)), (scores, (n, n)), (outputs, (n, d_h))):
            axes.text(aside, y + tall / 2, _shape(*shape), ha="center", va="center")
        for h, (x, colour) in enumerate(zip(centres, colours, strict=True), start=1):
            _line(axes, [(x, bus), (x, projections - 20)], arrow=True)
            apart = min(30.0, pitch / 3)
            look = {"columns": [colour] * d_h, "shape": False}
            for k, (name, role) in enumerate((("Q", "query"), ("K", "key"), ("V", "value")), -1):
                place = x + k * apart, projections
                draw(f"{name}{_of(h)}", n, d_h, *place, role=role, **look)
            left = x - apart / 2
            for k in (-1, 0):
                _line(axes, [(x + k * apart, projections + tall + 2), (left, scores - 20)])
            every = {"columns": [colour] * n, "shape": False, "role": "weights"}
            draw(f"A{_of(h)}", n, n, left, scores, **every)
            _line(axes, [(left, scores + tall + 2), (x, outputs - 20)])
            _line(
                axes,
                [
                    (x + apart, projections + tall + 2),
                    (x + apart, scores + tall),
                    (x, outputs - 20),
                ],
            )
            draw(f"head {h}", n, d_h, x, outputs, **look)
            own = middle + CELL * d_h * (h - (n_heads + 1) / 2)
            _line(axes, [(x, outputs + tall + 2), (own, joined - 2)], arrow=True)
        draw("C", n, len(of_columns), middle, joined, columns=of_columns, beside=True)
        right = middle + CELL * (len(of_columns) + d_model) / 2 + 64
        draw("W_O", len(of_columns), d_model, right, joined, rows=of_columns, beside=True)
        axes.text(right - CELL * d_model / 2 - 12, joined + tall / 2, "×", ha="center", va="center")
        _line(axes, [(middle, joined + tall + 2), (middle, result - 2)], arrow=True)
        draw("O", n, d_model, middle, result, beside=True)
        y = result + tall / 2
        _line(axes, [(middle - CELL * d_model / 2 - 2, y), (stream + 10, y)], arrow=True)
        axes.scatter([stream], [y], s=220, color="white", edgecolor="black", zorder=3)
        axes.text(stream, y, "+", ha="center", va="center", zorder=4)


def _check_heads(n_heads):
    if not 1 <= n_heads <= MOST_HEADS:
        raise ValueError(f"there are {n_heads} heads; 1 to {MOST_HEADS} can be drawn")


def _plane(axes, height):
    """Make the axes a sheet in points, y downwards, without a frame."""
    axes.set(xlim=(0, POINTS), ylim=(height, 0))
    axes.set_axis_off()
    # all of the figure, whatever is written at its rim
    axes.set_in_layout(False)
    axes.set_position((0, 0, 1, 1))


def _of(h):
    """Return a head's number as it stands at a matrix."""
    return f"⁽{str(h).translate(RAISED)}⁾"


def _shape(*sizes):
    return f"({', '.join(map(str, sizes))})"


def _each(d_model, d_h):
    return f"W_Q, W_K, W_V of each head: {_shape(d_model, d_h)}"


def _line(axes, points, *, width=1.0, arrow=False):
    xs, ys = np.transpose(points)
    axes.plot(xs, ys, color=ASIDE, linewidth=width, zorder=1, solid_capstyle="butt")
    if arrow:
        # a small triangle that points where the line goes
        (x1, y1), (x2, y2) = points[-2:]
        along = np.array([x2 - x1, y2 - y1]) / np.hypot(x2 - x1, y2 - y1)
        across = 3 * along[::-1] * (-1, 1)
        tip = np.array([x2, y2])
        axes.fill(*np.transpose([tip, tip - 6 * along + across, tip - 6 * along - across]), ASIDE)


def _drawer(axes, size):
    """Return a function that draws a matrix as a grid of entries, with its name and its shape."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    def entries(x, y, n_columns, n_rows, colour):
        reach = 0.92 * size
        square = np.array([[0, 0], [reach, 0], [reach, reach], [0, reach], [0, 0]])
        places = [(x + size * c, y + size * r) for c in range(n_columns) for r in range(n_rows)]
        codes = [Path.MOVETO, *[Path.LINETO] * 3, Path.CLOSEPOLY] * len(places)
        path = Path(np.concatenate([square + place for place in places]), codes)
        faint = colour == FAINT
        look = {"facecolor": colour, "alpha": 1.0 if faint else STRENGTH, "linewidth": 0}
        axes.add_patch(PathPatch(path, **look, zorder=2))

    def draw(
        name, n_rows, n_columns, x, y, *, columns=(), rows=(), role="", shape=True, beside=False
    ):
        left = x - size * n_columns / 2
        if rows:
            for colour in dict.fromkeys(rows):
                first, count = rows.index(colour), rows.count(colour)
                entries(left, y + size * first, n_columns, count, colour)
        else:
            colours = columns or [FAINT] * n_columns
            for colour in dict.fromkeys(colours):
                first, count = colours.index(colour), colours.count(colour)
                entries(left + size * first, y, count, n_rows, colour)
        look = {"color": palette()[role]} if role else {}
        if not name:
            return
        if beside:
            place = left + size * n_columns + 5
            axes.text(place, y + size * n_rows / 2 - 8, name, ha="left", va="center")
            axes.text(
                place, y + size * n_rows / 2 + 8, _shape(n_rows, n_columns), ha="left", va="center"
            )
            return
        axes.text(x, y - 4, name, ha="center", va="bottom", **look)
        if shape:
            said = _shape(n_rows, n_columns)
            axes.text(x, y + size * n_rows + 4, said, ha="center", va="top")

    return draw


def _draw_row(axes, draw, parts, y, gap):
    """Draw matrices and signs in one line, in the middle of the picture."""
    size = 1.3 * CELL
    widths = [size * part[2] if isinstance(part, tuple) else 8.0 for part in parts]
    x = (POINTS - sum(widths) - gap * (len(parts) - 1)) / 2
    for part, width in zip(parts, widths, strict=True):
        if isinstance(part, tuple):
            name, n_rows, n_columns, look = part
            draw(name, n_rows, n_columns, x + width / 2, y - size * n_rows / 2, **look)
        else:
            axes.text(x + width / 2, y, part, ha="center", va="center")
        x += width + gap


def _draw_arcs(axes, spine, heights, row, at, colour):
    """Draw the arcs of one head, the words as dots on a line, and the large weights."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    codes = [Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4]
    _line(axes, [(spine, heights[0]), (spine, heights[-1])], width=0.8)
    axes.scatter([spine] * len(row), heights, s=10, color=ASIDE, zorder=3)
    axes.scatter([spine], [heights[at]], s=46, color=colour, zorder=3)
    longest = max(at, len(row) - 1 - at) or 1
    for j, weight in enumerate(row):
        if weight >= SMALLEST and j != at:
            reach = spine + (0.35 + 0.65 * abs(j - at) / longest) * 50
            corners = [(spine, heights[at]), (reach, heights[at]), (reach, heights[j])]
            path = Path([*corners, (spine, heights[j])], codes)
            look = {
                "edgecolor": colour,
                "linewidth": round(THICKEST * weight, 2),
                "capstyle": "butt",
            }
            axes.add_patch(PathPatch(path, facecolor="none", zorder=2, **look))
        if weight >= SAID:
            axes.text(spine - 6, heights[j], f"{weight:.2f}", ha="right", va="center")
