"""Trained models in data files: weights in whole hundredths, one line of text for each entry."""

import json
from functools import lru_cache

import numpy as np

from attnlib.tasks.role_model import RoleModel

UNIT = 100


@lru_cache
def read(path):
    """Return what a data file holds, as a dict.

    Parameters
    ----------
    path : Path
    """
    return json.loads(path.read_text(encoding="utf-8"))


def packed(model):
    """Return a `RoleModel` as data for JSON, its weights rounded to whole hundredths.

    Parameters
    ----------
    model : RoleModel
    """
    params = {name: np.rint(UNIT * W).astype(int).tolist() for name, W in model.params.items()}
    return {"n_heads": model.n_heads, "unit": UNIT, "params": params}


def unpacked(entry):
    """Return the `RoleModel` of which `packed` made this entry.

    Parameters
    ----------
    entry : dict
    """
    params = {name: np.array(W) / entry["unit"] for name, W in entry["params"].items()}
    return RoleModel(params, entry["n_heads"])


def to_text(entries):
    """Return the text of a data file: equal entries give equal text.

    Parameters
    ----------
    entries : dict
    """
    lines = [
        f'"{name}": {json.dumps(entry, ensure_ascii=False, separators=(",", ":"))}'
        for name, entry in entries.items()
    ]
    return "{\n" + ",\n".join(lines) + "\n}\n"
