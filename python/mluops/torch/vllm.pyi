# SPDX-License-Identifier: MIT
from torch import Tensor

def moe_permute(
    hidden_states: Tensor, a1q_scale: Tensor | None, topk_ids: Tensor, n_expert: int, n_local_expert: int = ...,
    expert_map: Tensor | None = ...,
    permuted_hidden_states: Tensor | None = ...) -> tuple[Tensor, Tensor | None, Tensor, Tensor]: ...
def moe_unpermute(
    out: Tensor | None, permuted_hidden_states: Tensor, topk_weights: Tensor, inv_permuted_idx: Tensor,
    expert_first_token_offset: Tensor | None = ...) -> Tensor: ...
