# SPDX-License-Identifier: MIT
"""The operators as operators of torch: torch.ops.mluops.*, with gradients, under torch.compile and in torch.export.

The functions here have the names and arguments of those of mluops, take what torch's users pass by habit and call
torch.ops.mluops. A gradient that is not defined is refused, not left out. Functions with the names and arguments that users
know from other libraries are in mluops.torch.flashinfer, .vllm and .megatron; each says what differs. mluops.torch.moe has a
layer that trains.

>>> logits = torch.tensor([[0.5, 2, 1, 2, -1, 0]], requires_grad=True)
>>> apply_top_k_top_p(logits, top_k=3, top_p=0.7)[0, 1].backward()
>>> logits.grad
tensor([[0., 1., 0., 0., 0., 0.]])
"""
import torch

if not hasattr(torch.library, "register_autograd"):
    raise ImportError(f"mluops.torch: wanted torch 2.4 or newer, got {torch.__version__}")

from ._dispatch import moe_dispatch_backward_data, moe_dispatch_backward_gate, moe_dispatch_forward
from ._paged import gather_in_ub, gather_in_ub_batched, paged_cache_write, sparse_attention_scores
from ._permute import (moe_token_permute_with_routing_map, moe_token_permute_with_routing_map_grad,
                       moe_token_unpermute_with_routing_map, moe_token_unpermute_with_routing_map_grad)
from ._register import operators
from ._sampling import apply_top_k_top_p, exponential_noise, top_k_top_p_sample
from ._several import all_to_all_combine, all_to_all_dispatch
from . import flashinfer, megatron, moe, vllm
from .flashinfer import top_k_top_p_sampling_from_logits
from .vllm import moe_permute, moe_unpermute

__all__ = ["all_to_all_combine", "all_to_all_dispatch", "apply_top_k_top_p", "exponential_noise", "flashinfer",
           "gather_in_ub", "gather_in_ub_batched", "megatron", "moe_dispatch_backward_data", "moe_dispatch_backward_gate",
           "moe", "moe_dispatch_forward", "moe_permute",
           "moe_token_permute_with_routing_map", "moe_token_permute_with_routing_map_grad",
           "moe_token_unpermute_with_routing_map", "moe_token_unpermute_with_routing_map_grad",
           "moe_unpermute", "operators", "paged_cache_write", "sparse_attention_scores", "top_k_top_p_sample",
           "top_k_top_p_sampling_from_logits", "vllm"]
