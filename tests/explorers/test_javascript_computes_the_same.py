"""The explorers' JavaScript computes what attnlib computes, to 1e-12."""

import json
import random
import subprocess

import numpy as np
import pytest
from book.npm import node_binary
from explorer_state import CLASSES

import attnlib
from attnlib.example import running_example
from attnlib.explorers import ProjectionExplorer, ScalingExplorer
from attnlib.explorers.framework import bundle
from attnlib.explorers.framework.tables import format_number
from attnlib.explorers.mixing.explorer import hull
from attnlib.explorers.scaling.draws import standard_normals
from attnlib.tasks import measures

NODE = node_binary()
TOLERANCE = 1e-12
CASES = 1000
# each draws its whole sample anew
FEWER = {"scaling": 250}


def run(script, tmp_path, data=None, **modules):
    """What `script` leaves in `result`, given `data` and the text of some modules."""
    for name, source in modules.items():
        (tmp_path / f"{name}.mjs").write_text(source, encoding="utf-8")
    imports = "".join(f'import * as {name} from "./{name}.mjs";\n' for name in modules)
    (tmp_path / "data.json").write_text(json.dumps(data), encoding="utf-8")
    (tmp_path / "main.mjs").write_text(
        'import { readFileSync, writeFileSync } from "node:fs";\n'
        f"{imports}const data = JSON.parse(readFileSync('data.json', 'utf-8'));\n{script}\n"
        "const plain = (name, x) => (Math.abs(x) === Infinity ? String(x) : x);\n"
        "writeFileSync('result.json', JSON.stringify(result, plain));\n",
        encoding="utf-8",
    )
    done = subprocess.run(
        [NODE, "main.mjs"], cwd=tmp_path, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads((tmp_path / "result.json").read_text(encoding="utf-8"))


def module(cls):
    return bundle.module(cls.name, cls.settings())


def source(part):
    return (bundle.FOLDER / part).read_text(encoding="utf-8")


def random_state(settings, rng):
    """A state with every trait somewhere in its range, now and then at its end."""

    def number(bounds, draw=rng.uniform):
        bounds = bounds["low"], bounds["high"]
        return rng.choice(bounds) if rng.random() < 0.1 else draw(*bounds)

    def matrix(shape):
        return [[number(shape) for _ in range(shape["columns"])] for _ in range(shape["rows"])]

    draws = {
        "choice": lambda setting: rng.choice([*setting["options"]]),
        "matrix": matrix,
        "number": number,
        "whole": lambda setting: number(setting, rng.randint),
    }
    return {name: draws[setting["kind"]](setting) for name, setting in settings.items()}


def distance(ours, theirs):
    """Absolute below 1, relative above; infinite where one is not finite and the other is."""
    ours, theirs = float(ours), float(theirs)
    if not (np.isfinite(ours) and np.isfinite(theirs)):
        return 0.0 if repr(ours) == repr(theirs) else np.inf
    return abs(ours - theirs) / max(1.0, abs(ours))


def states_of(cls, rng):
    """Random states of an explorer."""
    cases = FEWER.get(cls.name, CASES)
    states = [random_state(cls.settings(), rng) for _ in range(cases)]
    if cls is ScalingExplorer:
        for state in states:
            # few features as often as many, and several states of one sample
            state["d_k"] = round(2 ** rng.uniform(0, 9))
            state["seed"] %= 7
    return states


def twins(cls, states):
    """One Python explorer, brought into one state after another."""
    explorer = cls()
    for state in states:
        with explorer.hold_trait_notifications():
            for name, value in state.items():
                setattr(explorer, name, value)
        yield explorer
    explorer.close()


@pytest.mark.parametrize("name", CLASSES)
def test_an_explorer_shows_the_numbers_of_attnlib(name, tmp_path, record_property):
    cls = CLASSES[name]
    states = states_of(cls, random.Random(20240607))
    script = "const result = data.map((state) => explorer.default.compute(state));"
    results = run(script, tmp_path, states, explorer=module(cls))
    worst = (0.0, "")
    for explorer, result in zip(twins(cls, states), results, strict=True):
        ours = explorer.numbers
        assert ours.keys() == result["numbers"].keys()
        largest, number = max((distance(x, result["numbers"][n]), n) for n, x in ours.items())
        if largest > worst[0]:
            worst = (largest, f"{number} {explorer}")
        if cls is ScalingExplorer:
            assert explorer.counts.tolist() == result["counts"], explorer
            assert abs(result["high"] - result["low"] - 2 * explorer.reach) <= TOLERANCE * 4096
    print(f"{len(states)} states, largest difference {worst[0]:.1e} ({worst[1]})")
    assert worst[0] <= TOLERANCE, worst
    record_property(f"cases compared with the JavaScript of {name}", len(states))


@pytest.mark.parametrize("name", CLASSES)
def test_the_page_has_the_settings_of_the_class(name, tmp_path):
    script = "const result = explorer.default.settings;"
    settings = run(script, tmp_path, explorer=module(CLASSES[name]))
    assert settings == json.loads(json.dumps(CLASSES[name].settings()))


def test_the_page_has_the_running_example_and_its_head(tmp_path):
    script = """
      const { tokens, gloss, ...arrays } = example.EXAMPLE;
      const result = [tokens, gloss, arrays, example.selfAttention(arrays.X, arrays)];
    """
    shared = bundle.shared() + "export { EXAMPLE, selfAttention };"
    tokens, gloss, arrays, head = run(script, tmp_path, example=shared)
    ours = running_example()
    assert (tuple(tokens), tuple(gloss)) == (ours.tokens, ours.gloss)
    assert arrays == {name: getattr(ours, name).tolist() for name in ("X", "W_Q", "W_K", "W_V")}
    trace = attnlib.self_attention(*ours[2:])
    for name, matrix in head.items():
        np.testing.assert_allclose(matrix, getattr(trace, name), rtol=0, atol=TOLERANCE)


@pytest.mark.parametrize(
    "broken",
    [
        {"W_Q": [[1, 2]]},
        {"W_Q": [[1, 2], [3]]},
        {"W_Q": [[1, 2], [3, 3.5]]},
        {"W_Q": [[1, 2], [3, None]]},
        {"W_Q": None},
        {"X": 1},
    ],
)
def test_a_matrix_out_of_range_is_refused_in_javascript(broken, tmp_path):
    message = refusal(ProjectionExplorer, broken, tmp_path)
    assert message.startswith(f'{next(iter(broken))} must be {{"kind":"matrix","low":-3,'), message


@pytest.mark.parametrize(
    "broken",
    [
        {"d_k": 0},
        {"d_k": 513},
        {"d_k": 64.5},
        {"d_k": "64"},
        {"d_k": None},
        {"rho": 1.0001},
        {"scaling": "sqrt"},
        {"seed": True},
    ],
)
def test_a_state_out_of_range_is_refused_in_javascript(broken, tmp_path):
    message = refusal(ScalingExplorer, broken, tmp_path)
    (name,) = broken
    assert message.startswith(f"{name} must be {{"), message


def refusal(cls, broken, tmp_path):
    """What the view says to the start with something broken in it."""
    script = """
      let result = "accepted";
      try { explorer.default.render({ model: { get: (name) => data[name] }, el: null }); }
      catch (error) { result = error.message; }
    """
    return run(script, tmp_path, {**cls().state, **broken}, explorer=module(cls))


def test_the_hull_has_the_corners_and_no_other_point(tmp_path):
    cases = [
        ([[0, 0]], [0]),
        ([[2, 1], [-1, 3]], [0, 1]),
        ([[0, 0], [1, 1], [2, 2]], [0, 2]),
        ([[0, 0], [4, 0], [2, 0], [4, 4], [2, 1], [0, 4]], [0, 1, 3, 5]),
        ([[-1, 2], [1, 1], [-2, 0], [2, -1], [1, 3]], [0, 2, 3, 4]),
    ]
    script = "const result = data.map((points) => hull.hull(points));"
    found = run(script, tmp_path, [points for points, _ in cases], hull=source("framework/hull.js"))
    for (points, corners), around in zip(cases, found, strict=True):
        assert sorted(around) == corners == sorted(hull(np.array(points, dtype=float)))


def test_normal_numbers_are_the_same_bits(tmp_path):
    seeds = [0, 1, 2, 9999, 2**31, 2**32 - 1]
    script = """
      const result = data.map((seed) => {
        const out = new Float64Array(6000);
        draws.fillNormals(out, seed, 0, 2000);
        draws.fillNormals(out, seed, 2000, 6000);
        return Array.from(out);
      });
    """
    drawn = run(script, tmp_path, seeds, draws=source("scaling/draws.js"))
    assert drawn == [standard_normals(seed, 6000).tolist() for seed in seeds]


def test_arithmetic_of_a_row_is_that_of_attnlib(tmp_path):
    rng = np.random.default_rng(7)
    rows = [(rng.normal(size=n) * 10**size).tolist() for n in (1, 2, 5, 16) for size in (-3, 0, 3)]
    rows += [[0.0, -1e308, 1e308], [1000.0, 1000.0, -1000.0]]
    script = """
      const result = data.map((row) => {
        const p = core.softmax(row);
        return { p, entropy: core.entropy(p), norm: core.norm(core.softmaxJacobian(p)) };
      });
    """
    computed = run(script, tmp_path, rows, core=source("framework/core.js"))
    for row, theirs in zip(rows, computed, strict=True):
        p = attnlib.softmax(row)
        np.testing.assert_allclose(theirs["p"], p, rtol=TOLERANCE, atol=0)
        np.testing.assert_allclose(theirs["entropy"], measures.entropy(p), rtol=0, atol=TOLERANCE)
        np.testing.assert_allclose(
            theirs["norm"], measures.jacobian_norm(p), rtol=0, atol=TOLERANCE
        )


def test_numbers_are_written_alike(tmp_path):
    rng = random.Random(3)
    numbers = [0.0, 0.5, 0.0625, 2.5, -2.5, 9.9995, 12.345, 999.95, 1000.5, -0.01, 0.009999, 5e-324]
    numbers += [-0.004, -0.005, 99999.4, 99999.9, 1e5, 125000.0, 999999.0]
    numbers += [rng.choice([-1, 1]) * 10 ** rng.uniform(-300, 5) for _ in range(200)]
    numbers += [rng.choice([-1, 1]) * 10 ** rng.uniform(-3, 4) for _ in range(500)]
    script = "const result = data.map((x) => [ui.formatNumber(x), ui.formatNumber(x, 2)]);"
    ui = bundle.shared() + "export { formatNumber };"
    written = run(script, tmp_path, numbers, ui=ui)
    assert written == [[format_number(x), format_number(x, 2)] for x in numbers]
    huge = [1e21, -1.25e65, 1.0e308]
    written = run("const result = data.map((x) => ui.formatNumber(x));", tmp_path, huge, ui=ui)
    assert written == [format_number(x) for x in huge]
