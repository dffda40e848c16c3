"""The explorer of chapter 8: a trained model with four heads, each of which can be switched off."""

import numpy as np

from attnlib.attention import softmax
from attnlib.explorers.framework import sentence
from attnlib.explorers.framework.base import Explorer
from attnlib.explorers.framework.settings import Switch, Whole
from attnlib.explorers.framework.tables import both, matrix_table, table
from attnlib.tasks import role_weights
from attnlib.tasks.roles import GLOSSES, QUESTIONS, VOCABULARY, encode_sentences

SENTENCES = tuple(role_weights.SENTENCES)
QUESTION_NAMES = dict(zip(QUESTIONS, ("给予者", "物品", "接受者", "时间词"), strict=True))
D_MODEL = 16


class HeadsExplorer(Explorer):
    """The verb of a sentence in a trained model, its heads on or off (Claims 8.1, 8.3, 8.5, 8.7).

    The model is the `RoleModel` with four heads that ``tools/role_weights.py`` trains, its weights
    rounded to two decimals. The sentences are of the form that it was trained on, and with all
    heads on it answers the four questions about each of them right.

    What can be concluded: the verb's row has four distributions over the words at once (Claim
    8.1); what the heads add to the output adds up to it (Claim 8.5); without a head this model
    loses some answers, often of more than one question (Claim 8.7). What cannot: that a head *is*
    the giver's head. Roles are learnt and overlap, another seed divides them differently, a large
    weight says where a head looks and not what is made of it, and the loss of an answer also comes
    from an output as the readout never met it in training.

    Parameters
    ----------
    sentence : int
        1 to 6; 1 is the document's sentence, 2 the same with giver and receiver exchanged.
    feature : int
        1 to 16: the feature of the output whose sum over the heads is written out.
    head_1, head_2, head_3, head_4 : {"on", "off"}
        A head that is off adds nothing to the output; its weights are shown all the same.

    Raises
    ------
    traitlets.TraitError
        If a trait is unknown or its value out of range.
    """

    name = "heads"

    sentence = Whole(1, len(SENTENCES), 1)
    feature = Whole(1, D_MODEL, 1)
    head_1 = Switch("on")
    head_2 = Switch("on")
    head_3 = Switch("on")
    head_4 = Switch("on")

    @property
    def heads(self):
        """Which heads are on, bool (4,)."""
        return np.array([getattr(self, f"head_{h}") == "on" for h in range(1, 5)])

    @property
    def words(self):
        """The words of the sentence, a tuple."""
        return SENTENCES[self.sentence - 1]

    @property
    def weights(self):
        """The verb's attention weights, shape (4, n): one distribution for each head."""
        return self._forward().weights[0, :, : len(self.words)]

    @property
    def shares(self):
        """head_h W_O^(h) at the verb, shape (4, 16); 0 for heads that are off."""
        return self._forward().shares[0]

    @property
    def answers(self):
        """The most likely word for each question, by question."""
        tokens = role_weights.trained().answers(self._batch(), self.heads)[0]
        return dict(zip(QUESTIONS, (VOCABULARY[token] for token in tokens), strict=True))

    @property
    def numbers(self):
        """Every number that is shown, by the name it has in the page, computed by attnlib."""
        model, batch = role_weights.trained(), self._batch()
        trace, verb, r = model.forward(batch, self.heads), batch.verb[0], self.feature - 1
        shares, A, logits = trace.shares[0], trace.weights[0], trace.logits[0]
        Z = np.where(self.heads[:, None], trace.attention.Z[0, :, verb], 0)  # (H, d_h)
        return {
            "norm_o": float(np.linalg.norm(shares.sum(axis=0))),
            "o": float(shares.sum(axis=0)[r]),
            "concat": float((Z.reshape(-1) @ model.params["W_O"])[r]),
            **sentence.entries(
                A=A.T,
                sum=A.sum(axis=-1),
                norm=np.linalg.norm(shares, axis=-1),
                share=shares[:, r],
                so_far=np.cumsum(shares[:, r]),
                p=softmax(logits)[np.arange(len(QUESTIONS)), batch.labels[0]],
                answer=logits.argmax(axis=-1),
            ),
        }

    def plain_table(self):
        """HTML of the same content for a page without scripts, in both languages."""
        numbers, words, heads = self.numbers, self.words, range(1, 5)
        names = [both(f"head {h}", f"头 {h}") for h in heads]
        switched = [
            name if on else f"{name} {both('off', '关')}"
            for name, on in zip(names, self.heads, strict=True)
        ]
        right = [VOCABULARY[token] for token in self._batch().labels[0]]
        answers = [
            (
                f"{both(question, chinese)} {word} {GLOSSES[word]}",
                numbers[f"p-{q}"],
                ("✓ " if self.answers[question] == word else "✗ ") + self.answers[question],
            )
            for q, ((question, chinese), word) in enumerate(
                zip(QUESTION_NAMES.items(), right, strict=True), start=1
            )
        ]
        shares = [
            (name, *(numbers[f"{column}-{h}"] for column in ("norm", "share", "so_far")))
            for h, name in zip(heads, switched, strict=True)
        ]
        return "\n".join(
            [
                matrix_table(
                    both("Weights of the verb’s row", "动词这一行的权重"),
                    self.weights.T,
                    [f"{word} {GLOSSES[word]}" for word in words],
                    switched,
                ),
                table(
                    both("Answers, read at the verb", "在动词处读出的答案"),
                    [
                        both("right answer", "正确答案"),
                        both("its probability", "其概率"),
                        both("most likely", "最可能"),
                    ],
                    answers,
                ),
                table(
                    both("Shares of the output in the verb’s row", "动词这一行输出中各头的份额"),
                    [
                        "",
                        both("norm", "范数"),
                        both("feature", "特征") + f" {self.feature}",
                        both("sum so far", "累加"),
                    ],
                    [
                        *shares,
                        ("<i>O</i>", numbers["norm_o"], numbers["o"], numbers["concat"]),
                    ],
                ),
            ]
        )

    def _batch(self):
        return encode_sentences([self.words])

    def _forward(self):
        return role_weights.trained().forward(self._batch(), self.heads)
