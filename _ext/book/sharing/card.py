"""The picture of a card: the formula, and the weights of five tokens (no extension by itself).

It has no words, so that it serves every edition and needs no font for Chinese.
"""

from __future__ import annotations

import json
from pathlib import Path

from book import ROOT

PATH = "_static/card.png"
WIDTH, HEIGHT = 1200, 630
DOTS = 100
FORMULA = r"$Z = \mathrm{softmax}\left(\dfrac{Q K^{T}}{\sqrt{d_k}} + M\right)\,V$"
ROLES = {"Q": "query", "K": "key", "V": "value", "A": "weights", "Z": "output"}
# the causal weights of five tokens, row by row
WEIGHTS = (
    (1.0,),
    (0.35, 0.65),
    (0.15, 0.55, 0.3),
    (0.4, 0.1, 0.2, 0.3),
    (0.1, 0.25, 0.05, 0.45, 0.15),
)
INK = "#1F2328"
FAINT = "#D9DCE0"


def draw(folder: str | Path) -> None:
    """Write the picture into the folder of an edition."""
    # only a build for publication draws it
    from matplotlib import rc_context
    from matplotlib.colors import to_rgb
    from matplotlib.figure import Figure
    from matplotlib.patches import Rectangle

    palette = json.loads((ROOT / "attnlib" / "palette.json").read_text(encoding="utf-8"))
    shade = {role: palette[role]["light"] for role in ROLES.values()}
    with rc_context({"mathtext.fontset": "cm", "font.family": "DejaVu Sans"}):
        figure = Figure(figsize=(WIDTH / DOTS, HEIGHT / DOTS), facecolor="white")
        page = figure.add_axes((0, 0, 1, 1), xlim=(0, WIDTH), ylim=(0, HEIGHT), frame_on=False)
        page.set_axis_off()
        page.text(60, 370, FORMULA, fontsize=40, color=INK, va="center")
        for place, (letter, role) in enumerate(ROLES.items()):
            x = 64 + 128 * place
            page.add_patch(Rectangle((x, 120), 96, 12, color=shade[role]))
            page.text(x + 48, 146, f"${letter}$", fontsize=30, color=shade[role], ha="center")
        side = 66
        full = to_rgb(shade["weights"])
        for i in range(len(WEIGHTS)):
            for j in range(len(WEIGHTS)):
                place = (800 + j * side, 450 - i * side)
                part = 0.12 + 0.88 * WEIGHTS[i][j] if j <= i else 0
                colour = tuple(1 - part * (1 - channel) for channel in full)
                edge = "white" if part else FAINT
                cell = Rectangle(place, side, side, linewidth=2, facecolor=colour, edgecolor=edge)
                # the empty ones on top: a white edge would hide theirs
                cell.set_zorder(1 if part else 2)
                page.add_patch(cell)
        path = Path(folder) / PATH
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, dpi=DOTS, metadata={"Software": None})
