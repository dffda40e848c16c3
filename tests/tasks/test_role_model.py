"""The model of the role task: its gradients, its mask, its heads, and that training works."""

import numpy as np
import pytest
from gradient_check import assert_gradients_agree, numeric_gradients

from attnlib.tasks.role_model import RoleModel, train_role_model
from attnlib.tasks.roles import N_SLOTS, VERB_SLOT, VOCABULARY, Batch, make_sentences


def random_model(seed=0, n_heads=2, d_model=6):
    return RoleModel.init(np.random.default_rng(seed), n_heads, d_model)


@pytest.fixture(scope="module")
def batch():
    return make_sentences(np.random.default_rng(21), 13)


# --- forward ------------------------------------------------------------------------------------


def test_the_number_of_heads_changes_no_shape_and_no_starting_weight():
    models = [RoleModel.init(np.random.default_rng(3), n_heads) for n_heads in (1, 2, 4)]
    sizes = {sum(W.size for W in model.params.values()) for model in models}
    assert len(sizes) == 1
    for other in models[1:]:
        assert other.params.keys() == models[0].params.keys()
        for name, W in models[0].params.items():
            assert np.array_equal(other.params[name], W), name


def test_the_model_is_embedding_attention_residual_and_readout(batch):
    model = random_model()
    p, trace = model.params, model.forward(batch)
    assert trace.logits.shape == (13, 4, len(VOCABULARY))
    for b in range(len(batch)):
        words = batch.mask[b]
        X = p["token_embedding"][batch.tokens[b][words]]
        X = X + p["position_embedding"][batch.positions[b][words] + VERB_SLOT]
        Y = X + model.attention(X)  # the sentence alone, without padding
        y = Y[batch.verb[b]]
        np.testing.assert_allclose(trace.y[b], y, rtol=1e-12, atol=1e-14)
        for q in range(4):
            np.testing.assert_allclose(trace.logits[b, q], y @ p["readout"][q], atol=1e-13)


def test_weights_at_the_verb_sum_to_one_and_padding_gets_none(batch):
    model = random_model()
    trace = model.forward(batch)
    assert trace.weights.shape == (13, 2, N_SLOTS)
    np.testing.assert_allclose(trace.weights.sum(axis=-1), 1, rtol=1e-14)
    hidden = np.broadcast_to(~batch.mask[:, None, :], trace.weights.shape)
    assert hidden.any()
    assert np.all(trace.weights[hidden] == 0)
    for b, verb in enumerate(batch.verb):
        assert np.array_equal(trace.weights[b], trace.attention.A[b, :, verb])


def test_what_stands_in_the_padding_influences_nothing(batch):
    rng = np.random.default_rng(1)
    other = Batch(
        tokens=np.where(batch.mask, batch.tokens, rng.integers(1, 80, batch.tokens.shape)),
        positions=np.where(batch.mask, batch.positions, 3),
        mask=batch.mask,
        verb=batch.verb,
        labels=batch.labels,
        where=batch.where,
    )
    assert not np.array_equal(other.tokens, batch.tokens)
    model = random_model()
    assert np.array_equal(model.forward(other).logits, model.forward(batch).logits)
    loss, gradients = model.loss_and_gradients(batch)
    other_loss, other_gradients = model.loss_and_gradients(other)
    assert other_loss == loss
    for name in gradients:
        np.testing.assert_allclose(other_gradients[name], gradients[name], atol=1e-15)


def test_shares_of_the_heads_add_up_to_the_output(batch):
    trace = random_model(n_heads=3).forward(batch)
    O = trace.attention.O[np.arange(len(batch)), batch.verb]  # noqa: E741
    assert trace.shares.shape == (13, 3, 6)
    np.testing.assert_allclose(trace.shares.sum(axis=1), O, rtol=1e-12, atol=1e-15)


def test_weights_on_answers_are_averages_over_sentences(batch):
    model = random_model(n_heads=3)
    expected = np.zeros((3, 4))
    weights = model.forward(batch).weights
    for b in range(len(batch)):
        for h, q in np.ndindex(3, 4):
            (column,) = np.flatnonzero((batch.tokens[b] == batch.labels[b, q]) & batch.mask[b])
            expected[h, q] += weights[b, h, column] / len(batch)
    np.testing.assert_allclose(model.weights_on_answers(batch), expected, rtol=1e-13)


def test_a_head_switched_off_takes_its_share_with_it(batch):
    model = random_model(n_heads=3)
    whole = model.forward(batch)
    without = model.forward(batch, heads=[True, False, True])
    np.testing.assert_allclose(without.y, whole.y - whole.shares[:, 1], atol=1e-14)
    assert np.all(without.shares[:, 1] == 0)
    assert np.array_equal(without.shares[:, [0, 2]], whole.shares[:, [0, 2]])
    assert not np.allclose(without.logits, whole.logits)
    same = model.forward(batch, heads=[True] * 3)
    assert np.array_equal(same.logits, whole.logits)


def test_without_any_head_only_the_verb_is_left(batch):
    model = random_model()
    y = model.forward(batch, heads=[False, False]).y
    p = model.params
    verbs = batch.tokens[np.arange(len(batch)), batch.verb]
    expected = p["token_embedding"][verbs] + p["position_embedding"][VERB_SLOT]
    np.testing.assert_allclose(y, expected, rtol=1e-15)


def test_accuracy_counts_right_answers(batch):
    model = random_model()
    answers = model.answers(batch)
    assert answers.shape == (13, 4)
    assert np.array_equal(answers, model.forward(batch).logits.argmax(axis=-1))
    accuracy = model.accuracy(Batch(**vars(batch) | {"labels": answers}))
    assert np.array_equal(accuracy, [1, 1, 1, 1])
    labels = answers.copy()
    labels[:5, 2] += 1
    accuracy = model.accuracy(Batch(**vars(batch) | {"labels": labels}))
    np.testing.assert_allclose(accuracy, [1, 1, 8 / 13, 1])


# --- loss and gradients -------------------------------------------------------------------------


def test_a_readout_of_nothing_costs_log_of_the_vocabulary_for_each_question(batch):
    model = random_model()
    params = model.params | {"readout": np.zeros_like(model.params["readout"])}
    loss, _ = RoleModel(params, 2).loss_and_gradients(batch)
    assert loss == pytest.approx(4 * np.log(len(VOCABULARY)), rel=1e-14)


@pytest.mark.parametrize("n_heads", [1, 3])
def test_gradients_of_the_whole_model_equal_central_differences(batch, n_heads):
    model = random_model(seed=5, n_heads=n_heads)
    _, gradients = model.loss_and_gradients(batch)
    numeric = numeric_gradients(
        lambda params: RoleModel(params, n_heads).loss_and_gradients(batch)[0],
        model.params,
        np.random.default_rng(6),
        n_entries=40,
    )
    assert_gradients_agree(gradients, numeric)
    for name, W in model.params.items():
        assert gradients[name].shape == W.shape, name


def test_words_that_do_not_occur_have_gradient_zero(batch):
    _, gradients = random_model().loss_and_gradients(batch)
    absent = np.setdiff1d(np.arange(len(VOCABULARY)), batch.tokens[batch.mask])
    present = np.unique(batch.tokens[batch.mask])
    assert len(absent) > 5
    assert np.all(gradients["token_embedding"][absent] == 0)
    assert np.all(np.abs(gradients["token_embedding"][present]).max(axis=1) > 0)


# --- training -----------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_history_and_another_seed_another():
    runs = [train_role_model(np.random.default_rng(seed), 2, 12) for seed in (0, 0, 1)]
    (first, losses), (again, same_losses), (_, other_losses) = runs
    assert np.array_equal(losses, same_losses)
    assert not np.array_equal(losses, other_losses)
    for name, W in first.params.items():
        assert np.array_equal(again.params[name], W), name
    assert first.n_heads == 2
    assert losses.shape == (12,)


def test_no_steps_give_the_random_start():
    model, losses = train_role_model(np.random.default_rng(4), 4, 0)
    start = RoleModel.init(np.random.default_rng(4), 4)
    assert len(losses) == 0
    for name, W in start.params.items():
        assert np.array_equal(model.params[name], W), name


def test_the_learning_rate_is_used():
    slow, fast = (
        train_role_model(np.random.default_rng(0), 2, 30, learning_rate=rate)[1][-1]
        for rate in (1e-4, 1e-2)
    )
    assert fast < slow


# Measured over the seeds 0 to 19, on 2,000 sentences, worst of the four answers after 1,000 steps:
# one head .04 to .50, four heads .84 to 1.0. Other machines round differently and end elsewhere in
# these ranges, so the bounds below leave room.
@pytest.fixture(scope="module")
def trained():
    return {
        n_heads: train_role_model(np.random.default_rng(0), n_heads, 1000) for n_heads in (1, 4)
    }


@pytest.fixture(scope="module")
def unseen():
    return make_sentences(np.random.default_rng(2024), 500)


@pytest.mark.claim("8.1")
def test_four_heads_learn_in_a_thousand_steps_what_one_head_does_not_yet(trained, unseen):
    one, four = (trained[n_heads][0].accuracy(unseen) for n_heads in (1, 4))
    assert four.min() > 0.7
    assert one.min() < 0.65
    assert one.max() > 0.8  # it does learn
    for model, losses in trained.values():
        assert losses[0] > 15  # 4 · log 82 = 17.6 for guessing
        assert losses[-50:].mean() < 6
        assert model.accuracy(unseen).max() > 0.8


def test_an_untrained_model_and_one_without_its_heads_only_guess(trained, unseen):
    untrained = RoleModel.init(np.random.default_rng(0), 4)
    assert untrained.accuracy(unseen).max() < 0.2  # measured: .06
    model = trained[4][0]
    assert model.accuracy(unseen, heads=[False] * 4).max() < 0.3  # 1 of 8 time words


@pytest.mark.claim("8.7")
def test_switching_off_one_head_can_cost_an_answer(trained, unseen):
    model = trained[4][0]
    worst = [model.accuracy(unseen, heads=np.arange(4) != h).min() for h in range(4)]
    assert min(worst) < 0.5  # measured over the seeds 0 to 3: .03 to .05


@pytest.mark.claim("8.7")
def test_heads_look_at_the_answers_after_training(trained, unseen):
    # The head that looks most at an answer: seeds 0 to 3, mean of the four questions, .62 to .96
    # after training, .12 before. For a single question it can be .25 although the answer is right.
    assert trained[4][0].weights_on_answers(unseen).max(axis=0).mean() > 0.4
    untrained = RoleModel.init(np.random.default_rng(0), 4)
    assert untrained.weights_on_answers(unseen).max() < 0.25


# --- bad input ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("heads", "error", "message"),
    [
        ([True], ValueError, r"heads has shape \(1,\); there are 2 heads"),
        ([[True, True]], ValueError, r"heads has shape \(1, 2\)"),
        ([1, 0], TypeError, "heads has dtype int64; give one bool for each head"),
    ],
)
def test_heads_are_switched_by_one_bool_each(batch, heads, error, message):
    with pytest.raises(error, match=message):
        random_model().forward(batch, heads)


def test_other_arguments_are_refused_by_name():
    with pytest.raises(ValueError, match="n_heads = 3 does not divide d_model = 16"):
        RoleModel.init(np.random.default_rng(0), 3)
    with pytest.raises(TypeError, match=r"rng must be a numpy\.random\.Generator"):
        RoleModel.init(0, 2)
    with pytest.raises(TypeError, match="n_heads must be an integer"):
        train_role_model(np.random.default_rng(0), 2.0, 5)


def test_no_sentences_give_empty_answers_but_no_average():
    empty, model = make_sentences(np.random.default_rng(0), 0), random_model()
    assert model.answers(empty).shape == (0, 4)
    for average in (model.accuracy, model.loss_and_gradients, model.weights_on_answers):
        with pytest.raises(ValueError, match="the batch has no sentences"):
            average(empty)
