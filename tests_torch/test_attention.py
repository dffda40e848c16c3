"""One attention head against PyTorch: output, weights and gradients."""

import functools
import itertools

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose
from torch.nn import functional

import attnlib as al

CASES_EACH = 10
TOLERANCE = {np.float32: {"rtol": 1e-4, "atol": 1e-5}, np.float64: {"rtol": 1e-11, "atol": 1e-12}}
SIGNATURES = list(
    itertools.product(
        ["no mask", "bool", "float"], [False, True], [None, 0.3], [np.float32, np.float64]
    )
)


def random_case(seed, mask_kind, is_causal, dtype):
    """Return Q, K, V, mask and dZ; the lead of K is broadcast, and every query sees a key."""
    rng = np.random.default_rng(seed)
    batch, heads, a, b, d_k, d_v = (int(n) for n in rng.permutation(np.arange(2, 11))[:6])
    n_q, n_k = sorted((a, b)) if is_causal else (a, b)
    normal = functools.partial(rng.standard_normal, dtype=dtype)
    Q, K = normal((batch, heads, n_q, d_k)), normal((1, heads, n_k, d_k))
    V, dZ = normal((batch, heads, n_k, d_v)), normal((batch, heads, n_q, d_v))
    mask = None
    if mask_kind != "no mask":
        lead = [(), (heads,), (batch, 1), (batch, heads)][rng.integers(4)]
        allowed = rng.random((*lead, rng.choice([1, n_q]), n_k)) < 0.7
        allowed[..., 0] = True
        mask = allowed
        if mask_kind == "float":
            mask = np.where(allowed, normal(allowed.shape), -np.inf).astype(dtype)
    return Q, K, V, mask, dZ


def torch_mask(mask, is_causal, n_q, n_k):
    """Join mask and causal diagonal as PyTorch wants them; its `is_causal` starts at the top."""
    mask = None if mask is None else torch.from_numpy(mask)
    if not is_causal:
        return mask
    causal = torch.ones(n_q, n_k, dtype=torch.bool).tril(diagonal=n_k - n_q)
    if mask is None:
        return causal
    if mask.dtype == torch.bool:
        return mask & causal
    return mask.masked_fill(~causal, -torch.inf)


@pytest.mark.parametrize(("mask_kind", "is_causal", "scale", "dtype"), SIGNATURES)
def test_output_weights_and_gradients_are_those_of_pytorch(mask_kind, is_causal, scale, dtype):
    signature = SIGNATURES.index((mask_kind, is_causal, scale, dtype))
    for number in range(CASES_EACH):
        Q, K, V, mask, dZ = random_case((signature, number), mask_kind, is_causal, dtype)
        q, k, v = (torch.from_numpy(M).requires_grad_() for M in (Q, K, V))
        bias = torch_mask(mask, is_causal, Q.shape[-2], K.shape[-2])
        z = functional.scaled_dot_product_attention(
            q, k.expand(q.shape[0], -1, -1, -1), v, bias, scale=scale
        )
        z.backward(torch.from_numpy(dZ))

        S = q @ k.mT * (q.shape[-1] ** -0.5 if scale is None else scale)
        if bias is not None:
            S = S.masked_fill(~bias, -torch.inf) if bias.dtype == torch.bool else S + bias

        case = f"case {number}: Q {Q.shape}, V {V.shape}, mask {np.shape(mask)}"
        close = functools.partial(assert_allclose, **TOLERANCE[dtype], strict=True, err_msg=case)
        options = {"attn_mask": mask, "is_causal": is_causal, "scale": scale}
        trace = al.attend(Q, K, V, **options)
        close(al.scaled_dot_product_attention(Q, K, V, **options), z.detach().numpy())
        close(trace.Z, z.detach().numpy())
        close(trace.A, torch.softmax(S, dim=-1).detach().numpy())
        gradients = al.attention_backward(trace, dZ)
        for got, wanted in zip(gradients, (q.grad, k.grad, v.grad), strict=True):
            close(got, wanted.numpy())


@pytest.mark.parametrize("n", [1, 2, 7])
def test_is_causal_is_that_of_pytorch_for_as_many_queries_as_keys(n):
    rng = np.random.default_rng(n)
    Q, K, V = rng.standard_normal((3, n, 5)), rng.standard_normal((3, n, 5)), np.eye(n)[None]
    V = np.repeat(V, 3, axis=0)
    z = functional.scaled_dot_product_attention(*map(torch.from_numpy, (Q, K, V)), is_causal=True)
    assert_allclose(
        al.scaled_dot_product_attention(Q, K, V, is_causal=True), z.numpy(), rtol=1e-12, atol=1e-15
    )


def test_is_causal_differs_from_pytorch_where_there_are_fewer_queries():
    Q, K, V = np.zeros((2, 3)), np.zeros((4, 3)), np.eye(4)
    z = functional.scaled_dot_product_attention(
        *map(torch.from_numpy, (Q, K, V)), is_causal=True
    ).numpy()
    assert_allclose(z, [[1, 0, 0, 0], [1 / 2, 1 / 2, 0, 0]])
    Z = al.scaled_dot_product_attention(Q, K, V, is_causal=True)
    assert_allclose(Z, [[1 / 3, 1 / 3, 1 / 3, 0], [1 / 4] * 4])
    offset_0 = al.causal_mask(2, 4, offset=0)
    assert_allclose(al.scaled_dot_product_attention(Q, K, V, offset_0), z)


def test_softmax_and_its_jacobian_are_those_of_pytorch():
    x = np.random.default_rng(0).standard_normal((3, 4, 5))
    for axis in range(3):
        assert_allclose(
            al.softmax(x, axis), torch.softmax(torch.from_numpy(x), dim=axis).numpy(), rtol=1e-12
        )
    row = torch.from_numpy(x[0, 0])
    jacobian = torch.autograd.functional.jacobian(lambda r: torch.softmax(r, dim=-1), row)
    assert_allclose(al.softmax_jacobian(al.softmax(x[0, 0])), jacobian.numpy(), atol=1e-15)
