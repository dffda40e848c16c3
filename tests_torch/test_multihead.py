"""Multi-head attention against `torch.nn.MultiheadAttention`: output, weights and gradients."""

import functools

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose

import attnlib as al

BATCH, N, D_MODEL, H = 3, 5, 12, 4


def layer(dtype):
    torch.manual_seed(0)
    return torch.nn.MultiheadAttention(D_MODEL, H, bias=False, batch_first=True, dtype=dtype)


def masks():
    """Return each form of mask as (ours, theirs); theirs says True = may not attend."""
    rng = np.random.default_rng(1)
    allowed = rng.random((N, N)) < 0.6
    allowed[:, 0] = True
    bias = rng.standard_normal((N, N))
    by_head = rng.random((BATCH, H, N, N)) < 0.6
    by_head[..., 0] = True
    causal = np.tril(np.ones((N, N), bool))
    return {
        "no mask": ({}, None),
        "bool": ({"attn_mask": allowed}, ~allowed),
        "float": ({"attn_mask": bias}, bias),
        "by head": ({"attn_mask": by_head}, ~by_head.reshape(BATCH * H, N, N)),
        "causal": ({"is_causal": True}, ~causal),
        "bool and causal": ({"attn_mask": allowed, "is_causal": True}, ~(allowed & causal)),
    }


@pytest.mark.parametrize("kind", masks())
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_output_weights_and_gradients_are_those_of_pytorch(kind, dtype):
    theirs = layer(dtype)
    rng = np.random.default_rng(2)
    X, dO = rng.standard_normal((2, BATCH, N, D_MODEL))
    x = torch.from_numpy(X).to(dtype).requires_grad_()
    options, mask = masks()[kind]
    mask = None if mask is None else torch.from_numpy(mask)
    mask = mask.to(dtype) if kind == "float" else mask
    o, a = theirs(x, x, x, attn_mask=mask, average_attn_weights=False)
    o.backward(torch.from_numpy(dO).to(dtype))

    ours = al.MultiHeadAttention.from_torch(theirs.in_proj_weight, theirs.out_proj.weight, H)
    X, dO = x.detach().numpy(), dO.astype(x.detach().numpy().dtype)
    trace = ours.trace(X, **options)
    tolerance = 1e-11 if dtype == torch.float64 else 2e-5
    close = functools.partial(assert_allclose, rtol=tolerance, atol=tolerance, strict=True)
    close(trace.O, o.detach().numpy())
    close(ours(X, **options), o.detach().numpy())
    close(trace.A, a.detach().numpy())
    gradients = ours.backward(trace, dO)
    close(gradients.dX, x.grad.numpy())
    packed = np.concatenate([gradients.dW_Q.T, gradients.dW_K.T, gradients.dW_V.T])
    close(packed, theirs.in_proj_weight.grad.numpy())
    close(gradients.dW_O.T, theirs.out_proj.weight.grad.numpy())


def test_from_torch_copies_so_that_training_one_leaves_the_other():
    theirs = layer(torch.float32)
    ours = al.MultiHeadAttention.from_torch(theirs.in_proj_weight, theirs.out_proj.weight, H)
    before = ours.W_Q.copy()
    with torch.no_grad():
        theirs.in_proj_weight += 1
    np.testing.assert_array_equal(ours.W_Q, before)
