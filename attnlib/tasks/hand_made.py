"""Four attention heads made by hand that answer the role task without any training."""

import numpy as np

from attnlib.tasks.role_model import RoleModel
from attnlib.tasks.roles import N_SLOTS, QUESTIONS, VERB_SLOT, VOCABULARY, tokens_of

PREFERENCES = {
    "giver": ("name", range(-VERB_SLOT, 0)),
    "thing": ("thing", range(-VERB_SLOT, 0)),
    "receiver": ("name", range(1, N_SLOTS - VERB_SLOT)),
    "time": ("time", range(-VERB_SLOT, 0)),
}
"""What each head prefers: a word class, and positions relative to the verb."""


def hand_made_model(sharpness=12.0):
    """Return a `RoleModel` with one head for each question, weights written down (Claim 8.1).

    The embedding is one-hot, [word | position | one empty block for each answer]. The query of a
    verb is 1. The key of a token is `sharpness` for the preferred word class plus `sharpness` for
    a preferred position, so that only the token sought gets both. Its value is the word, which
    W_O writes into the block from which the question is read.

    Parameters
    ----------
    sharpness : float
        The difference between the best and the second best score.

    Returns
    -------
    RoleModel
        With ``d_k`` = 1 and ``d_v`` = 24, the size of the largest class.
    """
    n_words, n_heads = len(VOCABULARY), len(QUESTIONS)
    d_v = max(len(tokens_of(word_class)) for word_class, _ in PREFERENCES.values())
    answers = n_words + N_SLOTS
    d_model = answers + n_heads * d_v
    params = {
        "token_embedding": np.eye(n_words, d_model),
        "position_embedding": np.eye(N_SLOTS, d_model, k=n_words),
        "W_Q": np.zeros((d_model, n_heads)),
        "W_K": np.zeros((d_model, n_heads)),
        "W_V": np.zeros((d_model, n_heads * d_v)),
        "W_O": np.eye(n_heads * d_v, d_model, k=answers),
        "readout": np.zeros((n_heads, d_model, n_words)),
    }
    params["W_Q"][tokens_of("verb")] = 1.0
    for h, question in enumerate(QUESTIONS):
        word_class, positions = PREFERENCES[question]
        words, block = tokens_of(word_class), h * d_v + np.arange(len(tokens_of(word_class)))
        params["W_K"][words, h] = sharpness
        params["W_K"][n_words + VERB_SLOT + np.array(positions), h] = sharpness
        params["W_V"][words, block] = 1.0
        params["readout"][h, answers + block, words] = 1.0
    return RoleModel(params, n_heads)
