# SPDX-License-Identifier: MIT
"""Operators of mixture-of-experts layers. The numbers of the examples are those of mlu_op.h."""
import ctypes

from ._call import Workspace, call
from ._tensor import Tensor, empty_like


def moe_dispatch_forward(gates, indices, locations, input, capacity, num_experts, dispatch=None, context=None):
    """Sends samples to the slots of their experts, each times its gate: returns dispatch [num_experts * capacity, hidden].

    gates [samples], indices and locations [samples] of int32, input [samples, hidden]. Slots nobody is sent to keep what
    `dispatch` held; a new one starts with zeros.

    >>> import numpy
    >>> moe_dispatch_forward(numpy.float32([0.5, 2, 1]), numpy.int32([1, 0, 1]), numpy.int32([0, 1, 1]),
    ...                      numpy.float32([[2, 4], [1, 3], [7, 9]]), capacity=2, num_experts=2)
    array([[0., 0.],
           [2., 6.],
           [1., 2.],
           [7., 9.]], dtype=float32)
    """
    samples, hidden = input.shape
    if dispatch is None:
        dispatch = empty_like(input, (num_experts * capacity, hidden), zero=True)
    call(context, "mluOpMoeDispatchForward", Tensor("gates", gates), Tensor("indices", indices),
         Tensor("locations", locations), Tensor("input", input), samples, capacity, hidden, num_experts,
         Tensor("dispatch", dispatch))
    return dispatch


def moe_dispatch_backward_data(gates, indices, locations, dispatch, capacity, num_experts, out=None, context=None):
    """Gives each sample the slot it was sent to, times its gate: returns [samples, hidden].

    >>> import numpy
    >>> moe_dispatch_backward_data(numpy.float32([0.5, 2, 1]), numpy.int32([1, 0, 2]), numpy.int32([0, 1, 1]),
    ...                            numpy.float32([[1, 2], [3, 4], [5, 6], [7, 8]]), capacity=2, num_experts=2)
    array([[2.5, 3. ],
           [6. , 8. ],
           [0. , 0. ]], dtype=float32)
    """
    samples, hidden = indices.shape[0], dispatch.shape[1]
    out = empty_like(dispatch, (samples, hidden)) if out is None else out
    call(context, "mluOpMoeDispatchBackwardData", Tensor("gates", gates), Tensor("indices", indices),
         Tensor("locations", locations), Tensor("dispatch", dispatch), samples, capacity, hidden, num_experts,
         Tensor("grad_input", out))
    return out


def moe_dispatch_backward_gate(indices, locations, input, dispatch, capacity, num_experts, out=None, context=None):
    """The gradient of moe_dispatch_forward for its gates: returns [samples].

    >>> import numpy
    >>> moe_dispatch_backward_gate(numpy.int32([1, 0, 2]), numpy.int32([0, 1, 1]),
    ...                            numpy.float32([[2, 4], [1, 3], [7, 9]]),
    ...                            numpy.float32([[1, 2], [3, 4], [5, 6], [7, 8]]), capacity=2, num_experts=2)
    array([34., 15.,  0.], dtype=float32)
    """
    samples, hidden = input.shape
    out = empty_like(input, (samples,)) if out is None else out
    samples_in = Tensor("input", input)
    call(context, "mluOpMoeDispatchBackwardGate", Tensor("indices", indices), Tensor("locations", locations), samples_in,
         Tensor("dispatch", dispatch), samples, capacity, hidden, num_experts,
         Workspace("mluOpGetMoeDispatchBackwardGateWorkspaceSize", samples_in), Tensor("grad_gates", out))
    return out


def moe_token_permute_with_routing_map(tokens, routing_map, num_out_tokens, probs=None, drop_and_pad=False, context=None):
    """Copies tokens into the order of their experts: returns (permuted_tokens, permuted_probs, sorted_indices,
    tokens_per_expert); permuted_probs is None without probs.

    tokens [tokens_num, hidden], routing_map [tokens_num, num_experts] of int8 or bool, probs like routing_map.

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
    count, experts = routing_map.shape
    unit = experts if drop_and_pad else count
    rows = num_out_tokens // unit * unit if unit else 0
    permuted = empty_like(tokens, (rows, tokens.shape[1]))
    permuted_probs = None if probs is None else empty_like(probs, (rows,))
    indices = empty_like(tokens, (rows,), "int32")
    per_expert = empty_like(tokens, (experts,), "int32", zero=True)
    routing = Tensor("routing_map", routing_map)
    call(context, "mluOpMoeTokenPermuteWithRoutingMap_v2", Tensor("tokens", tokens), routing, Tensor("probs", probs),
         ctypes.c_int64(num_out_tokens), ctypes.c_bool(drop_and_pad),
         Workspace("mluOpGetMoeTokenPermuteWithRoutingMapWorkspaceSize", routing), Tensor("permuted_tokens", permuted),
         Tensor("permuted_probs", permuted_probs), Tensor("sorted_indices", indices),
         Tensor("tokens_per_expert", per_expert))
    return permuted, permuted_probs, indices, per_expert


def moe_token_unpermute_with_routing_map(permuted_tokens, sorted_indices, routing_map, probs=None, drop_and_pad=False,
                                         out=None, context=None):
    """Puts permuted rows back to their tokens, summed with their weights: returns [tokens_num, hidden].

    >>> import numpy
    >>> moe_token_unpermute_with_routing_map(numpy.float32([[1], [2], [3], [4]]), numpy.int32([0, 2, 1, 3]),
    ...                                      numpy.int8([[1, 1], [1, 1]]), numpy.float32([[0.5, 0.5], [1, 0.25]]))
    array([[2.],
           [3.]], dtype=float32)
    """
    if out is None:
        out = empty_like(permuted_tokens, (routing_map.shape[0], permuted_tokens.shape[1]))
    indices, pad = Tensor("sorted_indices", sorted_indices), ctypes.c_bool(drop_and_pad)
    call(context, "mluOpMoeTokenUnpermuteWithRoutingMap", Tensor("permuted_tokens", permuted_tokens), indices,
         Tensor("routing_map", routing_map), Tensor("probs", probs), pad,
         Workspace("mluOpGetMoeTokenUnpermuteWithRoutingMapWorkspaceSize", indices, pad),
         Tensor("unpermuted_tokens", out))
    return out


def moe_token_permute_with_routing_map_grad(permuted_tokens_grad, sorted_indices, routing_map, permuted_probs_grad=None,
                                            drop_and_pad=False, context=None):
    """The gradients of the permutation: returns (tokens_grad, probs_grad); probs_grad is None without
    permuted_probs_grad.

    >>> import numpy
    >>> moe_token_permute_with_routing_map_grad(numpy.float32([[1], [2]]), numpy.int32([1, 0]),
    ...                                         numpy.int8([[0, 1], [1, 0]]), numpy.float32([5, 6]))
    (array([[2.],
           [1.]], dtype=float32), array([[0., 6.],
           [5., 0.]], dtype=float32))
    """
    tokens_grad = empty_like(permuted_tokens_grad, (routing_map.shape[0], permuted_tokens_grad.shape[1]))
    probs_grad = None if permuted_probs_grad is None else empty_like(permuted_probs_grad, routing_map.shape)
    indices, pad = Tensor("sorted_indices", sorted_indices), ctypes.c_bool(drop_and_pad)
    call(context, "mluOpMoeTokenPermuteWithRoutingMapGrad", Tensor("permuted_tokens_grad", permuted_tokens_grad),
         Tensor("permuted_probs_grad", permuted_probs_grad), indices, Tensor("routing_map", routing_map), pad,
         Workspace("mluOpGetMoeTokenPermuteWithRoutingMapGradWorkspaceSize", indices, pad),
         Tensor("tokens_grad", tokens_grad), Tensor("probs_grad", probs_grad))
    return tokens_grad, probs_grad


def moe_token_unpermute_with_routing_map_grad(unpermuted_tokens_grad, sorted_indices, routing_map, permuted_tokens=None,
                                              probs=None, drop_and_pad=False, context=None):
    """The gradients of the way back: returns (permuted_tokens_grad, probs_grad); probs and permuted_tokens come
    together, and probs_grad is None without them.

    >>> import numpy
    >>> moe_token_unpermute_with_routing_map_grad(numpy.float32([[3], [4]]), numpy.int32([1, 0]),
    ...                                           numpy.int8([[0, 1], [1, 0]]), numpy.float32([[5], [6]]),
    ...                                           numpy.float32([[0, 0.5], [2, 0]]))
    (array([[8. ],
           [1.5]], dtype=float32), array([[ 0., 18.],
           [20.,  0.]], dtype=float32))
    """
    rows_grad = empty_like(unpermuted_tokens_grad, (sorted_indices.shape[0], unpermuted_tokens_grad.shape[1]))
    probs_grad = None if probs is None else empty_like(probs, probs.shape)
    indices, pad = Tensor("sorted_indices", sorted_indices), ctypes.c_bool(drop_and_pad)
    call(context, "mluOpMoeTokenUnpermuteWithRoutingMapGrad", Tensor("unpermuted_tokens_grad", unpermuted_tokens_grad),
         Tensor("permuted_tokens", permuted_tokens), indices, Tensor("routing_map", routing_map), Tensor("probs", probs),
         pad, Workspace("mluOpGetMoeTokenUnpermuteWithRoutingMapGradWorkspaceSize", indices, pad),
         Tensor("permuted_tokens_grad", rows_grad), Tensor("probs_grad", probs_grad))
    return rows_grad, probs_grad
