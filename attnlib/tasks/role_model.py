"""A one-layer model that answers the role task: attention, a residual and a readout at the verb."""

from dataclasses import dataclass

import numpy as np

from attnlib._checks import check_integer
from attnlib.multihead import MultiHeadAttention
from attnlib.tasks.role_trace import RoleTrace
from attnlib.tasks.roles import N_SLOTS, QUESTIONS, VERB_SLOT, VOCABULARY, make_sentences
from attnlib.tasks.training import cross_entropy, train

BATCH_SIZE = 64


@dataclass(frozen=True, eq=False)
class RoleModel:
    """Embeddings, one multi-head attention layer, the residual, a readout (Claims 8.1 and 8.7).

    For row b with its verb at position i::

        X = token_embedding[tokens] + position_embedding[positions + VERB_SLOT]
        Y = X + MultiHead(X)           padding is masked
        logits[q] = y_i readout[q]     one readout for each question

    Attributes
    ----------
    params : dict of ndarray
        token_embedding (vocabulary, d_model), position_embedding (N_SLOTS, d_model), the weights
        W_Q, W_K, W_V, W_O of `MultiHeadAttention`, readout (4, d_model, vocabulary). None of
        these shapes depends on the number of heads.
    n_heads : int
    """

    params: dict[str, np.ndarray]
    n_heads: int

    @classmethod
    def init(cls, rng, n_heads, d_model=16):
        """Return a model with random weights, entries N(0, 1/d_model).

        The same generator gives the same weights whatever `n_heads` is.

        Parameters
        ----------
        rng : numpy.random.Generator
        n_heads : int
        d_model : int

        Raises
        ------
        TypeError
            If `rng` is not a Generator or a size not an integer.
        ValueError
            If `n_heads` does not divide `d_model`.
        """
        n_heads = check_integer("n_heads", n_heads, least=1)
        mha = MultiHeadAttention.init(d_model, n_heads, rng)
        shapes = {
            "token_embedding": (len(VOCABULARY), d_model),
            "position_embedding": (N_SLOTS, d_model),
            "readout": (len(QUESTIONS), d_model, len(VOCABULARY)),
        }
        params = {name: rng.normal(0, d_model**-0.5, shape) for name, shape in shapes.items()}
        params |= {"W_Q": mha.W_Q, "W_K": mha.W_K, "W_V": mha.W_V, "W_O": mha.W_O}
        return cls(params, n_heads)

    @property
    def attention(self):
        """The `MultiHeadAttention` of this model."""
        weights = {name: self.params[name] for name in ("W_Q", "W_K", "W_V", "W_O")}
        return MultiHeadAttention(**weights, n_heads=self.n_heads)

    def forward(self, batch, heads=None):
        """Return the `RoleTrace` of a batch, with all heads or with some switched off (Claim 8.7).

        Parameters
        ----------
        batch : roles.Batch
        heads : array_like of bool, shape (H,), optional
            True = keep; what the other heads add to the output is replaced by 0.

        Returns
        -------
        RoleTrace

        Raises
        ------
        TypeError, ValueError
            If `heads` is not bool or has not one entry for each head.
        """
        params, rows, mha = self.params, np.arange(len(batch)), self.attention
        X = (
            params["token_embedding"][batch.tokens]
            + params["position_embedding"][batch.positions + VERB_SLOT]
        )  # (batch, n, d_model)
        trace = mha.trace(X, attn_mask=batch.mask[:, None, :])
        W_O = mha.W_O.reshape(self.n_heads, -1, X.shape[-1])  # (H, d_v, d_model)
        z = trace.Z[rows, :, batch.verb]  # (batch, H, d_v)
        shares = np.einsum("bhv,hvm->bhm", z, W_O)
        if heads is not None:
            shares = shares * self._kept(heads)[:, None]
        y = X[rows, batch.verb] + shares.sum(axis=1)
        return RoleTrace(
            attention=trace,
            weights=trace.A[rows, :, batch.verb, :],
            shares=shares,
            y=y,
            logits=(y @ params["readout"]).swapaxes(0, 1),
        )

    def answers(self, batch, heads=None):
        """Return the most likely word for each question, int tokens (batch, 4).

        Parameters and errors are those of `forward`.
        """
        return self.forward(batch, heads).logits.argmax(axis=-1)

    def accuracy(self, batch, heads=None):
        """Return the share of right answers to each of ``QUESTIONS``, (4,).

        Parameters and errors are those of `forward`; a batch without sentences raises ValueError.
        """
        _check_not_empty(batch)
        return np.mean(self.answers(batch, heads) == batch.labels, axis=0)

    def weights_on_answers(self, batch):
        """Return the weight that each head gives to each answer, from the verb, on average.

        Claim 8.7. A large weight says where a head looks, not yet what the model makes of it.

        Parameters
        ----------
        batch : roles.Batch

        Returns
        -------
        ndarray, shape (H, 4)
            Rows are heads, columns ``QUESTIONS``.

        Raises
        ------
        ValueError
            If the batch has no sentences.
        """
        _check_not_empty(batch)
        where = batch.where[:, None, :]
        return np.take_along_axis(self.forward(batch).weights, where, axis=-1).mean(axis=0)

    def loss_and_gradients(self, batch):
        """Return the loss and its gradients with respect to all parameters.

        The loss is the cross-entropy of the four answers, summed over the questions and averaged
        over the batch.

        Parameters
        ----------
        batch : roles.Batch

        Returns
        -------
        (float, dict of ndarray)
            The gradients have the names and shapes of ``params``.

        Raises
        ------
        ValueError
            If the batch has no sentences.
        """
        _check_not_empty(batch)
        params, rows, mha = self.params, np.arange(len(batch)), self.attention
        trace = self.forward(batch)
        loss, dlogits = cross_entropy(trace.logits, batch.labels)
        dlogits = dlogits.swapaxes(0, 1)  # (4, batch, vocabulary)
        dy = (dlogits @ params["readout"].swapaxes(-1, -2)).sum(axis=0)
        dY = np.zeros_like(trace.attention.O)
        dY[rows, batch.verb] = dy
        dX, dW_Q, dW_K, dW_V, dW_O = mha.backward(trace.attention, dY)
        dX = dX + dY  # Y = X + O
        return loss, {
            "token_embedding": _sum_by_row(dX, batch.tokens, len(VOCABULARY)),
            "position_embedding": _sum_by_row(dX, batch.positions + VERB_SLOT, N_SLOTS),
            "W_Q": dW_Q,
            "W_K": dW_K,
            "W_V": dW_V,
            "W_O": dW_O,
            "readout": trace.y.T @ dlogits,
        }

    def _kept(self, heads):
        heads = np.asarray(heads)
        if heads.dtype != bool:
            raise TypeError(f"heads has dtype {heads.dtype}; give one bool for each head")
        if heads.shape != (self.n_heads,):
            raise ValueError(f"heads has shape {heads.shape}; there are {self.n_heads} heads")
        return heads


def train_role_model(rng, n_heads, steps, d_model=16, learning_rate=3e-3):
    """Return a model trained from a random start on new sentences in every step (Claim 8.7).

    The same generator gives the same start and the same sentences whatever `n_heads` is.

    Parameters
    ----------
    rng : numpy.random.Generator
    n_heads, steps, d_model : int
    learning_rate : float

    Returns
    -------
    (RoleModel, ndarray of float64, shape (steps,))
        The model and the loss of every step.

    Raises
    ------
    TypeError, ValueError
        As in `RoleModel.init` and `train`.

    Notes
    -----
    The optimiser is Adam, every step takes 64 sentences. Measured with ``learning_rate=0.01``, the
    worst of the four accuracies on 1,000 new sentences, seeds 0 to 9. After 500 steps: one head
    .04 to .73, four heads .95 to 1.0. After 6,000 steps: one head .91 to .95 in eight of the runs
    and .04 in two, four heads 1.0 in all. Heads change how fast and how reliably this is learnt;
    most runs with one head come close. `attnlib.tasks.role_runs` has all of these numbers.
    """
    start = RoleModel.init(rng, n_heads, d_model)
    params, losses = train(
        start.params,
        lambda params, batch: RoleModel(params, start.n_heads).loss_and_gradients(batch),
        lambda: make_sentences(rng, BATCH_SIZE),
        steps,
        learning_rate,
    )
    return RoleModel(params, start.n_heads), losses


def _check_not_empty(batch):
    if len(batch) == 0:
        raise ValueError("the batch has no sentences, so there is nothing to average over")


def _sum_by_row(dX, rows, n_rows):
    """Return the gradient of a table of which ``X = table[rows]``."""
    gradient = np.zeros((n_rows, dX.shape[-1]), dX.dtype)
    np.add.at(gradient, rows, dX)
    return gradient
