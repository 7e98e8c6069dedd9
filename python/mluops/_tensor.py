# SPDX-License-Identifier: MIT
"""numpy arrays and torch tensors as arguments, without copies."""
import ctypes
import sys

import numpy

from ._library import MluOpError, check, library

# Names of data types, the same for numpy (with ml_dtypes for bfloat16) and torch, and the library's numbers.
_DTYPES = {"float16": 1, "float32": 2, "float64": 14, "bfloat16": 17, "int8": 3, "int16": 4, "int32": 6, "int64": 9,
           "uint8": 7, "uint16": 13, "uint32": 11, "uint64": 12, "bool": 8}
_LAYOUT_ARRAY = 4


def is_torch(array):
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(array, torch.Tensor)


def dtype_name(array):
    return str(array.dtype).replace("torch.", "")


def empty_like(array, shape, dtype=None, zero=False):
    """A new array of the same library; `dtype` by name, else that of `array`."""
    if is_torch(array):
        torch = sys.modules["torch"]
        make = torch.zeros if zero else torch.empty
        return make(tuple(shape), dtype=getattr(torch, dtype) if dtype else array.dtype)
    make = numpy.zeros if zero else numpy.empty
    return make(tuple(shape), dtype=dtype or array.dtype)


def _kind(array):
    return f"an array of {array.ndim} dimensions" if isinstance(array, numpy.ndarray) or is_torch(array) else \
        type(array).__name__


def shape_of(name, array, rank):
    """The shape of an array that must have `rank` dimensions."""
    if not (isinstance(array, numpy.ndarray) or is_torch(array)) or array.ndim != rank:
        raise MluOpError(f"{name}: wanted a numpy array or a torch tensor of {rank} dimensions, got {_kind(array)}")
    return tuple(array.shape)


def _storage(name, array, is_output):
    """Address and strides, in elements, of an array's memory."""
    if is_torch(array):
        if array.device.type != "cpu":
            raise MluOpError(f"{name}: wanted a tensor of the CPU, got one of {array.device}")
        return array.data_ptr(), array.stride()
    if not isinstance(array, numpy.ndarray):
        raise MluOpError(f"{name}: wanted a numpy array or a torch tensor, got {_kind(array)}")
    if not array.flags.aligned or any(s % array.itemsize for s in array.strides):
        raise MluOpError(f"{name}: wanted an aligned array, got one at {array.ctypes.data:#x} with strides {array.strides}")
    if is_output and not array.flags.writeable:
        raise MluOpError(f"{name}: wanted a writable array, got a read-only one")
    return array.ctypes.data, [s // array.itemsize for s in array.strides]


class Tensor:
    """The descriptor and the address of an array; both null for None."""

    def __init__(self, name, array, is_output=False):
        self.desc, self.data, self.array = ctypes.c_void_p(), None, array
        if array is None:
            return
        address, strides = _storage(name, array, is_output)
        number = _DTYPES.get(dtype_name(array))
        if number is None:
            raise MluOpError(f"{name}: wanted a data type of the library, got {array.dtype}")
        rank = len(array.shape)
        dims = (ctypes.c_int64 * max(rank, 1))(*array.shape)
        steps = (ctypes.c_int64 * max(rank, 1))(*strides)
        check("mluOpCreateTensorDescriptor", library.mluOpCreateTensorDescriptor(ctypes.byref(self.desc)))
        status = library.mluOpSetTensorDescriptorEx_v2(self.desc, _LAYOUT_ARRAY, number, rank, dims, steps)
        if status != 0:
            raise MluOpError(f"{name}: wanted a shape the library can describe, got {tuple(array.shape)}")
        self.data = ctypes.c_void_p(address)

    def __del__(self):
        if self.desc:
            library.mluOpDestroyTensorDescriptor(self.desc)


def output(name, array):
    """A tensor that the operator writes."""
    return Tensor(name, array, is_output=True)
