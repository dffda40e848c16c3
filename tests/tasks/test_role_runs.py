"""The stored runs of the role task: what the tool follows, stores and gives back."""

import numpy as np
import pytest
import role_runs as tool

from attnlib.tasks import role_runs, storage
from attnlib.tasks.role_model import RoleModel, train_role_model
from attnlib.tasks.roles import QUESTIONS

SEEDS = 10


def test_a_run_that_is_followed_is_the_run_that_is_trained():
    followed = list(tool.follow(2, 7, steps=(5, 13)))
    for steps, model in zip((5, 13), followed, strict=True):
        rng = np.random.default_rng(7)
        trained, _ = train_role_model(rng, 2, steps, learning_rate=tool.LEARNING_RATE)
        assert model.n_heads == 2
        for name, W in trained.params.items():
            np.testing.assert_array_equal(model.params[name], W)


def test_the_file_says_how_it_was_made_and_is_what_would_be_written():
    stored = storage.read(role_runs.PATH)
    made = stored["made"]
    assert made["learning_rate"] == tool.LEARNING_RATE
    assert made["seeds"] == list(tool.SEEDS)
    assert made["one_head"] == tool.KEPT
    assert storage.to_text(stored) == role_runs.PATH.read_text(encoding="utf-8")


@pytest.mark.parametrize("n_heads", [1, 4])
def test_every_number_of_rounds_has_ten_runs(n_heads):
    right = role_runs.right_answers(n_heads)
    assert tuple(right) == tool.STEPS
    for shares in right.values():
        assert shares.shape == (SEEDS, len(QUESTIONS))
        assert ((shares >= 0) & (shares <= 1)).all()


# One seed of each, other than those that the chapter trains; the first row costs least.
@pytest.mark.parametrize(("n_heads", "seed"), [(1, 8), (4, 6)])
def test_a_run_comes_out_again(n_heads, seed):
    (model,) = tool.follow(n_heads, seed, steps=tool.STEPS[:1])
    expected = role_runs.right_answers(n_heads)[tool.STEPS[0]][seed]
    np.testing.assert_allclose(np.array(tool.right(model)) / 1000, expected, atol=0.005)


def test_the_model_that_is_kept_is_the_run_of_the_table_rounded():
    model, kept = role_runs.one_head(), tool.KEPT
    assert model.n_heads == kept["n_heads"] == 1
    for W in model.params.values():
        np.testing.assert_array_equal(W, W.round(2))
    expected = role_runs.right_answers(1)[kept["steps"]][kept["seed"]]
    np.testing.assert_allclose(model.accuracy(tool.new_sentences()), expected, atol=0.01)
    start = RoleModel.init(np.random.default_rng(0), 1)
    assert {name: W.shape for name, W in model.params.items()} == {
        name: W.shape for name, W in start.params.items()
    }


def test_the_docstring_of_training_quotes_the_table():
    notes = " ".join(train_role_model.__doc__.split())
    worst = {
        (n_heads, steps): np.sort(rows.min(axis=1))
        for n_heads in (1, 4)
        for steps, rows in role_runs.right_answers(n_heads).items()
    }

    def two(value):
        return f"{value:.2f}".removeprefix("0")

    one, four = worst[1, 500], worst[4, 500]
    assert f"one head {two(one[0])} to {two(one[-1])}, four heads {two(four[0])} to 1.0" in notes
    one = worst[1, 6000]
    assert f"one head {two(one[2])} to {two(one[-1])} in eight of the runs" in notes
    assert two(one[0]) == two(one[1]) == ".04"
    assert worst[4, 6000].min() == 1


def test_other_numbers_of_heads_are_refused():
    with pytest.raises(ValueError, match="n_heads is 3; there are runs with 1 and 4 heads"):
        role_runs.right_answers(3)
