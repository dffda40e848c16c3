"""Heads made by hand find giver, thing, receiver and time word in every sentence of the form."""

import numpy as np
import pytest

from attnlib.tasks.hand_made import hand_made_model
from attnlib.tasks.roles import DOCUMENT_SENTENCE, VOCABULARY, encode_sentences, make_sentences


@pytest.fixture(scope="module")
def sentences():
    return make_sentences(np.random.default_rng(4), 400)


def test_heads_made_by_hand_answer_every_question(sentences):
    assert np.array_equal(hand_made_model().accuracy(sentences), [1, 1, 1, 1])


@pytest.mark.claim("8.1")
def test_each_head_attends_to_the_word_that_answers_its_question(sentences):
    weights = hand_made_model().forward(sentences).weights
    looked_at = np.take_along_axis(sentences.tokens, weights.argmax(axis=-1), axis=1)
    assert np.array_equal(looked_at, sentences.labels)
    assert weights.max(axis=-1).min() > 0.999


def test_they_read_the_sentence_of_the_document():
    batch = encode_sentences([DOCUMENT_SENTENCE])
    answers = hand_made_model().answers(batch)[0]
    assert [VOCABULARY[token] for token in answers] == ["小明", "书", "小红", "昨天"]


@pytest.mark.claim("8.1")
@pytest.mark.parametrize("off", range(4))
def test_without_its_head_a_question_is_lost_and_no_other(sentences, off):
    accuracy = hand_made_model().accuracy(sentences, heads=np.arange(4) != off)
    assert accuracy[off] < 0.15  # one word of 24 for everybody, or none at all
    assert np.all(np.delete(accuracy, off) == 1)


def test_without_any_sharpness_giver_and_receiver_cannot_be_told_apart(sentences):
    giver, thing, receiver, time = hand_made_model(sharpness=0).accuracy(sentences)
    assert thing == time == 1  # there is only one thing and one time word to mix in
    assert 0.3 < giver < 0.7
    assert 0.3 < receiver < 0.7
