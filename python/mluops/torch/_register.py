# SPDX-License-Identifier: MIT
"""Operators of the library as operators of torch."""
import torch
from torch.autograd import forward_ad

from .._library import MluOpError

_library = torch.library.Library("mluops", "DEF")
_names = []
# The dispatch keys of a plain CPU call: without modes, transforms or tensor subclasses.
_PLAIN = torch._C.DispatchKeySet(torch._C.DispatchKey.CPU) | torch._C.DispatchKeySet(torch._C.DispatchKey.AutogradCPU)


def operators():
    """The overloads that are registered."""
    return tuple(_names)


def _define(name, schema, compute, fake):
    _library.define(name + schema, tags=(torch.Tag.pt2_compliant_tag,))
    _library.impl(name, compute, "CPU")
    torch.library.register_fake(f"mluops::{name}", fake, lib=_library)
    _names.append(name)


def _no_gradient(name):
    def backward(ctx, *_):
        raise RuntimeError(f"torch.ops.mluops.{name} has no gradient: wanted a call under torch.no_grad(), or inputs "
                           "without gradient")
    return backward


def _complete(results, like):
    """With an empty tensor in place of a result that is not there: schemas know no optional results."""
    if type(results) is tuple:
        return tuple([torch.empty(0, dtype=like.dtype) if result is None else result for result in results])
    return results


def _refuse_tangents(name, given):
    """torch would leave the derivative of forward mode out silently."""
    for value in given:
        for tensor in value if isinstance(value, (list, tuple)) else (value,):
            if isinstance(tensor, torch.Tensor) and forward_ad.unpack_dual(tensor).tangent is not None:
                raise MluOpError(f"torch.ops.mluops.{name}: wanted tensors without a tangent, as gradients are those of "
                                 "backward(), got one with a tangent of forward mode")


def _look_first(name, compute):
    """Where torch would begin to look for gradients: derivatives of forward mode are refused, and calls like one before, of
    plain tensors without gradient, are made. torch's way from there to the CPU's function takes as long as a small operator;
    others go that way."""
    if not hasattr(torch.library, "get_kernel"):  # torch before 2.9
        return
    general = torch.library.get_kernel(f"mluops::{name}", "AutogradCPU")
    quick = getattr(compute, "quick", lambda *_: None)

    def kernel(keys, *given):
        if forward_ad._current_level >= 0:
            _refuse_tangents(name, given)
        results = quick(*given) if keys == _PLAIN else None
        return general.call_boxed(keys, *given) if results is None else _complete(results, given[0])

    _library.impl(name, kernel, "AutogradCPU", with_keyset=True)


def register(name, arguments, results, compute, fake, backward=None, setup=None):
    """Makes torch.ops.mluops.<name> and its overload `out`.

    `arguments` and `results` are texts of the schema, the results as "Tensor name, ..."; compute(*arguments, out=None)
    returns them as a tensor or a tuple, in which None stands for a result that is not there, fake(*arguments) tensors like
    them without data. Without `backward` a gradient is refused, not left out silently."""
    types = [result.split()[0] for result in results.split(", ")]
    returned = types[0] if len(types) == 1 else f"({', '.join(types)})"
    _define(name, f"({arguments}) -> {returned}", lambda *given: _complete(compute(*given), given[0]), fake)
    torch.library.register_autograd(f"mluops::{name}", backward or _no_gradient(name), setup_context=setup, lib=_library)
    _look_first(name, compute)

    places, letters = [], iter("abcd")
    for result in results.split(", "):
        kind, place = result.split()
        places.append(f"{kind.replace('Tensor', f'Tensor({next(letters)}!)')} {place}")
    count = len(places)

    def compute_out(*given, **out):
        arrays = tuple(out.values())
        compute(*given, out=arrays[0] if count == 1 else arrays)

    _define(f"{name}.out", f"({arguments}, *, {', '.join(places)}) -> ()", compute_out, lambda *_, **__: None)


def register_in_place(name, arguments, compute):
    """Makes torch.ops.mluops.<name>, which changes arguments and returns nothing."""
    _define(name, f"({arguments}) -> ()", compute, lambda *_, **__: None)
