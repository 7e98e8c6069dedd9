# SPDX-License-Identifier: MIT
"""One call of an operator."""
import ctypes

from ._context import default_context
from ._library import check, function
from ._tensor import Tensor
from ._threads import follow_torch


class Workspace:
    """Stands for an operator's workspace and its size. `query` is the function that returns the size; `arguments` are its
    arguments, with a Tensor for each descriptor."""
    __slots__ = ("query", "arguments")

    def __init__(self, query, *arguments):
        self.query, self.arguments = query, arguments

    def make(self, context):
        size = ctypes.c_size_t()
        arguments = [a.desc if isinstance(a, Tensor) else a for a in self.arguments]
        check(self.query, function(self.query)(context.handle, *arguments, ctypes.byref(size)))
        return context.workspace(size.value), size


def call(context, name, *arguments):
    """Calls the public function `name`; waits for it unless a context is given."""
    chosen = context or default_context()
    follow_torch()
    words = [chosen.handle]
    for argument in arguments:
        kind = type(argument)
        if kind is Tensor:
            words += (argument.desc, argument.data)
        elif kind is Workspace:
            words += argument.make(chosen)
        else:
            words.append(argument)
    status = function(name)(*words)
    if status != 0:
        check(name, status)
    if chosen.calls is not None:
        chosen.calls.append((name, words, arguments))
    if context is None:
        chosen.sync()
    else:
        chosen.keep(arguments)
