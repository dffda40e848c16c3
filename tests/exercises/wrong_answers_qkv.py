"""What learners really answer in chapter 2: the right answers, and the wrong ones by mistake.

Each wrong answer stands with the key of the property that must reject it.
"""

import numpy as np

HAND = {
    "q_1": (-1, 3),
    "k_2": (5, 8),
    "v_2": (-3, 4, 1),
    "match": 19,
    "shape of W_K": (6, 4),
    "shape of W_V": (6, 7),
}


def hand(**changes):
    renamed = {"shape_of_W_K": "shape of W_K", "shape_of_W_V": "shape of W_V"}
    return lambda: HAND | {renamed.get(name, name): value for name, value in changes.items()}


def products(X, W_Q, W_K, W_V):
    return X @ W_Q, X @ W_K, X @ W_V


def loops(X, *weights):
    results = []
    for W in weights:
        out = np.zeros((*X.shape[:-1], W.shape[1]))
        for *token, r in np.ndindex(out.shape):
            out[(*token, r)] = np.sum(X[tuple(token)] * W[:, r])
        results.append(out)
    return results


def sentence_by_sentence(X, *weights):
    if X.ndim == 2:
        return products(X, *weights)
    return tuple(np.array([x @ W for x in X]) for W in weights)


def each(change):
    """Do something to every one of the three products."""
    return lambda X, *weights: tuple(change(X @ W) for W in weights)


def along_tokens(M):
    E = np.exp(M)
    return E / E.sum(axis=-2, keepdims=True)


def along_features(M):
    E = np.exp(M)
    return E / E.sum(axis=-1, keepdims=True)


def block(start, size, strength=1.0, columns=None):
    """Return (8, columns) that hands on the features start, start + 1, ... in its first columns."""
    W = np.zeros((8, columns or size))
    W[np.arange(start, start + size), np.arange(size)] = strength
    return W


ASKED, OFFERED, CONTENT = block(0, 3, 4), block(3, 3, 4), block(6, 2)


def lookup(W_Q=ASKED, W_K=OFFERED, W_V=CONTENT):
    return lambda: (W_Q, W_K, W_V)


TURN = np.array([[2.0, 1.0, 0.0], [0.0, 1.0, -1.0], [1.0, 0.0, 1.0]])
LEFT_OVER = np.zeros((8, 3))
LEFT_OVER[6:, :2] = 0.1  # a little of the content


def predictions(**changes):
    right = dict(a="V Z", b="Q A Z", c="Q K", d="A Z", e="Q K A Z")
    return lambda: right | changes


RIGHT = {
    "qkv-by-hand": {
        "numbers": hand(),
        "lists": hand(q_1=[-1.0, 3.0], match=[19]),
    },
    "qkv-code": {
        "matrix form": products,
        "einsum": lambda X, *Ws: [np.einsum("...ia,ar->...ir", X, W) for W in Ws],
        "loops": loops,
        "loop over the batch": sentence_by_sentence,
        "a generator": lambda X, *Ws: (X @ W for W in Ws),
        "a map": lambda X, *Ws: map(X.__matmul__, Ws),
        "one wide product": lambda X, *Ws: np.split(X @ np.hstack(Ws), [3, 6], axis=-1),
    },
    "qkv-lookup": {
        "the same strength": lookup(),
        "all strength in the query": lookup(block(0, 3, 10), block(3, 3, 1)),
        "other features": lookup(ASKED @ TURN, OFFERED @ np.linalg.inv(TURN).T),
        "spare features": lookup(block(0, 3, 9, columns=5), block(3, 3, 2, columns=5)),
    },
    "qkv-predict": {
        "all five": predictions(),
        "another order, commas": predictions(b="Z, A, Q"),
    },
}

WRONG = {
    "qkv-by-hand": {
        "a number for a row": (hand(q_1=2), "form"),
        "two features of the value": (hand(v_2=(-3, 4)), "form"),
        "words": (hand(k_2=("five", "eight")), "form"),
        "sign lost": (hand(q_1=(5, 5)), "query"),
        "the other token's query": (hand(q_1=(4, 0)), "query"),
        "the key in its place": (hand(q_1=(1, -2)), "query"),
        "order of the features": (hand(q_1=(3, -1)), "query"),
        "the key of token 1": (hand(k_2=(1, -2)), "key"),
        "the query of token 2": (hand(k_2=(4, 0)), "key"),
        "the value of token 1": (hand(v_2=(0, -1, 5)), "value"),
        "rows for columns": (hand(v_2=(3, 1, 4)), "value"),
        "the same token": (hand(match=-7), "match"),
        "everything added": (hand(match=15), "match"),
        "sign lost in the product": (hand(match=29), "match"),
        "output first": (hand(shape_of_W_K=(4, 6)), "shape of W_K"),
        "tokens by features": (hand(shape_of_W_K=(5, 4)), "shape of W_K"),
        "the same as the values": (hand(shape_of_W_K=(6, 7)), "shape of W_K"),
        "d_k for d_v": (hand(shape_of_W_V=(6, 4)), "shape of W_V"),
        "the shape of V": (hand(shape_of_W_V=(5, 7)), "shape of W_V"),
    },
    "qkv-code": {
        "only one result": (lambda X, W_Q, W_K, W_V: X @ W_Q, "shape"),
        "weights on the left": (lambda X, *Ws: [W.T @ X.T for W in Ws], "shape"),
        "the value first": (lambda X, W_Q, W_K, W_V: (X @ W_V, X @ W_Q, X @ W_K), "shape"),
        "weights transposed": (lambda X, *Ws: [X @ W.T for W in Ws], "shape"),
        "the weights themselves": (lambda X, *Ws: Ws, "shape"),
        "centred over the tokens": (each(lambda M: M - M.mean(axis=-2, keepdims=True)), "rows"),
        "softmax over the tokens": (each(along_tokens), "rows"),
        "one row for all": (
            lambda X, *Ws: [np.broadcast_to(X.mean(0) @ W, (len(X), W.shape[1])) for W in Ws],
            "rows",
        ),
        "query and key exchanged": (
            lambda X, W_Q, W_K, W_V: (X @ W_K, X @ W_Q, X @ W_V),
            "roles",
        ),
        "one matrix for both": (lambda X, W_Q, W_K, W_V: (X @ W_Q, X @ W_Q, X @ W_V), "roles"),
        "the key made from the query": (
            lambda X, W_Q, W_K, W_V: (X @ W_Q, X @ W_Q @ W_Q.T @ W_K, X @ W_V),
            "roles",
        ),
        "softmax over the features": (each(along_features), "plain"),
        "length 1": (each(lambda M: M / np.linalg.norm(M, axis=-1, keepdims=True)), "plain"),
        "no negative numbers": (each(lambda M: np.maximum(M, 0)), "plain"),
        "scaled": (each(lambda M: M / 3**0.5), "plain"),
        "transposed to and fro": (lambda X, *Ws: [(W.T @ X.T).T for W in Ws], "batch"),
        "only the first axes": (lambda X, *Ws: [np.tensordot(X.T, W, (0, 0)) for W in Ws], "batch"),
        "token by token": (
            lambda X, *Ws: [np.array([x.ravel()[:4] @ W for x in X]) for W in Ws],
            "batch",
        ),
    },
    "qkv-lookup": {
        "transposed": (lookup(ASKED.T, OFFERED.T, CONTENT.T), "form"),
        "query and key of unlike length": (lookup(block(0, 3, 4, columns=4)), "form"),
        "square": (lookup(W_V=np.eye(8)), "form"),
        "the label for the content": (lookup(W_V=block(3, 2)), "value"),
        "content doubled": (lookup(W_V=2 * CONTENT), "value"),
        "content exchanged": (lookup(W_V=CONTENT[:, ::-1]), "value"),
        "the label added": (lookup(W_V=CONTENT + block(3, 2)), "value"),
        "roles exchanged": (lookup(OFFERED, ASKED), "right token"),
        "everybody asks for themselves": (lookup(OFFERED, OFFERED), "right token"),
        "nobody asks": (lookup(np.zeros((8, 3))), "right token"),
        "asks for the contrary": (lookup(-ASKED), "right token"),
        "labels in another order": (lookup(W_K=OFFERED[:, ::-1]), "right token"),
        "the key reads content": (lookup(W_K=OFFERED + LEFT_OVER), "content"),
        "the query reads content": (lookup(W_Q=ASKED + LEFT_OVER), "content"),
        "the key reads the question": (lookup(W_K=OFFERED + block(0, 3, 0.4)), "questions"),
        "ones only": (lookup(ASKED / 4, OFFERED / 4), "sharp"),
        "a little too soft": (lookup(0.5 * ASKED), "sharp"),
    },
    "qkv-predict": {
        "one left out": (lambda: dict(a="V Z"), "form"),
        "words": (predictions(a="values"), "form"),
        "nothing": (predictions(c=""), "form"),
        "a: the values only": (predictions(a="V"), "a"),
        "a: the weights too": (predictions(a="V A Z"), "a"),
        "b: the query only": (predictions(b="Q"), "b"),
        "b: the result forgotten": (predictions(b="Q A"), "b"),
        "b: the values too": (predictions(b="Q V A Z"), "b"),
        "c: the weights too": (predictions(c="Q K A Z"), "c"),
        "d: the projections too": (predictions(d="Q K V A Z"), "d"),
        "d: the result only": (predictions(d="Z"), "d"),
        "e: the same weights": (predictions(e="Q K"), "e"),
    },
}

# What must not stand in the text of a failed check.
SPOILERS = {
    "qkv-by-hand": ["19", "-3, 4", "(6, 4)", "(6, 7)"],
    "qkv-code": ["X @", "einsum", "@"],
    "qkv-lookup": ["eye", "W[", "0:3"],
}
