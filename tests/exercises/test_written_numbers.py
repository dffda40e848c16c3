"""Numbers as people write them into the fields of a page, read by the page's own script."""

import json
import subprocess

import pytest
from book.npm import node_binary
from manuscript import ROOT

READER = ROOT / "_ext" / "book" / "exercises" / "numbers.js"

# what is written where any numbers, shares, or sizes are asked for: a value, or what is wrong
READ = {
    ("0.3", "numbers"): 0.3,
    ("0,3", "numbers"): 0.3,
    (".5", "numbers"): 0.5,
    (",5", "numbers"): 0.5,
    ("5.", "numbers"): 5,
    ("007", "numbers"): 7,
    ("  12 ", "numbers"): 12,
    ("+3", "numbers"): 3,
    ("-3", "numbers"): -3,
    ("−3", "numbers"): -3,  # U+2212
    ("–3", "numbers"): -3,  # what phones make of a hyphen
    ("－３", "numbers"): -3,
    ("- 3", "numbers"): -3,
    ("−,5", "numbers"): -0.5,
    ("０．３", "numbers"): 0.3,
    ("０，３", "numbers"): 0.3,
    ("0。3", "numbers"): 0.3,  # the full stop of a Chinese keyboard
    ("1/4", "numbers"): 0.25,
    ("1 / 4", "numbers"): 0.25,
    ("-1/4", "numbers"): -0.25,
    ("1/-4", "numbers"): -0.25,
    ("１／４", "numbers"): 0.25,
    ("1⁄4", "numbers"): 0.25,
    ("0,5/2", "numbers"): 0.25,
    ("\u00a00.3\u3000", "numbers"): 0.3,
    ("40 %", "shares"): 0.4,
    ("40%", "shares"): 0.4,
    ("４０％", "shares"): 0.4,
    ("0,5 %", "shares"): 0.005,
    ("66.5", "shares"): 66.5,  # a mistake that the check has a hint for
    ("0", "shares"): 0,
    ("6", "sizes"): 6,
    ("6.0", "sizes"): 6,
    ("", "numbers"): "empty",
    ("   ", "shares"): "empty",
    ("\u3000", "numbers"): "empty",
    ("abc", "numbers"): "number",
    ("three", "numbers"): "number",
    ("三", "numbers"): "number",
    ("NaN", "numbers"): "number",
    ("Infinity", "numbers"): "number",
    ("1e3", "numbers"): "number",
    ("0x10", "numbers"): "number",
    ("3²", "numbers"): "number",
    (".", "numbers"): "number",
    ("-", "numbers"): "number",
    ("--3", "numbers"): "number",
    ("1.2.3", "numbers"): "number",
    ("1 2", "numbers"): "number",
    ("1, 2", "numbers"): "number",
    ("(1, 2)", "numbers"): "number",
    ("1/", "numbers"): "number",
    ("1/2/3", "numbers"): "number",
    ("%", "shares"): "number",
    ("9" * 400, "numbers"): "number",
    ("1/0", "numbers"): "zero",
    ("0/0", "shares"): "zero",
    ("1/0,0", "numbers"): "zero",
    ("40 %", "numbers"): "percent",
    ("40 %", "sizes"): "percent",
    ("-0.1", "shares"): "negative",
    ("−10 %", "shares"): "negative",
    ("2.5", "sizes"): "whole",
    ("0", "sizes"): "whole",
    ("-6", "sizes"): "whole",
}


@pytest.fixture(scope="module")
def read():
    """What the script makes of each, in one process."""
    script = f"""import {{ readNumber }} from {json.dumps(READER.as_uri())};
      const asked = {json.dumps([*READ])};
      console.log(JSON.stringify(asked.map(([text, are]) => readNumber(text, are))));"""
    done = subprocess.run(
        [node_binary(), "--input-type=module", "-"],
        input=script,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return dict(zip(READ, json.loads(done.stdout), strict=True))


@pytest.mark.parametrize("written", READ, ids=lambda written: f"{written[1]} {written[0][:12]!r}")
def test_a_number_is_read_as_people_write_it(written, read):
    expected = READ[written]
    assert read[written] == (expected if isinstance(expected, str) else pytest.approx(expected))
