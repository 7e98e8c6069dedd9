# SPDX-License-Identifier: MIT
"""Remembers how a call with tensors of torch went, so that the next one with the same shapes need not look at everything
again: that takes longer than a small operator. What is remembered depends on types, shapes, strides and scalars only."""
import ctypes
import functools
import sys

from ._call import Workspace
from ._context import default_context
from ._library import check, function
from ._tensor import Tensor
from ._threads import follow_torch

_MOST_PLANS = 256
_SCALARS = (int, bool, type(None))


def _collect(values, tensors, key, tensor_type):
    """Adds what a plan depends on to the key; False for what is not remembered."""
    for value in values:
        kind = type(value)
        if kind is tensor_type:
            if value.requires_grad or not value.is_cpu:
                return False
            tensors.append(value)
            key += (value.dtype, value.shape, value.is_contiguous() or value.stride())
        elif kind in _SCALARS:
            key.append(value)
        elif kind is float:
            key += (float, value)  # 2.0 is not 2
        elif kind is tuple:
            key += (tuple, len(value))
            if not _collect(value, tensors, key, tensor_type):
                return False
        else:
            return False
    return True


def _place(array, arrays):
    return next((index for index, other in enumerate(arrays) if other is array), None)


class _Plan:
    """The words of a C call, and where the addresses of this time go."""

    def __init__(self, name, words, arguments, tensors, results):
        self.name, self.function, self.words = name, function(name), words
        self.inputs, self.outputs, self.workspace, self.descriptors = [], [], None, []
        at = 1
        for argument in arguments:
            if isinstance(argument, Workspace):
                self.workspace = at, words[at + 1].value
                at += 1
            elif isinstance(argument, Tensor):
                if argument.array is not None:
                    self._add(at + 1, argument, tensors, results)
                at += 1
            at += 1
        written = {index for _, index in self.outputs}
        self.new = []
        for index, result in enumerate(results):
            given = None if result is None else _place(result, tensors)
            is_new = result is not None and given is None
            if is_new and index not in written:
                raise LookupError("a result that the call did not write")
            self.new.append((given, (tuple(result.shape), result.dtype) if is_new else None))

    def _add(self, at, argument, tensors, results):
        self.descriptors.append(argument._descriptor)  # as long as the words are used
        index = _place(argument.array, tensors)
        if index is not None:
            self.inputs.append((at, index))
            return
        index = _place(argument.array, results)
        if index is None:
            raise LookupError("an argument that was converted")
        self.outputs.append((at, index))

    def run(self, tensors, empty):
        """The results of the call with these tensors; `empty` is torch.empty, quicker with numbers than with a size."""
        context = default_context()
        words = self.words[:]
        words[0] = context.handle
        for at, index in self.inputs:
            words[at] = ctypes.c_void_p(tensors[index].data_ptr())
        results = []
        for given, new in self.new:
            results.append(empty(*new[0], dtype=new[1]) if new else None if given is None else tensors[given])
        for at, index in self.outputs:
            words[at] = ctypes.c_void_p(results[index].data_ptr())
        if self.workspace is not None:
            words[self.workspace[0]] = context.workspace(self.workspace[1])
        follow_torch()
        status = self.function(*words)
        if status != 0:
            check(self.name, status)
        context.sync()
        return results


def _make(calls, tensors, result):
    """The plan of a call that was made, or None."""
    if len(calls) != 1:
        return None
    try:
        return _Plan(*calls[0], tensors, result if isinstance(result, tuple) else (result,))
    except LookupError:
        return None


def remembered(run):
    """The function, quicker when it is called again with torch tensors of the same shapes."""
    plans = {}

    @functools.wraps(run)
    def again(*arguments, **more):
        torch, tensors, key = sys.modules.get("torch"), [], list(more)
        tensor_type = getattr(torch, "Tensor", None)
        if tensor_type is None or not _collect(arguments, tensors, key, tensor_type) or \
                more and not _collect(more.values(), tensors, key, tensor_type):
            return run(*arguments, **more)
        key = tuple(key)
        plan = plans.get(key, False)
        if plan is None:  # it cannot be remembered
            return run(*arguments, **more)
        if plan:
            results = plan.run(tensors, torch.empty)
            return tuple(results) if len(results) > 1 else results[0]
        with default_context().recorded() as calls:
            result = run(*arguments, **more)
        if len(plans) >= _MOST_PLANS:
            plans.clear()
        plans[key] = _make(calls, tensors, result)
        return result

    return again
