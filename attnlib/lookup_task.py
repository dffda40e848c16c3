"""The lookup task: every token asks for a label, offers a label and carries content.

The smallest task for which query, key and value weights are all needed, so that one can watch
them become useful. What the features mean is known, hence also what good weights look like.
"""

from dataclasses import dataclass

import numpy as np

from attnlib._arrays import check_integer
from attnlib.attention import self_attention
from attnlib.gradients import attention_backward

N_LABELS = 5
N_CONTENT = 3

ASKED = slice(0, N_LABELS)
OFFERED = slice(N_LABELS, 2 * N_LABELS)
CONTENT = slice(2 * N_LABELS, 2 * N_LABELS + N_CONTENT)
D_MODEL = CONTENT.stop


@dataclass(frozen=True, eq=False)
class LookupBatch:
    """Examples of the lookup task; n = ``N_LABELS`` tokens, each label is offered once.

    Attributes
    ----------
    X : ndarray, shape (batch, n, D_MODEL)
        Features ``ASKED`` and ``OFFERED`` are one-hot labels, ``CONTENT`` are numbers from N(0, 1).
    where : int ndarray, shape (batch, n)
        The position j of the token that offers what token i asks for.
    target : ndarray, shape (batch, n, N_CONTENT)
        The content of that token: what token i should get.
    """

    X: np.ndarray
    where: np.ndarray
    target: np.ndarray


def make_lookups(rng, n_batch):
    """Draw examples of the lookup task (Claim 2.8).

    Parameters
    ----------
    rng : numpy.random.Generator
    n_batch : int

    Returns
    -------
    LookupBatch

    Raises
    ------
    TypeError
        If `n_batch` is not an integer.
    ValueError
        If `n_batch` is negative.
    """
    shape = (check_integer("n_batch", n_batch, least=0), N_LABELS)
    offered = rng.permuted(np.broadcast_to(np.arange(N_LABELS), shape), axis=1)
    asked = rng.integers(N_LABELS, size=shape)
    content = rng.standard_normal((*shape, N_CONTENT))
    one_hot = np.eye(N_LABELS)
    # argsort inverts a permutation: at which position each label is offered.
    where = np.take_along_axis(np.argsort(offered, axis=1), asked, axis=1)
    return LookupBatch(
        X=np.concatenate([one_hot[asked], one_hot[offered], content], axis=-1),
        where=where,
        target=np.take_along_axis(content, where[..., None], axis=1),
    )


def init_lookup_weights(rng, d_k=6):
    """Return random weights of one head, entries N(0, 1/D_MODEL) (Claim 2.8).

    Parameters
    ----------
    rng : numpy.random.Generator
    d_k : int
        At least ``N_LABELS`` - 1 features can tell all labels apart.

    Returns
    -------
    dict of ndarray
        W_Q and W_K (D_MODEL, d_k), W_V (D_MODEL, N_CONTENT).
    """
    widths = {"W_Q": d_k, "W_K": d_k, "W_V": N_CONTENT}
    return {name: rng.normal(0, D_MODEL**-0.5, (D_MODEL, width)) for name, width in widths.items()}


def lookup_loss_and_gradients(params, batch):
    """Return ‖Z − target‖² / batch, Z from one head, and its gradients (Claim 2.8).

    Parameters
    ----------
    params : dict of ndarray
        As from `init_lookup_weights`.
    batch : LookupBatch

    Returns
    -------
    (float, dict of ndarray)
        The gradients have the names and shapes of `params`.
    """
    trace = self_attention(batch.X, **params)
    error = trace.Z - batch.target
    dQ, dK, dV = attention_backward(trace, 2 * error / len(error))
    gradients = {
        name: np.tensordot(batch.X, d, axes=([0, 1], [0, 1]))  # Σ over the batch of Xᵀ d
        for name, d in [("W_Q", dQ), ("W_K", dK), ("W_V", dV)]
    }
    return float(np.sum(error**2) / len(error)), gradients
