"""Expectations of polynomials in random symbols, from a few known moments alone."""

import sympy as sp


class Expectation:
    """Take expectations, knowing only some moments and what is independent of what.

    No distribution is assumed: ``E(expr)`` uses that expectation is linear, that it factorises
    over independent symbols, the moments given here, and that all others are finite. What does
    not follow from these raises.

    Claims 4.2 and 4.4 to 4.6.

    Parameters
    ----------
    *groups : dict
        Each group maps monomials in random symbols to their expectation, for example
        ``{q: 0, q**2: 1}`` or, for a dependent pair, ``{q: 0, k: 0, q*k: rho}``. Symbols of one
        group may depend on one another; different groups are independent. A symbol that stands
        in no group is a constant.

    Raises
    ------
    ValueError
        If a key is not a monomial with coefficient 1, or a symbol stands in two groups.

    Examples
    --------
    >>> q, k = sp.symbols("q k")
    >>> E = Expectation({q: 0, q**2: 1}, {k: 0, k**2: 1})
    >>> E(q * k), E.variance(q * k)
    (0, 1)
    """

    def __init__(self, *groups):
        self._groups = []
        self._symbols = []
        for group in groups:
            symbols = sorted({s for key in group for s in sp.sympify(key).free_symbols}, key=str)
            for symbol in symbols:
                if symbol in self._symbols:
                    raise ValueError(
                        f"{symbol} stands in two groups: groups are independent, so put all "
                        f"moments that {symbol} is part of into one"
                    )
            self._symbols += symbols
            table = {_powers(key, symbols): sp.sympify(value) for key, value in group.items()}
            self._groups.append((symbols, table))

    def __call__(self, expr):
        """Return the expectation of a polynomial in the random symbols.

        Raises
        ------
        ValueError
            If ``expr`` is not a polynomial in them, or needs a moment that is not known.
        """
        expr = sp.sympify(expr)
        if not self._symbols:
            return expr
        try:
            polynomial = sp.Poly(expr, *self._symbols)
        except sp.PolynomialError:
            raise ValueError(f"{expr} is not a polynomial in {self._symbols}") from None
        return sp.expand(
            sum(coeff * self._monomial(powers) for powers, coeff in polynomial.terms())
        )

    def variance(self, expr):
        """Return ``E[expr²] − E[expr]²``."""
        return self.covariance(expr, expr)

    def covariance(self, a, b):
        """Return ``E[ab] − E[a] E[b]``."""
        return sp.expand(self(a * b) - self(a) * self(b))

    def _monomial(self, powers):
        """Factorise one monomial over the groups, which are independent."""
        value, unknown, start = sp.Integer(1), [], 0
        for symbols, table in self._groups:
            own = powers[start : start + len(symbols)]
            start += len(symbols)
            if own in table:
                value *= table[own]
            elif any(own):
                unknown.append(sp.Mul(*(s**p for s, p in zip(symbols, own, strict=True))))
        # Whatever a moment is, as long as it is finite: times 0 it is 0.
        if value != 0 and unknown:
            raise ValueError(f"E[{unknown[0]}] is not known: add it to the moments of its group")
        return value


def _powers(key, symbols):
    """Return the exponents of a monomial in the order of ``symbols``."""
    try:
        ((powers, coeff),) = sp.Poly(key, *symbols).terms()
    except (sp.PolynomialError, ValueError):
        raise ValueError(f"{key} is not a monomial: write q, q**2 or q*k") from None
    if coeff != 1:
        raise ValueError(f"{key} is not a monomial with coefficient 1: write q, q**2 or q*k")
    return powers
