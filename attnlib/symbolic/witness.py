"""Find numbers for which two expressions have different values."""

import sympy as sp
from sympy.concrete.expr_with_limits import ExprWithLimits
from sympy.core.function import AppliedUndef
from sympy.matrices.expressions.matexpr import MatrixElement

DIGITS = 30
UNKNOWNS = (AppliedUndef, sp.Indexed, MatrixElement)
BINDERS = (ExprWithLimits, sp.Derivative, sp.Subs, sp.Lambda)
TRIALS = 5


def find_witness(left, right):
    """Return (numbers for the unknowns, value of left, value of right), None if none is found."""
    if left.has(*BINDERS) or right.has(*BINDERS):
        return None
    for trial in range(TRIALS):
        at = _point(left, right, trial)
        if at is None:
            return None
        a, b = (side.xreplace(at).evalf(DIGITS) for side in (left, right))
        if _far_apart(a, b):
            return at, a, b
    return None


def _far_apart(a, b):
    """Return whether two values differ by far more than the rounding of ``evalf``."""
    if a == b or not (a.is_number and b.is_number) or {a, b} & {sp.nan, sp.zoo}:
        return False
    if {a, b} & {sp.oo, -sp.oo}:
        return True
    gap = abs(a - b).evalf(DIGITS)
    return bool(gap.is_Number and gap > sp.Float("1e-15", DIGITS) * (1 + abs(a)))


def _point(left, right, trial):
    """Return numbers for all that is unknown, each as its assumptions allow; None if none do."""
    unknowns = left.atoms(*UNKNOWNS) | right.atoms(*UNKNOWNS)
    labels = {unknown.base.label for unknown in unknowns if isinstance(unknown, sp.Indexed)}
    symbols = (left.atoms(sp.Symbol) | right.atoms(sp.Symbol)) - labels
    at, chosen = {}, {}
    # What stands inside another unknown has fewer nodes, so it gets its number first.
    for unknown in sorted(symbols | unknowns, key=lambda u: (_n_nodes(u), sp.default_sort_key(u))):
        # f(a) and f(b) are one number where a and b are, however differently they are written.
        key = (unknown.func, *(arg.xreplace(at).evalf(15) for arg in unknown.args))
        if unknown.is_Symbol:
            key = unknown
        at[unknown] = chosen.setdefault(key, _value(unknown, len(chosen) * 7 + 31 * trial))
        if at[unknown] is None:
            return None
    return at


def _n_nodes(expr):
    return sum(1 for _ in sp.preorder_traversal(expr))


def _value(unknown, first):
    scale = 1 if unknown.is_integer else 49
    values = (sp.Rational((j * j + 3 * j) % 97 - 48, scale) for j in range(first, first + 400))
    return next((value for value in values if _allowed(unknown, value)), None)


def _allowed(unknown, value):
    facts = unknown.assumptions0.items()
    return all(getattr(value, f"is_{fact}", None) in (truth, None) for fact, truth in facts)
