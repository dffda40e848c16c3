"""Matrices of symbols, and numbers put in their place."""

import re

import numpy as np
import sympy as sp

from attnlib._checks import check_integer


def matrix(name, n_rows, n_columns):
    """Return a matrix of real symbols (Claim 2.1).

    Parameters
    ----------
    name : str
        For example ``Q``, ``W_Q`` or ``W_Q^{(1)}``; the entries print as Q_{11}, W_{Q,11} and
        W_{Q,11}^{(1)}, with a comma between row and column where one of them passes 9.
    n_rows, n_columns : int

    Returns
    -------
    Matrix, shape (n_rows, n_columns)

    Raises
    ------
    ValueError
        If `name` is not of that form or a size is negative.
    TypeError
        If a size is not an integer.
    """
    n_rows = check_integer("n_rows", n_rows, least=0)
    n_columns = check_integer("n_columns", n_columns, least=0)
    parts = re.fullmatch(r"([^_^{}]+)(?:_\{?([^_^{}]+)\}?)?(\^.+)?", name)
    if parts is None:
        raise ValueError(f"name is {name!r}; write it like Q, W_Q or W_Q^{{(1)}}")
    letter, subscript, superscript = parts[1], parts[2], parts[3] or ""
    comma = "," if max(n_rows, n_columns) > 9 else ""

    def entry(i, j):
        index = f"{i + 1}{comma}{j + 1}"
        index = f"{subscript},{index}" if subscript else index
        return sp.Symbol(f"{letter}_{{{index}}}{superscript}", real=True)

    return sp.Matrix(n_rows, n_columns, entry)


def substitute(result, *pairs):
    """Return the numbers that a symbolic result has when matrices of symbols are given values.

    Parameters
    ----------
    result : Matrix, shape (n, m)
    *pairs : (Matrix, array_like) of the same shape
        The symbols and their values.

    Returns
    -------
    ndarray of float64, shape (n, m)

    Raises
    ------
    ValueError
        If the shapes of a pair differ, or a symbol of `result` has no value.
    """
    at = {}
    for names, numbers in pairs:
        numbers = np.asarray(numbers, dtype=np.float64)
        if tuple(names.shape) != numbers.shape:
            raise ValueError(f"symbols of shape {names.shape}, values of shape {numbers.shape}")
        at |= zip(names, map(sp.Float, numbers.ravel().tolist()), strict=True)
    result = sp.Matrix(result)
    if missing := result.free_symbols - at.keys():
        raise ValueError(f"no value for {', '.join(sorted(map(str, missing)))}")
    return np.array(list(result.xreplace(at)), dtype=np.float64).reshape(result.shape)
