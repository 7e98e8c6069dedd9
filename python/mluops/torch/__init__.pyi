# SPDX-License-Identifier: MIT
from typing import Any, Literal, Sequence, overload

import torch
from torch import Tensor

from . import flashinfer as flashinfer
from . import megatron as megatron
from . import moe as moe
from . import vllm as vllm
from .flashinfer import top_k_top_p_sampling_from_logits as top_k_top_p_sampling_from_logits
from .vllm import moe_permute as moe_permute
from .vllm import moe_unpermute as moe_unpermute

_Integers = Sequence[Any]  # a list of integers, or of lists of them

def operators() -> tuple[str, ...]: ...
def exponential_noise(logits: Tensor, top_k: int | Sequence[int] | Tensor | None, generator: torch.Generator | None = ...) -> Tensor: ...
def all_to_all_combine(
    inputs: Sequence[Tensor], expert_metadata: Sequence[Tensor | _Integers], expert_mapping: Tensor | _Integers,
    rows: int, cols: int, local_reduce: bool = ..., cluster_axis: int = ...,
    split: Literal["batch", "sequence"] = ..., *, out: list[Tensor] | None = ...) -> list[Tensor]: ...
def all_to_all_dispatch(
    inputs: Sequence[Tensor], expert_indices: Sequence[Tensor | _Integers], expert_mapping: Tensor | _Integers,
    rows: int, cols: int, cluster_axis: int = ..., split: Literal["batch", "sequence"] = ..., *,
    out: tuple[list[Tensor], list[Tensor]] | None = ...) -> tuple[list[Tensor], list[Tensor]]: ...
def apply_top_k_top_p(
    logits: Tensor, top_k: int | Sequence[int] | Tensor | None, top_p: float | Sequence[float] | Tensor | None, *,
    out: Tensor | None = ...) -> Tensor: ...
def gather_in_ub(
    param: Tensor, indices: Tensor | _Integers, block_table: Tensor | _Integers, block_size: int, axis: int = ..., *,
    out: Tensor | None = ...) -> Tensor: ...
def gather_in_ub_batched(
    param: Tensor, indices: Tensor | _Integers, block_table: Tensor | _Integers, block_size: int,
    request_ids: Tensor | _Integers | None = ..., valid_counts: Tensor | _Integers | None = ..., axis: int = ..., *,
    out: Tensor | None = ...) -> Tensor: ...
def moe_dispatch_backward_data(
    gates: Tensor, indices: Tensor | _Integers, locations: Tensor | _Integers, dispatch: Tensor, capacity: int,
    num_experts: int, *, out: Tensor | None = ...) -> Tensor: ...
def moe_dispatch_backward_gate(
    indices: Tensor | _Integers, locations: Tensor | _Integers, input: Tensor, dispatch: Tensor, capacity: int,
    num_experts: int, *, out: Tensor | None = ...) -> Tensor: ...
def moe_dispatch_forward(
    gates: Tensor, indices: Tensor | _Integers, locations: Tensor | _Integers, input: Tensor, capacity: int,
    num_experts: int, *, out: Tensor | None = ...) -> Tensor: ...
def moe_token_permute_with_routing_map(
    tokens: Tensor, routing_map: Tensor, num_out_tokens: int, probs: Tensor | None = ..., drop_and_pad: bool = ..., *,
    out: tuple[Tensor, Tensor | None, Tensor, Tensor] | None = ...) -> tuple[Tensor, Tensor | None, Tensor, Tensor]: ...
def moe_token_permute_with_routing_map_grad(
    permuted_tokens_grad: Tensor, sorted_indices: Tensor | _Integers, routing_map: Tensor,
    permuted_probs_grad: Tensor | None = ..., drop_and_pad: bool = ..., *,
    out: tuple[Tensor, Tensor | None] | None = ...) -> tuple[Tensor, Tensor | None]: ...
def moe_token_unpermute_with_routing_map(
    permuted_tokens: Tensor, sorted_indices: Tensor | _Integers, routing_map: Tensor, probs: Tensor | None = ...,
    drop_and_pad: bool = ..., *, out: Tensor | None = ...) -> Tensor: ...
def moe_token_unpermute_with_routing_map_grad(
    unpermuted_tokens_grad: Tensor, sorted_indices: Tensor | _Integers, routing_map: Tensor,
    permuted_tokens: Tensor | None = ..., probs: Tensor | None = ..., drop_and_pad: bool = ..., *,
    out: tuple[Tensor, Tensor | None] | None = ...) -> tuple[Tensor, Tensor | None]: ...
def paged_cache_write(
    input: Tensor, positions: Tensor | _Integers, block_table: Tensor | _Integers, block_size: int, cache: Tensor,
    request_ids: Tensor | _Integers | None = ...) -> Tensor: ...
def sparse_attention_scores(
    query: Tensor, param: Tensor, indices: Tensor | _Integers, block_table: Tensor | _Integers, block_size: int,
    scale: float = ..., request_ids: Tensor | _Integers | None = ..., valid_counts: Tensor | _Integers | None = ...,
    *, out: Tensor | None = ...) -> Tensor: ...
@overload
def top_k_top_p_sample(
    logits: Tensor, top_k: int | Sequence[int] | Tensor | None, top_p: float | Sequence[float] | Tensor | None,
    q: Tensor | None = ..., min_p: float | Sequence[float] | Tensor | None = ..., eps: float = ...,
    top_k_guess: int = ..., return_logits: Literal[False] = ..., *, generator: torch.Generator | None = ...,
    greedy: bool = ..., out: Tensor | None = ...) -> Tensor: ...
@overload
def top_k_top_p_sample(
    logits: Tensor, top_k: int | Sequence[int] | Tensor | None, top_p: float | Sequence[float] | Tensor | None,
    q: Tensor | None = ..., min_p: float | Sequence[float] | Tensor | None = ..., eps: float = ...,
    top_k_guess: int = ..., *, return_logits: Literal[True], generator: torch.Generator | None = ...,
    greedy: bool = ..., out: tuple[Tensor, Tensor] | None = ...) -> tuple[Tensor, Tensor]: ...
