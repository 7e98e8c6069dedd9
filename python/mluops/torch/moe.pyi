# SPDX-License-Identifier: MIT
import torch
from torch import Tensor

def route(scores: Tensor, top_k: int) -> tuple[Tensor, Tensor]: ...

class MoE(torch.nn.Module):
    top_k: int
    router: torch.nn.Linear
    up: torch.nn.Parameter
    down: torch.nn.Parameter
    def __init__(self, hidden: int, inner: int, num_experts: int, top_k: int) -> None: ...
    def experts(self, rows: Tensor, counts: Tensor) -> Tensor: ...
    def forward(self, tokens: Tensor) -> Tensor: ...
