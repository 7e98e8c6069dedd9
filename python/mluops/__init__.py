# SPDX-License-Identifier: MIT
"""Mixture-of-experts and LLM inference operators on numpy arrays and torch tensors of the CPU.

Operators read and write the arrays in place, without copies. A wrong argument raises MluOpError, and the library's log says
which argument, what was wanted and what was given.

>>> import numpy, mluops
>>> mluops.gather_in_ub(numpy.float32([[1], [2]]), numpy.int32([[1, 0]]), numpy.int32([[0]]), block_size=2).ravel()
array([2., 1.], dtype=float32)
"""
from . import moe, paged
from ._context import Context
from ._library import MluOpError, library, version
from ._plan import remembered
from .moe import moe_dispatch_forward
from .sampling import apply_top_k_top_p, top_k_top_p_sample
from .several import Ranks, all_to_all_combine, all_to_all_dispatch

# Operators whose plan depends only on types, shapes and scalars, not on array contents.
gather_in_ub = remembered(paged.gather_in_ub)
gather_in_ub_batched = remembered(paged.gather_in_ub_batched)
moe_dispatch_backward_data = remembered(moe.moe_dispatch_backward_data)
moe_dispatch_backward_gate = remembered(moe.moe_dispatch_backward_gate)
moe_token_permute_with_routing_map = remembered(moe.moe_token_permute_with_routing_map)
moe_token_permute_with_routing_map_grad = remembered(moe.moe_token_permute_with_routing_map_grad)
moe_token_unpermute_with_routing_map = remembered(moe.moe_token_unpermute_with_routing_map)
moe_token_unpermute_with_routing_map_grad = remembered(moe.moe_token_unpermute_with_routing_map_grad)
paged_cache_write = remembered(paged.paged_cache_write)
sparse_attention_scores = remembered(paged.sparse_attention_scores)

__version__ = version()
__all__ = ["Context", "MluOpError", "Ranks", "all_to_all_combine", "all_to_all_dispatch", "apply_top_k_top_p",
           "gather_in_ub", "gather_in_ub_batched", "library", "moe_dispatch_backward_data", "moe_dispatch_backward_gate",
           "moe_dispatch_forward", "moe_token_permute_with_routing_map", "moe_token_permute_with_routing_map_grad",
           "moe_token_unpermute_with_routing_map", "moe_token_unpermute_with_routing_map_grad", "paged_cache_write",
           "sparse_attention_scores", "top_k_top_p_sample", "version"]
