"""Contract, dtypes: what goes in decides what comes out, and a mask has no say."""

import re
import sys
from dataclasses import fields

import ml_dtypes
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import attnlib as al
from attnlib._checks import FLOATS, INTEGERS

N_Q, N_K, D_K, D_V, D_MODEL, H = 3, 5, 4, 2, 8, 2


def small_integers(*shape, dtype, seed=0):
    """Numbers that every dtype here holds exactly."""
    values = np.random.default_rng(seed).integers(0, 2, shape)
    return values.astype(dtype)


def qkv(dtype):
    shapes = [(N_Q, D_K), (N_K, D_K), (N_K, D_V)]
    return [small_integers(*shape, dtype=dtype, seed=k) for k, shape in enumerate(shapes)]


def weights(dtype):
    shapes = [(D_MODEL, D_K), (D_MODEL, D_K), (D_MODEL, D_V)]
    return [small_integers(*shape, dtype=dtype, seed=k) for k, shape in enumerate(shapes)]


def multi_head(dtype):
    shapes = [(D_MODEL, H * D_K), (D_MODEL, H * D_K), (D_MODEL, H * D_V), (H * D_V, D_MODEL)]
    return al.MultiHeadAttention(
        *(small_integers(*shape, dtype=dtype, seed=k) for k, shape in enumerate(shapes)), H
    )


def x(dtype):
    return small_integers(N_K, D_MODEL, dtype=dtype, seed=9)


def arrays_of(trace):
    """The arrays of a trace that follow the dtype rule: all but the mask."""
    named = {f.name: getattr(trace, f.name) for f in fields(trace)}
    return [value for name, value in named.items() if name not in ("mask", "scale")]


# every public function of the formula, given inputs of one dtype: a list of all its arrays
EVERY_FUNCTION = {
    "softmax": lambda t: [al.softmax(qkv(t)[0])],
    "scores": lambda t: [al.scores(*qkv(t)[:2])],
    "attention_weights": lambda t: [al.attention_weights(*qkv(t)[:2])],
    "scaled_dot_product_attention": lambda t: [al.scaled_dot_product_attention(*qkv(t))],
    "attend": lambda t: arrays_of(al.attend(*qkv(t))),
    "self_attention": lambda t: arrays_of(al.self_attention(x(t), *weights(t))),
    "split_heads": lambda t: [al.split_heads(x(t), H)],
    "merge_heads": lambda t: [al.merge_heads(x(t).reshape(H, N_K, -1))],
    "mha": lambda t: [multi_head(t)(x(t))],
    "mha.trace": lambda t: arrays_of(multi_head(t).trace(x(t))),
    "mha.backward": lambda t: list(
        multi_head(t).backward(multi_head(t).trace(x(t)), small_integers(N_K, D_MODEL, dtype=t))
    ),
}
every_function = pytest.mark.parametrize("call", EVERY_FUNCTION.values(), ids=EVERY_FUNCTION)


@every_function
@pytest.mark.parametrize("dtype", [np.bool_, np.uint8, np.int16, np.int64, np.uint64])
def test_int_and_bool_become_float64(call, dtype):
    for array, same in zip(call(dtype), call(np.float64), strict=True):
        assert array.dtype == np.float64
        assert_array_equal(array, same)


@every_function
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_float32_and_float64_stay(call, dtype):
    assert {array.dtype for array in call(dtype)} == {np.dtype(dtype)}


FORWARD = [name for name in EVERY_FUNCTION if name != "mha.backward"]


@pytest.mark.parametrize("name", FORWARD)
def test_float16_is_computed_in_float32_and_returned_as_float16(name):
    for half, single in zip(
        EVERY_FUNCTION[name](np.float16), EVERY_FUNCTION[name](np.float32), strict=True
    ):
        assert half.dtype == np.float16
        # rounded once, at the end
        assert_array_equal(half, single.astype(np.float16))


def test_gradients_of_float16_are_computed_in_float32_and_returned_as_float16():
    mha, X, dO = multi_head(np.float16), x(np.float16), np.ones((N_K, D_MODEL), np.float16)
    trace = mha.trace(X)
    # the same trace in float32: what it holds is rounded already, the way back is not
    same = multi_head(np.float32).backward(trace.in_dtype(np.float32), dO.astype(np.float32))
    for half, single in zip(mha.backward(trace, dO), same, strict=True):
        assert half.dtype == np.float16
        assert_array_equal(half, single.astype(np.float16))


@pytest.mark.parametrize(
    ("dtypes", "expected"),
    [
        ((np.float16, np.float32, np.float16), np.float32),
        ((np.float16, np.float16, np.float64), np.float64),
        ((np.float32, np.float64, np.float32), np.float64),
        ((np.float16, np.int8, np.float16), np.float64),
        ((np.float32, np.float32, np.bool_), np.float64),
    ],
)
def test_different_dtypes_give_their_result_type(dtypes, expected):
    Q, K, V = (M.astype(dtype) for M, dtype in zip(qkv(np.float64), dtypes, strict=True))
    assert al.scaled_dot_product_attention(Q, K, V).dtype == expected
    assert {M.dtype for M in arrays_of(al.attend(Q, K, V))} == {np.dtype(expected)}


def test_only_the_inputs_of_a_function_decide_its_dtype():
    Q, K, _ = qkv(np.float32)
    assert al.scores(Q, K.astype(np.float16)).dtype == np.float32
    assert al.attention_weights(Q.astype(np.float16), K).dtype == np.float32
    W_Q, W_K, W_V = weights(np.float32)
    trace = al.self_attention(x(np.float16), W_Q, W_K, W_V.astype(np.float64))
    assert {M.dtype for M in arrays_of(trace)} == {np.dtype(np.float64)}
    assert multi_head(np.float16)(x(np.float32)).dtype == np.float32
    assert multi_head(np.float64)(x(np.float32)).dtype == np.float64


@pytest.mark.parametrize("wide", range(4))
def test_every_input_of_self_attention_counts(wide):
    given = [x(np.float32), *weights(np.float32)]
    given[wide] = given[wide].astype(np.float64)
    trace = al.self_attention(*given)
    assert {M.dtype for M in arrays_of(trace)} == {np.dtype(np.float64)}


@pytest.mark.parametrize("wide", range(5))
def test_every_weight_of_multi_head_attention_counts(wide):
    mha = multi_head(np.float32)
    given = [x(np.float32), mha.W_Q, mha.W_K, mha.W_V, mha.W_O]
    given[wide] = given[wide].astype(np.float64)
    mixed = al.MultiHeadAttention(*given[1:], H)
    assert mixed(given[0]).dtype == np.float64
    assert {M.dtype for M in arrays_of(mixed.trace(given[0]))} == {np.dtype(np.float64)}
    dO = np.ones((N_K, D_MODEL), np.float32)
    gradients = mixed.backward(mixed.trace(given[0]), dO)
    assert {dM.dtype for dM in gradients} == {np.dtype(np.float64)}


def test_float32_is_computed_in_float32():
    # products that float64 would round differently
    normal = np.random.default_rng(1).standard_normal
    X, dO = normal((2, 30, 40)).astype(np.float32)
    W = [normal((40, 40)).astype(np.float32) for _ in range(4)]
    E = np.exp(X - X.max(axis=1, keepdims=True))
    assert_array_equal(al.softmax(X), E / E.sum(axis=1, keepdims=True), strict=True)
    assert_array_equal(al.self_attention(X, *W[:3]).K, X @ W[1], strict=True)
    mha = al.MultiHeadAttention(*W, 4)
    trace = mha.trace(X)
    assert_array_equal(trace.K, al.split_heads(X @ W[1], 4), strict=True)
    assert_array_equal(trace.O, trace.C @ W[3], strict=True)
    Z = al.scaled_dot_product_attention(trace.Q, trace.K, trace.V)
    assert_array_equal(mha(X), al.merge_heads(Z) @ W[3], strict=True)
    assert_array_equal(mha.backward(trace, dO).dW_O, (dO.T @ trace.C).T, strict=True)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("mask_dtype", [np.bool_, np.float16, np.float32, np.float64])
def test_a_mask_never_changes_the_dtype(dtype, mask_dtype):
    Q, K, V = qkv(dtype)
    mask = np.ones((N_Q, N_K), mask_dtype)
    assert al.attention_weights(Q, K, mask, is_causal=True).dtype == dtype
    assert al.scaled_dot_product_attention(Q, K, V, mask).dtype == dtype
    trace = al.attend(Q, K, V, mask, is_causal=True)
    assert {M.dtype for M in arrays_of(trace)} == {np.dtype(dtype)}
    square = np.ones((N_K, N_K), mask_dtype)
    assert multi_head(dtype)(x(dtype), attn_mask=square).dtype == dtype


@pytest.mark.parametrize("scale", [2, 0.5, np.float64(0.5), np.float32(0.5), np.int64(2)])
def test_a_scale_never_changes_the_dtype(scale):
    Q, K, V = qkv(np.float32)
    trace = al.attend(Q, K, V, scale=scale)
    assert trace.S_scaled.dtype == np.float32
    assert trace.scale == scale
    assert type(trace.scale) is float
    assert_array_equal(trace.S_scaled, trace.S * np.float32(scale))


def test_a_mask_keeps_its_own_dtype_in_the_trace():
    Q, K, V = qkv(np.float32)
    bias = np.zeros((N_Q, N_K), np.float64)
    assert al.attend(Q, K, V, bias).mask.dtype == np.float64
    assert al.attend(Q, K, V, bias.astype(np.float16), is_causal=True).mask.dtype == np.float16
    assert al.attend(Q, K, V, is_causal=True).mask.dtype == np.bool_


def test_scores_that_float16_cannot_hold_are_inf_but_the_weights_are_right():
    Q, K = np.float16([[200.0]]), np.float16([[400.0], [399.5]])
    trace = al.attend(Q, K, np.float16([[1.0], [2.0]]), scale=0.01)
    assert_array_equal(trace.S, [[np.inf, np.inf]])
    assert_array_equal(trace.S_scaled, np.float16([[800.0, 799.0]]))
    assert_allclose(trace.A, [[1 / (1 + np.exp(-1)), 1 / (1 + np.exp(1))]], rtol=1e-3)


def test_nested_lists_are_arrays():
    assert_array_equal(al.softmax([[0, 0]]), [[0.5, 0.5]])
    assert_array_equal(al.scores([[1, 2]], [[3, 4], [5, 6]]), [[11.0, 17.0]])


def test_the_look_for_masked_arrays_in_lists_does_not_load_their_module(monkeypatch):
    monkeypatch.delitem(sys.modules, "numpy.ma", raising=False)
    assert_array_equal(al.softmax([[0.0, 0.0]]), [[0.5, 0.5]])
    assert "numpy.ma" not in sys.modules


def test_another_byte_order_is_the_same_number():
    Q, K, V = qkv(np.float64)
    swapped = [M.astype(M.dtype.newbyteorder()) for M in (Q, K, V)]
    Z = al.scaled_dot_product_attention(*swapped)
    assert Z.dtype == np.float64
    assert_array_equal(Z, al.scaled_dot_product_attention(Q, K, V))


def test_subclasses_that_say_no_more_than_their_numbers_count_as_them():
    # as does np.matrix, which warns of itself
    X, plain = np.ones((3, 4)).view(np.recarray), np.ones((3, 4))
    assert type(al.scores(X, X)) is np.ndarray
    assert_array_equal(al.scores(X, X), al.scores(plain, plain))


def test_the_lists_are_those_of_the_contract():
    assert {np.dtype(t).name for t in FLOATS} == {"float16", "float32", "float64"}
    names = {np.dtype(t).name for t in INTEGERS}
    assert names == {"bool"} | {f"{u}int{bits}" for u in ("", "u") for bits in (8, 16, 32, 64)}


OTHERS = [
    np.longdouble,
    ml_dtypes.bfloat16,
    ml_dtypes.float8_e5m2,
    ml_dtypes.float8_e4m3fn,
    ml_dtypes.float4_e2m1fn,
    ml_dtypes.int4,
]


@every_function
@pytest.mark.parametrize("dtype", OTHERS)
def test_every_other_dtype_of_real_numbers_is_refused_with_the_way_out(call, dtype):
    name = re.escape(str(np.dtype(dtype)))
    with pytest.raises(TypeError, match=rf"^\w+ has dtype {name}; .* (\w+)\.astype\(np.float32\)$"):
        call(dtype)


@pytest.mark.parametrize("dtype", OTHERS)
def test_a_mask_of_every_other_dtype_is_refused_too(dtype):
    Q, K, V = qkv(np.float32)
    mask = np.zeros((N_Q, N_K), dtype)
    for call in (al.scaled_dot_product_attention, al.attend, al.blocked_attention):
        with pytest.raises(TypeError, match=r"attn_mask\.astype\(np.float32\)$"):
            call(Q, K, V, attn_mask=mask)
    with pytest.raises(TypeError, match=r"^attn_mask has dtype"):
        multi_head(np.float32)(x(np.float32), attn_mask=np.zeros((N_K, N_K), dtype))


@pytest.mark.parametrize("dtype", OTHERS)
def test_the_cache_and_the_backward_pass_refuse_them_too(dtype):
    cache, trace = al.KVCache(), al.attend(*qkv(np.float32))
    with pytest.raises(TypeError, match=r"^V_new has dtype"):
        cache.append(np.ones((2, 3)), np.ones((2, 3), dtype))
    cache.append(np.ones((2, 3)), np.ones((2, 3)))
    with pytest.raises(TypeError, match=r"^Q_new has dtype"):
        cache.attend(np.ones((1, 3), dtype))
    with pytest.raises(TypeError, match=r"^dZ has dtype"):
        al.attention_backward(trace, np.ones(trace.Z.shape, dtype))
    with pytest.raises(TypeError, match=r"^p has dtype"):
        al.softmax_jacobian(np.ones(3, dtype))
