# SPDX-License-Identifier: MIT
"""Caches calls with torch tensors as plans, because checking the arguments takes longer than a small operator. A plan
depends only on types, shapes, strides and scalars; the next call with the same ones skips the checks.

Plans are generated as Python source without loops: a loop over the arguments would take as long as the rest of the call."""
import ctypes
import functools
import inspect
import sys

from ._call import Workspace
from ._context import default_context
from ._library import check, function
from ._tensor import Tensor
from ._threads import follow_torch

_MOST_PLANS = 256

# The properties of an argument that a plan depends on.
_KEY = ("(({0}.dtype, {0}.shape, {0}.is_contiguous() or {0}.stride(), {0}.is_cpu, {0}.requires_grad and is_grad_enabled()) "
        "if type({0}) is Tensor else {0} if type({0}) in SCALARS else other({0}))")
_FUNCTION = """def make(plans, first):
    def {name}{signature}:
        try:
            plan = plans.get(({keys},), first)
        except LookupError:
            plan = first
        return plan({arguments})
    return {name}
"""
_PLAN = """def plan({arguments}):
    context = default_context()
    {makes}
    follow_torch()
    status = function({words})
    if status != 0:
        check(name, status)
    context.sync()
    return {results}
"""


def _other(value):
    """The part of a plan's key for an argument that is neither a tensor nor an integer."""
    kind = type(value)
    if kind is float:
        return float, value  # so that 2.0 and 2 differ
    if kind is tuple:
        return (tuple, *map(_names["key_of"], value))
    torch = sys.modules.get("torch")
    if hasattr(torch, "is_grad_enabled"):  # torch was imported after mluops, and the import is complete
        _names.update(Tensor=torch.Tensor, is_grad_enabled=torch.is_grad_enabled)
    raise LookupError("not remembered")


_names = {"Tensor": None, "SCALARS": frozenset((int, bool, type(None))), "other": _other}
exec(f"def key_of(value): return {_KEY.format('value')}", _names)


@functools.lru_cache(maxsize=256)
def _compiled(text):
    return compile(text, "<mluops>", "exec")


def _define(name, text, names):
    """Compiles the source `text` and returns its function `name`."""
    exec(_compiled(text), names)
    return names.pop(name)


class _Plan:
    """A recorded call: a source expression for each of its arrays, and the names these use. The source does not depend on
    shapes, so that compiling it once is enough."""

    def __init__(self, name, given, results):
        self.names = {"default_context": default_context, "follow_torch": follow_torch, "check": check, "name": name,
                      "function": function(name), "address": ctypes.c_void_p.from_param, "descriptors": []}
        self.texts, self.made = [], []
        for parameter, value in given.items():
            items = enumerate(value) if isinstance(value, tuple) else ()
            self.texts += [(value, parameter), *((item, f"{parameter}[{at}]") for at, item in items)]
        empty = sys.modules["torch"].empty  # faster with separate integers than with one shape
        for array in results:
            if array is not None and self.text_of(array) is None:
                self.made.append(self.constant(functools.partial(empty, *array.shape, dtype=array.dtype)))
                self.texts.append((array, f"{self.made[-1]}_array"))

    def text_of(self, array):
        return None if array is None else next((text for other, text in self.texts if other is array), None)

    def constant(self, value):
        """Returns a name for a constant. C values are converted now, as ctypes would do at every call."""
        name = f"constant{len(self.names)}"
        self.names[name] = type(value).from_param(value.value) if isinstance(value, ctypes._SimpleCData) else value
        return name

    def words(self, words, arguments):
        """Source expressions for the values of the C call; LookupError if the call cannot be repeated."""
        texts, words = ["context.handle"], iter(words[1:])
        for argument in arguments:
            texts.append(self.constant(next(words)))
            if isinstance(argument, Workspace):
                size = next(words)
                texts[-1:] = f"context.workspace({self.constant(size.value)})", self.constant(size)
            elif isinstance(argument, Tensor):
                word, text = next(words), self.text_of(argument.array)
                if text is None and argument.array is not None:
                    raise LookupError("an argument that was converted")
                texts.append(f"address({text}.data_ptr())" if text else self.constant(word))
                if text:
                    self.names["descriptors"].append(argument._descriptor)  # kept alive as long as the plan
        if any(f"address({made}_array.data_ptr())" not in texts for made in self.made):
            raise LookupError("a result that the call did not write")
        return texts


def _plan(calls, given, result):
    """The function that repeats the recorded call; LookupError if it cannot be repeated."""
    if len(calls) != 1:
        raise LookupError("not one call of C")
    name, words, arguments = calls[0]
    results = result if isinstance(result, tuple) else (result,)
    plan = _Plan(name, given, results)
    texts = [str(plan.text_of(array)) for array in results]
    return _define("plan", _PLAN.format(
        arguments=", ".join(given), words=", ".join(plan.words(words, arguments)),
        makes="; ".join(f"{made}_array = {made}()" for made in plan.made) or "pass",
        results=f"({', '.join(texts)})" if isinstance(result, tuple) else texts[0]), plan.names)


def remembered(run):
    """The function `run`, faster when called again with torch tensors of the same shapes. Its `quick` only makes calls that
    have a plan: without one, or when a gradient is wanted, it does nothing and returns None."""
    plans = {}
    signature = inspect.signature(run)

    def first(*values):
        """A call without a plan: makes it, and stores a plan if one is possible."""
        try:
            key = tuple(map(_names["key_of"], values))
        except LookupError:
            return run(*values)
        with default_context().recorded() as calls:
            result = run(*values)
        if len(plans) >= _MOST_PLANS:
            plans.clear()
        try:
            plans[key] = _plan(calls, dict(zip(signature.parameters, values)), result)
        except LookupError:
            plans[key] = run
        return result

    make = _define("make", _FUNCTION.format(
        name=run.__name__, signature=signature, arguments=", ".join(signature.parameters),
        keys=", ".join(map(_KEY.format, signature.parameters))), _names)
    again = functools.update_wrapper(make(plans, first), run)
    again.__module__ = "mluops"  # where pickle finds it
    again.quick = make(plans, lambda *_: None)
    return again
