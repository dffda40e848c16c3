"""Attention against the ONNX operator `Attention` (opset 23) in ONNX's own evaluator.

Its `is_causal` lines up the first query with the first key unless it is given a cache: causal
cases have n_q = n_k, or the first n_k − n_q keys and values come as `past_key` and `past_value`.
It takes the root of the scale in float32: 0.25 and 4 come through unrounded.
"""

import functools
import itertools

import numpy as np
import onnx
import pytest
from numpy.testing import assert_allclose
from onnx.reference import ReferenceEvaluator

from attnlib import MultiHeadAttention, attend, attention_weights, scaled_dot_product_attention

CASES_EACH = 45
TOLERANCE = {np.float32: {"rtol": 1e-5, "atol": 1e-6}, np.float64: {"rtol": 1e-12, "atol": 1e-13}}
MASKS = ["no mask", "bool", "float"]
ONE_HEAD = list(
    itertools.product(
        MASKS, ["all", "causal", "causal with past"], [None, 0.25, 4.0], [np.float32, np.float64]
    )
)
MULTI_HEAD = list(itertools.product(MASKS, [False, True], [None, 0.25]))


@functools.cache
def evaluator(mask_kind, has_past, dtype, **attributes):
    """Return a session that runs one Attention node; one for each signature, then reused."""
    tensor = onnx.TensorProto.FLOAT if dtype == np.float32 else onnx.TensorProto.DOUBLE
    types = {"Q": tensor, "K": tensor, "V": tensor}
    if mask_kind != "no mask":
        types["attn_mask"] = onnx.TensorProto.BOOL if mask_kind == "bool" else tensor
    if has_past:
        types |= {"past_key": tensor, "past_value": tensor}
    slots = ["Q", "K", "V", "attn_mask", "past_key", "past_value"]
    node = onnx.helper.make_node(
        "Attention",
        [name if name in types else "" for name in slots],
        ["Y", "present_key", "present_value", "weights"],
        qk_matmul_output_mode=3,
        **{name: value for name, value in attributes.items() if value is not None},
    )
    info = onnx.helper.make_tensor_value_info
    graph = onnx.helper.make_graph(
        [node],
        "attention",
        [info(name, kind, None) for name, kind in types.items()],
        [info("Y", tensor, None), info("weights", tensor, None)],
    )
    opset = onnx.helper.make_opsetid("", 23)
    return ReferenceEvaluator(onnx.helper.make_model(graph, opset_imports=[opset]))


def for_the_oracle(mask, n_q):
    """Repeat a one-row mask for every query: with `is_causal` the evaluator reads n_q off it."""
    return None if mask is None else np.broadcast_to(mask, (*mask.shape[:-2], n_q, mask.shape[-1]))


def random_mask(kind, lead, n_q, n_k, dtype, rng):
    shape = (*lead, rng.choice([1, n_q]), n_k)
    allowed = rng.random(shape) < 0.7
    # at least one key is left to every query: also below the causal diagonal
    allowed[..., 0] = True
    if kind == "bool":
        return allowed
    return np.where(allowed, rng.standard_normal(shape), -np.inf).astype(dtype)


def one_head_case(number, mask_kind, causal, dtype):
    rng = np.random.default_rng(number)
    batch, heads, a, b, d_k, d_v = (int(n) for n in rng.permutation(np.arange(1, 10))[:6])
    n_q, n_k = (a, b) if causal == "all" else (b, b) if causal == "causal" else sorted((a, b))
    normal = functools.partial(rng.standard_normal, dtype=dtype)
    Q, K = normal((batch, heads, n_q, d_k)), normal((batch, heads, n_k, d_k))
    V = normal((batch, heads, n_k, d_v))
    lead = [(), (heads,), (1, heads), (batch, 1), (batch, heads)][rng.integers(5)]
    mask = None
    if mask_kind != "no mask":
        mask = random_mask(mask_kind, lead, n_q, n_k, dtype, rng)
    return Q, K, V, mask


@pytest.mark.claim("6.3")
@pytest.mark.parametrize(("mask_kind", "causal", "scale", "dtype"), ONE_HEAD)
def test_one_head_equals_the_onnx_operator(mask_kind, causal, scale, dtype, record_property):
    has_past = causal == "causal with past"
    oracle = evaluator(mask_kind, has_past, dtype, is_causal=int(causal != "all"), scale=scale)
    signature = ONE_HEAD.index((mask_kind, causal, scale, dtype))
    for number in range(CASES_EACH):
        Q, K, V, mask = one_head_case((signature, number), mask_kind, causal, dtype)
        given = {"Q": Q, "K": K, "V": V, "attn_mask": for_the_oracle(mask, Q.shape[-2])}
        if has_past:
            past = K.shape[-2] - Q.shape[-2]
            given |= {"K": K[..., past:, :], "V": V[..., past:, :]}
            given |= {"past_key": K[..., :past, :], "past_value": V[..., :past, :]}
        Y, A = oracle.run(None, {name: M for name, M in given.items() if M is not None})
        case = f"case {number}: Q {Q.shape}, V {V.shape}, mask {np.shape(mask)}"
        options = {"attn_mask": mask, "is_causal": causal != "all", "scale": scale}
        close = functools.partial(assert_allclose, **TOLERANCE[dtype], strict=True, err_msg=case)
        close(scaled_dot_product_attention(Q, K, V, **options), Y)
        close(attention_weights(Q, K, **options), A)
        close(attend(Q, K, V, **options).Z, Y)
    record_property("cases compared with the ONNX operator", CASES_EACH)


@pytest.mark.claim("8.5")
@pytest.mark.parametrize(("mask_kind", "is_causal", "scale"), MULTI_HEAD)
def test_multi_head_equals_the_onnx_operator(mask_kind, is_causal, scale, record_property):
    signature = MULTI_HEAD.index((mask_kind, is_causal, scale))
    for number in range(CASES_EACH):
        rng = np.random.default_rng((99, signature, number))
        batch, n_heads, n, d_k, d_v = (int(n) for n in rng.permutation(np.arange(1, 10))[:5])
        d_model = 10
        mha = MultiHeadAttention(
            rng.standard_normal((d_model, n_heads * d_k)),
            rng.standard_normal((d_model, n_heads * d_k)),
            rng.standard_normal((d_model, n_heads * d_v)),
            rng.standard_normal((n_heads * d_v, d_model)),
            n_heads,
        )
        X = rng.standard_normal((batch, n, d_model))
        given = {"Q": X @ mha.W_Q, "K": X @ mha.W_K, "V": X @ mha.W_V}
        mask = None
        if mask_kind != "no mask":
            lead = [(), (1, n_heads), (batch, n_heads), (batch, 1)][rng.integers(4)]
            mask = random_mask(mask_kind, lead, n, n, np.float64, rng)
            given["attn_mask"] = for_the_oracle(mask, n)
        # the packed form of the operator: heads lie side by side, and it cuts them itself
        heads = {"q_num_heads": n_heads, "kv_num_heads": n_heads}
        oracle = evaluator(mask_kind, False, np.float64, **heads, is_causal=is_causal, scale=scale)
        C, A = oracle.run(None, given)
        case = f"case {number}: X {X.shape}, {mha}, mask {np.shape(mask)}"
        options = {"attn_mask": mask, "is_causal": is_causal, "scale": scale}
        close = functools.partial(
            assert_allclose, **TOLERANCE[np.float64], strict=True, err_msg=case
        )
        trace = mha.trace(X, **options)
        close(trace.C, C)
        close(trace.A, A)
        assert_allclose(mha(X, **options), C @ mha.W_O, rtol=1e-11, atol=1e-11, err_msg=case)
    record_property("cases compared with the ONNX operator", CASES_EACH)


def test_at_least_two_thousand_cases_are_compared():
    assert CASES_EACH * len(ONE_HEAD) >= 2000
