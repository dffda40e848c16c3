"""The explorer of chapter 8: a trained model with four heads, each of which can be switched off."""

from functools import cache

import numpy as np

from attnlib.attention import softmax
from attnlib.explorers.framework import sentence
from attnlib.explorers.framework.base import Explorer
from attnlib.explorers.framework.settings import Choice, Switch, Whole
from attnlib.explorers.framework.tables import both, matrix_table, table
from attnlib.tasks import role_weights
from attnlib.tasks.roles import GLOSSES, QUESTIONS, VOCABULARY, encode_sentences

SENTENCES = tuple(role_weights.SENTENCES)
QUESTION_NAMES = dict(zip(QUESTIONS, ("给予者", "物品", "接受者", "时间词"), strict=True))
D_MODEL = 16
INSTEAD = {
    "zero": ("nothing", "什么也不写"),
    "mean": ("its average share", "写入其平均份额"),
}


class HeadsExplorer(Explorer):
    """The verb of a sentence in a trained model, its heads on or off (Claims 8.1, 8.3, 8.5, 8.7).

    The model is the `RoleModel` with four heads that ``tools/role_weights.py`` trains, its weights
    rounded to two decimals. The sentences are of the form that it was trained on, and with all
    heads on it answers the four questions about each of them right, with the two names exchanged,
    too.

    What can be concluded: the verb's row has four distributions over the words at once (Claim
    8.1); what the heads add to the output adds up to it (Claim 8.5); without a head this model
    loses some answers, often of more than one question (Claim 8.7). What cannot: that a head *is*
    the giver's head. Roles are learnt and overlap, another seed divides them differently, a large
    weight says where a head looks and not what is made of it, and the loss of an answer also comes
    from an output as the readout never met it in training. So the average share of a head, over
    1,000 sentences, can be put in its place: then only what varies is gone.

    Parameters
    ----------
    sentence : int
        1 to 6; 1 is the document's sentence, 2 the same with giver and receiver exchanged.
    swap : {"off", "on"}
        On: giver and receiver are exchanged.
    feature : int
        1 to 16: the feature of the output whose sum over the heads is written out.
    head_1, head_2, head_3, head_4 : {"on", "off"}
        What a head that is off adds to the output, `ablation` says; its weights are shown all the
        same.
    ablation : {"zero", "mean"}
        In place of the share of a head that is off: nothing, or its average.

    Raises
    ------
    traitlets.TraitError
        If a trait is unknown or its value out of range.
    """

    name = "heads"

    sentence = Whole(1, len(SENTENCES), 1)
    swap = Switch("off")
    feature = Whole(1, D_MODEL, 1)
    head_1 = Switch("on")
    head_2 = Switch("on")
    head_3 = Switch("on")
    head_4 = Switch("on")
    ablation = Choice(INSTEAD, start="zero")

    @property
    def heads(self):
        """Which heads are on, bool (4,)."""
        return np.array([getattr(self, f"head_{h}") == "on" for h in range(1, 5)])

    @property
    def words(self):
        """The words of the sentence, a tuple."""
        words = SENTENCES[self.sentence - 1]
        return role_weights.exchanged(words) if self.swap == "on" else words

    @property
    def weights(self):
        """The verb's attention weights, shape (4, n): one distribution for each head."""
        return _read(self.words).weights[0, :, : len(self.words)]

    @property
    def shares(self):
        """What each head adds to the output at the verb, shape (4, 16): head_h W_O^(h) if on."""
        return self._counted(_read(self.words).shares)[0]

    @property
    def answers(self):
        """The most likely word for each question, by question."""
        tokens = self._logits(_read(self.words))[0].argmax(axis=-1)
        return dict(zip(QUESTIONS, (VOCABULARY[token] for token in tokens), strict=True))

    @property
    def right(self):
        """In how many of the ten sentences, five and their exchanges, it is right, int (4,)."""
        batch, trace = _everything()
        return (self._logits(trace).argmax(axis=-1) == batch.labels).sum(axis=0)

    @property
    def numbers(self):
        """Every number that is shown, by the name it has in the page, computed by attnlib."""
        model, batch, trace = role_weights.trained(), self._batch(), _read(self.words)
        A, shares, r = trace.weights[0], self.shares, self.feature - 1
        logits, x = self._logits(trace)[0], trace.attention.X[0, batch.verb[0]]
        Z = np.where(self.heads[:, None], trace.attention.Z[0, :, batch.verb[0]], 0)  # (H, d_h)
        concat = Z.reshape(-1) @ model.params["W_O"] + shares[~self.heads].sum(axis=0)
        return {
            "norm_o": float(np.linalg.norm(shares.sum(axis=0))),
            "norm_x": float(np.linalg.norm(x)),
            "o": float(shares.sum(axis=0)[r]),
            "concat": float(concat[r]),
            **sentence.entries(
                A=A.T,
                sum=A.sum(axis=-1),
                norm=np.linalg.norm(shares, axis=-1),
                stream=np.linalg.norm(x + np.cumsum(shares, axis=0), axis=-1),
                share=shares[:, r],
                so_far=np.cumsum(shares[:, r]),
                p=softmax(logits)[np.arange(len(QUESTIONS)), batch.labels[0]],
                answer=logits.argmax(axis=-1),
                right=self.right,
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
                f"{self.right[q - 1]}",
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
                        both("right, of 10", "答对数（共 10 句）"),
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
                table(
                    both("Length of the stream", "残差流的长度"),
                    ["", both("norm", "范数")],
                    [
                        ("<i>x</i>", numbers["norm_x"]),
                        *(
                            (both("after", "加上") + f" {name}", numbers[f"stream-{h}"])
                            for h, name in zip(heads, names, strict=True)
                        ),
                    ],
                ),
            ]
        )

    def _batch(self):
        return encode_sentences([self.words])

    def _counted(self, shares):
        """The shares, with those of heads that are off replaced, (..., 4, 16)."""
        instead = role_weights.averages() if self.ablation == "mean" else 0.0
        return np.where(self.heads[:, None], shares, instead)

    def _logits(self, trace):
        """What the readout makes of these shares, (batch, 4, words)."""
        x = trace.y - trace.shares.sum(axis=1)
        y = x + self._counted(trace.shares).sum(axis=1)
        return (y @ role_weights.trained().params["readout"]).swapaxes(0, 1)


@cache
def _read(words):
    """The trace of one sentence, all heads on."""
    return role_weights.trained().forward(encode_sentences([words]))


@cache
def _everything():
    """The ten different sentences, as they are and exchanged, and their trace."""
    every = dict.fromkeys([*SENTENCES, *map(role_weights.exchanged, SENTENCES)])
    batch = encode_sentences(every)
    return batch, role_weights.trained().forward(batch)
