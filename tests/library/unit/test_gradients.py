"""The backward pass against central differences, the explicit Jacobian, and the contract."""

import numpy as np
import pytest
from attention_cases import cases
from hypothesis import given, settings
from numpy.testing import assert_allclose, assert_array_equal

from attnlib.attention import attend, scaled_dot_product_attention
from attnlib.gradients import AttentionGradients, attention_backward, softmax_jacobian


def normal(*shape, dtype=np.float64, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def central_differences(f, x, step=1e-5):
    """Return ∂f/∂x of a function of one float64 array, the axes of x last."""
    derivatives = []
    for index in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[index] += step
        down[index] -= step
        derivatives.append((f(up) - f(down)) / (2 * step))
    derivatives = np.array(derivatives).reshape(*x.shape, *np.shape(f(x)))
    return np.moveaxis(derivatives, range(x.ndim), range(-x.ndim, 0))


def assert_relative(actual, expected, tolerance=1e-6):
    """Compare with the largest entry: a derivative near 0 has no relative accuracy of its own."""
    assert actual.shape == expected.shape
    largest = np.abs(expected).max(initial=0)
    assert np.abs(actual - expected).max(initial=0) <= tolerance * largest


@settings(max_examples=60)
@given(cases())
def test_equals_central_differences(case):
    trace = attend(*case.inputs, **case.options)
    dZ = normal(*trace.Z.shape, seed=8)
    gradients = attention_backward(trace, dZ)
    for name, gradient in zip("QKV", gradients, strict=True):

        def loss(M, name=name):
            arrays = {"Q": case.Q, "K": case.K, "V": case.V} | {name: M}
            return np.sum(dZ * scaled_dot_product_attention(**arrays, **case.options))

        assert gradient.dtype == np.float64
        assert_relative(gradient, central_differences(loss, getattr(case, name)))


MASK = np.random.default_rng(4).random((5, 7)) < 0.6
MASK[3] = False
MASKED = {
    "no mask": {},
    "causal": {"is_causal": True},
    "bool": {"attn_mask": MASK},
    "bool row": {"attn_mask": MASK[:1]},
    "float": {"attn_mask": np.where(MASK, normal(5, 7, seed=5), -np.inf)},
    "float, nothing forbidden": {"attn_mask": normal(5, 7, seed=5)},
    "bool and causal": {"attn_mask": MASK, "is_causal": True},
    "scale": {"attn_mask": MASK, "scale": 2.5},
}


@pytest.mark.claim("4.3")
@pytest.mark.parametrize("options", MASKED.values(), ids=MASKED)
def test_equals_the_explicit_jacobian(options):
    Q, K, V = normal(2, 5, 3), normal(2, 7, 3, seed=1), normal(2, 7, 4, seed=2)
    trace = attend(Q, K, V, **options)
    dZ = normal(*trace.Z.shape, seed=3)
    J = softmax_jacobian(trace.A)
    dS_scaled = np.einsum("hid,hjd,hijt->hit", dZ, V, J)
    dQ, dK, dV = attention_backward(trace, dZ)
    assert_allclose(dQ, trace.scale * np.einsum("hij,hjr->hir", dS_scaled, K), atol=1e-13)
    assert_allclose(dK, trace.scale * np.einsum("hij,hir->hjr", dS_scaled, Q), atol=1e-13)
    assert_allclose(dV, np.einsum("hij,hid->hjd", trace.A, dZ), atol=1e-13)


def test_result_has_names():
    trace = attend(normal(5, 3), normal(7, 3), normal(7, 4))
    gradients = attention_backward(trace, np.ones((5, 4)))
    assert isinstance(gradients, AttentionGradients)
    assert gradients.dQ.shape == (5, 3)
    assert gradients.dK.shape == (7, 3)
    assert gradients.dV.shape == (7, 4)


@pytest.mark.parametrize(
    ("lead_q", "lead_k", "lead_v", "lead_mask"),
    [
        ((2, 3), (3,), (), ()),
        ((), (2, 1), (1, 3), ()),
        ((1, 3), (2, 3), (3,), (2, 1)),
        ((), (), (), (2, 3)),
        ((1, 1), (1,), (2, 3), ()),
        ((), (), (0, 3), ()),
        ((2, 3, 1), (3, 4), (), ()),
    ],
)
def test_gradients_are_summed_back_to_the_shapes_of_the_inputs(lead_q, lead_k, lead_v, lead_mask):
    Q, K, V = normal(*lead_q, 5, 4), normal(*lead_k, 7, 4, seed=1), normal(*lead_v, 7, 6, seed=2)
    mask = normal(*lead_mask, 5, 7, seed=3) < 0.5
    leading = np.broadcast_shapes(lead_q, lead_k, lead_v, lead_mask)
    whole = [np.broadcast_to(M, leading + M.shape[-2:]) for M in (Q, K, V)]
    dZ = normal(*leading, 5, 6, seed=4)
    gradients = attention_backward(attend(Q, K, V, mask), dZ)
    expected = attention_backward(attend(*whole, mask), dZ)
    for M, gradient, stretched in zip((Q, K, V), gradients, expected, strict=True):
        total = np.zeros(M.shape)
        for index in np.ndindex(leading):
            own = index[len(leading) - (M.ndim - 2) :]
            total[tuple(np.minimum(own, np.array(M.shape[:-2], int) - 1))] += stretched[index]
        assert_allclose(gradient, total, atol=1e-12, strict=True)


def test_a_query_with_nothing_to_attend_to_has_gradient_zero_and_gives_none():
    Q, K, V = normal(5, 3), normal(7, 3, seed=1), normal(7, 4, seed=2)
    dZ = normal(5, 4, seed=3)
    others = np.delete(np.arange(5), 3)
    for mask in [MASK, np.where(MASK, 0, -np.inf)]:
        dQ, dK, dV = attention_backward(attend(Q, K, V, mask), dZ)
        assert_array_equal(dQ[3], 0)
        rest = attention_backward(attend(Q[others], K, V, mask[others]), dZ[others])
        assert_allclose(dK, rest.dK, atol=1e-14)
        assert_allclose(dV, rest.dV, atol=1e-14)


def test_no_keys_and_no_queries_give_zero():
    for n_q, n_k in [(5, 0), (0, 7), (0, 0)]:
        trace = attend(normal(n_q, 3), normal(n_k, 3), normal(n_k, 4))
        dQ, dK, dV = attention_backward(trace, np.ones((n_q, 4)))
        assert_array_equal(dQ, np.zeros((n_q, 3)), strict=True)
        assert_array_equal(dK, np.zeros((n_k, 3)), strict=True)
        assert_array_equal(dV, np.zeros((n_k, 4)), strict=True)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("kind", ["bool row", "bool", "float"])
def test_masked_keys_and_values_have_no_influence(bad, kind):
    Q, K, V = normal(5, 3), normal(7, 3, seed=1), normal(7, 4, seed=2)
    allowed = np.ones((1 if kind == "bool row" else 5, 7), bool)
    allowed[:, [2, 6]] = False
    mask = np.where(allowed, 0.5, -np.inf) if kind == "float" else allowed
    dZ = normal(5, 4, seed=3)
    clean = attention_backward(attend(Q, K, V, mask), dZ)
    K[2], V[6], V[2, 1] = bad, bad, bad
    dirty = attention_backward(attend(Q, K, V, mask), dZ)
    for before, after in zip(clean, dirty, strict=True):
        assert_array_equal(after, before)
    assert_array_equal(dirty.dK[[2, 6]], 0)
    assert_array_equal(dirty.dV[[2, 6]], 0)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_masked_queries_have_no_influence(bad):
    Q, K, V = normal(5, 3), normal(7, 3, seed=1), normal(7, 4, seed=2)
    dZ = normal(5, 4, seed=3)
    clean = attention_backward(attend(Q, K, V, MASK), dZ)
    Q[3], dZ[3] = bad, bad
    dirty = attention_backward(attend(Q, K, V, MASK), dZ)
    for before, after in zip(clean, dirty, strict=True):
        assert_array_equal(after, before)


@pytest.mark.parametrize("name", ["K", "V"])
def test_a_visible_nan_reaches_what_sees_it_and_nothing_else(name):
    arrays = {"Q": normal(7, 3), "K": normal(7, 3, seed=1), "V": normal(7, 4, seed=2)}
    dZ = normal(7, 4, seed=3)
    clean = attention_backward(attend(**arrays, is_causal=True), dZ)
    arrays[name][4] = np.nan
    dQ, dK, dV = attention_backward(attend(**arrays, is_causal=True), dZ)
    assert_array_equal(dQ[:4], clean.dQ[:4])
    assert np.isnan(dQ[4:]).all()
    # the queries that see it see every earlier key as well
    assert np.isnan(dK).all()
    # dV = Aᵀ dZ does not contain V
    assert np.isnan(dV).all() == (name == "K")


def test_a_nan_query_reaches_the_keys_that_it_sees():
    Q, K, V = normal(5, 3), normal(7, 3, seed=1), normal(7, 4, seed=2)
    allowed = np.arange(7)[None] != 2
    dZ = normal(5, 4, seed=3)
    clean = attention_backward(attend(Q, K, V, allowed), dZ)
    Q[3] = np.nan
    for mask in [allowed, np.where(allowed, 0, -np.inf)]:
        dQ, dK, dV = attention_backward(attend(Q, K, V, mask), dZ)
        assert_array_equal(np.isnan(dQ).all(axis=1), np.arange(5) == 3)
        assert_array_equal(np.delete(dQ, 3, axis=0), np.delete(clean.dQ, 3, axis=0))
        for gradient in [dK, dV]:
            assert_array_equal(np.isnan(gradient).all(axis=1), allowed[0])
            assert_array_equal(gradient[2], 0)


def test_a_key_that_only_clean_queries_see_gets_a_clean_gradient():
    Q, K, V = normal(4, 3), normal(5, 3, seed=1), normal(5, 2, seed=2)
    mask = np.array([[1, 1, 0, 0, 0], [0, 1, 1, 0, 0], [0, 0, 0, 1, 1], [0, 0, 0, 1, 1]], bool)
    dZ = normal(4, 2, seed=3)
    clean = attention_backward(attend(Q, K, V, mask), dZ)
    Q[0] = np.nan
    dirty = attention_backward(attend(Q, K, V, mask), dZ)
    for before, after in zip(clean[1:], dirty[1:], strict=True):
        assert np.isnan(after[:2]).all()
        assert_array_equal(after[2:], before[2:])


@pytest.mark.parametrize(
    ("inputs", "upstream", "expected"),
    [
        ("e", "e", np.float16),
        ("f", "f", np.float32),
        ("f", "e", np.float32),
        ("e", "f", np.float32),
        ("f", "d", np.float64),
        ("d", "f", np.float64),
        ("i", "i", np.float64),
    ],
)
def test_dtypes(inputs, upstream, expected):
    arrays = [2 * normal(*s, seed=s[1]) for s in [(5, 3), (7, 3), (7, 4)]]
    Q, K, V = (M.astype(inputs) for M in arrays)
    dZ = (3 * normal(5, 4, seed=3)).astype(upstream)
    gradients = attention_backward(attend(Q, K, V, MASK), dZ)
    exact = attention_backward(
        attend(*(M.astype(np.float64) for M in (Q, K, V)), MASK), dZ.astype(np.float64)
    )
    eps = max(np.finfo(np.result_type(inputs, np.float16)).eps, np.finfo(expected).eps)
    for gradient, reference in zip(gradients, exact, strict=True):
        assert gradient.dtype == expected
        assert_relative(gradient.astype(np.float64), reference, 8 * eps)


def test_float16_is_computed_in_float32():
    # 300 · 300 overflows float16 on the way to a gradient of 0
    trace = attend(np.ones((1, 2), "e"), np.full((3, 2), 300, "e"), np.full((3, 1), 300, "e"))
    gradients = attention_backward(trace, np.full((1, 1), 300, "e"))
    assert all(np.isfinite(gradient).all() for gradient in gradients)


def test_large_scores_give_no_warning():
    big = np.sqrt(np.finfo(np.float64).max) / 4
    trace = attend(big * normal(3, 2), big * normal(4, 2, seed=1), normal(4, 5, seed=2))
    gradients = attention_backward(trace, np.ones((3, 5)))
    assert_allclose(gradients.dV.sum(axis=0), 3, rtol=1e-12)


def test_inputs_are_not_changed_and_may_be_read_only():
    Q, K, V, dZ = normal(5, 3), normal(7, 3, seed=1), normal(7, 4, seed=2), normal(4, 5, seed=3).T
    expected = attention_backward(attend(Q, K, V, MASK), dZ.copy())
    trace = attend(Q, K, V, MASK)
    for array in [trace.Q, trace.K, trace.V, trace.A, trace.Z, trace.S_scaled, trace.mask, dZ]:
        array.flags.writeable = False
    for gradient, reference in zip(attention_backward(trace, dZ), expected, strict=True):
        assert_allclose(gradient, reference, rtol=1e-13)


@pytest.mark.parametrize(
    ("dZ", "error", "message"),
    [
        (np.ones((5, 3)), ValueError, r"dZ has shape \(5, 3\), trace.Z has shape \(5, 4\)"),
        (np.ones((1, 5, 4)), ValueError, r"dZ has shape \(1, 5, 4\)"),
        (np.ones((1, 4)), ValueError, "one derivative for each entry of Z"),
        (1.0, ValueError, r"dZ has shape \(\)"),
        (np.ones((5, 4)) * 1j, TypeError, "dZ has dtype complex128"),
    ],
)
def test_a_wrong_upstream_gradient_is_refused(dZ, error, message):
    with pytest.raises(error, match=message):
        attention_backward(attend(normal(5, 3), normal(7, 3), normal(7, 4)), dZ)
