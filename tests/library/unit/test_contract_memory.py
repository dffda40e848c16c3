"""Contract, memory: inputs are never changed, layouts do not matter, nothing global moves."""

import random
import tracemalloc

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from threadpoolctl import threadpool_info

import attnlib as al

N_Q, N_K, D_K, D_V, D_MODEL, H = 4, 6, 5, 3, 8, 2


def normal(*shape, dtype=np.float64, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def inputs(dtype=np.float64):
    """Arguments for every function, by name; a NaN and an inf stand where a mask hides them."""
    shapes = {
        "Q": (2, N_Q, D_K),
        "K": (2, N_K, D_K),
        "V": (2, N_K, D_V),
        "X": (2, N_K, D_MODEL),
        "W_Q": (D_MODEL, H * D_K),
        "W_K": (D_MODEL, H * D_K),
        "W_V": (D_MODEL, H * D_V),
        "W_O": (H * D_V, D_MODEL),
        "dO": (2, N_K, D_MODEL),
    }
    arrays = {
        name: normal(*shape, dtype=dtype, seed=k) for k, (name, shape) in enumerate(shapes.items())
    }
    arrays["K"][:, -1], arrays["V"][:, -1] = np.nan, np.inf
    allowed = np.random.default_rng(7).random((N_Q, N_K)) < 0.6
    allowed[:, -1] = False
    arrays["allowed"] = allowed
    arrays["bias"] = np.where(allowed, normal(N_Q, N_K, seed=8), -np.inf)
    arrays["square"] = np.random.default_rng(9).random((2, N_K, N_K)) < 0.6
    return arrays


def call_everything(a):
    """Return the results of every function, all of them arrays."""
    results = [al.softmax(a["X"]), al.softmax(a["X"], axis=0), al.scores(a["Q"], a["K"])]
    for mask in (a["allowed"], a["bias"]):
        for is_causal in (False, True):
            options = {"attn_mask": mask, "is_causal": is_causal}
            results.append(al.attention_weights(a["Q"], a["K"], **options))
            results.append(al.scaled_dot_product_attention(a["Q"], a["K"], a["V"], **options))
            results.extend(arrays_of(al.attend(a["Q"], a["K"], a["V"], **options)))
    results.extend(arrays_of(al.self_attention(a["X"], a["W_Q"], a["W_K"], a["W_V"])))
    mha = al.MultiHeadAttention(a["W_Q"], a["W_K"], a["W_V"], a["W_O"], H)
    results.append(mha(a["X"], attn_mask=a["square"]))
    trace = mha.trace(a["X"], attn_mask=a["square"], is_causal=True)
    results.extend(arrays_of(trace))
    results.extend(mha.backward(trace, a["dO"]))
    results.append(al.merge_heads(al.split_heads(a["X"], H)))
    return results


def arrays_of(trace):
    return [value for value in vars(trace).values() if isinstance(value, np.ndarray)]


@pytest.mark.parametrize("dtype", [np.int64, np.float16, np.float32, np.float64])
def test_inputs_are_never_changed(dtype):
    given = inputs()
    if dtype == np.int64:
        given["K"][:, -1], given["V"][:, -1] = 0, 0
    given = {
        k: v if k in ("allowed", "bias", "square") else v.astype(dtype) for k, v in given.items()
    }
    before = {name: array.copy() for name, array in given.items()}
    call_everything(given)
    for name, array in given.items():
        assert_array_equal(array, before[name], err_msg=name, strict=True)


def test_inputs_that_are_one_and_the_same_array_are_not_changed():
    X = normal(5, 5)
    before = X.copy()
    al.attend(X, X, X, X, is_causal=True)
    al.scaled_dot_product_attention(X, X, X, X, is_causal=True)
    al.self_attention(X, X, X, X)
    assert_array_equal(X, before)


def test_results_can_be_changed_without_changing_what_goes_in():
    Q, K, V = normal(4, 5), normal(6, 5), normal(6, 3)
    bias = np.zeros((4, 6))
    trace = al.attend(Q, K, V, bias)
    for name in ("S", "S_scaled", "A", "Z"):
        assert not any(np.shares_memory(getattr(trace, name), M) for M in (Q, K, V, bias))
    assert not np.shares_memory(trace.S, trace.S_scaled)
    assert not np.shares_memory(trace.S_scaled, trace.A)
    assert not np.shares_memory(al.softmax(Q), Q)
    one = np.ones((1, 1))
    assert not np.shares_memory(al.softmax(one, axis=0), one)


def read_only(array):
    copy = array.copy()
    copy.flags.writeable = False
    return copy


def transposed(array):
    """The same numbers, the last two axes the other way round in memory."""
    return array.swapaxes(-1, -2).copy().swapaxes(-1, -2)


def negatively_strided(array):
    return array[..., ::-1, ::-1].copy()[..., ::-1, ::-1]


def leading_reversed(array):
    return array[::-1].copy()[::-1]


def sliced(array):
    wide = np.full((*array.shape[:-1], 2 * array.shape[-1]), 77, array.dtype)
    wide[..., ::2] = array
    return wide[..., ::2]


def columns_of_a_wider_array(array):
    wide = np.full((*array.shape[:-1], 3 + array.shape[-1]), 77, array.dtype)
    wide[..., 3:] = array
    return wide[..., 3:]


def fortran(array):
    return np.asfortranarray(array)


def unaligned(array):
    buffer = np.zeros(array.nbytes + 1, np.uint8)
    copy = buffer[1:].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy


LAYOUTS = [
    read_only,
    transposed,
    negatively_strided,
    leading_reversed,
    sliced,
    columns_of_a_wider_array,
    fortran,
    unaligned,
]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_layout_of_an_input_does_not_change_the_numbers(layout, dtype):
    given = inputs(dtype)
    expected = call_everything(given)
    strange = {name: layout(array) for name, array in given.items()}
    for got, wanted in zip(call_everything(strange), expected, strict=True):
        assert_array_equal(got, wanted, strict=True)


def test_broadcast_inputs_need_no_copy_and_give_the_same_numbers():
    Q, K, V = normal(2, 4, 5), normal(6, 5, seed=1), normal(6, 3, seed=2)
    stretched = al.attend(Q, np.broadcast_to(K, (2, 6, 5)), np.broadcast_to(V, (2, 6, 3)))
    assert np.shares_memory(stretched.K, K)
    assert_array_equal(stretched.Z, al.attend(Q, K, V).Z)
    row = np.broadcast_to(K[0], (6, 5))
    assert_array_equal(al.scores(Q, row), al.scores(Q, row.copy()))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_rows_long_enough_for_their_sum_to_be_rounded_give_the_same_numbers(layout):
    Q, K, V = normal(2, 9, 70), normal(2, 70, 70, seed=1), normal(2, 70, 9, seed=2)
    strange = al.attend(*(layout(M) for M in (Q, K, V)))
    assert_array_equal(strange.S, al.scores(Q, K))
    assert_array_equal(strange.Z, al.attend(Q, K, V).Z)


def test_rows_that_overlap_in_memory_give_the_same_numbers():
    windows = np.lib.stride_tricks.sliding_window_view(normal(109), 40)
    Q = normal(9, 40, seed=1)
    assert_array_equal(al.scores(Q, windows), al.scores(Q, windows.copy()))


def peak_memory(call):
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_weights_are_computed_in_the_memory_of_the_scores():
    Q, K = normal(300, 5), normal(400, 5)
    one_matrix = 300 * 400 * 8
    assert peak_memory(lambda: al.attention_weights(Q, K)) < 1.2 * one_matrix
    bias = np.zeros((300, 400))
    # and the bool matrix of what may be attended to
    assert peak_memory(lambda: al.attention_weights(Q, K, bias)) < 1.4 * one_matrix


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("largest", [1, 1000])
def test_large_heads_share_the_memory_of_one(dtype, largest):
    Q, K, V = (normal(6, 300, d, dtype=dtype) for d in (5, 5, 3))
    Q *= largest
    one_head = 300 * 300 * np.dtype(dtype).itemsize
    assert peak_memory(lambda: al.scaled_dot_product_attention(Q, K, V)) < 1.5 * one_head


def test_inputs_in_the_right_dtype_and_layout_are_not_copied():
    Q, K, V = normal(4, 5), normal(6, 5), normal(6, 3)
    trace = al.attend(Q, K, V)
    assert trace.Q is Q
    assert trace.K is K
    assert trace.V is V


def test_nothing_global_is_seeded_or_read():
    np.random.seed(3)  # noqa: NPY002 (the global state is what this test is about)
    random.seed(3)
    legacy, standard = np.random.get_state()[1].copy(), random.getstate()  # noqa: NPY002
    call_everything(inputs())
    al.MultiHeadAttention.init(8, 2, np.random.default_rng(0))
    assert_array_equal(np.random.get_state()[1], legacy)  # noqa: NPY002
    assert random.getstate() == standard


def test_error_state_and_blas_threads_are_left_alone():
    before = np.geterr(), [pool["num_threads"] for pool in threadpool_info()]
    call_everything(inputs())
    assert (np.geterr(), [pool["num_threads"] for pool in threadpool_info()]) == before
