"""Contract, warnings: 0 and 1 as floats are added, not obeyed, and draw the only warning."""

import tracemalloc
import warnings

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import attnlib as al

N, D_MODEL, H = 5, 6, 2


def normal(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape)


Q, K, V = normal(2, N, 3), normal(2, N, 3, seed=1), normal(2, N, 4, seed=2)
X = normal(2, N, D_MODEL)
MHA = al.MultiHeadAttention.init(D_MODEL, H, np.random.default_rng(0))
W = MHA.W_Q, MHA.W_K, MHA.W_V
LOWER = np.tril(np.ones((N, N)))

# every function that takes a mask
TAKES_A_MASK = {
    "attention_weights": lambda m: al.attention_weights(Q, K, m),
    "scaled_dot_product_attention": lambda m: al.scaled_dot_product_attention(Q, K, V, m),
    "attend": lambda m: al.attend(Q, K, V, attn_mask=m).Z,
    "attend, causal": lambda m: al.attend(Q, K, V, m, is_causal=True).Z,
    "self_attention": lambda m: al.self_attention(X, *W, attn_mask=m).Z,
    "mha": lambda m: MHA(X, attn_mask=m),
    "mha, causal": lambda m: MHA(X, attn_mask=m, is_causal=True),
    "mha.trace": lambda m: MHA.trace(X, attn_mask=m).O,
    "blocked_attention": lambda m: al.blocked_attention(Q, K, V, attn_mask=m, block_size=2),
    "blocked_attention, causal": lambda m: al.blocked_attention(Q, K, V, True, m, block_size=2),
    "blocked_attention, threads": lambda m: al.blocked_attention(Q, K, V, attn_mask=m, threads=2),
}
takes_a_mask = pytest.mark.parametrize("call", TAKES_A_MASK.values(), ids=TAKES_A_MASK)


def caught(call, mask):
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        call(mask)
    return seen


@takes_a_mask
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_zeros_and_ones_warn_once_for_a_call_and_point_at_it(call, dtype):
    [warning] = caught(call, LOWER.astype(dtype))
    assert warning.category is UserWarning
    assert warning.filename == __file__
    assert warning.lineno == call.__code__.co_firstlineno
    for part in ("attn_mask", "added", "forbids nothing", "attn_mask.astype(bool)", "-inf"):
        assert part in str(warning.message)


@takes_a_mask
def test_such_a_mask_is_added_all_the_same(call):
    with pytest.warns(UserWarning, match="nothing but 0 and 1"):
        warned = call(LOWER)
    # shifted by 2 it gives the same weights, and looks like a bias
    np.testing.assert_allclose(warned, call(LOWER + 2), rtol=1e-12)


@takes_a_mask
def test_an_error_filter_makes_it_an_error(call):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning, match="nothing but 0 and 1"):
            call(LOWER)


ORDINARY = {
    "bool": LOWER.astype(bool),
    "nothing but 0": np.zeros((N, N)),
    "nothing but 1": np.ones((1, N)),
    "0 and -inf": np.where(LOWER == 1, 0, -np.inf),
    "1 and -inf": np.where(LOWER == 1, 1, -np.inf),
    "0, 1 and -inf": np.where(np.eye(N) == 1, -np.inf, LOWER),
    "0, 1 and 0.5": np.where(np.eye(N) == 1, 0.5, LOWER),
    "0, 1 and 0.5 in the middle": np.where(np.arange(N * N).reshape(N, N) == 11, 0.5, LOWER),
    "0, 1 and 2": LOWER + np.eye(N),
    "0, 1 and -1": LOWER - 2 * np.eye(N),
    "0, 1 and nan": np.where(np.eye(N) == 1, np.nan, LOWER),
}


@takes_a_mask
@pytest.mark.parametrize("mask", ORDINARY.values(), ids=ORDINARY)
def test_no_other_mask_warns(call, mask):
    assert caught(call, mask) == []


@pytest.mark.parametrize(
    "mask",
    [
        LOWER[None],
        LOWER[:, ::-1],
        LOWER.T,
        LOWER[2:3],
        np.broadcast_to(LOWER[2], (N, N)),
        np.stack([np.zeros((N, N)), np.ones((N, N))]),
        LOWER.astype(">f4"),
        LOWER.tolist(),
    ],
)
def test_zeros_and_ones_are_seen_in_every_form(mask):
    assert len(caught(TAKES_A_MASK["attend"], mask)) == 1


def test_several_heads_warn_for_masks_of_every_number_of_axes():
    for mask in (LOWER, np.stack([LOWER, LOWER]), np.broadcast_to(LOWER, (2, H, N, N))):
        assert len(caught(TAKES_A_MASK["mha"], mask)) == 1


def test_a_mask_without_entries_does_not_warn():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        A = al.attention_weights(Q[:, :0], K, np.zeros((0, N)))
        assert A.shape == (2, 0, N)
        Z = al.attend(Q, K[:, :0], V[:, :0], np.zeros((N, 0))).Z
        assert_array_equal(Z, np.zeros((2, N, 4)))


def test_a_mask_that_is_refused_is_refused_without_a_warning():
    for call in TAKES_A_MASK.values():
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with pytest.raises(ValueError, match="disagree on n_k"):
                call(LOWER[:, 1:])


def test_the_look_at_a_mask_needs_no_memory_of_its_size():
    n = 1500
    Q, K, V = (normal(n, 2, seed=seed) for seed in range(3))
    mask = np.broadcast_to(np.arange(n) % 2.0, (n, n))
    tracemalloc.start()
    with pytest.warns(UserWarning, match="nothing but 0 and 1"):
        al.blocked_attention(Q, K, V, attn_mask=mask, block_size=64)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < n * n * mask.itemsize / 20
