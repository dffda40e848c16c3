"""What learners really answer in chapter 8: the right answers, and the wrong ones by mistake.

Each wrong answer stands with the key of the property that must reject it.
"""

import numpy as np


def hand(**changes):
    right = {
        "c": (1, 2, 1, 3),
        "share of head 1": (1, 2, 2),
        "share of head 2": (2, -3, 3),
        "o": (3, -1, 5),
        "y": (4, -1, 4),
    }
    names = {"share_1": "share of head 1", "share_2": "share of head 2"}
    return lambda: right | {names.get(name, name): value for name, value in changes.items()}


def predictions(**changes):
    right = dict(
        a="same", b="same", c="doubled", d="same", e="other", f="same", g="other"
    )  # fmt: skip
    return lambda: right | changes


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def swap(x):
    return np.swapaxes(x, -1, -2)


def split(x, H):
    return np.swapaxes(x.reshape(*x.shape[:-1], H, -1), -3, -2)


def merge(z):
    z = np.swapaxes(z, -3, -2)
    return z.reshape(*z.shape[:-2], -1)


def scaled(Q, K):
    return Q @ swap(K) / Q.shape[-1] ** 0.5


def masked(S, mask):
    return softmax(np.where(mask, S, -np.inf))


def heads_with(*, split=split, merge=merge, score=scaled, weigh=masked):
    """Multi-head attention in which one step is done otherwise."""

    def multi_head(X, W_Q, W_K, W_V, W_O, n_heads, mask):
        Q, K, V = (split(X @ W, n_heads) for W in (W_Q, W_K, W_V))
        return merge(weigh(score(Q, K), mask) @ V) @ W_O

    return multi_head


def one_head_after_the_other(X, W_Q, W_K, W_V, W_O, n_heads, mask):
    d_h = W_Q.shape[-1] // n_heads
    O = 0  # noqa: E741
    for h in range(n_heads):
        own = slice(h * d_h, (h + 1) * d_h)
        A = masked(scaled(X @ W_Q[:, own], X @ W_K[:, own]), mask)
        O = O + A @ X @ W_V[:, own] @ W_O[own]  # noqa: E741
    return O


def by_einsum(X, W_Q, W_K, W_V, W_O, n_heads, mask):
    W_Q, W_K, W_V = (W.reshape(len(W), n_heads, -1) for W in (W_Q, W_K, W_V))
    Q, K, V = (np.einsum("...nm,mhd->...hnd", X, W) for W in (W_Q, W_K, W_V))
    S = np.einsum("...qd,...kd->...qk", Q, K) / W_Q.shape[-1] ** 0.5
    return merge(softmax(S + np.where(mask, 0, -np.inf)) @ V) @ W_O


def by_loops(X, W_Q, W_K, W_V, W_O, n_heads, mask):
    d_h = W_Q.shape[-1] // n_heads
    C = np.zeros((*X.shape[:-1], len(W_O)), dtype=X.dtype)
    for *batch, i, h in np.ndindex((*X.shape[:-1], n_heads)):
        own, x = slice(h * d_h, (h + 1) * d_h), X[tuple(batch)]
        seen = np.flatnonzero(mask[i])
        s = np.array([x[i] @ W_Q[:, own] @ (x[j] @ W_K[:, own]) for j in seen]) / d_h**0.5
        for j, weight in zip(seen, softmax(s), strict=True):
            C[(*batch, i, own)] += weight * (x[j] @ W_V[:, own])
    return C @ W_O


def sentence_by_sentence(X, *rest):
    return [heads_with()(x, *rest) for x in X] if X.ndim == 3 else heads_with()(X, *rest)


def only_cut(x, H):
    """A reshape to the right shape, without exchanging axes."""
    return x.reshape(*x.shape[:-2], H, x.shape[-2], -1)


def only_joined(z):
    *leading, _, n, _ = z.shape
    return z.reshape(*leading, n, -1)


def interleaved(x, H):
    return np.moveaxis(x.reshape(*x.shape[:-1], -1, H), -1, -3)


def interleaved_back(z):
    z = np.moveaxis(z, -3, -1)
    return z.reshape(*z.shape[:-2], -1)


def without_output_projection(X, W_Q, W_K, W_V, W_O, n_heads, mask):
    return heads_with()(X, W_Q, W_K, W_V, np.eye(len(W_O)), n_heads, mask)


def added_up(X, W_Q, W_K, W_V, W_O, n_heads, mask):
    Q, K, V = (split(X @ W, n_heads) for W in (W_Q, W_K, W_V))
    return (masked(scaled(Q, K), mask) @ V).sum(axis=-3) @ W_O


def one_distribution(X, W_Q, W_K, W_V, W_O, n_heads, mask):
    A = masked(scaled(X @ W_Q, X @ W_K), mask)
    return merge(A[..., None, :, :] @ split(X @ W_V, n_heads)) @ W_O


def first_head_decides(Q, K):
    return scaled(Q[..., :1, :, :], K[..., :1, :, :])


def first_head_masked(S, mask):
    A = softmax(S)
    A[..., 0, :, :] = masked(S[..., 0, :, :], mask)
    return A


def for_one_sentence(X, W_Q, W_K, W_V, W_O, n_heads, mask):
    n, H = X.shape[0], n_heads
    Q, K, V = ((X @ W).reshape(n, H, -1).swapaxes(0, 1) for W in (W_Q, W_K, W_V))
    Z = masked(scaled(Q, K), mask) @ V
    return Z.swapaxes(0, 1).reshape(n, -1) @ W_O


RIGHT = {
    "heads-by-hand": {
        "as numbers": hand(),
        "as lists": hand(c=[1.0, 2.0, 1.0, 3.0], y=[4.0, -1.0, 4.0]),
    },
    "heads-multi-head": {
        "matrix form": heads_with(),
        "one head after the other": one_head_after_the_other,
        "loops": by_loops,
        "loop over the batch": sentence_by_sentence,
        "einsum": by_einsum,
    },
    "heads-predict": {"all seven": predictions()},
}

WRONG = {
    "heads-by-hand": {
        "heads added": (hand(c=(2, 5)), "form"),
        "a name changed": (lambda: {"C": (1, 2, 1, 3)}, "form"),
        "words": (hand(o="three"), "form"),
        "weights of the other head": (hand(c=(4.5, 5.5, 1, 3)), "heads"),
        "even weights": (hand(c=(8 / 3, 10 / 3, 5 / 3, 5 / 3)), "heads"),
        "weights forgotten": (hand(c=(2, 4, 4, 5)), "heads"),
        "interleaved": (hand(c=(1, 1, 2, 3)), "order"),
        "head 2 first": (hand(c=(1, 3, 1, 2)), "order"),
        "rows of the other head": (hand(share_1=(2, -2, 2)), "share 1"),
        "every other row": (hand(share_1=(5, 0, 2)), "share 1"),
        "columns for rows": (hand(share_1=(1, 2, 4)), "share 1"),
        "sign lost": (hand(share_2=(2, 3, 3)), "share 2"),
        "first rows again": (hand(share_2=(1, 3, 2)), "share 2"),
        "average of the shares": (hand(o=(1.5, -0.5, 2.5)), "output"),
        "last head only": (hand(o=(2, -3, 3)), "output"),
        "input forgotten": (hand(y=(3, -1, 5)), "residual"),
        "input subtracted": (hand(y=(2, -1, 6)), "residual"),
        "multiplied by the input": (hand(y=(3, 0, -5)), "residual"),
    },
    "heads-multi-head": {
        "no output projection": (without_output_projection, "shape"),
        "heads added up": (added_up, "shape"),
        "one row for the sentence": (
            lambda *inputs: heads_with()(*inputs).mean(axis=-2),
            "shape",
        ),
        "cut without exchanging axes": (
            heads_with(split=only_cut, merge=only_joined),
            "tokens",
        ),
        "cut only": (heads_with(split=only_cut), "tokens"),
        "joined without exchanging axes": (heads_with(merge=only_joined), "tokens"),
        "no softmax": (heads_with(weigh=lambda S, mask: np.where(mask, S, 0)), "even"),
        "scaled after softmax": (
            heads_with(
                score=lambda Q, K: Q @ swap(K), weigh=lambda S, mask: masked(S, mask) / 6**0.5
            ),
            "even",
        ),
        "heads in the wrong order": (heads_with(merge=lambda z: merge(z[..., ::-1, :, :])), "even"),
        "features interleaved when joined": (heads_with(merge=interleaved_back), "even"),
        "interleaved": (heads_with(split=interleaved, merge=interleaved_back), "columns"),
        "one distribution for all": (one_distribution, "columns"),
        "queries of head 1 for all": (heads_with(score=first_head_decides), "columns"),
        "queries and keys exchanged": (heads_with(score=lambda Q, K: scaled(K, Q)), "heads"),
        "keys with keys": (heads_with(score=lambda Q, K: scaled(K, K)), "even"),
        "softmax along the queries": (
            heads_with(weigh=lambda S, mask: softmax(np.where(mask, S, -np.inf), axis=-2)),
            "heads",
        ),
        "not scaled": (heads_with(score=lambda Q, K: Q @ swap(K)), "scale"),
        "root of d_model": (heads_with(score=lambda Q, K: Q @ swap(K) / 7**0.5), "scale"),
        "root of the width of all heads": (
            heads_with(score=lambda Q, K: Q @ swap(K) / 18**0.5),
            "scale",
        ),
        "divided by d_h": (heads_with(score=lambda Q, K: Q @ swap(K) / 6), "scale"),
        "no mask": (heads_with(weigh=lambda S, mask: softmax(S)), "mask"),
        "mask in the first head only": (heads_with(weigh=first_head_masked), "mask"),
        "mask after softmax": (heads_with(weigh=lambda S, mask: softmax(S) * mask), "mask"),
        "mask as numbers": (heads_with(weigh=lambda S, mask: softmax(S + mask)), "mask"),
        "one sentence only": (for_one_sentence, "batch"),
        "mask inverted": (heads_with(weigh=lambda S, mask: masked(S, ~mask)), "everyone"),
        "residual added": (lambda X, *rest: heads_with()(X, *rest) + X, "values"),
        "a fill that scores can reach": (
            heads_with(weigh=lambda S, mask: softmax(np.where(mask, S, -1000.0))),
            "small",
        ),
        "softmax along axis 2": (
            heads_with(weigh=lambda S, mask: softmax(np.where(mask, S, -np.inf), axis=2)),
            "batch",
        ),
    },
    "heads-predict": {
        "one left out": (lambda: dict(a="same"), "form"),
        "words of one's own": (predictions(b="unchanged"), "form"),
        "a: any change counts": (predictions(a="other"), "a"),
        "b: any change counts": (predictions(b="other"), "b"),
        "c: weights change too": (predictions(c="other"), "c"),
        "d: order matters": (predictions(d="other"), "d"),
        "e: order never matters": (predictions(e="same"), "e"),
        "f: more heads, more output": (predictions(f="other"), "f"),
        "g: cutting is bookkeeping": (predictions(g="same"), "g"),
    },
}

# What must not stand in the text of a failed check.
SPOILERS = {
    "heads-by-hand": ["(1, 2", "2, 1, 3", "(3,", "(4,", "(2, -3"],
    "heads-multi-head": ["swapaxes", "transpose", "** 0.5", "√", "split_heads", "-inf"],
}
