# SPDX-License-Identifier: MIT
"""numpy arrays and torch tensors as arguments, without copies."""
import ctypes
import sys

import numpy

from ._library import check, library

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


class Tensor:
    """The descriptor and the address of an array; both null for None."""

    def __init__(self, name, array):
        self.desc, self.data, self.array = ctypes.c_void_p(), None, array
        if array is None:
            return
        if is_torch(array):
            if array.device.type != "cpu":
                raise TypeError(f"{name}: a tensor of the CPU is wanted, not of {array.device}")
            address, strides = array.data_ptr(), array.stride()
        elif isinstance(array, numpy.ndarray):
            if not array.flags.aligned or any(s % array.itemsize for s in array.strides):
                raise ValueError(f"{name}: an aligned array is wanted")
            address, strides = array.ctypes.data, [s // array.itemsize for s in array.strides]
        else:
            raise TypeError(f"{name}: a numpy array or a torch tensor is wanted, not {type(array).__name__}")
        number = _DTYPES.get(dtype_name(array))
        if number is None:
            raise TypeError(f"{name}: data type {array.dtype} is not known to the library")
        rank = len(array.shape)
        dims = (ctypes.c_int64 * max(rank, 1))(*array.shape)
        steps = (ctypes.c_int64 * max(rank, 1))(*strides)
        check("mluOpCreateTensorDescriptor", library.mluOpCreateTensorDescriptor(ctypes.byref(self.desc)))
        check(f"{name}: mluOpSetTensorDescriptorEx_v2",
              library.mluOpSetTensorDescriptorEx_v2(self.desc, _LAYOUT_ARRAY, number, rank, dims, steps))
        self.data = ctypes.c_void_p(address)

    def __del__(self):
        if self.desc:
            library.mluOpDestroyTensorDescriptor(self.desc)
