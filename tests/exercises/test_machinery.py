"""How a check judges, on a small exercise of its own: double every number."""

import io
import sys
import warnings
from itertools import count

import numpy as np
import pytest

from attnlib.exercises import check
from attnlib.exercises.answers import numbers, shaped
from attnlib.exercises.machinery import Exercise, Property, judge, report
from attnlib.exercises.text import Text

DOUBLE = Exercise(
    (
        Property(
            "numbers",
            Text("doubles one number", "把一个数加倍"),
            Text("try 3", "试试 3"),
            lambda f: f(3) == 6,
        ),
        Property(
            "arrays",
            Text("doubles arrays", "把数组加倍"),
            Text("try an array", "试试数组"),
            lambda f: f(np.ones(2)).tolist() == [2, 2],
        ),
    ),
    shaped(lambda x: np.shape(x)),
)


def told(answer):
    return str(report("double", answer, judge(DOUBLE, answer)))


def double(x):
    return 2 * x


def test_what_holds_is_listed_and_counted():
    assert (
        told(double) == "double\n  ✓ doubles one number\n  ✓ doubles arrays\nAll 2 properties hold."
    )


def test_the_first_property_that_does_not_hold_comes_with_its_hint():
    assert told(lambda x: 6) == (
        "double\n  ✓ doubles one number\n  ✗ doubles arrays\n"
        "    The result of <lambda> does not fit: its shape is ().\n    Hint: try an array"
    )
    assert told(lambda x: 3 * x) == "double\n  ✗ doubles one number\n    Hint: try 3"


def test_chinese_is_chosen_by_the_environment(monkeypatch):
    monkeypatch.setenv("ATTNLIB_LANG", "zh_CN")
    assert told(double).endswith("2 条性质全部成立。")
    assert told(lambda x: 0).endswith("  ✗ 把一个数加倍\n    提示：试试 3")
    monkeypatch.setenv("ATTNLIB_LANG", "fr")
    assert told(double).endswith("All 2 properties hold.")


def stub_ellipsis(x):
    return ...


def stub_nothing(x):
    pass


def stub_not_implemented(x):
    raise NotImplementedError


def stub_in_a_dict(x):
    return {"a": (1, ...)}


def stub_in_a_set(x):
    return {...}


def stub_in_an_array(x):
    return np.array([1, None])


def stub_in_a_generator(x):
    yield from (1, ...)


@pytest.mark.parametrize(
    "stub",
    [
        stub_ellipsis,
        stub_nothing,
        stub_not_implemented,
        stub_in_a_dict,
        stub_in_a_set,
        stub_in_an_array,
        stub_in_a_generator,
    ],
)
def test_an_unfinished_stub_gets_one_friendly_line(stub):
    assert told(stub) == (
        f"Not finished yet: {stub.__name__} returns nothing, or still has a ... in it."
    )


def test_an_error_is_named_in_one_line():
    def answer(x):
        raise ValueError("too big\nand a second line")

    assert told(answer) == (
        "double\n  ✗ doubles one number\n    answer raised ValueError: too big\n    Hint: try 3"
    )

    def silent(x):
        raise ZeroDivisionError

    assert "silent raised ZeroDivisionError\n" in told(silent)


def test_an_answer_of_an_odd_form_is_rejected_without_a_traceback():
    assert "✗ doubles arrays" in told(lambda x: 6 if isinstance(x, int) else "two")


def holds_itself(x):
    result = [1]
    result.append(result)
    return result


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (lambda x: "6", "'6' is text, not a number."),
        (lambda x: np.str_("6"), "is text, not a number."),
        (lambda x: True, "it holds a truth value in place of a number."),
        (lambda x: np.ones(2) > 0, "it holds a truth value in place of a number."),
        (lambda x: 6 + 1j, "(6+1j) is not a number."),
        (lambda x: {6}, "{6} is not a number."),
        (lambda x: [[1, 2], [3]], "its rows differ in length."),
        (holds_itself, "a list in it holds itself."),
        (lambda x: count(), "something in it does not end."),
    ],
)
def test_what_no_check_can_read_is_said_in_one_line(answer, why):
    lines = told(answer).splitlines()
    assert lines[1] == "  ✗ doubles one number"
    assert lines[2].startswith("    The result of ")
    assert lines[2].endswith(why)
    assert lines[3:] == ["    Hint: try 3"]


def test_the_answer_gets_copies():
    seen = np.ones(3)

    def spoil(x):
        x[:] = 0
        return x

    sum_is_zero = lambda f: f(seen).sum() == 0  # noqa: E731
    prop = Property("p", Text("", ""), Text("", ""), sum_is_zero)
    spoiling = Exercise((prop,), lambda result, x: result)
    assert judge(spoiling, spoil).failed is None
    assert (seen == 1).all()


def breaking(error):
    """The exercise, with a property in its middle that breaks by itself."""

    def holds(f):
        f(3)
        raise error("of ours")

    first, last = DOUBLE.properties
    middle = Property("m", Text("breaks", "出错"), Text("no hint", "无提示"), holds)
    return Exercise((first, middle, last), DOUBLE.reads)


@pytest.mark.parametrize(
    "error", [TypeError, ValueError, LookupError, AttributeError, ZeroDivisionError, RecursionError]
)
def test_a_property_that_breaks_blames_nobody(error, monkeypatch):
    exercise = breaking(error)
    assert str(report("double", double, judge(exercise, double))) == (
        "double\n  ✓ doubles one number\n  ? breaks\n"
        f"    This part of the check broke by itself ({error.__name__}: of ours). That is a fault "
        "of the book and says nothing about your function."
    )
    monkeypatch.setenv("ATTNLIB_LANG", "zh")
    told_in_chinese = str(report("double", double, judge(exercise, double)))
    assert "与你的函数无关" in told_in_chinese
    assert "提示" not in told_in_chinese


def test_a_right_answer_may_warn():
    def warning(x):
        warnings.warn("old", DeprecationWarning, stacklevel=1)
        np.ones(1) / np.zeros(1)
        return 2 * x

    with warnings.catch_warnings(), np.errstate(all="raise"):
        warnings.simplefilter("error")
        assert judge(DOUBLE, warning).failed is None


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "cp936", "utf-8"])
def test_every_console_can_show_a_verdict(lang, encoding, monkeypatch):
    monkeypatch.setenv("ATTNLIB_LANG", lang)
    told = []
    for function in (
        lambda Q, K: Q @ np.swapaxes(K, -1, -2),
        lambda Q, K: "√ 查询",
        lambda Q, K: None,
    ):
        raw = io.BytesIO()
        console = io.TextIOWrapper(raw, encoding=encoding, write_through=True)
        monkeypatch.setattr(sys, "stdout", console)
        check("scaling-scores", function)
        told.append(raw.getvalue().decode(encoding))
    right = {"ascii": "+", "cp1252": "+", "cp936": "+", "utf-8": "✓"}[encoding]
    assert f"  {right} " in told[0]
    chinese = lang == "zh" and encoding in ("cp936", "utf-8")
    assert ("提示：" if chinese else "Hint: ") in told[0]
    assert ("尚未完成" if chinese else "Not finished") in told[2]


def test_an_unknown_id_lists_those_there_are():
    with pytest.raises(
        KeyError, match=r"no exercise 'scaling-none'; there are: .*scaling-variance"
    ):
        check("scaling-none", double)


def test_a_result_in_place_of_a_function_is_refused():
    with pytest.raises(TypeError, match="the function itself, without calling it, not float"):
        check("scaling-variance", 3.0)


def test_check_prints_the_same_twice_and_returns_nothing(capsys):
    def scaled(Q, K):
        return Q @ np.swapaxes(K, -1, -2) / Q.shape[-1] ** 0.5

    assert check("scaling-scores", scaled) is None
    first = capsys.readouterr().out
    check("scaling-scores", scaled)
    assert capsys.readouterr().out == first
    assert first.endswith("All 7 properties hold.\n")


@pytest.mark.parametrize(
    ("value", "dtype"),
    [
        (3, np.float64),
        (np.float32(3), np.float32),
        ([np.float32(3), np.float32(1)], np.float32),
        (np.ones(2, dtype=np.float16), np.float16),
        ([np.float32(3), 1.0], np.float64),
        (np.ones(2, dtype=np.int8), np.float64),
    ],
)
def test_a_result_keeps_the_precision_it_was_computed_in(value, dtype):
    assert numbers(value).dtype == dtype
