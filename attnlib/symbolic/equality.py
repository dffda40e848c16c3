"""Prove that two expressions are equal, or show where and by how much they differ."""

import numpy as np
import sympy as sp

from attnlib.symbolic.rational import is_proved
from attnlib.symbolic.witness import find_witness


class UndecidedError(AssertionError):
    """Two expressions that could be neither proved equal nor shown to differ."""


def assert_same(left, right):
    """Prove that two expressions, matrices or arrays are equal, entry by entry.

    Complete for rational functions of symbols, of exponentials whose exponents are polynomials,
    and of roots of numbers and symbols: what attention is made of. Anything else (an integral,
    sin x) counts as an unknown of its own, so that it may stay undecided, but never passes.

    Parameters
    ----------
    left, right : SymPy expression or matrix, or anything that sympy.Array takes, same shape

    Raises
    ------
    AssertionError
        If they differ; the message names the entry and a point at which the two sides have
        different values. `UndecidedError`, a kind of it, if neither was possible.
    TypeError
        If a side contains a floating point number, which is rounded, something that is no
        expression, or a matrix of unknown size.
    """
    shape_left, entries_left = _entries("left", left)
    shape_right, entries_right = _entries("right", right)
    if shape_left != shape_right:
        raise AssertionError(f"left has shape {shape_left}, right has shape {shape_right}")
    for index, one, other in zip(np.ndindex(shape_left), entries_left, entries_right, strict=True):
        if not is_proved(one, other):
            _refute(one, other, index)


def is_same(left, right):
    """Return whether two expressions are equal: True is proved, False refuted by shape or numbers.

    Parameters and TypeError are those of `assert_same`.

    Returns
    -------
    bool

    Raises
    ------
    UndecidedError
        If neither a proof nor a point at which they differ was found.
    """
    try:
        assert_same(left, right)
    except UndecidedError:
        raise
    except AssertionError:
        return False
    return True


def _entries(side, value):
    if isinstance(value, sp.MatrixExpr):
        try:
            value = value.as_explicit()
        except ValueError:
            raise TypeError(f"{side} is a matrix of unknown size {value.shape}") from None
    if isinstance(value, (list, tuple, np.ndarray)):
        value = sp.Array(value)
    shape, nested = (), value
    if isinstance(value, (sp.MatrixBase, sp.NDimArray)):
        shape, nested = tuple(value.shape), value.tolist()
    entries = [sp.sympify(entry).doit() for entry in sp.flatten([nested])]
    for entry in entries:
        if not isinstance(entry, sp.Expr):
            raise TypeError(f"{side} contains {entry}, which is no number or expression")
        if floats := entry.atoms(sp.Float):
            raise TypeError(
                f"{side} contains the floating point number {min(floats)}, which is rounded: "
                f"write it exactly, for example sympy.Rational(1, 2) or sympy.sqrt(2)"
            )
    return shape, entries


def _refute(left, right, index):
    where = f"entry {tuple(i + 1 for i in index)}, counted from 1" if index else "the expressions"
    sides = f"{where}\n  left  = {_short(left)}\n  right = {_short(right)}"
    witness = find_witness(left, right)
    if witness is None:
        raise UndecidedError(f"neither proved equal nor refuted: {sides}")
    at, a, b = witness
    given = "".join(f"\n  {unknown} = {value}" for unknown, value in at.items())
    raise AssertionError(
        f"left and right differ: {sides}\n"
        f"left is {sp.N(a, 6)}, right is {sp.N(b, 6)}, the difference {sp.N(a - b, 3)}"
        + (f", for{given}" if given else "")
    )


def _short(expr, limit=200):
    text = str(expr)
    return text if len(text) <= limit else f"{text[:limit]} … ({len(text)} characters)"
