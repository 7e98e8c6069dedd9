# SPDX-License-Identifier: MIT
"""What torch's users pass by habit, as tensors: in operations that torch.compile can follow."""
import numbers

import torch

from .._library import MluOpError


def as_indices(name, value):
    """A list as a tensor; tensors and None as they are (operators take int32 and int64)."""
    if isinstance(value, (list, tuple)):
        return torch.tensor(value, dtype=torch.int64)
    if value is not None and not isinstance(value, torch.Tensor):
        raise MluOpError(f"{name}: wanted a tensor or a list, got {type(value).__name__}")
    return value


def per_row(name, value, logits, dtype):
    """One number for all rows, a list or a tensor, as a tensor with a number for each row."""
    if isinstance(value, numbers.Real):
        return torch.full((logits.shape[0],), value, dtype=dtype)
    if isinstance(value, (list, tuple)):
        value = torch.tensor(value, dtype=dtype)
    if value is not None and not isinstance(value, torch.Tensor):
        raise MluOpError(f"{name}: wanted a number, a tensor or a list, got {type(value).__name__}")
    if value is not None and value.dim() == 0:
        value = value.expand(logits.shape[0])
    return value


def nothing(like):
    """Stands for a result that is not there: schemas know no optional results."""
    return like.new_empty((0,))


def or_none(value, is_there):
    """The result, or None where `nothing` stands for it."""
    return value if is_there else None
