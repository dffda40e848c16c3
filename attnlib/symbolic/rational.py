"""Decide by exact arithmetic whether two expressions are the same rational function.

Every exponential and every root becomes a product of powers of new symbols. Both sides are then a
polynomial over a polynomial, and equal if the cross-multiplied difference is the zero polynomial.
"""

from collections import defaultdict
from math import lcm

import sympy as sp


def is_proved(left, right):
    """Return whether two expressions are proved equal; False is not a proof that they differ."""
    if left.has(sp.nan, sp.zoo) or right.has(sp.nan, sp.zoo):
        return False
    if left == right:
        return True
    if any(side.has(sp.oo, -sp.oo) or not side.is_commutative for side in (left, right)):
        return False
    rewrite = _Rewrite(left, right)
    left, right = rewrite(left), rewrite(right)
    symbols = sorted(left.free_symbols | right.free_symbols, key=str) or [sp.Symbol("g")]
    ring = sp.ring(symbols, sp.QQ)[0]
    (p, q), (r, s) = _fraction(left, ring), _fraction(right, ring)
    if not (rewrite.reduced(q) and rewrite.reduced(s)):
        return False
    return not rewrite.reduced(p * s - r * q)


class _Rewrite:
    """Rewrite expressions as rational functions of new symbols.

    ``b**e`` with a rational ``e`` becomes ``g**(e·L)``: ``g`` is a new symbol for ``b**(1/L)``,
    and ``L`` the common denominator of all exponents that ``b`` has. In the same way
    ``exp(e·m)`` becomes ``g**(e·L)`` with ``g`` for ``exp(m/L)``. Both hold for complex numbers.
    """

    def __init__(self, *exprs):
        self._order = defaultdict(lambda: 1)
        self._symbols = {}
        self._numbers = {}
        for expr in exprs:
            for node in expr.atoms(sp.exp, sp.Pow):
                for base, exponent in _powers(node) or ():
                    self._order[base] = lcm(self._order[base], int(exponent.q))

    def __call__(self, expr):
        if expr.is_Rational:
            return expr
        if expr.is_Add or expr.is_Mul or (expr.is_Pow and expr.exp.is_Integer):
            return expr.func(*(self(arg) for arg in expr.args), evaluate=False)
        powers = _powers(expr) or [(expr, sp.S.One)]
        return sp.Mul(*(self._generator(base) ** (e * self._order[base]) for base, e in powers))

    def _generator(self, base):
        if base not in self._symbols:
            symbol = sp.Symbol(f"g{len(self._symbols)}")
            self._symbols[base] = symbol
            if isinstance(base, sp.Integer):
                self._numbers[symbol] = (int(base), self._order[base])
        return self._symbols[base]

    def reduced(self, polynomial):
        """Return the terms of a polynomial, as a dict, after using g**L = p for every root of p."""
        terms = defaultdict(int)
        for exponents, coefficient in polynomial.terms():
            rest = []
            for symbol, exponent in zip(polynomial.ring.symbols, exponents, strict=True):
                number, order = self._numbers.get(symbol, (1, exponent + 1))
                coefficient *= number ** (exponent // order)
                rest.append(exponent % order)
            terms[tuple(rest)] += coefficient
        return {exponents: coefficient for exponents, coefficient in terms.items() if coefficient}


def _powers(node):
    """Return ``node`` as a product of bases with rational exponents, None if it is no such thing.

    The base of a root of a number is a prime, that of an exponential is the pair (exp, monomial):
    not exp(monomial), because exp(x/2) and sqrt(exp(x)) differ where x is complex.
    """
    if node is sp.E or isinstance(node, sp.exp):
        exponent = sp.S.One if node is sp.E else sp.expand(node.args[0])
        terms = (term.as_coeff_Mul(rational=True) for term in sp.Add.make_args(exponent))
        return [((sp.exp, monomial), coefficient) for coefficient, monomial in terms]
    if node.is_Pow and node.exp.is_Rational and not node.exp.is_Integer:
        if node.base.is_Integer and node.base > 0:
            primes = sp.factorint(node.base).items()
            return [(sp.Integer(prime), times * node.exp) for prime, times in primes]
        return [(node.base, node.exp)]
    return None


def _fraction(expr, ring):
    """Return numerator and denominator as elements of a polynomial ring, without cancelling."""
    if expr.is_Rational:
        return ring(expr.p), ring(expr.q)
    if expr.is_Symbol:
        return ring.gens[ring.symbols.index(expr)], ring.one
    if expr.is_Pow:
        top, bottom = _fraction(expr.base, ring)
        power = int(expr.exp)
        return (top**power, bottom**power) if power >= 0 else (bottom**-power, top**-power)
    (top, bottom), *rest = (_fraction(arg, ring) for arg in expr.args)
    for p, q in rest:
        if expr.is_Mul:
            top, bottom = top * p, bottom * q
        elif q == bottom:
            top += p
        else:
            top, bottom = top * q + p * bottom, bottom * q
    return top, bottom
