# SPDX-License-Identifier: MIT
"""Converts scalar arguments to C types; an integer that does not fit is refused."""
import ctypes
import operator

from ._library import MluOpError


def integer(name, value, bits=32):
    """`value`, an integer of Python or numpy, as a signed C integer of `bits` bits."""
    try:
        number = operator.index(value)
    except TypeError:
        raise MluOpError(f"{name}: wanted an integer, got {type(value).__name__}") from None
    limit = 1 << (bits - 1)
    if number >= limit or number < -limit:
        raise MluOpError(f"{name}: wanted an integer of {bits} bits, got {number}")
    return (ctypes.c_int64 if bits == 64 else ctypes.c_int32)(number)


def real(name, value):
    """`value` as a C float."""
    try:
        return ctypes.c_float(float(value))
    except (TypeError, ValueError, OverflowError):
        raise MluOpError(f"{name}: wanted a number, got {value!r}") from None
