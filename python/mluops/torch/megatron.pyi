# SPDX-License-Identifier: MIT
from typing import Sequence

from torch import Tensor

def permute(
    tokens: Tensor, routing_map: Tensor, probs: Tensor | None = ..., num_out_tokens: int | None = ...,
    fused: bool = ..., drop_and_pad: bool = ...) -> tuple[Tensor, Tensor | None, Tensor]: ...
def unpermute(
    permuted_tokens: Tensor, sorted_indices: Tensor, restore_shape: Sequence[int], probs: Tensor | None = ...,
    routing_map: Tensor | None = ..., fused: bool = ..., drop_and_pad: bool = ...) -> Tensor: ...
