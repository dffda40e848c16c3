"""Sentences of the role task: their form, their exact labels and what pads them."""

import re

import numpy as np
import pytest

from attnlib.tasks import roles
from attnlib.tasks.roles import (
    DOCUMENT_SENTENCE,
    GLOSSES,
    N_SLOTS,
    QUESTIONS,
    VERB_SLOT,
    VOCABULARY,
    WORDS,
    encode_sentences,
    make_sentences,
    tokens_of,
    write_out,
)


def one_of(word_class):
    return "(?:" + "|".join(WORDS[word_class]) + ")"


FORM = re.compile(
    rf"(?P<giver_modifier>{one_of('person modifier')} )?(?P<giver>{one_of('name')}) "
    rf"把 (?P<time>{one_of('time')}) (?P<thing_modifier>{one_of('thing modifier')} )?"
    rf"(?P<thing>{one_of('thing')}) {one_of('verb')} 给了 "
    rf"(?P<receiver_modifier>{one_of('person modifier')} )?(?P<receiver>{one_of('name')})"
)


@pytest.fixture(scope="module")
def sentences():
    return make_sentences(np.random.default_rng(5), 2000)


def parse(batch, i):
    return FORM.fullmatch(" ".join(batch.words(i)))


def test_the_vocabulary_has_24_names_and_24_things_and_a_gloss_for_every_word():
    assert len(WORDS["name"]) == len(WORDS["thing"]) == 24
    assert all(len(WORDS[kind]) >= 4 for kind in ("verb", "time"))
    assert len(set(VOCABULARY)) == len(VOCABULARY) == sum(map(len, WORDS.values()))
    assert set(GLOSSES) == set(VOCABULARY)
    assert all(gloss.strip() for gloss in GLOSSES.values())
    assert all(len(set(words.values())) == len(words) for words in WORDS.values())


def test_the_sentence_of_the_document_is_one_of_them():
    batch = encode_sentences([DOCUMENT_SENTENCE])
    assert batch.words(0) == DOCUMENT_SENTENCE
    assert [VOCABULARY[token] for token in batch.labels[0]] == ["小明", "书", "小红", "昨天"]
    assert batch.positions[0].tolist() == [-5, -4, -3, -2, -1, 0, 1, 2, 3, 0]
    assert batch.where[0].tolist() == [0, 4, 8, 2]
    assert batch.mask[0].tolist() == [True] * 9 + [False]
    assert VOCABULARY[batch.tokens[0, batch.verb[0]]] == "送"
    assert write_out(DOCUMENT_SENTENCE) == "小明把昨天买的书送给了正在复习的小红。"


def test_every_sentence_has_the_form_and_its_labels_are_its_words(sentences):
    for i in range(len(sentences)):
        match = parse(sentences, i)
        assert match, sentences.words(i)
        answers = tuple(VOCABULARY[token] for token in sentences.labels[i])
        assert answers == tuple(match[question] for question in QUESTIONS)
        assert match["giver"] != match["receiver"]
        words = sentences.words(i)
        assert tuple(words[column] for column in sentences.where[i]) == answers


def test_every_modifier_comes_and_goes_independently(sentences):
    matches = [parse(sentences, i) for i in range(len(sentences))]
    names = ("giver_modifier", "thing_modifier", "receiver_modifier")
    present = np.array([[match[name] is not None for name in names] for match in matches])
    _, counts = np.unique(present, axis=0, return_counts=True)
    # 8 combinations of expected frequency 1/8 = .125, standard deviation .0074
    assert len(counts) == 8
    assert np.all(np.abs(counts / len(matches) - 0.125) < 0.03)


def test_every_word_of_a_class_is_drawn_and_every_pair_of_names_can_meet(sentences):
    seen = sentences.tokens[sentences.mask]
    assert set(seen) == set(range(len(VOCABULARY)))
    many = make_sentences(np.random.default_rng(6), 20_000).labels
    assert len({tuple(pair) for pair in many[:, [0, 2]]}) == 24 * 23


def test_positions_count_from_the_verb_and_do_not_give_the_answers_away(sentences):
    rows = np.arange(len(sentences))
    assert np.all(sentences.positions[rows, sentences.verb] == 0)
    assert set(sentences.tokens[rows, sentences.verb]) == set(tokens_of("verb"))
    steps = np.diff(sentences.positions, axis=1)
    assert np.all(steps[sentences.mask[:, 1:]] == 1)
    assert sentences.positions.min() == -VERB_SLOT == -6
    assert sentences.positions.max() == N_SLOTS - 1 - VERB_SLOT == 3
    at = sentences.positions[rows[:, None], sentences.where]
    where = {question: set(at[:, q].tolist()) for q, question in enumerate(QUESTIONS)}
    assert where == {"giver": {-5, -4}, "thing": {-1}, "receiver": {2, 3}, "time": {-3, -2}}


def test_padding_stands_at_the_right_end_only(sentences):
    lengths = sentences.mask.sum(axis=1)
    assert set(lengths) == {7, 8, 9, 10}
    assert np.all(sentences.mask == (np.arange(N_SLOTS) < lengths[:, None]))
    assert not sentences.tokens[~sentences.mask].any()
    assert not sentences.positions[~sentences.mask].any()
    assert len(sentences) == 2000


def test_encoding_the_words_of_a_sentence_gives_its_arrays_again(sentences):
    again = encode_sentences(sentences.words(i) for i in range(50))
    for name in ("tokens", "positions", "mask", "verb", "labels", "where"):
        assert np.array_equal(getattr(again, name), getattr(sentences, name)[:50]), name


def test_no_sentences_are_a_batch_of_length_zero():
    for empty in (encode_sentences([]), make_sentences(np.random.default_rng(0), 0)):
        assert len(empty) == 0
        assert empty.tokens.shape == (0, N_SLOTS)
        assert empty.labels.shape == (0, len(QUESTIONS))


def test_a_time_word_directly_before_the_thing_is_written_with_de():
    words = ("爱笑的", "小华", "把", "去年", "风筝", "卖", "给了", "小丽")
    assert encode_sentences([words]).words(0) == words
    assert write_out(words) == "爱笑的小华把去年的风筝卖给了小丽。"


def test_the_same_seed_gives_the_same_sentences_and_another_seed_others():
    first, again, other = (make_sentences(np.random.default_rng(s), 30).tokens for s in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["小明"], "found the end where the object marker must stand; choose one of 把"),
        ([], "found the end where the giver must stand"),
        (["书", *DOCUMENT_SENTENCE[1:]], "found '书' where the giver must stand"),
        ([*DOCUMENT_SENTENCE[:3], "红的", "书"], "found '红的' where the thing must stand"),
        ([*DOCUMENT_SENTENCE, "书"], "'书' follows the receiver"),
        ([*DOCUMENT_SENTENCE[:-1], "小明"], "giver and receiver must differ"),
    ],
)
def test_words_of_another_form_are_refused(words, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        encode_sentences([DOCUMENT_SENTENCE, words])


def test_other_arguments_are_refused_by_name():
    with pytest.raises(ValueError, match="word_class is 'colour'"):
        tokens_of("colour")
    with pytest.raises(TypeError, match="n_sentences must be an integer"):
        make_sentences(np.random.default_rng(0), 2.5)
    with pytest.raises(ValueError, match="n_sentences must be at least 0"):
        make_sentences(np.random.default_rng(0), -1)


def test_the_tables_of_words_cannot_be_changed():
    with pytest.raises(TypeError):
        roles.GLOSSES["书"] = "tree"
    with pytest.raises(TypeError):
        roles.WORDS["name"]["小明"] = "Someone"
