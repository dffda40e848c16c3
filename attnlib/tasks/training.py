"""Gradient descent: one step of Adam, the loop around it, and the loss of a classifier.

Parameters and gradients are dicts of arrays with the same names.
"""

from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from attnlib._checks import check_integer

Arrays = Mapping[str, np.ndarray]


class AdamState(NamedTuple):
    """What Adam remembers: the number of steps and running means of gradients and squares."""

    step: int
    mean: Arrays
    mean_square: Arrays

    @classmethod
    def start(cls, params):
        """Return the state before the first step: all means 0.

        Parameters
        ----------
        params : dict of ndarray
        """
        zeros = {name: np.zeros_like(param) for name, param in params.items()}
        return cls(0, zeros, zeros)


def adam_step(params, gradients, state, learning_rate=3e-3, beta_1=0.9, beta_2=0.999, epsilon=1e-8):
    """Return parameters and state after one step of Adam.

    Algorithm 1 of Kingma and Ba, Adam: A Method for Stochastic Optimization (2015).

    Parameters
    ----------
    params, gradients : dict of ndarray
        The same names and shapes; neither is changed. The dtypes of `params` stay.
    state : AdamState
    learning_rate, beta_1, beta_2, epsilon : float

    Returns
    -------
    (dict of ndarray, AdamState)

    Raises
    ------
    ValueError
        If names or shapes of `params` and `gradients` disagree.
    """
    _check_same_arrays(params, gradients)
    step = state.step + 1
    mean, mean_square, moved = {}, {}, {}
    for name, g in gradients.items():
        mean[name] = beta_1 * state.mean[name] + (1 - beta_1) * g
        mean_square[name] = beta_2 * state.mean_square[name] + (1 - beta_2) * g * g
        # Both means start at 0; dividing makes up for it.
        m = mean[name] / (1 - beta_1**step)
        v = mean_square[name] / (1 - beta_2**step)
        moved[name] = params[name] - learning_rate * m / (np.sqrt(v) + epsilon)
    return moved, AdamState(step, mean, mean_square)


def train(
    params: Arrays,
    loss_and_gradients: Callable[[Arrays, Any], tuple[float | np.ndarray, Arrays]],
    make_batch: Callable[[], Any],
    steps: int,
    learning_rate: float = 3e-3,
):
    """Return the trained parameters and the loss of every step (Claims 2.8 and 8.7).

    Parameters
    ----------
    params : dict of ndarray
        The start; not changed.
    loss_and_gradients : function of (params, batch)
        Returns the loss and its gradients, a dict like `params`. The loss is a number, or an array
        where several models learn side by side: each entry of `params` then gets the gradient of
        the loss of its own model.
    make_batch : function without arguments
        Returns the next batch; draw it from a numpy Generator.
    steps : int
    learning_rate : float

    Returns
    -------
    (dict of ndarray, ndarray of float64, shape (steps, ...))

    Raises
    ------
    TypeError
        If `steps` is not an integer.
    ValueError
        If `steps` is negative or gradients do not fit `params`.
    FloatingPointError
        If a loss, or one of several, is not finite.
    """
    steps, losses = check_integer("steps", steps, least=0), []
    walk = descend(params, loss_and_gradients, make_batch, learning_rate)
    for params, loss in islice(walk, steps):  # noqa: B007 (the last one is returned)
        losses.append(loss)
    return params, np.array(losses, dtype=np.float64)


def descend(params, loss_and_gradients, make_batch, learning_rate):
    """Yield the parameters after each step of Adam and the loss before it, without end.

    Parameters and errors are those of `train`.
    """
    state = AdamState.start(params)
    while True:
        loss, gradients = loss_and_gradients(params, make_batch())
        if not np.all(np.isfinite(loss)):
            raise FloatingPointError(
                f"the loss is {loss} at step {state.step}: try a smaller learning_rate than "
                f"{learning_rate} or look for the first value that is not finite"
            )
        params, state = adam_step(params, gradients, state, learning_rate)
        yield params, loss


def cross_entropy(logits, labels):
    """Return −Σ log softmax(logits)[label] / batch, and its gradient.

    Parameters
    ----------
    logits : ndarray, shape (batch, ..., classes)
    labels : ndarray of int, shape (batch, ...)

    Returns
    -------
    (float, ndarray of the shape of `logits`)
    """
    labels = labels[..., None]
    logits = logits - logits.max(axis=-1, keepdims=True)
    log_p = logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))
    right = np.take_along_axis(log_p, labels, axis=-1)
    gradient = np.exp(log_p)
    np.put_along_axis(gradient, labels, np.exp(right) - 1, axis=-1)
    return -right.sum() / len(logits), gradient / len(logits)


def _check_same_arrays(params, gradients):
    if params.keys() != gradients.keys():
        raise ValueError(
            f"params has {sorted(params)}, gradients has {sorted(gradients)}: every parameter "
            f"needs its gradient"
        )
    for name, param in params.items():
        if np.shape(param) != np.shape(gradients[name]):
            raise ValueError(
                f"params[{name!r}] has shape {np.shape(param)}, gradients[{name!r}] has shape "
                f"{np.shape(gradients[name])}"
            )
