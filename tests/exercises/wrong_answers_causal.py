"""What learners really answer in chapter 7: the right answers, and the wrong ones by mistake.

Each wrong answer stands with the key of the property that must reject it.
"""

import numpy as np


def hand(**changes):
    right = {
        "weights of token 2": (0.25, 0.75, 0),
        "z_1": (8, 0),
        "z_2": (2, 3),
        "z_2 masked too late": (1, 1.5),
        "z_2 masked too late, token 3 replaced": (0.5, 0.75),
    }
    names = {"weights": "weights of token 2", "late": "z_2 masked too late"}
    names["replaced"] = "z_2 masked too late, token 3 replaced"
    return lambda: right | {names.get(name, name): value for name, value in changes.items()}


def soft(S, axis=-1):
    E = np.exp(S - S.max(axis=axis, keepdims=True))
    return E / E.sum(axis=axis, keepdims=True)


def scaled(Q, K):
    return Q @ K.swapaxes(-1, -2) / Q.shape[-1] ** 0.5


def allowed(Q, k=0):
    return np.tril(np.ones((Q.shape[-2], Q.shape[-2]), dtype=bool), k)


def masked(Q, K, V, may_attend, forbidden=-np.inf):
    return soft(np.where(may_attend, scaled(Q, K), forbidden)) @ V


def right_attention(Q, K, V):
    return masked(Q, K, V, allowed(Q))


def row_by_row(Q, K, V):
    S = scaled(Q, K)
    n = Q.shape[-2]
    rows = [soft(S[..., i, : i + 1])[..., None, :] @ V[..., : i + 1, :] for i in range(n)]
    return np.concatenate(rows, axis=-2)


def by_einsum(Q, K, V):
    S = np.einsum("...ir,...jr->...ij", Q, K) / Q.shape[-1] ** 0.5
    return np.einsum("...ij,...jr->...ir", soft(np.where(allowed(Q), S, -np.inf)), V)


def by_loops(Q, K, V):
    Z = np.zeros(V.shape, dtype=V.dtype)
    for *batch, i in np.ndindex(Q.shape[:-1]):
        s = np.array([Q[(*batch, i)] @ K[(*batch, j)] for j in range(i + 1)]) / Q.shape[-1] ** 0.5
        for j, weight in enumerate(soft(s)):
            Z[(*batch, i)] += weight * V[(*batch, j)]
    return Z


def batch_by_batch(Q, K, V):
    if Q.ndim > 2:
        return np.array([batch_by_batch(*qkv) for qkv in zip(Q, K, V, strict=True)])
    return right_attention(Q, K, V)


def masked_late(Q, K, V):
    return soft(scaled(Q, K)) * allowed(Q) @ V


def masked_late_and_renormalised(Q, K, V):
    A = soft(scaled(Q, K)) * allowed(Q)
    return A / A.sum(axis=-1, keepdims=True) @ V


def without_a_maximum(Q, K, V):
    E = np.exp(scaled(Q, K)) * allowed(Q)
    return E / E.sum(axis=-1, keepdims=True) @ V


def strict(Q, K, V):
    with np.errstate(invalid="ignore"):
        return masked(Q, K, V, allowed(Q, -1))


def strict_without_nan(Q, K, V):
    return np.nan_to_num(strict(Q, K, V))


def window(Q, K, V):
    return masked(Q, K, V, allowed(Q) & ~allowed(Q, -3))


def along_queries(Q, K, V):
    """Softmax down the columns of the transposed problem: no row looks ahead, none sums to 1."""
    E = np.exp(scaled(Q, K)) * allowed(Q)
    return E / np.cumsum(np.diagonal(E, axis1=-2, axis2=-1), axis=-1)[..., None] @ V


def first_key_only(Q, K, V):
    return np.repeat(V[..., :1, :], V.shape[-2], axis=-2) + 0 * V


def predictions(**changes):
    every = {1, 2, 3, 4, 5}
    right = dict(a={3, 4, 5}, b=every, c={2, 3, 4, 5}, d=every, e={3, 4, 5}, f=every, g={3})
    return lambda: right | changes


RIGHT = {
    "causal-by-hand": {
        "fractions": hand(),
        "as lists": hand(weights=[1 / 4, 3 / 4, 0.0], z_2=[2.0, 3.0]),
    },
    "causal-attention": {
        "matrix form": right_attention,
        "einsum": by_einsum,
        "loops": by_loops,
        "loop over the batch": batch_by_batch,
        "row by row": row_by_row,
        "a large negative number": lambda Q, K, V: masked(Q, K, V, allowed(Q), -1e9),
        "added": lambda Q, K, V: (
            soft(scaled(Q, K) + np.triu(np.full((Q.shape[-2], Q.shape[-2]), -np.inf), 1)) @ V
        ),
    },
    "causal-predict": {
        "all seven": predictions(),
        "as lists": predictions(a=[5, 3, 4], g=[3]),
        "NumPy's integers": predictions(a=set(np.arange(3, 6)), g={np.int64(3)}),
    },
}

WRONG = {
    "causal-by-hand": {
        "a number for each list": (hand(z_1=8), "form"),
        "weights of the visible only": (hand(weights=(0.25, 0.75)), "form"),
        "words": (hand(z_2=("two", "three")), "form"),
        "not masked": (hand(weights=(0.125, 0.375, 0.5)), "later"),
        "inverted mask": (hand(weights=(0, 0.429, 0.571)), "later"),
        "token itself hidden": (hand(weights=(1, 0, 0)), "later"),
        "forbidden score counted as 0": (hand(weights=(0.2, 0.6, 0.2)), "later"),
        "masked after softmax": (hand(weights=(0.125, 0.375, 0)), "sum"),
        "not divided": (hand(weights=(1, 3, 0)), "sum"),
        "the column in place of the row": (hand(weights=(0.625, 0.375, 0)), "weights"),
        "even shares": (hand(weights=(0.5, 0.5, 0)), "weights"),
        "exponential taken again": (hand(weights=(0.119, 0.881, 0)), "weights"),
        "row 1 not masked": (hand(z_1=(2.8, 0.8)), "first"),
        "row 1 masked too late": (hand(z_1=(1.6, 0)), "first"),
        "nothing before it, so nothing": (hand(z_1=(0, 0)), "first"),
        "average of the values": (hand(z_2=(4, 2)), "second"),
        "features exchanged": (hand(z_2=(3, 2)), "second"),
        "unmasked output": (hand(z_2=(3, -0.5)), "second"),
        "no difference seen": (hand(late=(2, 3)), "too late"),
        "forbidden value taken in": (hand(late=(3, -0.5)), "too late"),
        "later tokens never matter": (hand(replaced=(1, 1.5)), "leak"),
        "renormalised": (hand(replaced=(2, 3)), "leak"),
    },
    "causal-attention": {
        "the weights": (lambda Q, K, V: soft(np.where(allowed(Q), scaled(Q, K), -9e9)), "shape"),
        "the last output only": (lambda Q, K, V: right_attention(Q, K, V)[-1], "shape"),
        "no mask": (lambda Q, K, V: soft(scaled(Q, K)) @ V, "later"),
        "inverted": (lambda Q, K, V: masked(Q, K, V, ~allowed(Q, -1)), "later"),
        "off by one": (lambda Q, K, V: masked(Q, K, V, allowed(Q, 1)), "later"),
        "score 0 for minus infinity": (
            lambda Q, K, V: masked(Q, K, V, allowed(Q), 0.0),
            "later",
        ),
        "mask after softmax": (masked_late, "later"),
        "softmax along the queries": (
            lambda Q, K, V: soft(np.where(allowed(Q), scaled(Q, K), -np.inf), axis=-2) @ V,
            "later",
        ),
        "token itself hidden": (strict, "itself"),
        "token itself hidden, nan made 0": (strict_without_nan, "itself"),
        "first token only": (first_key_only, "itself"),
        "a window": (window, "earlier"),
        "itself only": (lambda Q, K, V: V * 1.0, "earlier"),
        "exponentials not divided": (
            lambda Q, K, V: np.exp(scaled(Q, K)) * allowed(Q) @ V,
            "average",
        ),
        "divided along the wrong axis": (along_queries, "average"),
        "not scaled": (lambda Q, K, V: masked(Q * Q.shape[-1] ** 0.5, K, V, allowed(Q)), "values"),
        "divided by d_k": (
            lambda Q, K, V: masked(Q / Q.shape[-1] ** 0.5, K, V, allowed(Q)),
            "values",
        ),
        "even shares": (lambda Q, K, V: masked(0 * Q, K, V, allowed(Q)), "values"),
        "K.T": (
            lambda Q, K, V: soft(np.where(allowed(Q), Q @ K.T / Q.shape[-1] ** 0.5, -np.inf)) @ V,
            "leading axes",
        ),
        "length taken from the first axis": (
            lambda Q, K, V: masked(Q, K, V, np.tri(len(Q), dtype=bool)),
            "leading axes",
        ),
        "after softmax, renormalised": (masked_late_and_renormalised, "large"),
        "exponentials without a maximum": (without_a_maximum, "large"),
        "a fill that scores can reach": (
            lambda Q, K, V: masked(Q, K, V, allowed(Q), -1000.0),
            "small",
        ),
    },
    "causal-predict": {
        "one left out": (lambda: dict(a={3, 4, 5}), "form"),
        "counted from 0": (predictions(b={0, 1, 2, 3, 4}), "form"),
        "only itself": (predictions(a={3}), "a"),
        "later ones without itself": (predictions(a={4, 5}), "a"),
        "those before": (predictions(a={1, 2, 3}), "a"),
        "no mask, all but itself": (predictions(b={1, 2, 4, 5}), "b"),
        "off by one leaks to all": (predictions(c={1, 2, 3, 4, 5}), "c"),
        "off by one to the other side": (predictions(c={4, 5}), "c"),
        "lower triangle, so no leak": (predictions(d={3, 4, 5}), "d"),
        "layers add up to a leak": (predictions(e={2, 3, 4, 5}), "e"),
        "two layers leak as one": (predictions(f={2, 3, 4, 5}), "f"),
        "a query reaches what follows": (predictions(g={3, 4, 5}), "g"),
        "a query is never seen": (predictions(g=set()), "g"),
    },
}

# What a hint must not say: it would be the answer.
SPOILERS = {
    "causal-by-hand": ["0.25", "0.75", "1/4", "3/4", "1.5"],
    "causal-attention": ["-inf", "np.inf", "tril", "swapaxes", "√", "sqrt", "√d_k"],
}
