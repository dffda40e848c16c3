"""Attention against loops over Python numbers, in the cases that no other oracle covers.

NaN and inf anywhere, in masked places too; empty axes; more queries than keys; rows that may
attend to nothing.
"""

import numpy as np
import pytest
from attention_cases import cases
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from row_by_row import attention_row_by_row

import attnlib as al

SPECIAL = [np.nan, np.inf, -np.inf, 1e300, 0.0]


def check(case):
    A, Z = attention_row_by_row(*case.inputs, **case.options)
    close = {"rtol": 1e-11, "atol": 1e-14, "strict": True}
    trace = al.attend(*case.inputs, **case.options)
    assert_allclose(trace.A, A, **close)
    assert_allclose(trace.Z, Z, **close)
    assert_allclose(al.attention_weights(case.Q, case.K, **case.options), A, **close)
    assert_allclose(al.scaled_dot_product_attention(*case.inputs, **case.options), Z, **close)


@pytest.mark.claim("1.3", "6.1", "6.2")
@settings(max_examples=300)
@given(cases())
def test_finite_numbers_give_what_the_loops_give(case):
    check(case)


@st.composite
def cases_with_special_numbers(draw):
    """Draw a case and write NaN, inf and numbers near overflow into whole rows or entries."""
    case = draw(cases())
    arrays = [M for M in case.inputs if M.size]
    for _ in range(draw(st.integers(1, 4), label="how many")):
        if arrays:
            array = draw(st.sampled_from(arrays), label="where")
            value = draw(st.sampled_from(SPECIAL), label="what")
            index = tuple(draw(st.integers(0, length - 1)) for length in array.shape)
            # whole rows of 1e300 would make scores that are equal but for the order of their sum
            one_entry = value == 1e300 or draw(st.booleans(), label="one entry")
            array[index if one_entry else index[:-1]] = value
    return case


@settings(max_examples=400)
@given(cases_with_special_numbers())
def test_special_numbers_give_what_the_loops_give(case):
    check(case)


@settings(max_examples=100)
@given(cases(), st.sampled_from([np.nan, np.inf]))
def test_a_bias_of_nan_or_plus_inf_gives_what_the_loops_give(case, value):
    if case.attn_mask is None or case.attn_mask.dtype == bool or not case.attn_mask.size:
        case.attn_mask = np.zeros((case.Q.shape[-2], case.K.shape[-2]))
    if case.attn_mask.size:
        case.attn_mask.flat[case.attn_mask.size // 2] = value
    check(case)
