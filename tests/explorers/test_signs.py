"""In an explorer, as in the figures, plus has a colour that is no role's, and minus is grey."""

import re

from explorer_page import VIEW, page_of

from attnlib import plots
from attnlib.explorers import ScoresExplorer

SHADES = """cells => Object.fromEntries(cells.map((cell) => [
  cell.dataset.name, getComputedStyle(cell).getPropertyValue("--tone").trim()]))"""


def test_scores_are_violet_above_0_and_grey_below(page_at):
    explorer = ScoresExplorer()
    with page_at(page_of(explorer.to_html())) as (page, _):
        page.locator(VIEW).wait_for()
        cells = page.locator("[data-name^='S-']")
        tones = cells.evaluate_all(SHADES)
        shown = {name: colour.upper() for name, colour in tones.items()}
        grey = page.evaluate(
            "getComputedStyle(document.documentElement).getPropertyValue('--attn-scores')"
        )
    S = {name: x for name, x in explorer.numbers.items() if re.fullmatch(r"S-\d-\d", name)}
    assert {name for name, x in S.items() if x < 0}
    for name, x in S.items():
        assert shown[name] == (grey.strip().upper() if x < 0 else plots.palette()["signed"]), name
    assert grey.strip().upper() not in plots.palette().values()
    explorer.close()
