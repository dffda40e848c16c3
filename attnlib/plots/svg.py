"""A figure as SVG: what matplotlib writes, without what changes from run to run or says nothing.

Texts stay text. Coordinates have two decimals, since the last digits differ between processors;
ids are counted in the order in which they are met. Colours stay as they were drawn: whoever puts
the picture into a page may give them other values.
"""

import io
import math
import re
from xml.etree import ElementTree as ET

SVG = "{http://www.w3.org/2000/svg}"
HREF = "{http://www.w3.org/1999/xlink}href"
# without metadata there is no date in it
METADATA = dict.fromkeys(("Creator", "Date", "Format", "Type"))
SETTINGS = {"svg.fonttype": "none", "svg.hashsalt": "attnlib"}
# what is drawn under digits: whoever shows the picture may make it paler
UNDER = "under-digits"
FONT = "DejaVu Sans, Verdana, sans-serif"
NUMBER = re.compile(r"-?\d+\.?\d*(?:e-?\d+)?")
BOX = re.compile(r"M (\S+) (\S+) L (\S+) \2 L \3 (\S+) L \1 \4 (?:L \1 \2 )?z")
TURN = re.compile(r"rotate\((\S+) \S+ \S+\)")
REFERENCE = re.compile(r"url\(#(\w+)\)")
COORDINATES = ("d", "height", "points", "transform", "viewBox", "width", "x", "y")
# as matplotlib's own style sheet has them, and a browser
INHERITED = {"stroke-linecap": "butt", "stroke-linejoin": "round", "stroke-dashoffset": "0"}
NOT_DRAWN = {f"{SVG}{name}" for name in ("metadata", "style", "title")}


def svg_of(figure, font_size):
    """Return a figure as the text of an SVG file.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
    font_size : float
        The size that most of its texts have, in points.
    """
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", metadata=METADATA)
    root = ET.fromstring(buffer.getvalue())
    names = {}
    shapes = [shape for child in root for shape in _shapes(child, names, font_size)]
    size = dict(zip(("width", "height"), root.get("viewBox", "").split()[2:], strict=True))
    look = {"font-family": FONT, "font-size": f"{font_size:g}", "stroke-linejoin": "round"}
    viewed = {"viewBox": root.get("viewBox", "")}
    start = _tag("svg", {"xmlns": SVG[1:-1], **_rounded(viewed | size), **look})
    return "\n".join([f"{start}>", *shapes, "</svg>"])


def _shapes(element, names, font_size):
    """Yield the lines of an element; groups that do nothing are left out."""
    if element.tag in NOT_DRAWN:
        return
    tag = element.tag.removeprefix(SVG)
    attributes = _attributes(element, names, font_size)
    if attributes.get("style") == "fill:none":
        return
    if box := BOX.fullmatch(attributes.get("d", "")):
        tag, attributes = "rect", _corner_and_size(box) | attributes
        del attributes["d"]
    attributes = _rounded(attributes)
    inside = [line for child in element for line in _shapes(child, names, font_size)]
    if (tag == "g" and not attributes) or (tag in ("g", "defs") and not inside):
        yield from inside
    elif inside:
        yield from (f"{_tag(tag, attributes)}>", *inside, f"</{tag}>")
    elif element.text and element.text.strip():
        text = element.text.replace("&", "&amp;").replace("<", "&lt;")
        yield f"{_tag(tag, attributes)}>{text}</{tag}>"
    else:
        yield f"{_tag(tag, attributes)}/>"


def _attributes(element, names, font_size):
    """Return what an element says of itself, in short."""
    found = {name: " ".join(value.split()) for name, value in element.attrib.items()}
    identity, target = found.pop("id", None), found.pop(HREF, None)
    style = dict(part.split(": ") for part in found.pop("style", "").split("; ") if part)
    if element.tag == f"{SVG}text":
        found |= _font(style, font_size)
        turn = TURN.match(found.get("transform", ""))
        if turn and not float(turn[1]):
            del found["transform"]
    if identity == UNDER:
        found = {"class": UNDER, **found}
    elif element.tag != f"{SVG}g" and identity:
        found = {"id": _name(identity, names), **found}
    if target:
        found = {"href": f"#{_name(target[1:], names)}", **found}
    if "clip-path" in found:
        target = REFERENCE.sub(r"\1", found["clip-path"])
        found["clip-path"] = f"url(#{_name(target, names)})"
    style = {name: value for name, value in style.items() if INHERITED.get(name) != value}
    if style:
        found["style"] = ";".join(f"{name}:{_short(value)}" for name, value in style.items())
    return found


def _corner_and_size(box):
    """Return what a rectangle says of itself."""
    (x1, y1, x2, y2) = map(float, box.groups())
    sides = {"x": min(x1, x2), "y": min(y1, y2), "width": abs(x2 - x1), "height": abs(y2 - y1)}
    return {name: str(value) for name, value in sides.items()}


def _font(style, font_size):
    """Take the font out of the style of a text, and return where it is not that of the figure."""
    del style["font-family"]
    size = float(style.pop("font-size").removesuffix("px"))
    font = {} if size == font_size else {"font-size": f"{size:g}"}
    for name, usual in (("font-weight", "400"), ("text-anchor", "start")):
        value = style.pop(name, usual)
        font |= {} if value == usual else {name: value}
    return font


def _name(identity, names):
    """Return a short name for an id, the same wherever it stands."""
    return names.setdefault(identity, f"{identity[0]}{len(names) + 1}")


def _rounded(attributes):
    """Return attributes with two decimals in their coordinates."""
    return {
        name: _path(NUMBER.sub(_decimals, value)) if name in COORDINATES else value
        for name, value in attributes.items()
    }


def _decimals(match):
    # What lies halfway goes up, on whichever side of it the last digits are.
    value = math.floor(float(match[0]) * 100 + 0.5 + 1e-5) / 100
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _path(text):
    """Return a path without the spaces that it does not need."""
    return re.sub(r" ?([A-Za-z]) ?", r"\1", text) if text[:2] == "M " else text


def _short(value):
    """Return a value of a style with three decimals at most."""

    def rounded(match):
        return f"{float(match[0]):.3f}".rstrip("0").rstrip(".")

    return re.sub(r"\d+\.\d{4,}", rounded, value)


def _tag(name, attributes):
    return f"<{name}" + "".join(f' {key}="{value}"' for key, value in attributes.items())
