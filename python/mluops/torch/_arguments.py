# SPDX-License-Identifier: MIT
"""What torch's users pass by habit, as tensors: in operations that torch.compile can follow."""
import numbers

import torch

from .._library import MluOpError


def _of_list(name, value, dtype):
    """A list as a tensor. torch itself would cut what follows the point of numbers."""
    if not dtype.is_floating_point:
        numbers_as_they_are = torch.tensor(value)
        if numbers_as_they_are.is_floating_point() and numbers_as_they_are.numel() != 0:
            raise MluOpError(f"{name}: wanted integers, got {value!r}")
    return torch.tensor(value, dtype=dtype)


def as_indices(name, value):
    """A list as a tensor; tensors and None as they are (operators take int32 and int64)."""
    if isinstance(value, (list, tuple)):
        return _of_list(name, value, torch.int64)
    if value is not None and not isinstance(value, torch.Tensor):
        raise MluOpError(f"{name}: wanted a tensor or a list, got {type(value).__name__}")
    return value


def per_row(name, value, logits, dtype):
    """One number for all rows, a list or a tensor, as a tensor with a number for each row."""
    if isinstance(value, numbers.Real):
        if not dtype.is_floating_point and not isinstance(value, numbers.Integral):
            raise MluOpError(f"{name}: wanted an integer, a tensor or a list, got {value!r}")
        return torch.full((logits.shape[0],), value, dtype=dtype)
    if isinstance(value, (list, tuple)):
        value = _of_list(name, value, dtype)
    if value is not None and not isinstance(value, torch.Tensor):
        raise MluOpError(f"{name}: wanted a number, a tensor or a list, got {type(value).__name__}")
    if value is not None and value.dim() == 0:
        value = value.expand(logits.shape[0])
    return value


def check_logits(logits):
    """Before anything is made of their shape."""
    if not isinstance(logits, torch.Tensor) or logits.dim() != 2:
        got = f"one of {logits.dim()}" if isinstance(logits, torch.Tensor) else type(logits).__name__
        raise MluOpError(f"logits: wanted a tensor of 2 dimensions, got {got}")
    if not logits.is_floating_point():
        raise MluOpError(f"logits: wanted a tensor of floats, got one of {logits.dtype}")


def nothing(like):
    """Stands for a result that is not there: schemas know no optional results."""
    return like.new_empty((0,))


def or_none(value, is_there):
    """The result, or None where `nothing` stands for it."""
    return value if is_there else None
