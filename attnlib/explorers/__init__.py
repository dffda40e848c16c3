"""Explorers: widgets in Jupyter, the same on a page without Python.

Importing this package loads nothing; an explorer's libraries load when its class is first used.

A new explorer is a class derived from `Explorer` in a module of its own, named in `_HOME` and
`__all__`, and a JavaScript file of the same name that ends in ``export default explorer({...})``
(``explorer.js`` says what goes in); further files that only it needs may stand beside both. What
`numbers` gives in Python and `compute` in JavaScript has the same names, and
``tests/explorers/test_javascript_computes_the_same.py`` holds them together.
"""

from importlib import import_module

_HOME = {
    "PipelineExplorer": "pipeline",
    "MixingExplorer": "mixing",
    "ProjectionExplorer": "projection",
    "ScoresExplorer": "scores",
    "ScalingExplorer": "scaling",
    "SoftmaxExplorer": "softmax",
    "AggregationExplorer": "aggregation",
    "CausalExplorer": "causal",
    "HeadsExplorer": "heads",
}

__all__ = [  # noqa: F822 (made by __getattr__)
    "AggregationExplorer",
    "CausalExplorer",
    "HeadsExplorer",
    "MixingExplorer",
    "PipelineExplorer",
    "ProjectionExplorer",
    "ScalingExplorer",
    "ScoresExplorer",
    "SoftmaxExplorer",
]


def __getattr__(name):
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}.explorer"), name)


def by_name(name):
    """Return the class of the explorer whose element has this name.

    Raises
    ------
    ValueError
        If there is none; the message names those there are.
    """
    for class_name, home in _HOME.items():
        if home == name:
            return __getattr__(class_name)
    raise ValueError(f"no explorer is called {name!r}; there are: {', '.join(_HOME.values())}")


def __dir__():
    return sorted([*globals(), *_HOME])
