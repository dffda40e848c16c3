"""The role task: who gave what to whom, and which time word was said, all read at the verb.

Every sentence has the form ::

    [modifier] A 把 time [modifier] thing verb 给了 [modifier] B

Giver and receiver come from the same 24 names, so the words alone do not tell them apart. The
position relative to the verb is the only position information, and the optional modifiers
(bracketed) shift giver, time word and receiver, so the position alone does not find them either.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from attnlib._checks import check_integer

Words = Sequence[str]


def _glossed(entries: str) -> Mapping[str, str]:
    return MappingProxyType(dict(entry.split(maxsplit=1) for entry in entries.split(",")))


WORDS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "name": _glossed(
            "小明 Xiaoming, 小红 Xiaohong, 小华 Xiaohua, 小丽 Xiaoli, 小刚 Xiaogang,"
            "小强 Xiaoqiang, 小芳 Xiaofang, 小军 Xiaojun, 小燕 Xiaoyan, 小云 Xiaoyun,"
            "小梅 Xiaomei, 小兰 Xiaolan, 小雨 Xiaoyu, 小雪 Xiaoxue, 小杰 Xiaojie, 小伟 Xiaowei,"
            "小龙 Xiaolong, 小玲 Xiaoling, 小辉 Xiaohui, 小青 Xiaoqing, 小文 Xiaowen,"
            "小宁 Xiaoning, 小月 Xiaoyue, 小峰 Xiaofeng"
        ),
        "thing": _glossed(
            "书 book, 笔 pen, 伞 umbrella, 花 flower, 地图 map, 照片 photo, 杯子 cup, 帽子 hat,"
            "围巾 scarf, 手套 gloves, 书包 school bag, 本子 notebook, 词典 dictionary,"
            "日历 calendar, 钥匙 key, 相机 camera, 耳机 headphones, 邮票 stamp, 风筝 kite,"
            "球拍 racket, 吉他 guitar, 口琴 harmonica, 拼图 jigsaw, 蛋糕 cake"
        ),
        "verb": _glossed(
            "送 give, 借 lend, 寄 post, 还 return, 卖 sell, 递 pass, 交 hand over, 留 leave"
        ),
        "time": _glossed(
            "昨天 yesterday, 前天 two days ago, 今天 today, 今早 this morning, 昨晚 last night,"
            "上周 last week, 上个月 last month, 去年 last year"
        ),
        "person modifier": _glossed(
            "正在复习的 who is revising, 刚下课的 just out of class, 爱笑的 who likes to laugh,"
            "戴眼镜的 with glasses, 住隔壁的 from next door, 新来的 newly arrived,"
            "正在排队的 who is queueing, 刚回家的 just back home"
        ),
        "thing modifier": _glossed(
            "买的 bought, 借来的 borrowed, 找到的 found, 收到的 received, 带来的 brought,"
            "选好的 chosen, 包好的 wrapped, 拿来的 fetched"
        ),
        "object marker": _glossed("把 (object marker)"),
        "to": _glossed("给了 to (done)"),
    }
)
"""Every word of the task with its English gloss, by word class."""

VOCABULARY: tuple[str, ...] = tuple(word for words in WORDS.values() for word in words)
GLOSSES: Mapping[str, str] = MappingProxyType(
    {word: gloss for words in WORDS.values() for word, gloss in words.items()}
)
WORD_CLASSES: Mapping[str, str] = MappingProxyType(
    {word: word_class for word_class, words in WORDS.items() for word in words}
)

SLOTS: Mapping[str, str] = MappingProxyType(
    {
        "giver modifier": "person modifier",
        "giver": "name",
        "object marker": "object marker",
        "time": "time",
        "thing modifier": "thing modifier",
        "thing": "thing",
        "verb": "verb",
        "to": "to",
        "receiver modifier": "person modifier",
        "receiver": "name",
    }
)
"""The places of a sentence, in order, and the word class that fills each."""

OPTIONAL_SLOTS = ("giver modifier", "thing modifier", "receiver modifier")
QUESTIONS = ("giver", "thing", "receiver", "time")

N_SLOTS = len(SLOTS)
VERB_SLOT = tuple(SLOTS).index("verb")

DOCUMENT_SENTENCE = ("小明", "把", "昨天", "买的", "书", "送", "给了", "正在复习的", "小红")

_ID = MappingProxyType({word: token for token, word in enumerate(VOCABULARY)})
_ABSENT = -1


@dataclass(frozen=True, eq=False)
class Batch:
    """Sentences of the role task as arrays, padded on the right to ``n = N_SLOTS`` places.

    Attributes
    ----------
    tokens : (batch, n) int array
        Indices into ``VOCABULARY``. Padding holds 0; nothing may depend on it, see ``mask``.
    positions : (batch, n) int array
        Position relative to the verb, from ``-VERB_SLOT`` to ``N_SLOTS - 1 - VERB_SLOT``; padding
        holds 0.
    mask : (batch, n) bool array
        True where there is a word: the positions that may be attended to.
    verb : (batch,) int array
        The column in which the verb stands, where the four questions are read.
    labels : (batch, 4) int array
        The exact answers as tokens, in the order of ``QUESTIONS``.
    where : (batch, 4) int array
        The columns in which these answers stand.
    """

    tokens: np.ndarray
    positions: np.ndarray
    mask: np.ndarray
    verb: np.ndarray
    labels: np.ndarray
    where: np.ndarray

    def __len__(self) -> int:
        return len(self.tokens)

    def words(self, i: int) -> tuple[str, ...]:
        """The words of sentence ``i``, without padding."""
        return tuple(VOCABULARY[token] for token in self.tokens[i][self.mask[i]])


def tokens_of(word_class: str) -> np.ndarray:
    """Return all tokens of one word class, for example ``tokens_of("name")``.

    Parameters
    ----------
    word_class : str
        A key of ``WORDS``.

    Returns
    -------
    ndarray of int, shape (count,)

    Raises
    ------
    ValueError
        If there is no such word class.
    """
    if word_class not in WORDS:
        raise ValueError(f"word_class is {word_class!r}; the classes are {', '.join(WORDS)}")
    return np.array([_ID[word] for word in WORDS[word_class]])


def make_sentences(rng: np.random.Generator, n_sentences: int) -> Batch:
    """Draw sentences; a modifier is there with probability 1/2 (Claims 8.1 and 8.7).

    Parameters
    ----------
    rng : numpy.random.Generator
    n_sentences : int

    Returns
    -------
    Batch
        Each word is drawn uniformly from its class; giver and receiver always differ.

    Raises
    ------
    TypeError
        If `n_sentences` is not an integer.
    ValueError
        If `n_sentences` is negative.
    """
    n_sentences = check_integer("n_sentences", n_sentences, least=0)
    slots = np.stack(
        [rng.choice(tokens_of(word_class), n_sentences) for word_class in SLOTS.values()], axis=1
    )
    names, giver, receiver = tokens_of("name"), _column("giver"), _column("receiver")
    # A shift by 1 to 23 around the circle of names never comes back to the giver.
    shift = rng.integers(1, len(names), n_sentences)
    slots[:, receiver] = names[(slots[:, giver] - names[0] + shift) % len(names)]
    for slot in OPTIONAL_SLOTS:
        slots[rng.random(n_sentences) < 0.5, _column(slot)] = _ABSENT
    return _batch(slots)


def encode_sentences(sentences: Iterable[Words]) -> Batch:
    """Turn sentences, given as sequences of words, into a `Batch`.

    Parameters
    ----------
    sentences : iterable of sequences of str
        For example ``[DOCUMENT_SENTENCE]``.

    Returns
    -------
    Batch

    Raises
    ------
    ValueError
        If a sentence does not have the form of the task or giver and receiver are the same; the
        message names the sentence and the first word that does not fit.
    """
    slots = [_fill_slots(tuple(words)) for words in sentences]
    return _batch(np.array(slots, dtype=int).reshape(len(slots), N_SLOTS))


def write_out(words: Words) -> str:
    """Write the words as a Chinese sentence.

    A time word directly before the thing takes 的 (昨天的书), which is no token of the task.
    """
    text = ""
    for word, following in zip(words, (*words[1:], ""), strict=True):
        bare = WORD_CLASSES.get(word) == "time" and WORD_CLASSES.get(following) == "thing"
        text += word + "的" * bare
    return text + "。"


def _column(slot: str) -> int:
    return tuple(SLOTS).index(slot)


def _fill_slots(words: tuple[str, ...]) -> list[int]:
    slots, rest = [], list(words)
    for slot, word_class in SLOTS.items():
        if rest and WORD_CLASSES.get(rest[0]) == word_class:
            slots.append(_ID[rest.pop(0)])
        elif slot in OPTIONAL_SLOTS:
            slots.append(_ABSENT)
        else:
            found = repr(rest[0]) if rest else "the end"
            raise ValueError(
                f"sentence {''.join(words)!r}: found {found} where the {slot} must stand; choose "
                f"one of {', '.join(WORDS[word_class])}"
            )
    if rest:
        raise ValueError(f"sentence {''.join(words)!r}: {rest[0]!r} follows the receiver")
    if slots[_column("giver")] == slots[_column("receiver")]:
        raise ValueError(f"sentence {''.join(words)!r}: giver and receiver must differ")
    return slots


def _batch(slots: np.ndarray) -> Batch:
    present = slots != _ABSENT
    # A stable sort moves the empty places to the right end and keeps the order of the words.
    order = np.argsort(~present, axis=1, kind="stable")
    mask = np.take_along_axis(present, order, axis=1)
    # The column of a word is the number of words before it.
    columns = np.cumsum(present, axis=1) - present
    verb, asked = columns[:, VERB_SLOT], [_column(question) for question in QUESTIONS]
    return Batch(
        tokens=np.where(mask, np.take_along_axis(slots, order, axis=1), 0),
        positions=np.where(mask, np.arange(N_SLOTS) - verb[:, None], 0),
        mask=mask,
        verb=verb,
        labels=slots[:, asked],
        where=columns[:, asked],
    )
