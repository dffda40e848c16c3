"""The trained model of chapter 8's explorer: its data file, its answers, its heads."""

from itertools import combinations

import numpy as np
import pytest

from attnlib.explorers import HeadsExplorer
from attnlib.tasks import role_weights, storage
from attnlib.tasks.roles import DOCUMENT_SENTENCE, encode_sentences, make_sentences

SHOWN = encode_sentences(role_weights.SENTENCES)


@pytest.fixture
def explorer():
    one = HeadsExplorer()
    yield one
    one.close()


def all_but(h):
    return np.arange(4) != h


def test_the_data_file_says_how_it_was_made_and_is_what_would_be_written():
    made = storage.read(role_weights.PATH)["made"]
    assert made.keys() == {"command", "seed", "steps", "numpy"}
    text = role_weights.PATH.read_text(encoding="utf-8")
    assert role_weights.to_text(role_weights.trained(), made) == text


@pytest.mark.claim("8.7")
def test_the_averages_are_what_goes_with_a_head_on_the_sentences_of_the_chapter():
    model, new = role_weights.trained(), make_sentences(np.random.default_rng(2024), 1000)
    whole = model.forward(new).y
    gone = [(whole - model.forward(new, all_but(h)).y).mean(axis=0) for h in range(4)]
    np.testing.assert_allclose(role_weights.averages(), gone, atol=0.0501)


def test_exchanged_names_exchange_their_answers_and_nothing_else():
    other = encode_sentences(map(role_weights.exchanged, role_weights.SENTENCES))
    np.testing.assert_array_equal(other.labels, SHOWN.labels[:, [2, 1, 0, 3]])
    assert ((other.tokens != SHOWN.tokens).sum(axis=1) == 2).all()
    np.testing.assert_array_equal(role_weights.trained().answers(other), other.labels)


@pytest.mark.claim("8.1")
def test_with_all_heads_every_answer_is_right_and_on_new_sentences_nearly_every_one():
    model = role_weights.trained()
    assert model.n_heads == 4
    np.testing.assert_array_equal(model.answers(SHOWN), SHOWN.labels)
    assert model.accuracy(make_sentences(np.random.default_rng(11), 1000)).min() > 0.98


@pytest.mark.claim("8.7")
def test_every_head_is_needed_and_roles_overlap():
    model, new = role_weights.trained(), make_sentences(np.random.default_rng(12), 1000)
    lost = 1 - np.array([model.accuracy(new, all_but(h)) for h in range(4)])  # (head, question)
    assert (lost.max(axis=1) > 0.3).all()
    assert ((lost > 0.2).sum(axis=1) >= 2).sum() >= 2  # heads that serve several questions
    assert ((lost > 0.2).sum(axis=0) >= 2).sum() >= 2  # questions that need several heads


def test_it_starts_from_the_documents_sentence_with_all_heads_on(explorer):
    assert explorer.words == DOCUMENT_SENTENCE
    assert explorer.heads.all()
    expected = {"giver": "小明", "thing": "书", "receiver": "小红", "time": "昨天"}
    assert explorer.answers == expected
    assert explorer.weights.shape == (4, len(DOCUMENT_SENTENCE))
    np.testing.assert_allclose(explorer.weights.sum(axis=1), 1)


@pytest.mark.claim("8.7")
def test_a_head_that_is_off_keeps_its_weights_and_adds_nothing(explorer):
    weights, shares = explorer.weights, explorer.shares
    explorer.head_4 = "off"
    np.testing.assert_array_equal(explorer.weights, weights)
    np.testing.assert_array_equal(explorer.shares[:3], shares[:3])
    assert not explorer.shares[3].any()
    assert explorer.answers["thing"] != "书"


@pytest.mark.claim("8.5")
def test_the_shares_add_up_to_what_the_output_projection_makes_of_all_heads(explorer):
    for off in combinations(range(1, 5), 2):
        for h in range(1, 5):
            setattr(explorer, f"head_{h}", "off" if h in off else "on")
        numbers = explorer.numbers
        assert numbers["concat"] == pytest.approx(numbers["o"], abs=1e-12)
        assert numbers["so_far-4"] == pytest.approx(numbers["o"], abs=1e-12)
