# SPDX-License-Identifier: MIT
from typing import Sequence

import torch
from torch import Tensor

def top_k_top_p_sampling_from_logits(
    logits: Tensor, top_k: int | Sequence[int] | Tensor, top_p: float | Sequence[float] | Tensor,
    indices: Tensor | None = ..., filter_apply_order: str = ..., deterministic: bool = ...,
    generator: torch.Generator | None = ..., check_nan: bool = ..., seed: int | None = ...,
    offset: int | None = ...) -> Tensor: ...
