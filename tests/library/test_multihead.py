"""Multi-head attention: heads by reshape and transpose, masks by their axes, the way back."""

from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import attnlib as al

B, N, D_MODEL, H, D_K, D_V = 2, 5, 7, 3, 4, 6
INF, NAN = np.inf, np.nan


def normal(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape)


@pytest.fixture
def mha():
    """Three heads whose widths do not add up to d_model."""
    return al.MultiHeadAttention(
        normal(D_MODEL, H * D_K, seed=1),
        normal(D_MODEL, H * D_K, seed=2),
        normal(D_MODEL, H * D_V, seed=3),
        normal(H * D_V, D_MODEL, seed=4),
        H,
    )


@pytest.fixture
def X():
    return normal(B, N, D_MODEL, seed=5)


# split and merge


def test_splitting_reshapes_and_transposes():
    x = np.array([[0, 1, 2, 3, 4, 5], [10, 11, 12, 13, 14, 15]])
    heads = al.split_heads(x, 3)
    assert_array_equal(heads, [[[0, 1], [10, 11]], [[2, 3], [12, 13]], [[4, 5], [14, 15]]])
    assert heads.dtype == np.float64
    # a reshape alone has the right shape and the wrong numbers
    assert (heads != x.reshape(3, 2, 2)).any()


def test_merging_lays_the_heads_side_by_side():
    heads = np.array([[[0, 1], [10, 11]], [[2, 3], [12, 13]], [[4, 5], [14, 15]]])
    merged = al.merge_heads(heads)
    assert_array_equal(merged, [[0, 1, 2, 3, 4, 5], [10, 11, 12, 13, 14, 15]])
    assert merged.dtype == np.float64


@pytest.mark.parametrize("lead", [(), (2,), (2, 3), (0,)])
def test_leading_axes_stay_in_front(lead):
    x = normal(*lead, N, H * D_K)
    assert al.split_heads(x, H).shape == (*lead, H, N, D_K)
    assert_array_equal(al.merge_heads(al.split_heads(x, H)), x, strict=True)


@pytest.mark.parametrize("shape", [(0, 6), (5, 0), (0, 0)])
def test_splitting_nothing_gives_empty_heads(shape):
    assert al.split_heads(np.ones(shape), 3).shape == (3, shape[0], shape[1] // 3)
    assert al.merge_heads(al.split_heads(np.ones(shape), 3)).shape == shape


def test_one_head_is_the_whole_width():
    x = normal(N, D_K)
    assert_array_equal(al.split_heads(x, np.int64(1)), x[None])


# the formula


def test_every_step_is_the_formula_written_out(mha, X):
    trace = mha.trace(X, is_causal=True)
    allowed = np.tril(np.ones((N, N), bool))
    heads = []
    for h in range(H):
        k, v = slice(h * D_K, (h + 1) * D_K), slice(h * D_V, (h + 1) * D_V)
        Q, K, V = X @ mha.W_Q[:, k], X @ mha.W_K[:, k], X @ mha.W_V[:, v]
        S = Q @ K.swapaxes(-1, -2)
        exponentials = np.where(allowed, np.exp(S / np.sqrt(D_K)), 0)
        A = exponentials / exponentials.sum(axis=-1, keepdims=True)
        expected = {
            "Q": Q,
            "K": K,
            "V": V,
            "S": S,
            "S_scaled": S / np.sqrt(D_K),
            "A": A,
            "Z": A @ V,
        }
        for name, M in expected.items():
            assert_allclose(getattr(trace, name)[:, h], M, rtol=1e-11, atol=1e-12, err_msg=name)
        heads.append(A @ V)
    assert_array_equal(trace.X, X)
    assert_array_equal(trace.mask, allowed)
    assert_allclose(trace.C, np.concatenate(heads, axis=-1), rtol=1e-11)
    O = np.concatenate(heads, axis=-1) @ mha.W_O  # noqa: E741
    assert_allclose(trace.O, O, rtol=1e-11, atol=1e-12)
    assert_allclose(mha(X, is_causal=True), O, rtol=1e-11, atol=1e-12)


def test_scores_are_scaled_by_the_width_of_the_head_not_of_the_model(mha, X):
    assert mha.trace(X).scale == 1 / np.sqrt(D_K)
    standard = al.MultiHeadAttention.init(12, 3, np.random.default_rng(0))
    assert standard.trace(normal(N, 12)).scale == 0.5


def test_another_scale_can_be_given(mha, X):
    trace = mha.trace(X, scale=0.1)
    assert trace.scale == 0.1
    assert_allclose(trace.S_scaled, trace.S * 0.1, rtol=1e-15)
    assert_allclose(mha(X, scale=0.1), trace.O, rtol=1e-11, atol=1e-12)
    assert (mha(X) != trace.O).all()


def test_the_output_has_the_shape_of_x_so_that_the_residual_fits(mha):
    for lead in [(), (2,), (2, 3), (0,)]:
        x = normal(*lead, N, D_MODEL)
        assert (x + mha(x)).shape == mha.trace(x).O.shape == x.shape


def test_the_output_is_the_sum_of_what_each_head_writes(mha, X):
    trace = mha.trace(X)
    blocks = mha.W_O.reshape(H, D_V, D_MODEL)
    total = sum(trace.Z[:, h] @ blocks[h] for h in range(H))
    assert_allclose(trace.O, total, rtol=1e-11, atol=1e-12)


def test_tokens_do_not_mix_outside_attention(mha, X):
    O = mha(X, is_causal=True)  # noqa: E741
    changed = X.copy()
    changed[:, 3] += 1
    assert_array_equal(mha(changed, is_causal=True)[:, :3], O[:, :3])
    assert (mha(changed, is_causal=True)[:, 3:] != O[:, 3:]).all()


def test_a_trace_names_all_shapes(mha, X):
    assert repr(mha.trace(X)) == (
        "MultiHeadTrace(Q=(2, 3, 5, 4), K=(2, 3, 5, 4), V=(2, 3, 5, 6), S=(2, 3, 5, 5), "
        "S_scaled=(2, 3, 5, 5), mask=None, scale=0.5, A=(2, 3, 5, 5), Z=(2, 3, 5, 6), "
        "X=(2, 5, 7), C=(2, 5, 18), O=(2, 5, 7))"
    )
    assert repr(mha) == (
        "MultiHeadAttention(W_Q=(7, 12), W_K=(7, 12), W_V=(7, 18), W_O=(18, 7), n_heads=3)"
    )


def test_weights_and_traces_are_frozen_and_compared_by_identity(mha, X):
    with pytest.raises(FrozenInstanceError):
        mha.W_Q = mha.W_K
    with pytest.raises(FrozenInstanceError):
        mha.trace(X).O = X
    same = al.MultiHeadAttention(mha.W_Q, mha.W_K, mha.W_V, mha.W_O, H)
    assert mha == mha
    assert mha != same
    assert len({mha, same}) == 2
    assert mha.trace(X) != mha.trace(X)


def test_weights_become_floating_arrays_and_are_kept_as_they_are():
    W = [[1, 0], [0, 1]]
    mha = al.MultiHeadAttention(W, W, W, np.eye(2, dtype=np.float32), np.int64(2))
    assert mha.W_Q.dtype == np.float64
    assert mha.W_O.dtype == np.float32
    assert type(mha.n_heads) is int
    weights = normal(2, 2)
    assert al.MultiHeadAttention(weights, W, W, W, 1).W_Q is weights


def test_no_tokens_give_an_empty_result(mha):
    assert mha(np.ones((B, 0, D_MODEL))).shape == (B, 0, D_MODEL)
    trace = mha.trace(np.ones((0, D_MODEL)), is_causal=True)
    assert trace.A.shape == (H, 0, 0)
    gradients = mha.backward(trace, np.ones((0, D_MODEL)))
    assert [g.shape for g in gradients] == [(0, D_MODEL)] + [
        W.shape for W in (mha.W_Q, mha.W_K, mha.W_V, mha.W_O)
    ]
    assert not any(g.any() for g in gradients)


def test_heads_may_have_no_features():
    mha = al.MultiHeadAttention(np.ones((7, 0)), np.ones((7, 0)), normal(7, 4), normal(4, 7), 2)
    trace = mha.trace(normal(5, 7))
    assert_array_equal(trace.A, np.full((2, 5, 5), 1 / 5))
    gradients = mha.backward(trace, normal(5, 7))
    assert gradients.dW_Q.shape == (7, 0)
    assert_allclose(gradients.dW_O, trace.C.T @ normal(5, 7), rtol=1e-12)


# masks: the number of axes alone decides


def random_mask(kind, shape):
    allowed = np.random.default_rng(9).random(shape) < 0.6
    return allowed if kind == "bool" else np.where(allowed, normal(*shape, seed=8), -INF)


def check_mask(mha, X, mask, by_head):
    """The mask acts like `by_head`, which has the shape (B, H, N, N)."""
    for is_causal in (False, True):
        trace = mha.trace(X, attn_mask=mask, is_causal=is_causal)
        for b in range(B):
            for h in range(H):
                Q, K, V = trace.Q[b, h], trace.K[b, h], trace.V[b, h]
                one = al.attend(Q, K, V, by_head[b, h], is_causal)
                assert_allclose(trace.A[b, h], one.A, rtol=1e-12, atol=1e-15)
                assert_allclose(trace.Z[b, h], one.Z, rtol=1e-11, atol=1e-13)
        called = mha(X, attn_mask=mask, is_causal=is_causal)
        assert_allclose(called, trace.O, rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("kind", ["bool", "float"])
@pytest.mark.parametrize("rows", [N, 1])
def test_a_mask_of_two_axes_is_n_q_by_n_k_for_all(mha, X, kind, rows):
    mask = random_mask(kind, (rows, N))
    check_mask(mha, X, mask, np.broadcast_to(mask, (B, H, N, N)))


@pytest.mark.parametrize("kind", ["bool", "float"])
@pytest.mark.parametrize(("batch", "rows"), [(B, N), (B, 1), (1, N)])
def test_a_mask_with_the_leading_axes_of_x_gets_the_head_axis(mha, X, kind, batch, rows):
    mask = random_mask(kind, (batch, rows, N))
    check_mask(mha, X, mask, np.broadcast_to(mask[:, None], (B, H, N, N)))


@pytest.mark.parametrize("kind", ["bool", "float"])
@pytest.mark.parametrize(
    ("batch", "heads", "rows"), [(B, H, N), (B, H, 1), (1, H, N), (B, 1, N), (1, 1, 1)]
)
def test_a_mask_with_one_axis_more_has_the_heads(mha, X, kind, batch, heads, rows):
    mask = random_mask(kind, (batch, heads, rows, N))
    check_mask(mha, X, mask, np.broadcast_to(mask, (B, H, N, N)))


def test_without_leading_axes_three_axes_are_heads(mha):
    x, mask = normal(N, D_MODEL), random_mask("bool", (H, N, N))
    trace = mha.trace(x, attn_mask=mask)
    for h in range(H):
        assert_allclose(trace.A[h], mha.trace(x, attn_mask=mask[h]).A[h], rtol=1e-12)


def test_as_many_batches_as_heads_leave_no_doubt(mha):
    # (3, N, N) on X (3, N, d_model) is one mask for each batch, though there are 3 heads too
    x, mask = normal(H, N, D_MODEL), random_mask("bool", (H, N, N))
    trace = mha.trace(x, attn_mask=mask)
    assert trace.mask.shape == (H, 1, N, N)
    for b in range(H):
        assert_allclose(trace.O[b], mha(x[b], attn_mask=mask[b]), rtol=1e-11, atol=1e-12)


def test_as_many_batches_as_tokens_leave_no_doubt(mha):
    # two axes are (n_q, n_k), never (batch, n_k)
    x, mask = normal(N, N, D_MODEL), random_mask("bool", (N, N))
    trace = mha.trace(x, attn_mask=mask)
    assert_array_equal(trace.A[1] == 0, np.broadcast_to(~mask, (H, N, N)))
    assert_array_equal(trace.A[3] == 0, np.broadcast_to(~mask, (H, N, N)))


def test_a_mask_may_be_nested_lists(mha, X):
    mask = [[True] + [False] * (N - 1)] * N
    assert_array_equal(mha.trace(X, attn_mask=mask).A[..., 0], 1)


# random weights and PyTorch's weights


def test_init_draws_the_standard_widths():
    mha = al.MultiHeadAttention.init(12, 3, np.random.default_rng(0))
    assert mha.W_Q.shape == mha.W_K.shape == mha.W_V.shape == mha.W_O.shape == (12, 12)
    assert mha.n_heads == 3
    assert mha.W_Q.dtype == np.float64
    assert mha.trace(normal(N, 12)).Q.shape == (3, N, 4)


def test_init_draws_variance_1_over_d_model():
    mha = al.MultiHeadAttention.init(400, 4, np.random.default_rng(1))
    for W in (mha.W_Q, mha.W_K, mha.W_V, mha.W_O):
        assert_allclose(W.mean(), 0, atol=5 * 400**-0.5 / 400)
        assert_allclose(W.var() * 400, 1, rtol=0.02)
    pairs = [mha.W_Q, mha.W_K, mha.W_V, mha.W_O]
    correlations = np.corrcoef([W.ravel() for W in pairs]) - np.eye(4)
    assert_allclose(correlations, 0, atol=0.02)


def test_init_takes_its_randomness_from_the_generator_alone():
    one, two = (al.MultiHeadAttention.init(8, 2, np.random.default_rng(5)) for _ in range(2))
    assert_array_equal(one.W_Q, two.W_Q)
    assert_array_equal(one.W_O, two.W_O)
    rng = np.random.default_rng(5)
    al.MultiHeadAttention.init(8, 2, rng)
    assert (al.MultiHeadAttention.init(8, 2, rng).W_Q != one.W_Q).all()


class TorchLike:
    """A tensor as PyTorch hands out parameters: no array until it is detached."""

    def __init__(self, array):
        self.array = array

    def __array__(self, dtype=None, copy=None):
        raise RuntimeError("Can't call numpy() on Tensor that requires grad.")

    def detach(self):
        return self.array


@pytest.mark.parametrize("wrap", [np.asarray, TorchLike])
def test_from_torch_reads_the_packed_transposed_layout(wrap):
    packed, out = normal(3 * 6, 6, seed=1), normal(6, 6, seed=2)
    mha = al.MultiHeadAttention.from_torch(wrap(packed), wrap(out), 2)
    x = normal(N, 6)
    trace = mha.trace(x)
    q, k, v = np.split(x @ packed.T, 3, axis=-1)
    assert_allclose(al.merge_heads(trace.Q), q, rtol=1e-12)
    assert_allclose(al.merge_heads(trace.K), k, rtol=1e-12)
    assert_allclose(al.merge_heads(trace.V), v, rtol=1e-12)
    assert_allclose(trace.O, trace.C @ out.T, rtol=1e-12)
    assert mha.n_heads == 2


def test_from_torch_copies():
    packed, out = normal(3 * 6, 6).astype(np.float32), normal(6, 6).astype(np.float32)
    mha = al.MultiHeadAttention.from_torch(packed, out, 2)
    for W in (mha.W_Q, mha.W_K, mha.W_V, mha.W_O):
        assert W.dtype == np.float32
        assert not np.shares_memory(W, packed)
        assert not np.shares_memory(W, out)


# the way back


def numeric_gradients(mha, X, options, dO, step=1e-6):
    """Central differences of sum(O · dO) for every entry of X and of the weights."""
    names = ("W_Q", "W_K", "W_V", "W_O")
    arrays = [X.copy(), *(getattr(mha, name).copy() for name in names)]

    def loss():
        return np.sum(al.MultiHeadAttention(*arrays[1:], mha.n_heads)(arrays[0], **options) * dO)

    gradients = []
    for array in arrays:
        gradient = np.zeros_like(array)
        for index in np.ndindex(array.shape):
            before = array[index]
            array[index] = before + step
            above = loss()
            array[index] = before - step
            gradient[index] = (above - loss()) / (2 * step)
            array[index] = before
        gradients.append(gradient)
    return gradients


EMPTY_ROWS = np.ones((N, N), bool)
EMPTY_ROWS[[1, 3]] = False
BY_HEAD = np.random.default_rng(3).random((1, H, N, N)) < 0.6


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"is_causal": True},
        {"scale": 0.3},
        {"attn_mask": EMPTY_ROWS},
        {"attn_mask": np.where(EMPTY_ROWS, normal(N, N, seed=6), -INF), "is_causal": True},
        {"attn_mask": BY_HEAD},
    ],
    ids=["plain", "causal", "scale", "empty rows", "bias and causal", "mask for each head"],
)
@pytest.mark.parametrize("lead", [(), (B,)])
def test_gradients_are_those_of_central_differences(mha, options, lead):
    x, dO = normal(*lead, N, D_MODEL, seed=5), normal(*lead, N, D_MODEL, seed=7)
    if lead == () and "attn_mask" in options and options["attn_mask"].ndim == 4:
        options = options | {"attn_mask": options["attn_mask"][0]}
    x *= 0.5  # scores of a few units: softmax is not saturated
    gradients = mha.backward(mha.trace(x, **options), dO)
    assert gradients._fields == ("dX", "dW_Q", "dW_K", "dW_V", "dW_O")
    for got, wanted in zip(gradients, numeric_gradients(mha, x, options, dO), strict=True):
        assert_allclose(got, wanted, rtol=1e-6, atol=1e-6 * np.abs(wanted).max())


def test_gradients_of_weights_are_summed_over_leading_axes(mha, X):
    dO = normal(B, N, D_MODEL, seed=7)
    together = mha.backward(mha.trace(X), dO)
    apart = [mha.backward(mha.trace(X[b]), dO[b]) for b in range(B)]
    for b in range(B):
        assert_allclose(together.dX[b], apart[b].dX, rtol=1e-11, atol=1e-12)
    for whole, *parts in zip(together[1:], *(g[1:] for g in apart), strict=True):
        assert_allclose(whole, sum(parts), rtol=1e-11, atol=1e-12)


def test_float32_gradients_are_float32_and_right(mha, X):
    dO = normal(B, N, D_MODEL, seed=7)
    exact = mha.backward(mha.trace(X), dO)
    single = al.MultiHeadAttention(
        *(W.astype(np.float32) for W in (mha.W_Q, mha.W_K, mha.W_V, mha.W_O)), H
    )
    trace = single.trace(X.astype(np.float32))
    for got, wanted in zip(single.backward(trace, dO.astype(np.float32)), exact, strict=True):
        assert got.dtype == np.float32
        assert_allclose(got, wanted, rtol=1e-3, atol=1e-4 * np.abs(wanted).max())
    assert single.backward(trace, dO).dX.dtype == np.float64


# tokens that a mask leaves out


def padded(kind, n_out=2):
    """A mask that leaves the last tokens out, as queries and as keys."""
    keep = np.arange(N) < N - n_out
    allowed = keep[:, None] & keep
    return allowed if kind == "bool" else np.where(allowed, 0.0, -INF)


@pytest.mark.parametrize("hidden", [NAN, INF, -INF, 1e300])
@pytest.mark.parametrize("kind", ["bool", "float"])
def test_tokens_left_out_never_influence_an_output_or_a_gradient(mha, X, hidden, kind):
    mask, dO = padded(kind), normal(B, N, D_MODEL, seed=7)
    clean = mha.trace(X, attn_mask=mask)
    expected = mha.backward(clean, dO)
    x = X.copy()
    x[:, -2:] = hidden
    trace = mha.trace(x, attn_mask=mask)
    assert_array_equal(trace.O, clean.O)
    assert_array_equal(mha(x, attn_mask=mask), mha(X, attn_mask=mask))
    assert_array_equal(trace.O[:, -2:], 0)
    gradients = mha.backward(trace, dO)
    for name, got, wanted in zip(expected._fields, gradients, expected, strict=True):
        assert_allclose(got, wanted, rtol=1e-11, atol=1e-12, err_msg=name)
    assert_array_equal(gradients.dX[:, -2:], 0)


def test_a_token_left_out_by_one_head_influences_the_others_only(mha):
    mask = np.ones((H, N, N), bool)
    mask[1] = padded("bool", 1)
    x, dO = normal(N, D_MODEL, seed=5), normal(N, D_MODEL, seed=7)
    clean = mha.backward(mha.trace(x, attn_mask=mask), dO)
    x[-1] = NAN
    gradients = mha.backward(mha.trace(x, attn_mask=mask), dO)
    for name, width in [("dW_Q", D_K), ("dW_K", D_K), ("dW_V", D_V)]:
        got, wanted = getattr(gradients, name), getattr(clean, name)
        own = slice(width, 2 * width)
        assert_allclose(got[:, own], wanted[:, own], rtol=1e-11, atol=1e-12)
        assert np.isnan(np.delete(got, np.r_[own], axis=1)).all()


def test_a_gradient_that_overflows_leaves_the_others_right(mha):
    # feature 2 of token 0 is huge and no query, key or value depends on it
    for name in ("W_Q", "W_K", "W_V"):
        getattr(mha, name)[2] = 0
    mask = np.ones((N, N), bool)
    mask[:, 0] = False
    x, dO = normal(N, D_MODEL, seed=5), 1e10 * normal(N, D_MODEL, seed=7)
    clean = mha.backward(mha.trace(x, attn_mask=mask), dO)
    x[0, 2] = 1e300
    gradients = mha.backward(mha.trace(x, attn_mask=mask), dO)
    assert np.isinf(gradients.dW_Q[2]).all()
    for name in ("dW_Q", "dW_K", "dW_V"):
        got, wanted = getattr(gradients, name), getattr(clean, name)
        assert_allclose(np.delete(got, 2, 0), np.delete(wanted, 2, 0), rtol=1e-12)


def test_a_token_that_only_asks_or_is_only_asked_takes_part(mha):
    # token 0 asks and is not asked, token 4 is asked and does not ask
    allowed = np.ones((N, N), bool)
    allowed[:, 0] = False
    allowed[4] = False
    dO = normal(N, D_MODEL, seed=7)
    for token in (0, 4):
        x = normal(N, D_MODEL, seed=5)
        x[token] = NAN
        gradients = mha.backward(mha.trace(x, attn_mask=allowed), dO)
        assert np.isnan(gradients.dW_Q).all()
        assert np.isnan(gradients.dW_K).all()


def test_a_visible_nan_reaches_the_rows_that_see_it_and_no_others(mha, X):
    O = mha(X, is_causal=True)  # noqa: E741
    X[0, 3] = NAN
    changed = mha(X, is_causal=True)
    assert np.isnan(changed[0, 3:]).all()
    assert_array_equal(changed[0, :3], O[0, :3])
    assert_array_equal(changed[1], O[1])
