# SPDX-License-Identifier: MIT
"""Converts arguments to what the operators take: a number for all rows, lists, wider integers and floats."""
import numbers
import sys

import numpy

from ._library import MluOpError
from ._tensor import dtype_name, is_array, is_torch

_INT32 = numpy.iinfo(numpy.int32)
_INT32_TYPES = {numpy.dtype(numpy.int32)}  # torch.int32 is added at the first tensor


def _convert(array, dtype):
    if is_torch(array):
        return array.to(getattr(sys.modules["torch"], dtype))
    return array.astype(dtype)


def _new(name, value, dtype, like):
    """A list or a number as a numpy array or a torch tensor, whichever `like` is."""
    try:
        if dtype.startswith("int") and numpy.size(value) != 0 and numpy.array(value).dtype.kind == "f":
            raise MluOpError(f"{name}: wanted integers, got {value!r}")
        if is_torch(like):
            torch = sys.modules["torch"]
            return torch.tensor(value, dtype=getattr(torch, dtype))
        return numpy.array(value, dtype)
    except MluOpError:
        raise
    except (TypeError, ValueError, OverflowError, RuntimeError):
        raise MluOpError(f"{name}: wanted numbers that fit {dtype}, got {value!r}") from None


def int32(name, value, like):
    """Indices as int32, from int64 (torch's own type) or a list. An index beyond 32 bits becomes -1: it is out of range
    for every operator, and so is -1."""
    if value is None or getattr(value, "dtype", None) in _INT32_TYPES:
        return value
    if isinstance(value, (list, tuple)):
        value = _new(name, value, "int64", like)
    if not is_array(value):
        raise MluOpError(f"{name}: wanted a numpy array, a torch tensor or a list, got {type(value).__name__}")
    if is_torch(value):
        _INT32_TYPES.add(sys.modules["torch"].int32)
    if dtype_name(value) != "int64":
        return value
    fits = (value >= _INT32.min) & (value <= _INT32.max)
    if not bool(fits.all()):
        value = value * fits - _convert(~fits, "int64")
    return _convert(value, "int32")


def per_row(name, value, rows, dtype, like):
    """One parameter per row as `dtype`, from one number for all rows, a list or an array."""
    if value is None:
        return None
    if isinstance(value, numbers.Real):
        if is_torch(like):
            torch = sys.modules["torch"]
            return torch.full((rows,), value, dtype=getattr(torch, dtype))
        return numpy.full((rows,), value, dtype)
    if isinstance(value, (list, tuple)):
        value = _new(name, value, dtype, like)
    if not is_array(value) or value.ndim > 1:
        got = f"an array of {value.ndim} dimensions" if is_array(value) else type(value).__name__
        raise MluOpError(f"{name}: wanted a number, or an array or a list of {rows} of them, got {got}")
    if value.ndim == 0:
        value = value.reshape(1)
        value = value.expand(rows) if is_torch(value) else numpy.broadcast_to(value, (rows,))
    if value.shape[0] != rows:
        raise MluOpError(f"{name}: wanted one number per row, {rows}, got {value.shape[0]}")
    if dtype.startswith("int") and "float" in dtype_name(value):
        raise MluOpError(f"{name}: wanted integers, got {dtype_name(value)}")
    return value if dtype_name(value) == dtype else _convert(value, dtype)


def outputs(name, out, count):
    """`out` as a list of `count` arrays or None."""
    if out is None:
        return [None] * count
    if not isinstance(out, (list, tuple)) or len(out) != count:
        got = f"{len(out)}" if isinstance(out, (list, tuple)) else type(out).__name__
        raise MluOpError(f"{name}: wanted a tuple of {count} arrays, got {got}")
    return list(out)
