"""Multi-head attention: heads by reshape and transpose, the formula, where weights come from."""

from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from multihead_case import D_K, D_MODEL, D_V, B, H, N, normal, three_heads, tokens
from numpy.testing import assert_allclose, assert_array_equal

import attnlib as al

mha, X = pytest.fixture(three_heads), pytest.fixture(tokens)


# split and merge


@pytest.mark.claim("8.2")
def test_splitting_reshapes_and_transposes():
    x = np.array([[0, 1, 2, 3, 4, 5], [10, 11, 12, 13, 14, 15]])
    heads = al.split_heads(x, 3)
    assert_array_equal(heads, [[[0, 1], [10, 11]], [[2, 3], [12, 13]], [[4, 5], [14, 15]]])
    assert heads.dtype == np.float64
    # a reshape alone has the right shape and the wrong numbers
    assert (heads != x.reshape(3, 2, 2)).any()


@pytest.mark.claim("8.4")
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


@pytest.mark.claim("8.3", "8.4", "8.5")
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


@pytest.mark.claim("8.3")
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


@pytest.mark.claim("8.6")
def test_the_output_has_the_shape_of_x_so_that_the_residual_fits(mha):
    for lead in [(), (2,), (2, 3), (0,)]:
        x = normal(*lead, N, D_MODEL)
        assert (x + mha(x)).shape == mha.trace(x).O.shape == x.shape


@pytest.mark.claim("8.5")
def test_the_output_is_the_sum_of_what_each_head_writes(mha, X):
    trace = mha.trace(X)
    blocks = mha.W_O.reshape(H, D_V, D_MODEL)
    total = sum(trace.Z[:, h] @ blocks[h] for h in range(H))
    assert_allclose(trace.O, total, rtol=1e-11, atol=1e-12)


@pytest.mark.claim("7.4")
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


# random weights and PyTorch's weights


@pytest.mark.claim("8.2")
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
