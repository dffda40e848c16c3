"""Adam and the loop: against the paper's algorithm, and on a small task of its own."""

import numpy as np
import pytest
from gradient_check import assert_gradients_agree, numeric_gradients

from attnlib.tasks.training import AdamState, adam_step, cross_entropy, train


def adam_by_hand(theta, gradients, rate=3e-3, beta_1=0.9, beta_2=0.999, epsilon=1e-8):
    """Algorithm 1 of the paper for a single number, line by line."""
    m = v = 0.0
    for t, g in enumerate(gradients, start=1):
        m = beta_1 * m + (1 - beta_1) * g
        v = beta_2 * v + (1 - beta_2) * g**2
        m_hat = m / (1 - beta_1**t)
        v_hat = v / (1 - beta_2**t)
        theta = theta - rate * m_hat / (v_hat**0.5 + epsilon)
    return theta


def test_adam_is_the_algorithm_of_the_paper():
    rng = np.random.default_rng(0)
    params = {"a": rng.standard_normal((2, 3)), "b": rng.standard_normal(4)}
    start = {name: param.copy() for name, param in params.items()}
    history = [
        {name: rng.standard_normal(param.shape) * 10 for name, param in params.items()}
        for _ in range(5)
    ]
    state = AdamState.start(params)
    for gradients in history:
        params, state = adam_step(params, gradients, state)
    assert state.step == 5
    for name, param in start.items():
        for index in np.ndindex(param.shape):
            expected = adam_by_hand(param[index], [g[name][index] for g in history])
            assert params[name][index] == pytest.approx(expected, rel=1e-13)


def test_the_options_of_adam_are_used():
    params, gradients = {"a": np.array([1.0])}, [2.0, -1.0, 0.5]
    state, options = AdamState.start(params), (0.1, 0.5, 0.7, 1e-2)
    for g in gradients:
        params, state = adam_step(params, {"a": np.array([g])}, state, *options)
    assert params["a"][0] == pytest.approx(adam_by_hand(1.0, gradients, *options), rel=1e-14)


def test_adam_changes_neither_its_inputs_nor_their_dtype():
    params = {"a": np.ones((2, 3), np.float32)}
    gradients = {"a": np.full((2, 3), 2, np.float32)}
    state = AdamState.start(params)
    for array in (params["a"], gradients["a"], state.mean["a"], state.mean_square["a"]):
        array.flags.writeable = False
    moved, after = adam_step(params, gradients, state)
    assert moved["a"].dtype == after.mean["a"].dtype == np.float32
    assert np.all(params["a"] == 1)
    assert np.all(moved["a"] < 1)
    assert state.step == 0


def test_a_parameter_without_gradient_stays_where_it_is():
    params = {"a": np.array([1.5, -2.0])}
    moved, _ = adam_step(params, {"a": np.zeros(2)}, AdamState.start(params))
    assert np.array_equal(moved["a"], params["a"])


def quadratic(params, target):
    difference = params["a"] - target
    return float(np.sum(difference**2)), {"a": 2 * difference}


def test_the_loop_walks_down_and_returns_every_loss():
    start = {"a": np.array([3.0, -1.0])}
    params, losses = train(start, quadratic, lambda: np.array([0.5, 0.5]), 400, 0.05)
    assert losses.shape == (400,)
    assert losses[0] == 2.5**2 + 1.5**2
    assert losses[-1] < 1e-3
    assert np.allclose(params["a"], 0.5, atol=0.02)
    assert np.array_equal(start["a"], [3.0, -1.0])


def test_no_steps_change_nothing():
    start = {"a": np.array([3.0, -1.0])}
    params, losses = train(start, quadratic, lambda: 0.0, 0)
    assert params is start
    assert losses.shape == (0,)


def test_every_step_gets_the_next_batch_and_the_last_parameters():
    seen = []

    def loss_and_gradients(params, batch):
        seen.append((params["a"].item(), batch))
        return 1.0, {"a": np.ones(1)}

    batches = iter(range(3))
    train({"a": np.zeros(1)}, loss_and_gradients, lambda: next(batches), 3, 0.5)
    assert [batch for _, batch in seen] == [0, 1, 2]
    assert [value for value, _ in seen] == pytest.approx([0, -0.5, -1.0], abs=1e-6)


@pytest.mark.parametrize(
    ("gradients", "message"),
    [
        ({"b": np.zeros(2)}, r"params has \['a'\], gradients has \['b'\]"),
        ({}, r"gradients has \[\]"),
        ({"a": np.zeros((2, 1))}, r"params\['a'\] has shape \(2,\).*has shape \(2, 1\)"),
    ],
)
def test_gradients_that_do_not_fit_are_refused(gradients, message):
    params = {"a": np.zeros(2)}
    with pytest.raises(ValueError, match=message):
        adam_step(params, gradients, AdamState.start(params))


def test_steps_are_counted_in_whole_numbers():
    with pytest.raises(TypeError, match="steps must be an integer"):
        train({"a": np.zeros(2)}, quadratic, lambda: 0.0, 2.5)
    with pytest.raises(ValueError, match="steps must be at least 0"):
        train({"a": np.zeros(2)}, quadratic, lambda: 0.0, -1)


def test_models_side_by_side_each_have_their_loss():
    def loss_and_gradients(params, target):
        difference = params["a"] - target
        return np.sum(difference**2, axis=1), {"a": 2 * difference}

    start = {"a": np.array([[3.0, -1.0], [0.5, 2.5], [0.5, 0.5]])}
    params, losses = train(start, loss_and_gradients, lambda: 0.5, 400, 0.05)
    assert losses.shape == (400, 3)
    assert losses[0].tolist() == [2.5**2 + 1.5**2, 2.0**2, 0.0]
    assert np.allclose(params["a"], 0.5, atol=0.02)
    with pytest.raises(FloatingPointError, match=r"\[ 1\. nan\] at step 0"):
        train(
            start,
            lambda params, batch: (np.array([1.0, np.nan]), {"a": np.ones((3, 2))}),
            lambda: None,
            1,
        )


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_loss_that_is_not_finite_stops_the_training(bad):
    losses = iter([1.0, 0.5, bad])
    with pytest.raises(FloatingPointError, match=r"at step 2: .*smaller learning_rate than 0\.01"):
        train(
            {"a": np.zeros(2)},
            lambda params, batch: (next(losses), {"a": np.ones(2)}),
            lambda: None,
            9,
            0.01,
        )


def test_cross_entropy_is_minus_log_of_the_right_probabilities():
    rng = np.random.default_rng(0)
    logits, labels = rng.standard_normal((3, 4, 5)), rng.integers(5, size=(3, 4))
    expected = 0
    for b, q in np.ndindex(3, 4):
        p = np.exp(logits[b, q]) / np.exp(logits[b, q]).sum()
        expected -= np.log(p[labels[b, q]]) / 3
    loss, gradient = cross_entropy(logits, labels)
    assert loss == pytest.approx(expected, rel=1e-14)
    numeric = numeric_gradients(
        lambda p: cross_entropy(p["logits"], labels)[0], {"logits": logits}, rng, n_entries=60
    )
    assert_gradients_agree({"logits": gradient}, numeric)


def test_cross_entropy_of_hopeless_logits_stays_finite():
    logits = np.array([[1e4, 0.0, -1e4]])
    loss, gradient = cross_entropy(logits, np.array([2]))
    assert loss == 2e4
    assert np.array_equal(gradient, [[1, 0, -1]])
