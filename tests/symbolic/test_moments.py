"""Expectations follow from independence and the moments given, and from nothing else."""

import re

import pytest
import sympy as sp

from attnlib.symbolic.moments import Expectation

q, k, r, rho, c = sp.symbols("q k r rho c")
STANDARD = [{q: 0, q**2: 1}, {k: 0, k**2: 1}]


def test_independent_factors_multiply():
    E = Expectation({q: 2, q**2: 7}, {k: 3, k**2: 11})
    assert E(q * k) == 6
    assert E(q**2 * k) == 21
    assert E.variance(q * k) == 7 * 11 - 36


def test_expectation_is_linear_and_keeps_constants():
    E = Expectation({q: c, q**2: r})
    assert E(3 * q + c * q**2 + 5) == 3 * c + c * r + 5
    assert E(sp.sqrt(rho) * q) == sp.sqrt(rho) * c


def test_no_random_symbol_means_no_change():
    assert Expectation()(c + 1) == c + 1


@pytest.mark.claim("4.5")
def test_dependent_symbols_use_their_joint_moment():
    dependent = Expectation({q: 0, k: 0, q * k: rho, q**2 * k**2: 1 + 2 * rho**2})
    assert dependent(q * k) == rho
    assert sp.expand(dependent.variance(q * k) - (1 + rho**2)) == 0
    assert Expectation(*STANDARD)(q * k) == 0


def test_covariance_of_a_symbol_with_itself_is_its_variance():
    E = Expectation({q: 2, q**2: 7}, {k: 0, k**2: 1})
    assert E.covariance(q, q) == E.variance(q) == 3
    assert E.covariance(q, k) == 0


@pytest.mark.claim("4.2", "4.5")
@pytest.mark.parametrize(
    ("second_moments", "holds"),
    [((1, 1), True), ((1, 2), False), ((2, 1), False)],
)
def test_the_variance_proof_fails_when_an_assumption_is_changed(second_moments, holds):
    s, t = second_moments
    E = Expectation({q: 0, q**2: s}, {k: 0, k**2: t})
    assert (E.variance(q * k) == 1) is holds


def test_an_unknown_moment_is_named():
    with pytest.raises(ValueError, match=re.escape("E[q**3] is not known")):
        Expectation(*STANDARD)(q**3 * k**2)


def test_an_unknown_moment_times_zero_is_zero():
    assert Expectation(*STANDARD)(q**3 * k) == 0


def test_what_is_not_a_polynomial_is_refused():
    with pytest.raises(ValueError, match="is not a polynomial"):
        Expectation(*STANDARD)(sp.exp(q))
    with pytest.raises(ValueError, match="is not a polynomial"):
        Expectation(*STANDARD)(1 / q)


@pytest.mark.parametrize("key", [2 * q, q + 1, sp.exp(q)])
def test_moments_of_anything_but_a_monomial_are_refused(key):
    with pytest.raises(ValueError, match="is not a monomial"):
        Expectation({key: 0})


def test_a_symbol_belongs_to_one_group():
    with pytest.raises(ValueError, match="q stands in two groups"):
        Expectation({q: 0}, {q: 0, k: 1})
