# SPDX-License-Identifier: MIT
"""numpy arrays and torch tensors as arguments, copied only if the operator cannot read their layout."""
import ctypes
import sys

import numpy

from ._library import MluOpError, check, library

# The library's code for each data type name. numpy (with ml_dtypes for bfloat16) and torch use the same names.
_DTYPES = {"float16": 1, "float32": 2, "float64": 14, "bfloat16": 17, "int8": 3, "int16": 4, "int32": 6, "int64": 9,
           "uint8": 7, "uint16": 13, "uint32": 11, "uint64": 12, "bool": 8}
_LAYOUT_ARRAY = 4
_MOST_DESCRIPTORS = 1024


_torch_tensor = ()  # becomes torch.Tensor when torch is loaded


def is_torch(array):
    global _torch_tensor
    if _torch_tensor:
        return isinstance(array, _torch_tensor)
    _torch_tensor = getattr(sys.modules.get("torch"), "Tensor", ())
    return isinstance(array, _torch_tensor)


def is_array(value):
    return is_torch(value) or isinstance(value, numpy.ndarray)


def dtype_name(array):
    return str(array.dtype).replace("torch.", "")


def empty_like(array, shape, dtype=None, zero=False):
    """A new numpy array or torch tensor, whichever `array` is; `dtype` is a name, or None for that of `array`."""
    if is_torch(array):
        torch = sys.modules["torch"]
        make = torch.zeros if zero else torch.empty
        return make(shape, dtype=getattr(torch, dtype) if dtype else array.dtype)
    make = numpy.zeros if zero else numpy.empty
    return make(shape, dtype=dtype or array.dtype)


def _kind(array):
    return f"an array of {array.ndim} dimensions" if is_array(array) else type(array).__name__


def shape_of(name, array, rank):
    """The shape of an array that must have `rank` dimensions."""
    shape = array.shape if is_array(array) else None
    if shape is None or len(shape) != rank:
        raise MluOpError(f"{name}: wanted a numpy array or a torch tensor of {rank} dimensions, got {_kind(array)}")
    return shape


class _Descriptor:
    """The library's description of a data type, a shape and strides."""

    def __init__(self, name, dtype, shape, strides):
        self.desc = ctypes.c_void_p()
        number = _DTYPES.get(str(dtype).replace("torch.", ""))
        if number is None:
            raise MluOpError(f"{name}: wanted a data type of the library, got {dtype}")
        rank = len(shape)
        dims = (ctypes.c_int64 * max(rank, 1))(*shape)
        steps = (ctypes.c_int64 * max(rank, 1))(*strides)
        check("mluOpCreateTensorDescriptor", library.mluOpCreateTensorDescriptor(ctypes.byref(self.desc)))
        if library.mluOpSetTensorDescriptorEx_v2(self.desc, _LAYOUT_ARRAY, number, rank, dims, steps) != 0:
            raise MluOpError(f"{name}: wanted a shape the library can describe, got {tuple(shape)}")

    def __del__(self):
        if self.desc:
            library.mluOpDestroyTensorDescriptor(self.desc)


# Descriptors are cached, because programs repeat a few shapes. All threads share them: operators only read them.
_descriptors = {}


def _describe(name, key):
    if len(_descriptors) >= _MOST_DESCRIPTORS:
        _descriptors.clear()
    found = _descriptors[key] = _Descriptor(name, *key)
    return found


def _look_at_torch(name, array):
    """Refuses a tensor that is not on the CPU, and one that would lose its gradient."""
    if not array.is_cpu:
        raise MluOpError(f"{name}: wanted a tensor of the CPU, got one of {array.device}")
    if sys.modules["torch"].is_grad_enabled():
        raise MluOpError(f"{name}: wanted a tensor without gradient, got one that requires it: use the function of "
                         "mluops.torch without out=, or torch.no_grad()")


class Tensor:
    """The descriptor and the address of an array; both null for None.

    An input that is not contiguous is copied, unless the operator accepts gaps between rows (`rows_apart`). Every call makes
    one per array, so the constructor is kept fast: rare cases are checked in other functions."""
    __slots__ = ("desc", "data", "array", "_descriptor")

    def __init__(self, name, array, rows_apart=False, is_output=False):
        self.array = array
        if array is None:
            self.desc = self.data = None
            return
        if type(array) is _torch_tensor or is_torch(array):
            if array.requires_grad or not array.is_cpu:
                _look_at_torch(name, array)
            if not array.is_contiguous() and not is_output and not (
                    rows_apart and array.stride(-1) == 1 and array.stride(0) >= array.shape[-1]):
                self.array = array = array.contiguous()
            key, address = (array.dtype, array.shape, array.stride()), array.data_ptr()
        else:
            key, address = self._of_numpy(name, array, rows_apart, is_output)
        self._descriptor = found = _descriptors.get(key) or _describe(name, key)
        self.desc = found.desc
        self.data = ctypes.c_void_p(address)

    def _of_numpy(self, name, array, rows_apart, is_output):
        if not isinstance(array, numpy.ndarray):
            raise MluOpError(f"{name}: wanted a numpy array or a torch tensor, got {_kind(array)}")
        if is_output and not array.flags.writeable:
            raise MluOpError(f"{name}: wanted a writable array, got a read-only one")
        size = array.itemsize
        if not array.flags.c_contiguous and not is_output and not (
                rows_apart and array.strides[-1] == size and array.strides[0] >= size * array.shape[-1]):
            self.array = array = numpy.ascontiguousarray(array)
        if not array.flags.aligned or any(step % size for step in array.strides):
            raise MluOpError(
                f"{name}: wanted an aligned array, got one at {array.ctypes.data:#x} with strides {array.strides}")
        return ((array.dtype, array.shape, tuple(step // size for step in array.strides)),
                array.__array_interface__["data"][0])


def output(name, array):
    """A tensor that the operator writes."""
    return Tensor(name, array, is_output=True)
