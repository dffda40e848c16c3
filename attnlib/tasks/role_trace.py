"""What the role model keeps of a forward pass, at the verbs."""

from dataclasses import dataclass

import numpy as np

from attnlib.trace import MultiHeadTrace


@dataclass(frozen=True, eq=False)
class RoleTrace:
    """What the model computes for a batch, at the verbs.

    Attributes
    ----------
    attention : MultiHeadTrace
        Of all positions; ``attention.A`` is (batch, H, n, n).
    weights : ndarray, shape (batch, H, n)
        The rows of ``attention.A`` that belong to the verbs.
    shares : ndarray, shape (batch, H, d_model)
        head_h W_O^(h) at the verb: what each head adds to the output, 0 for heads switched off.
    y : ndarray, shape (batch, d_model)
        The verb's row of Y = X + O, from which all answers are read.
    logits : ndarray, shape (batch, 4, vocabulary)
        One score for each word as an answer to each of ``QUESTIONS``.
    """

    attention: MultiHeadTrace
    weights: np.ndarray
    shares: np.ndarray
    y: np.ndarray
    logits: np.ndarray
