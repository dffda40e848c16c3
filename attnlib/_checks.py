"""Turn arguments into arrays of one real dtype and refuse what cannot be meant."""

import sys
from dataclasses import fields
from itertools import combinations
from numbers import Integral, Real

import numpy as np

# Lists, not kinds: float8 and long double are of the kind "f" as well. A type has every byte order.
FLOATS = frozenset({np.float16, np.float32, np.float64})
INTEGERS = frozenset({np.bool_} | {np.dtype(code).type for code in np.typecodes["AllInteger"]})


def plain_array(name, value):
    """Return `value` as an ndarray, unless something that it says would be lost.

    Raises
    ------
    TypeError
        For masked arrays, also in a list, and for what NumPy cannot read.
    ValueError
        For nested lists whose rows have different lengths.
    """
    if type(value) is np.ndarray:
        return value
    if _has_masked_array(value, set()):
        raise TypeError(
            f"{name} is a masked array, or holds one, and attention would use the numbers behind "
            f"its mask: give {name}.filled(...), and say in attn_mask which keys may be attended to"
        )
    try:
        return np.asarray(value)
    except ValueError as error:
        raise ValueError(f"{name} is not a rectangular array of numbers: {error}") from error
    except TypeError as error:
        raise TypeError(f"{name} cannot be read as an array: {error}") from error


def _has_masked_array(value, seen):
    """Say whether there is a masked array in nested lists; `seen` ends a list that holds itself."""
    # without the module there are no masked arrays either, and importing it takes time
    masked = sys.modules.get("numpy.ma")
    if masked is None:
        return False
    if isinstance(value, masked.MaskedArray):
        return True
    if not isinstance(value, (list, tuple)) or id(value) in seen:
        return False
    seen.add(id(value))
    return any(_has_masked_array(item, seen) for item in value)


def real_array(name, value):
    """Return `value` as a floating array: int and bool become float64, floats stay.

    Raises
    ------
    TypeError
        For every dtype but bool, the integers, float16, float32 and float64, and as in
        `plain_array`.
    ValueError
        As in `plain_array`.
    """
    array = plain_array(name, value)
    if array.dtype.type in INTEGERS:
        return array.astype(np.float64)
    if array.dtype.type in FLOATS:
        return array
    refuse_other_floats(name, array)
    raise TypeError(
        f"{name} has dtype {array.dtype}; attention needs real numbers: give it a float, int or "
        f"bool array"
    )


def refuse_other_floats(name, array):
    """Refuse float8, bfloat16, long double and their like, and say the way out."""
    if np.can_cast(array.dtype, np.float64, "same_kind"):
        raise TypeError(
            f"{name} has dtype {array.dtype}; attention computes with float16, float32 and "
            f"float64: convert it, for example with {name}.astype(np.float32)"
        )


def common_dtypes(*arrays):
    """Return (computing dtype, result dtype): float16 is computed in float32, returned as it is."""
    result = np.result_type(*(array.dtype for array in arrays))
    computing = np.dtype(np.float32) if result == np.float16 else result
    return computing, result


def in_computing_dtype(array, computing):
    """Return `array` in that dtype and in a layout that BLAS takes, copied where necessary.

    NumPy multiplies matrices in any other layout by a slow loop that rounds differently.
    """
    array = array.astype(computing, copy=False)
    row_length = array.shape[-1] * array.itemsize
    rows_follow_each_other = array.strides[-1] == array.itemsize and array.strides[-2] >= row_length
    return array if rows_follow_each_other and array.flags.aligned else array.copy()


def as_result(array, result):
    """Return `array` in the result dtype; a float16 that overflows is inf, without a warning."""
    with np.errstate(all="ignore"):
        return array.astype(result, copy=False)


def check_matrix(name, array, axes):
    """Refuse an array with fewer than two axes; `axes` says what they mean."""
    if array.ndim < 2:
        raise ValueError(
            f"{name} has shape {array.shape}; it needs at least the two axes {axes}: "
            f"a single row is {name}[None, :]"
        )


def check_same_length(meaning, name_a, a, axis_a, name_b, b, axis_b):
    """Refuse two arrays that disagree on the length of an axis they share."""
    if a.shape[axis_a] != b.shape[axis_b]:
        raise ValueError(
            f"{name_a} and {name_b} disagree on {meaning}: {name_a} has shape {a.shape}, so "
            f"{meaning} = {a.shape[axis_a]} on axis {axis_a}; {name_b} has shape {b.shape}, so "
            f"{meaning} = {b.shape[axis_b]} on axis {axis_b}"
        )


def check_leading_axes(**arrays):
    """Refuse arrays whose axes before the last two do not broadcast together."""
    present = [(name, array) for name, array in arrays.items() if array is not None]
    for (name_a, a), (name_b, b) in combinations(present, 2):
        for axis in range(-3, -min(a.ndim, b.ndim) - 1, -1):
            lengths = {a.shape[axis], b.shape[axis]}
            if len(lengths - {1}) > 1:
                raise ValueError(
                    f"{name_a} and {name_b} do not broadcast: {name_a} has shape {a.shape}, "
                    f"{name_b} has shape {b.shape}, and on axis {axis} they have "
                    f"{a.shape[axis]} and {b.shape[axis]}; leading axes must be equal or 1"
                )


def repr_with_shapes(self):
    """Return the repr of a dataclass that shows the shapes of its arrays, not their entries."""
    values = ((field.name, getattr(self, field.name)) for field in fields(self))
    shown = (f"{name}={getattr(value, 'shape', value)}" for name, value in values)
    return f"{type(self).__name__}({', '.join(shown)})"


def check_integer(name, value, *, least=None):
    """Return `value` as an int; refuse bools, floats and anything below `least`."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, Integral):
        raise TypeError(f"{name} must be an integer, not {value!r}")
    if least is not None and value < least:
        raise ValueError(f"{name} must be at least {least}, not {value}")
    return int(value)


def check_flag(name, value):
    """Return `value` as a bool; refuse everything but True and False."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} must be True or False, not {type(value).__name__}")
    return bool(value)


def check_scale(scale, d_k, computing):
    """Return the factor for the scores: 1/√d_k where none is given."""
    if scale is None:
        # without features every score is an empty sum, 0, whatever the factor
        return 1.0 / max(d_k, 1) ** 0.5
    if isinstance(scale, (bool, np.bool_)) or not isinstance(scale, Real):
        raise TypeError(f"scale must be a real number or None, not {type(scale).__name__}")
    with np.errstate(all="ignore"):
        try:
            finite = np.isfinite(computing.type(scale))
        except OverflowError as error:
            raise ValueError(f"scale must be finite in {computing}: {error}") from error
        if not finite:
            raise ValueError(f"scale must be finite in {computing}, not {scale}")
    return float(scale)


def checked_inputs(**inputs):
    """Return ([Q, K] or [Q, K, V] in their computing dtype, result dtype), shapes checked."""
    arrays = {name: real_array(name, value) for name, value in inputs.items()}
    axes = {"Q": "(..., n_q, d_k)", "K": "(..., n_k, d_k)", "V": "(..., n_k, d_v)"}
    for name, array in arrays.items():
        check_matrix(name, array, axes[name])
    check_same_length("d_k", "Q", arrays["Q"], -1, "K", arrays["K"], -1)
    if "V" in arrays:
        check_same_length("n_k", "K", arrays["K"], -2, "V", arrays["V"], -2)
    check_leading_axes(**arrays)
    computing, result = common_dtypes(*arrays.values())
    return [in_computing_dtype(array, computing) for array in arrays.values()], result
