# SPDX-License-Identifier: MIT
"""Operators of the library as operators of torch."""
import torch

_library = torch.library.Library("mluops", "DEF")
_names = []


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


def register(name, arguments, results, compute, fake, backward=None, setup=None):
    """Makes torch.ops.mluops.<name> and its overload `out`.

    `arguments` and `results` are texts of the schema, the results as "Tensor name, ..."; compute(*arguments, out=None)
    returns them as a tensor or a tuple, fake(*arguments) tensors like them without data. Without `backward` a gradient
    is refused, not left out silently."""
    types = [result.split()[0] for result in results.split(", ")]
    returned = types[0] if len(types) == 1 else f"({', '.join(types)})"
    _define(name, f"({arguments}) -> {returned}", compute, fake)
    torch.library.register_autograd(f"mluops::{name}", backward or _no_gradient(name), setup_context=setup, lib=_library)

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
