"""The running example has the properties that the chapters build on."""

import numpy as np
import pytest

from attnlib import self_attention
from attnlib.example import running_example


def test_all_sizes_differ():
    X, W_Q, W_K, W_V = running_example()[2:]
    assert X.shape == (5, 4)
    assert W_Q.shape == W_K.shape == (4, 3)
    assert W_V.shape == (4, 2)


def test_a_call_returns_arrays_of_its_own():
    running_example().X[:] = 0
    assert running_example().X.any()


@pytest.mark.claim("3.3")
def test_scores_are_small_integers_and_not_symmetric():
    example = running_example()
    S = self_attention(*example[2:]).S
    assert np.array_equal(S, S.round())
    assert np.abs(S).max() <= 4
    assert not np.allclose(S, S.T)


def test_the_verb_attends_most_to_giver_and_thing_and_no_row_is_saturated():
    example = running_example()
    A = self_attention(*example[2:]).A
    verb = example.tokens.index("送给")
    assert set(np.argsort(A[verb])[-3:]) == {0, 2, 4}
    assert A.max() < 0.5


def test_the_particle_asks_for_nothing_and_attends_to_all_alike():
    example = running_example()
    trace = self_attention(*example[2:])
    particle = example.tokens.index("把")
    assert not trace.Q[particle].any()
    assert np.allclose(trace.A[particle], 1 / 5)


def test_the_value_of_the_particle_lies_inside_the_hull_of_the_others():
    example = running_example()
    V = self_attention(*example[2:]).V
    corners = V[[0, 2, 3, 4]]
    angles = np.unwrap(np.sort(np.arctan2(*(corners - V[1]).T[::-1])))
    gaps = np.diff(np.append(angles, angles[0] + 2 * np.pi))
    assert gaps.max() < np.pi
