"""The lookup task: every token asks for a label, offers a label and carries content.

A small task in which query, key and value weights have different work to do, so that one can watch
them become useful. What the features mean is known, hence also what good weights look like.

Several heads can learn side by side, each with a generator of its own: they are a leading axis of
every array, and none has any effect on another.
"""

from dataclasses import dataclass

import numpy as np

from attnlib._checks import check_integer
from attnlib.attention import attend
from attnlib.gradients import attention_backward

N_LABELS = 5
N_CONTENT = 3

ASKED = slice(0, N_LABELS)
OFFERED = slice(N_LABELS, 2 * N_LABELS)
CONTENT = slice(2 * N_LABELS, 2 * N_LABELS + N_CONTENT)
D_MODEL = CONTENT.stop

WEIGHTS = ("W_Q", "W_K", "W_V")


@dataclass(frozen=True, eq=False)
class LookupBatch:
    """Examples of the lookup task; n = ``N_LABELS`` tokens, each label is offered once.

    Attributes
    ----------
    X : ndarray, shape (..., batch, n, D_MODEL)
        Features ``ASKED`` and ``OFFERED`` are one-hot labels, ``CONTENT`` are numbers from N(0, 1).
    where : int ndarray, shape (..., batch, n)
        The position j of the token that offers what token i asks for.
    target : ndarray, shape (..., batch, n, N_CONTENT)
        The content of that token: what token i should get.
    """

    X: np.ndarray
    where: np.ndarray
    target: np.ndarray


def make_lookups(rng, n_batch):
    """Draw examples of the lookup task (Claim 2.8).

    Parameters
    ----------
    rng : numpy.random.Generator, or sequence of them
        A sequence gives the arrays a leading axis, with examples from each generator.
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
    n_batch = check_integer("n_batch", n_batch, least=0)
    if isinstance(rng, np.random.Generator):
        offered, asked, content = _draw(rng, n_batch)
    else:
        draws = [_draw(one, n_batch) for one in rng]
        offered, asked, content = map(np.stack, zip(*draws, strict=True))
    one_hot = np.eye(N_LABELS)
    # argsort inverts a permutation: at which position each label is offered.
    where = np.take_along_axis(np.argsort(offered, axis=-1), asked, axis=-1)
    return LookupBatch(
        X=np.concatenate([one_hot[asked], one_hot[offered], content], axis=-1),
        where=where,
        target=np.take_along_axis(content, where[..., None], axis=-2),
    )


def init_lookup_weights(rng, d_k=6):
    """Return random weights of one head, entries N(0, 1/D_MODEL) (Claim 2.8).

    Parameters
    ----------
    rng : numpy.random.Generator, or sequence of them
        A sequence gives the arrays a leading axis, with one head from each generator.
    d_k : int
        At least ``N_LABELS`` - 1 features can tell all labels apart.

    Returns
    -------
    dict of ndarray
        W_Q and W_K (..., D_MODEL, d_k), W_V (..., D_MODEL, N_CONTENT).
    """
    if not isinstance(rng, np.random.Generator):
        heads = [init_lookup_weights(one, d_k) for one in rng]
        return {name: np.stack([head[name] for head in heads]) for name in heads[0]}
    widths = {"W_Q": d_k, "W_K": d_k, "W_V": N_CONTENT}
    return {name: rng.normal(0, D_MODEL**-0.5, (D_MODEL, width)) for name, width in widths.items()}


def lookup_loss_and_gradients(params, batch):
    """Return ‖Z − target‖² / batch, Z from one head, and its gradients (Claim 2.8).

    Parameters
    ----------
    params : dict of ndarray
        As from `init_lookup_weights`.
    batch : LookupBatch
        With the leading axes of `params`.

    Returns
    -------
    (ndarray of float, dict of ndarray)
        One loss for each head, of shape () if there is only one. The gradients have the names and
        shapes of `params`.
    """
    *_, n_batch, n, _ = batch.X.shape
    # The rows of all examples below each other: one product instead of one for each example.
    rows = batch.X.reshape(*batch.X.shape[:-3], n_batch * n, D_MODEL)
    projected = (rows @ params[name] for name in WEIGHTS)
    trace = attend(*(M.reshape(*batch.X.shape[:-1], M.shape[-1]) for M in projected))
    error = trace.Z - batch.target
    backward = zip(WEIGHTS, attention_backward(trace, 2 * error / n_batch), strict=True)
    gradients = {
        name: rows.swapaxes(-1, -2) @ d.reshape(*rows.shape[:-1], d.shape[-1])
        for name, d in backward
    }
    return np.sum(error**2, axis=(-1, -2, -3)) / n_batch, gradients


def _draw(rng, n_batch):
    """Return the labels offered and asked for, (batch, n), and the contents."""
    shape = (n_batch, N_LABELS)
    offered = rng.permuted(np.arange(N_LABELS)[None].repeat(n_batch, axis=0), axis=1)
    return offered, rng.integers(N_LABELS, size=shape), rng.standard_normal((*shape, N_CONTENT))
