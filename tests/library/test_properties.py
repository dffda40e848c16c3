"""What is true of attention for every input: shapes all different, any mask, any layout."""

import numpy as np
import pytest
from attention_cases import cases, make_mask
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

import attnlib as al

DTYPES = [np.float16, np.float32, np.float64]


@st.composite
def cases_of_any_dtype(draw):
    return draw(cases(draw(st.sampled_from(DTYPES), label="dtype")))


def may_attend(case):
    """Where the mask and the causal diagonal let attend, in the shape of the weights."""
    n_q, n_k = case.Q.shape[-2], case.K.shape[-2]
    i, j = np.indices((n_q, n_k))
    allowed = (j <= i + n_k - n_q) | (not case.is_causal)
    if case.attn_mask is not None:
        given = case.attn_mask
        allowed = allowed & (given if given.dtype == bool else given > -np.inf)
    shape = al.attention_weights(case.Q, case.K, **case.options).shape
    return np.broadcast_to(allowed, shape)


@pytest.mark.claim("1.4", "5.2")
@settings(max_examples=150)
@given(cases_of_any_dtype())
def test_weights_are_distributions_over_what_may_be_attended_to(case):
    A = al.attention_weights(case.Q, case.K, **case.options)
    allowed = may_attend(case)
    assert A.dtype == case.Q.dtype
    assert (A >= 0).all()
    assert_array_equal(A[~allowed], 0)
    sums = A.sum(axis=-1, dtype=np.float64)
    tolerance = 32 * np.finfo(A.dtype).eps
    assert_allclose(sums, allowed.any(axis=-1), rtol=tolerance, atol=0)


@settings(max_examples=150)
@given(cases_of_any_dtype())
def test_all_functions_tell_the_same_story(case):
    trace = al.attend(*case.inputs, **case.options)
    eps = np.finfo(case.Q.dtype).eps
    assert_array_equal(trace.S, al.scores(case.Q, case.K), strict=True)
    assert_array_equal(trace.A, al.attention_weights(case.Q, case.K, **case.options), strict=True)
    Z = al.scaled_dot_product_attention(*case.inputs, **case.options)
    assert_allclose(trace.Z, Z, rtol=16 * eps, atol=16 * eps, strict=True)
    if case.Q.dtype != np.float16:
        assert_array_equal(trace.S_scaled, trace.S * case.Q.dtype.type(trace.scale), strict=True)


@pytest.mark.claim("1.4")
@settings(max_examples=150)
@given(cases())
def test_outputs_lie_within_the_range_of_the_visible_values(case):
    Z = al.scaled_dot_product_attention(*case.inputs, **case.options)
    allowed = may_attend(case)[..., None]
    V = case.V[..., None, :, :]
    highest = np.where(allowed, V, -np.inf).max(axis=-2, initial=-np.inf)
    lowest = np.where(allowed, V, np.inf).min(axis=-2, initial=np.inf)
    seen = np.broadcast_to(allowed.any(axis=-2), Z.shape)
    assert ((Z - highest)[seen] <= 1e-12).all()
    assert ((lowest - Z)[seen] <= 1e-12).all()
    assert_array_equal(Z[~seen], 0)


@pytest.mark.claim("1.3")
@settings(max_examples=100)
@given(cases(), st.sampled_from([np.nan, np.inf, -np.inf, 1e300]), st.data())
def test_a_key_and_value_reach_only_the_rows_that_may_attend_to_them(case, value, data):
    n_k = case.K.shape[-2]
    assume(n_k)
    j = data.draw(st.integers(0, n_k - 1), label="j")
    Z = al.scaled_dot_product_attention(*case.inputs, **case.options)
    allowed = may_attend(case)
    case.K[..., j, :], case.V[..., j, :] = value, value
    changed = al.scaled_dot_product_attention(*case.inputs, **case.options)
    blind = np.broadcast_to(~allowed[..., j, None], Z.shape)
    assert_array_equal(changed[blind], Z[blind])


@settings(max_examples=100)
@given(cases(), st.data())
def test_permuting_keys_values_and_mask_together_changes_nothing(case, data):
    n_k = case.K.shape[-2]
    order = data.draw(st.permutations(range(n_k)), label="order")
    trace = al.attend(*case.inputs, case.attn_mask, False, case.scale)
    mask = None if case.attn_mask is None else case.attn_mask[..., order]
    K, V = case.K[..., order, :], case.V[..., order, :]
    permuted = al.attend(case.Q, K, V, mask, False, case.scale)
    assert_allclose(permuted.A, trace.A[..., order], rtol=1e-11, atol=1e-14)
    assert_allclose(permuted.Z, trace.Z, rtol=1e-11, atol=1e-13)


@pytest.mark.claim("7.5")
@settings(max_examples=100)
@given(cases())
def test_a_causal_row_is_the_last_row_of_its_prefix(case):
    n_q, n_k = case.Q.shape[-2], case.K.shape[-2]
    mask = (
        None
        if case.attn_mask is None
        else np.broadcast_to(case.attn_mask, (*case.attn_mask.shape[:-2], n_q, n_k))
    )
    Z = al.scaled_dot_product_attention(*case.inputs, mask, True, case.scale)
    for i in range(n_q):
        end = max(0, i + 1 + n_k - n_q)
        row = al.scaled_dot_product_attention(
            case.Q[..., i : i + 1, :],
            case.K[..., :end, :],
            case.V[..., :end, :],
            None if mask is None else mask[..., i : i + 1, :end],
            scale=case.scale,
        )
        assert_allclose(row, Z[..., i : i + 1, :], rtol=1e-11, atol=1e-13)


@pytest.mark.claim("5.3")
@settings(max_examples=100)
@given(cases(), st.floats(-50, 50))
def test_a_constant_added_to_a_row_of_scores_changes_nothing(case, constant):
    A = al.attention_weights(case.Q, case.K, **case.options)
    mask = case.attn_mask
    if mask is None:
        shifted = np.full((1, case.K.shape[-2]), constant)
    else:
        shifted = np.where(mask, constant, -np.inf) if mask.dtype == bool else mask + constant
    options = case.options | {"attn_mask": shifted}
    assert_allclose(al.attention_weights(case.Q, case.K, **options), A, rtol=1e-11, atol=1e-13)


@settings(max_examples=100)
@given(cases())
def test_a_bool_mask_and_minus_inf_say_the_same(case):
    assume(case.attn_mask is not None and case.attn_mask.dtype == bool)
    bias = np.where(case.attn_mask, 0.0, -np.inf)
    one = al.attend(*case.inputs, **case.options)
    two = al.attend(*case.inputs, **case.options | {"attn_mask": bias})
    assert_array_equal(one.A, two.A)
    assert_array_equal(one.Z, two.Z)


@settings(max_examples=100)
@given(cases())
def test_is_causal_says_the_same_as_the_causal_mask(case):
    assume(case.attn_mask is None)
    mask = al.causal_mask(case.Q.shape[-2], case.K.shape[-2])
    one = al.attend(*case.inputs, None, True, case.scale)
    two = al.attend(*case.inputs, mask, False, case.scale)
    assert_array_equal(one.Z, two.Z, strict=True)
    assert_array_equal(one.mask, two.mask, strict=True)


def relaid(array, how):
    """The same numbers in another memory layout."""
    if how == "transposed":
        return np.ascontiguousarray(array.swapaxes(-1, -2)).swapaxes(-1, -2)
    if how == "negative strides":
        return array[..., ::-1, ::-1].copy()[..., ::-1, ::-1]
    if how == "every other column":
        wide = np.repeat(array, 2, axis=-1)
        return wide[..., ::2]
    copy = array.copy()
    copy.flags.writeable = False
    return copy


@settings(max_examples=150)
@given(
    cases_of_any_dtype(),
    st.lists(
        st.sampled_from(["transposed", "negative strides", "every other column", "read-only"]),
        min_size=4,
        max_size=4,
    ),
)
def test_inputs_in_any_layout_give_the_same_numbers_and_stay_as_they_are(case, layouts):
    plain = al.attend(*case.inputs, **case.options)
    Z = al.scaled_dot_product_attention(*case.inputs, **case.options)
    *given, mask = (
        None if M is None else relaid(M, how)
        for M, how in zip((*case.inputs, case.attn_mask), layouts, strict=True)
    )
    options = case.options | {"attn_mask": mask}
    strange = al.attend(*given, **options)
    assert_array_equal(strange.A, plain.A, strict=True)
    assert_array_equal(strange.Z, plain.Z, strict=True)
    assert_array_equal(al.scaled_dot_product_attention(*given, **options), Z, strict=True)
    for M, before in zip((*given, mask), (*case.inputs, case.attn_mask), strict=True):
        assert_array_equal(M, before)


@pytest.mark.claim("7.1")
@settings(max_examples=100)
@given(st.integers(0, 4), st.integers(0, 5), st.integers(-7, 7))
def test_the_causal_mask_is_j_at_most_i_plus_offset(n_q, n_k, offset):
    mask = al.causal_mask(n_q, n_k, offset=offset)
    assert mask.shape == (n_q, n_k)
    assert mask.dtype == bool
    for i in range(n_q):
        for j in range(n_k):
            assert mask[i, j] == (j <= i + offset)


@pytest.mark.claim("5.2", "5.3")
@settings(max_examples=150)
@given(st.data())
def test_softmax_sums_to_one_along_its_axis_and_does_not_see_a_shift(data):
    shape = data.draw(st.lists(st.integers(0, 5), min_size=1, max_size=4), label="shape")
    axis = data.draw(st.integers(-len(shape), len(shape) - 1), label="axis")
    dtype = data.draw(st.sampled_from(DTYPES), label="dtype")
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1), label="seed"))
    x = (4 * rng.standard_normal(shape)).astype(dtype)
    p = al.softmax(x, axis)
    assert p.shape == x.shape
    assert p.dtype == dtype
    assert (p >= 0).all()
    tolerance = 32 * np.finfo(dtype).eps
    assert_allclose(p.sum(axis=axis, dtype=np.float64), 1 if p.shape[axis] else 0, rtol=tolerance)
    assert_allclose(al.softmax(x.astype(np.float64) + 100, axis), p, rtol=tolerance, atol=tolerance)


@st.composite
def multi_head_cases(draw):
    """Draw (mha, X, options): sizes all different, a mask of every accepted form."""
    sizes = st.lists(st.integers(1, 9), min_size=5, max_size=5, unique=True)
    n, d_model, n_heads, d_k, d_v = draw(sizes, label="n d_model H d_k d_v")
    batch = draw(st.sampled_from([(), (2,), (3, 2), (0,)]), label="batch")
    n = draw(st.sampled_from([n, n, n, 0]), label="n")
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1), label="seed"))
    shapes = [(d_model, n_heads * d_k)] * 2 + [(d_model, n_heads * d_v), (n_heads * d_v, d_model)]
    mha = al.MultiHeadAttention(*(rng.standard_normal(shape) for shape in shapes), n_heads)
    lead = draw(st.sampled_from([(), batch, (*batch, n_heads), (*batch, 1)]), label="mask axes")
    kind = draw(st.sampled_from(["none", "bool", "bool row", "float", "float row"]), label="mask")
    options = {
        "attn_mask": make_mask(kind, lead, n, n, rng),
        "is_causal": draw(st.booleans(), label="is_causal"),
        "scale": draw(st.sampled_from([None, 0.7]), label="scale"),
    }
    return mha, rng.standard_normal((*batch, n, d_model)), options


@pytest.mark.claim("8.3", "8.4")
@settings(max_examples=150)
@given(multi_head_cases())
def test_multi_head_attention_is_its_heads_side_by_side(case):
    mha, X, options = case
    trace = mha.trace(X, **options)
    assert_allclose(mha(X, **options), trace.O, rtol=1e-11, atol=1e-11, strict=True)
    assert trace.O.shape == X.shape
    columns = []
    for h in range(mha.n_heads):
        d_k, d_v = mha.W_Q.shape[1] // mha.n_heads, mha.W_V.shape[1] // mha.n_heads
        mask = options["attn_mask"]
        if mask is not None and mask.ndim == X.ndim + 1:
            mask = mask[..., min(h, mask.shape[-3] - 1), :, :]
        head = al.self_attention(
            X,
            mha.W_Q[:, h * d_k : (h + 1) * d_k],
            mha.W_K[:, h * d_k : (h + 1) * d_k],
            mha.W_V[:, h * d_v : (h + 1) * d_v],
            **options | {"attn_mask": mask},
        )
        assert_allclose(trace.A[..., h, :, :], head.A, rtol=1e-11, atol=1e-13)
        assert_allclose(trace.Z[..., h, :, :], head.Z, rtol=1e-11, atol=1e-12)
        columns.append(head.Z)
    C = np.concatenate(columns, axis=-1)
    assert_allclose(trace.C, C, rtol=1e-11, atol=1e-12)
    assert_allclose(trace.O, C @ mha.W_O, rtol=1e-10, atol=1e-10)


@pytest.mark.claim("8.4")
@settings(max_examples=100)
@given(st.data())
def test_merging_undoes_splitting(data):
    lead = data.draw(st.lists(st.integers(0, 3), max_size=2), label="leading axes")
    n, n_heads, d_h = data.draw(
        st.lists(st.integers(1, 6), min_size=3, max_size=3, unique=True), label="n H d_h"
    )
    x = np.arange(np.prod([*lead, n, n_heads * d_h]), dtype=float).reshape(*lead, n, n_heads * d_h)
    heads = al.split_heads(x, n_heads)
    assert heads.shape == (*lead, n_heads, n, d_h)
    for h in range(n_heads):
        assert_array_equal(heads[..., h, :, :], x[..., h * d_h : (h + 1) * d_h])
    assert_array_equal(al.merge_heads(heads), x, strict=True)
