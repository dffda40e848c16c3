"""Figures as SVG: shapes and text, colours that have a name, the same on every machine."""

import json
import re
from importlib.resources import files
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from test_colours import FIGURES, ROLES

from attnlib import plots
from attnlib.plots.svg import _rounded, _short

GREYS = json.loads(files(plots).joinpath("greys.json").read_text(encoding="utf-8"))
SVG = "{http://www.w3.org/2000/svg}"
LIGHT = {shades["light"].lower(): name for name, shades in (ROLES | GREYS).items()}


@pytest.fixture
def drawn(shown):
    """Draw, and give the text of the SVG and its elements."""

    def draw(figure):
        figure()
        text = shown[0][-1].svg
        return text, [*ET.fromstring(text).iter()]

    return draw


@pytest.fixture(scope="module")
def kept():
    """The figures that were drawn, by name: several tests look at each."""
    return {}


@pytest.fixture
def of_name(kept, drawn):
    """What `drawn` gives for the figure of a name."""

    def draw(name):
        if name not in kept:
            kept[name] = drawn(FIGURES[name][0])
        return kept[name]

    return draw


@pytest.mark.parametrize("name", FIGURES)
def test_every_colour_is_of_a_role_of_the_figure_or_one_of_the_greys(name, of_name):
    text, _ = of_name(name)
    met = {LIGHT[colour] for colour in re.findall(r"#[0-9a-f]{6}", text)}
    assert met - GREYS.keys() == FIGURES[name][1]


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_is_shapes_and_text_and_nothing_that_changes(name, of_name):
    text, elements = of_name(name)
    tags = {element.tag.removeprefix(SVG) for element in elements}
    assert tags <= {"svg", "g", "defs", "path", "rect", "use", "text", "clipPath"}
    assert not re.search(r"\d\.\d{4}|e-\d|<!--|matplotlib", text)
    for element in elements:
        for key in ("d", "x", "y", "width", "height", "transform", "viewBox"):
            assert not re.search(r"\.\d{3}", element.get(key, "")), (key, element.attrib)


def test_a_number_of_a_style_is_one_that_browsers_read():
    assert _short("stroke-width:10.00003px") == "stroke-width:10px"
    assert _short("stroke-width:0.75000") == "stroke-width:0.75"
    assert _short("opacity:0.123456;x:12.5") == "opacity:0.123;x:12.5"


@pytest.mark.parametrize("name", FIGURES)
def test_what_is_referred_to_is_there_once_and_nothing_else_has_a_name(name, of_name):
    text, elements = of_name(name)
    ids = [element.get("id") for element in elements if element.get("id")]
    referred = set(re.findall(r'href="#(\w+)"|url\(#(\w+)\)', text))
    assert sorted(ids) == sorted({a or b for a, b in referred})


def test_marks_are_drawn_where_they_are_used_and_not_where_they_are_defined(drawn):
    _, elements = drawn(lambda: plots.lines([1.0, 2.0], {"y": {"a": [1.0, 2.0]}}))
    defined = [shape for defs in elements if defs.tag == f"{SVG}defs" for shape in defs.iter()]
    assert all(
        shape in defined for shape in elements if shape.tag != f"{SVG}svg" and shape.get("id")
    )


def test_a_matrix_is_one_rectangle_for_each_entry_that_is_not_0(drawn):
    values = np.array([[1.0, -2.0, 0.0], [0.5, -np.inf, 2.0]])
    _, elements = drawn(lambda: plots.table(values))
    (group,) = [element for element in elements if element.get("class") == "under-digits"]
    styles = [dict(part.split(":") for part in r.get("style").split(";")) for r in group]
    assert {rectangle.tag for rectangle in group} == {f"{SVG}rect"}
    signs = [LIGHT[style["fill"]] for style in styles]
    assert signs == ["signed", "aside", "signed", "signed"]
    strengths = np.array([float(style["fill-opacity"]) for style in styles])
    np.testing.assert_allclose(strengths / strengths.max(), [0.5, 1, 0.25, 1], atol=0.01)


def test_every_text_of_a_figure_is_text(drawn):
    panels = {"a & b": {"one <line>": [1.0, 2.0]}}
    _, elements = drawn(lambda: plots.lines([4.0, 16.0], panels, xlabel="d_k", log_x=True))
    texts = [element.text for element in elements if element.tag == f"{SVG}text"]
    assert {"a & b", "one <line>", "d_k", "4", "16"} <= set(texts)


@pytest.mark.parametrize("noise", [-1e-9, 0.0, 1e-9])
def test_the_last_digits_of_a_coordinate_do_not_matter(noise):
    found = _rounded({"d": f"M {12.345 + noise:.9f} {-0.004 + noise:.9f} L 8 {7.005 + noise:.9f}"})
    assert found == {"d": "M12.35 0L8 7.01"}
