"""What moves, moves for a moment and keeps no answer waiting; what may not move does not."""

import re
from math import hypot

import pytest
from explorer_page import page_of, value
from hands import placed

from attnlib.explorers import CompassExplorer

HANDLE = ".attn-compass-plane .attn-handle"

# Before the page's own scripts: count the frames that are asked for, and those that wait.
COUNT_FRAMES = """
  globalThis.frames_ = { asked: 0, waiting: new Set() };
  const { requestAnimationFrame: ask, cancelAnimationFrame: cancel } = globalThis;
  globalThis.requestAnimationFrame = (act) => {
    frames_.asked += 1;
    const id = ask((time) => { frames_.waiting.delete(id); act(time); });
    frames_.waiting.add(id);
    return id;
  };
  globalThis.cancelAnimationFrame = (id) => { frames_.waiting.delete(id); cancel(id); };
"""
ASKED = "frames_.asked"
WAITING = "frames_.waiting.size"


@pytest.fixture
def open_compass(page_at):
    explorer = CompassExplorer()
    html = page_of(explorer.to_html())
    explorer.close()
    return lambda motion: page_at(html, reduced_motion=motion, before=COUNT_FRAMES)


PRESS = """async () => {
  document.querySelector("[name=word-2]").click();
  await null;
  const { dataset } = document.querySelector("[data-name=angle]");
  return [dataset.value, document.querySelector(".attn-compass-plane .attn-handle").ariaValueText];
}"""


TIP = f"""document.querySelector("{HANDLE}").getAttribute("transform")
  .match(/[-.\\d]+/g).map(Number)"""


def pressed(page):
    """What is said at once after a word was pressed, and the arrow's place, frame by frame."""
    page.clock.install(time=0)
    page.clock.pause_at(60_000)
    places = [page.evaluate(TIP)]
    said = page.evaluate(PRESS)
    for _ in range(24):
        page.clock.run_for(16)
        places.append(page.evaluate(TIP))
    return said, places


def test_a_picture_eases_to_where_the_numbers_are_already(open_compass):
    with open_compass("no-preference") as (page, record):
        (angle, text), places = pressed(page)
        # the second word's query is (0, −1): new at once, in the number and in words
        assert angle == "270"
        assert re.match("270 degrees, length 1.0", text)
        ways = [hypot(x - places[-1][0], y - places[-1][1]) for x, y in places]
        assert ways[0] > 50
        # it goes one way, in about 250 ms, and stays there
        assert ways == sorted(ways, reverse=True)
        assert 12 <= sum(way > 0 for way in ways) <= 18
        assert page.evaluate(WAITING) == 0
        assert record.complaints == []


def test_what_is_held_stays_under_the_hand_and_no_frame_is_waited_for(open_compass):
    with open_compass("no-preference") as (page, _):
        page.evaluate("document.getAnimations().forEach((one) => one.cancel())")
        box = page.locator(f"{HANDLE} .attn-halo").bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.mouse.down()
        before = page.evaluate(ASKED)
        page.mouse.move(box["x"] + 60, box["y"] + 60)
        rim = page.locator(".attn-rim").bounding_box()
        unit = (rim["width"] - 1.5) / 8
        x, y = placed(page.locator(HANDLE))
        length = hypot(x - rim["x"] - rim["width"] / 2, y - rim["y"] - rim["height"] / 2) / unit
        assert length == pytest.approx(value(page, "length"), abs=0.01)
        assert page.evaluate(ASKED) == before
        page.mouse.up()


@pytest.mark.parametrize("kind", ["reduced motion", "print"])
def test_nothing_moves_where_it_may_not(kind, open_compass):
    with open_compass("reduce" if kind == "reduced motion" else "no-preference") as (page, _):
        if kind == "print":
            page.emulate_media(media="print")
        _, places = pressed(page)
        assert len({*map(tuple, places)}) == 2
        assert places[1] == places[-1]


def test_an_explorer_that_is_removed_on_its_way_stops(open_compass):
    with open_compass("no-preference") as (page, record):
        page.evaluate(
            """() => {
              document.querySelector("[name=word-2]").click();
              return new Promise((done) => setTimeout(() => {
                document.querySelector("attn-explorer").remove();
                done();
              }, 60));
            }"""
        )
        assert page.evaluate(WAITING) == 0
        assert record.complaints == []
