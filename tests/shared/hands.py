"""What a reader's hand does to a page: where a thing is, and a finger that drags it."""

from __future__ import annotations

from contextlib import contextmanager


def middle(locator):
    """The middle of a thing's handle (the round part that a finger takes)."""
    box = locator.locator(".attn-halo").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def placed(locator):
    """Where on the page a handle's origin is drawn."""
    return tuple(
        locator.evaluate(
            """node => {
              const { x, y } = new DOMPoint(0, 0).matrixTransform(node.getScreenCTM());
              return [x, y];
            }"""
        )
    )


@contextmanager
def finger(page, x, y):
    """A finger that touches the page here and is lifted at the end; gives what moves it."""
    session = page.context.new_cdp_session(page)

    def send(kind, *points):
        session.send(
            "Input.dispatchTouchEvent",
            {"type": kind, "touchPoints": [{"x": at[0], "y": at[1]} for at in points]},
        )

    def move(x, y):
        send("touchMove", (x, y))
        # a browser hands out the moves of a finger frame by frame
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")

    send("touchStart", (x, y))
    yield move
    send("touchEnd")
    session.detach()


def on_plane(plane, x, y, unit=1):
    """Where on the page a place of a plane is; `unit` is how much its lines are apart."""
    script = """(svg, [x, y]) => {
      const place = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM());
      return [place.x, place.y];
    }"""
    return plane.evaluate(script, [30 * x / unit, -30 * y / unit])


def pixels(plane):
    """How many pixels of the page a unit of a plane is."""
    return plane.evaluate("svg => 30 * svg.getScreenCTM().a")
