"""Central differences: an independent oracle for gradients of parameters in a dict."""

import numpy as np


def numeric_gradients(loss, params, rng, n_entries=12, step=1e-5):
    """Return {name: (indices, derivatives)} for some entries of every parameter.

    The entries are drawn at random, all of them where an array has no more than `n_entries`.
    """
    result = {}
    for name, param in params.items():
        size = param.size
        chosen = rng.permutation(size)[:n_entries]
        derivatives = []
        for entry in chosen:
            moved = []
            for sign in (1, -1):
                changed = param.copy()
                changed.flat[entry] += sign * step
                moved.append(loss(params | {name: changed}))
            derivatives.append((moved[0] - moved[1]) / (2 * step))
        result[name] = chosen, np.array(derivatives)
    return result


def assert_gradients_agree(gradients, numeric, rtol=1e-6):
    """Compare with the largest derivative of the same parameter as the measure."""
    assert gradients.keys() == numeric.keys()
    for name, (chosen, expected) in numeric.items():
        found = gradients[name].flat[chosen]
        size = np.abs(expected).max()
        assert size > 1e-4, f"{name}: nothing to compare"
        worst = np.abs(found - expected).max() / size
        assert worst < rtol, f"{name}: relative error {worst:.1e}"
