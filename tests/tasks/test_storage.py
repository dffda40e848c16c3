"""Models in data files: what is stored is the model with rounded weights, the same every time."""

import json

import numpy as np
import pytest

from attnlib.tasks.role_model import RoleModel
from attnlib.tasks.storage import packed, to_text, unpacked


@pytest.fixture
def model():
    return RoleModel.init(np.random.default_rng(3), n_heads=3, d_model=6)


def test_a_stored_model_is_the_model_in_whole_hundredths(model):
    again = unpacked(json.loads(to_text(packed(model))))
    assert again.n_heads == 3
    assert again.params.keys() == model.params.keys()
    for name, W in model.params.items():
        assert np.abs(again.params[name] - W).max() <= 0.005 + 1e-12
        np.testing.assert_array_equal(again.params[name], np.round(W, 2))
        assert again.params[name].dtype == np.float64
    assert to_text(packed(again)) == to_text(packed(model))


def test_every_entry_has_a_line_and_words_can_be_read():
    assert to_text({"a": [1, 2], "书": {"b": "笔"}}) == '{\n"a": [1,2],\n"书": {"b":"笔"}\n}\n'


def test_nothing_is_stored_as_minus_zero():
    shapes = RoleModel.init(np.random.default_rng(0), 2).params
    tiny = RoleModel({name: np.full_like(W, -1e-9) for name, W in shapes.items()}, 2)
    assert "-" not in to_text(packed(tiny))
