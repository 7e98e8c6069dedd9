# SPDX-License-Identifier: MIT
"""Operators of mixture-of-experts layers. The examples use the numbers of mlu_op.h."""
import ctypes

from ._arguments import int32, outputs
from ._call import Workspace, call
from ._scalar import integer
from ._tensor import Tensor, empty_like, output, shape_of


def _slots(capacity, num_experts):
    """The sizes of dispatch, checked before memory of these sizes is allocated."""
    experts, places = integer("num_experts", num_experts), integer("capacity", capacity)
    return max(experts.value, 0) * max(places.value, 0), places, experts


def _places(indices, locations, like):
    return Tensor("indices", int32("indices", indices, like)), Tensor("locations", int32("locations", locations, like))


def moe_dispatch_forward(gates, indices, locations, input, capacity, num_experts, out=None, context=None):
    """Copies each sample, times its gate, to its slot: returns dispatch [num_experts * capacity, hidden].

    gates [samples], indices and locations [samples] of int32 or int64, input [samples, hidden]. Slots without a sample keep
    what `out` held; without `out` they are zeros.

    >>> import numpy
    >>> moe_dispatch_forward(numpy.float32([0.5, 2, 1]), numpy.int32([1, 0, 1]), numpy.int32([0, 1, 1]),
    ...                      numpy.float32([[2, 4], [1, 3], [7, 9]]), capacity=2, num_experts=2)
    array([[0., 0.],
           [2., 6.],
           [1., 2.],
           [7., 9.]], dtype=float32)
    """
    samples, hidden = shape_of("input", input, 2)
    slots, capacity, num_experts = _slots(capacity, num_experts)
    out = empty_like(input, (slots, hidden), zero=True) if out is None else out
    call(context, "mluOpMoeDispatchForward", Tensor("gates", gates), *_places(indices, locations, input),
         Tensor("input", input), samples, capacity, hidden, num_experts, output("dispatch", out))
    return out


def moe_dispatch_backward_data(gates, indices, locations, dispatch, capacity, num_experts, out=None, context=None):
    """Copies the slot of each sample, times its gate, back to the sample: returns [samples, hidden].

    >>> import numpy
    >>> moe_dispatch_backward_data(numpy.float32([0.5, 2, 1]), [1, 0, 2], [0, 1, 1],
    ...                            numpy.float32([[1, 2], [3, 4], [5, 6], [7, 8]]), capacity=2, num_experts=2)
    array([[2.5, 3. ],
           [6. , 8. ],
           [0. , 0. ]], dtype=float32)
    """
    (samples,), (_, hidden) = shape_of("gates", gates, 1), shape_of("dispatch", dispatch, 2)
    _, capacity, num_experts = _slots(capacity, num_experts)
    out = empty_like(dispatch, (samples, hidden)) if out is None else out
    call(context, "mluOpMoeDispatchBackwardData", Tensor("gates", gates), *_places(indices, locations, dispatch),
         Tensor("dispatch", dispatch), samples, capacity, hidden, num_experts, output("grad_input", out))
    return out


def moe_dispatch_backward_gate(indices, locations, input, dispatch, capacity, num_experts, out=None, context=None):
    """The gradient of moe_dispatch_forward with respect to gates: returns [samples].

    >>> import numpy
    >>> moe_dispatch_backward_gate(numpy.int64([1, 0, 2]), numpy.int64([0, 1, 1]),
    ...                            numpy.float32([[2, 4], [1, 3], [7, 9]]),
    ...                            numpy.float32([[1, 2], [3, 4], [5, 6], [7, 8]]), capacity=2, num_experts=2)
    array([34., 15.,  0.], dtype=float32)
    """
    samples, hidden = shape_of("input", input, 2)
    _, capacity, num_experts = _slots(capacity, num_experts)
    out = empty_like(input, (samples,)) if out is None else out
    samples_in = Tensor("input", input)
    call(context, "mluOpMoeDispatchBackwardGate", *_places(indices, locations, input), samples_in,
         Tensor("dispatch", dispatch), samples, capacity, hidden, num_experts,
         Workspace("mluOpGetMoeDispatchBackwardGateWorkspaceSize", samples_in), output("grad_gates", out))
    return out


def permuted_rows(count, experts, num_out_tokens, drop_and_pad):
    """Number of permuted rows: the same for each token, or with drop_and_pad for each expert."""
    unit = experts if drop_and_pad else count
    return num_out_tokens // unit * unit if unit else 0


def moe_token_permute_with_routing_map(tokens, routing_map, num_out_tokens, probs=None, drop_and_pad=False, out=None,
                                       context=None):
    """Copies tokens in the order of their experts: returns (permuted_tokens, permuted_probs, sorted_indices,
    tokens_per_expert); permuted_probs is None without probs.

    tokens [tokens_num, hidden], routing_map [tokens_num, num_experts] of int8 or bool, probs like routing_map. `out` is a
    tuple of the four results; permuted_probs may be None there without probs.

    >>> import numpy
    >>> rows, _, indices, counts = moe_token_permute_with_routing_map(
    ...     numpy.float32([[10], [11], [12]]), numpy.int8([[1, 0, 1, 0], [0, 1, 1, 0], [1, 0, 0, 1]]), 6)
    >>> rows.ravel()
    array([10., 12., 11., 10., 11., 12.], dtype=float32)
    >>> indices
    array([0, 3, 2, 4, 1, 5], dtype=int32)
    >>> counts
    array([2, 1, 2, 1], dtype=int32)
    """
    (count, experts), (_, hidden) = shape_of("routing_map", routing_map, 2), shape_of("tokens", tokens, 2)
    num_out_tokens = integer("num_out_tokens", num_out_tokens, 64)
    rows = permuted_rows(count, experts, max(num_out_tokens.value, 0), drop_and_pad)
    permuted, permuted_probs, indices, per_expert = outputs("out", out, 4)
    if out is None:
        permuted = empty_like(tokens, (rows, hidden))
        permuted_probs = None if probs is None else empty_like(probs, (rows,))
        indices = empty_like(tokens, (rows,), "int32")
        per_expert = empty_like(tokens, (experts,), "int32", zero=True)
    routing = Tensor("routing_map", routing_map)
    call(context, "mluOpMoeTokenPermuteWithRoutingMap_v2", Tensor("tokens", tokens), routing, Tensor("probs", probs),
         num_out_tokens, ctypes.c_bool(drop_and_pad),
         Workspace("mluOpGetMoeTokenPermuteWithRoutingMapWorkspaceSize", routing), output("permuted_tokens", permuted),
         output("permuted_probs", permuted_probs), output("sorted_indices", indices),
         output("tokens_per_expert", per_expert))
    return permuted, permuted_probs, indices, per_expert


def moe_token_unpermute_with_routing_map(permuted_tokens, sorted_indices, routing_map, probs=None, drop_and_pad=False,
                                         out=None, context=None):
    """Sums the permuted rows of each token, weighted by probs: returns [tokens_num, hidden].

    >>> import numpy
    >>> moe_token_unpermute_with_routing_map(numpy.float32([[1], [2], [3], [4]]), numpy.int32([0, 2, 1, 3]),
    ...                                      numpy.int8([[1, 1], [1, 1]]), numpy.float32([[0.5, 0.5], [1, 0.25]]))
    array([[2.],
           [3.]], dtype=float32)
    """
    (count, _), (_, hidden) = shape_of("routing_map", routing_map, 2), shape_of("permuted_tokens", permuted_tokens, 2)
    out = empty_like(permuted_tokens, (count, hidden)) if out is None else out
    indices = Tensor("sorted_indices", int32("sorted_indices", sorted_indices, permuted_tokens))
    pad = ctypes.c_bool(drop_and_pad)
    call(context, "mluOpMoeTokenUnpermuteWithRoutingMap", Tensor("permuted_tokens", permuted_tokens), indices,
         Tensor("routing_map", routing_map), Tensor("probs", probs), pad,
         Workspace("mluOpGetMoeTokenUnpermuteWithRoutingMapWorkspaceSize", indices, pad),
         output("unpermuted_tokens", out))
    return out


def moe_token_permute_with_routing_map_grad(permuted_tokens_grad, sorted_indices, routing_map, permuted_probs_grad=None,
                                            drop_and_pad=False, out=None, context=None):
    """The gradients of moe_token_permute_with_routing_map: returns (tokens_grad, probs_grad); probs_grad is None without
    permuted_probs_grad. `out` is a tuple of both.

    >>> import numpy
    >>> moe_token_permute_with_routing_map_grad(numpy.float32([[1], [2]]), numpy.int32([1, 0]),
    ...                                         numpy.int8([[0, 1], [1, 0]]), numpy.float32([5, 6]))
    (array([[2.],
           [1.]], dtype=float32), array([[0., 6.],
           [5., 0.]], dtype=float32))
    """
    count, experts = shape_of("routing_map", routing_map, 2)
    _, hidden = shape_of("permuted_tokens_grad", permuted_tokens_grad, 2)
    tokens_grad, probs_grad = outputs("out", out, 2)
    if out is None:
        tokens_grad = empty_like(permuted_tokens_grad, (count, hidden))
    if out is None and permuted_probs_grad is not None:
        shape_of("permuted_probs_grad", permuted_probs_grad, 1)
        probs_grad = empty_like(permuted_probs_grad, (count, experts))
    indices = Tensor("sorted_indices", int32("sorted_indices", sorted_indices, permuted_tokens_grad))
    pad = ctypes.c_bool(drop_and_pad)
    call(context, "mluOpMoeTokenPermuteWithRoutingMapGrad", Tensor("permuted_tokens_grad", permuted_tokens_grad),
         Tensor("permuted_probs_grad", permuted_probs_grad), indices, Tensor("routing_map", routing_map), pad,
         Workspace("mluOpGetMoeTokenPermuteWithRoutingMapGradWorkspaceSize", indices, pad),
         output("tokens_grad", tokens_grad), output("probs_grad", probs_grad))
    return tokens_grad, probs_grad


def moe_token_unpermute_with_routing_map_grad(unpermuted_tokens_grad, sorted_indices, routing_map, permuted_tokens=None,
                                              probs=None, drop_and_pad=False, out=None, context=None):
    """The gradients of moe_token_unpermute_with_routing_map: returns (permuted_tokens_grad, probs_grad). Give both probs and
    permuted_tokens or neither; probs_grad is None without them. `out` is a tuple of both.

    >>> import numpy
    >>> moe_token_unpermute_with_routing_map_grad(numpy.float32([[3], [4]]), numpy.int32([1, 0]),
    ...                                           numpy.int8([[0, 1], [1, 0]]), numpy.float32([[5], [6]]),
    ...                                           numpy.float32([[0, 0.5], [2, 0]]))
    (array([[8. ],
           [1.5]], dtype=float32), array([[ 0., 18.],
           [20.,  0.]], dtype=float32))
    """
    sorted_indices = int32("sorted_indices", sorted_indices, unpermuted_tokens_grad)
    (rows,), (_, hidden) = shape_of("sorted_indices", sorted_indices, 1), shape_of(
        "unpermuted_tokens_grad", unpermuted_tokens_grad, 2)
    rows_grad, probs_grad = outputs("out", out, 2)
    if out is None:
        rows_grad = empty_like(unpermuted_tokens_grad, (rows, hidden))
        probs_grad = None if probs is None else empty_like(probs, shape_of("probs", probs, 2))
    indices, pad = Tensor("sorted_indices", sorted_indices), ctypes.c_bool(drop_and_pad)
    call(context, "mluOpMoeTokenUnpermuteWithRoutingMapGrad", Tensor("unpermuted_tokens_grad", unpermuted_tokens_grad),
         Tensor("permuted_tokens", permuted_tokens), indices, Tensor("routing_map", routing_map), Tensor("probs", probs),
         pad, Workspace("mluOpGetMoeTokenUnpermuteWithRoutingMapGradWorkspaceSize", indices, pad),
         output("permuted_tokens_grad", rows_grad), output("probs_grad", probs_grad))
    return rows_grad, probs_grad
