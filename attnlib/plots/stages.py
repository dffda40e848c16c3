"""One attention head from the input to the output, every matrix in its shape."""

import numpy as np

from attnlib.plots.canvas import FAINT, MINUS, NO_ROLE, WIDTH, array, new_figure, palette

CELL = 11.0  # points
TEXT = 13.5  # points: still read on a phone
HEIGHT = 6.3  # inches
GAP = 5.0  # points between a matrix and what stands beside it
FULL = 0.8  # the strength of the largest entry

# Each matrix: where its middle is, in points from the upper left, and its role.
PLACES = {
    "X": (201, 55, None),
    "Q": (62, 178, "query"),
    "K": (190, 178, "key"),
    "V": (335, 178, "value"),
    "S": (62, 301, "signed"),
    "S̃": (190, 301, "signed"),
    "A": (190, 420, "weights"),
    "Z": (335, 420, "output"),
}
# Each step: from, to, and what it does, each word with the side of the arrow on which it stands.
STEPS = (
    ("X", "Q", {"W_Q": "upper left"}),
    ("X", "K", {"W_K": "right"}),
    ("X", "V", {"W_V": "upper right"}),
    ("Q", "S", {"Q Kᵀ": "left"}),
    ("K", "S", {}),
    ("S", "S̃", {"/ √d_k": "above", "+ M": "below"}),
    ("S̃", "A", {"softmax": "right"}),
    ("A", "Z", {"A V": "above"}),
    ("V", "Z", {}),
)
# In points from the middle of the arrow, and which point of the word stands there.
SIDES = {
    "left": (-GAP, 0, "right", "center"),
    "right": (GAP, 0, "left", "center"),
    "upper left": (-GAP, -GAP, "right", "bottom"),
    "upper right": (GAP, -GAP, "left", "bottom"),
    "above": (0, -GAP, "center", "bottom"),
    "below": (0, GAP, "center", "top"),
}


def head_stages(X, W_Q, W_K, W_V):
    """Show the matrices of one head without a mask in their order, with the steps between them.

    A cell has the strength of its entry, measured by the largest of its matrix; what is below 0 is
    grey.

    Parameters
    ----------
    X : array_like, shape (n, d_model)
    W_Q, W_K : array_like, shape (d_model, d_k)
    W_V : array_like, shape (d_model, d_v)

    Raises
    ------
    ValueError
        If one of them is no matrix.
    """
    given = {"X": X, "W_Q": W_Q, "W_K": W_K, "W_V": W_V}
    matrices = _stages(*(array(name, values, 2) for name, values in given.items()))
    with new_figure(HEIGHT) as (axes,):
        axes.set(xlim=(0, WIDTH * 72), ylim=(HEIGHT * 72, 0), aspect="equal")
        axes.set_axis_off()
        for name, values in matrices.items():
            _draw_matrix(axes, name, values)
        for step in STEPS:
            _draw_step(axes, matrices, *step)


def _stages(X, W_Q, W_K, W_V):
    """Return every matrix on the way from the input to the output."""
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V  # (n, d_k), (n, d_k), (n, d_v)
    S = Q @ K.T  # (n, n)
    scaled = S / np.sqrt(K.shape[1])  # (n, n)
    E = np.exp(scaled - scaled.max(axis=1, keepdims=True))  # (n, n)
    A = E / E.sum(axis=1, keepdims=True)  # (n, n)
    return {"X": X, "Q": Q, "K": K, "V": V, "S": S, "S̃": scaled, "A": A, "Z": A @ V}


def _draw_matrix(axes, name, values):
    from matplotlib.patches import Rectangle

    x, y, role = PLACES[name]
    colour = palette()[role] if role else NO_ROLE
    half_height, half_width = CELL / 2 * np.array(values.shape)
    largest = np.abs(values).max() or 1.0
    for (i, j), value in np.ndenumerate(values):
        corner = x - half_width + j * CELL, y - half_height + i * CELL
        look = {"facecolor": MINUS if value < 0 else colour, "alpha": FULL * abs(value) / largest}
        axes.add_patch(Rectangle(corner, CELL, CELL, linewidth=0, zorder=1, **look))
        look = {"facecolor": "none", "edgecolor": FAINT, "linewidth": 0.6}
        axes.add_patch(Rectangle(corner, CELL, CELL, zorder=2, **look))
    corner = x - half_width, y - half_height
    look = {"facecolor": "none", "edgecolor": colour, "linewidth": 1.6}
    axes.add_patch(Rectangle(corner, 2 * half_width, 2 * half_height, zorder=3, **look))
    font = {"fontsize": TEXT, "weight": "bold", "ha": "right", "va": "top"}
    axes.text(x - half_width - 4, y - half_height - 2, name, color=colour, **font)
    size = "{} × {}".format(*values.shape)
    axes.text(x, y + half_height + 4, size, fontsize=TEXT, ha="center", va="top")


def _draw_step(axes, matrices, start, end, words):
    tail, head = (_side(matrices, *names) for names in ((start, end), (end, start)))
    arrow = {"arrowstyle": "-|>", "color": NO_ROLE, "linewidth": 1.2, "shrinkA": 0, "shrinkB": 0}
    axes.annotate("", head, tail, arrowprops=arrow, zorder=0)
    x, y = (np.array(tail) + head) / 2
    for word, side in words.items():
        dx, dy, ha, va = SIDES[side]
        axes.text(x + dx, y + dy, word, fontsize=TEXT, ha=ha, va=va, color=NO_ROLE)


def _side(matrices, name, other):
    """Return where an arrow to or from another matrix meets a matrix."""
    x, y, _ = PLACES[name]
    there = PLACES[other]
    half_height, half_width = CELL / 2 * np.array(matrices[name].shape) + GAP
    if there[1] == y:
        return x + np.sign(there[0] - x) * half_width, y
    # below a matrix stands its size
    down = there[1] > y
    aside = np.clip((there[0] - x) / 8, -half_width, half_width)
    return x + aside, y + (half_height + TEXT + 1 if down else -half_height)
