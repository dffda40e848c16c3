"""Colours as an explorer draws them: what is called blue is blue, plus has a hue, minus is grey."""

import colorsys
import json
import re
from importlib.resources import files

import pytest
from explorer_state import CLASSES
from labelled import View, formula

ROLES = json.loads(files("attnlib").joinpath("palette.json").read_text(encoding="utf-8"))
OF_SYMBOL = {"Q": "query", "K": "key", "V": "value", "A": "weights", "Z": "output"}
GREY = 25  # the difference between the channels of a colour up to which it is called grey
HUES = {
    "blue": (190, 250), "vermilion": (10, 30), "green": (140, 175), "orange": (35, 55),
    "蓝": (190, 250), "橙红": (10, 30), "绿": (140, 175), "橙色": (35, 55),
}  # fmt: skip


def chroma(colour):
    return max(colour[:3]) - min(colour[:3])


def hue(colour):
    return 360 * colorsys.rgb_to_hsv(*colour[:3])[0]


def is_called(word, colour):
    if word in ("grey", "灰"):
        return chroma(colour) <= GREY
    low, high = HUES[word]
    return chroma(colour) > 2 * GREY and low <= hue(colour) <= high


def test_projection_arrows_have_the_colours_that_are_named(view, t):
    seen = view.seen()
    named = re.findall(
        t(r"\b([xqkv]) \((\w+)\)", r"([xqkv])（(\w+)）"), seen.line(t("Arrows", "箭头"))
    )
    assert {arrow for arrow, _ in named} == {*"xqkv"}
    for arrow, word in named:
        (point,) = [point for point in seen.points if point["text"] == arrow]
        assert is_called(word, point["colour"]), (arrow, word, point["colour"])


def test_mixing_the_output_has_the_colour_that_is_named(view, t):
    seen = view.seen()
    says = t(r"in (\w+) zi", r"(\w{2})为 zi")
    word = re.search(says, seen.line(says))[1]
    (z,) = [point for point in seen.points if point["text"] == "z"]
    assert is_called(word, z["colour"])
    assert not any(is_called(word, p["colour"]) for p in seen.points if p is not z)


@pytest.mark.parametrize("name", CLASSES)
def test_a_matrix_has_the_colour_of_its_role_and_minus_is_grey(name, every_explorer):
    seen = View(every_explorer[0], name).seen()
    for table in seen.tables:
        role = OF_SYMBOL.get(formula(table.caption)[0])
        if role and table.is_numeric:
            assert tuple(table.tone) == tuple(bytes.fromhex(ROLES[role]["light"][1:])), (
                table.caption
            )
        hues = set()
        for shade in table.shades:
            *colour, strength = shade["colour"]
            if shade["x"] < 0:
                assert chroma(colour) <= GREY, (table.caption, shade)
            elif strength:
                assert chroma(colour) > 2 * GREY, (table.caption, shade)
                hues.add(round(hue(colour)))
        assert len(hues) <= 1, (table.caption, hues)


def test_scores_are_violet_above_0_and_grey_below(every_explorer):
    seen = View(every_explorer[0], "scores").seen()
    shades = [shade for table in seen.tables for shade in table.shades]
    above = [shade["colour"] for shade in shades if shade["x"] > 0]
    assert above
    assert len(above) < len(shades)
    roles = [hue(bytes.fromhex(ROLES[role]["light"][1:])) for role in OF_SYMBOL.values()]
    for colour in above:
        assert 245 <= hue(colour) <= 275
        assert min(abs(hue(colour) - other) for other in roles) > 40
