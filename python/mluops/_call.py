# SPDX-License-Identifier: MIT
"""One call of an operator."""
import ctypes

from ._context import default_context
from ._library import check, function, library, runtime_check
from ._tensor import Tensor


def _expand(arguments):
    """Tensors become descriptor and address."""
    for argument in arguments:
        if isinstance(argument, Tensor):
            yield argument.desc
            yield argument.data
        else:
            yield argument


class Workspace:
    """Stands where an operator takes workspace and its size: `query` gives the size, `arguments` are those of the query
    (descriptors for tensors)."""

    def __init__(self, query, *arguments):
        self.query, self.arguments, self.memory = query, arguments, ctypes.c_void_p()

    def make(self, context):
        size = ctypes.c_size_t()
        arguments = [a.desc if isinstance(a, Tensor) else a for a in self.arguments]
        check(self.query, function(self.query)(context.handle, *arguments, ctypes.byref(size)))
        # Ranks write into each other's workspace, which has to be memory of the device.
        runtime_check("cnrtMalloc", library.cnrtMalloc(ctypes.byref(self.memory), ctypes.c_size_t(max(size.value, 1))))
        return self.memory, size

    def __del__(self):
        if self.memory:
            library.cnrtFree(self.memory)


def call(context, name, *arguments):
    """Calls the public function `name`; waits for it unless a context is given."""
    chosen = context or default_context()
    runtime_check("cnrtSetDevice", library.cnrtSetDevice(chosen.device))
    words = []
    for word in _expand(arguments):
        words.extend(word.make(chosen) if isinstance(word, Workspace) else [word])
    check(name, function(name)(chosen.handle, *words))
    chosen.keep(arguments)
    if context is None:
        chosen.sync()
