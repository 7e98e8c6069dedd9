# SPDX-License-Identifier: MIT
"""A mixture-of-experts layer that trains: router, permutation, experts, way back."""
import torch

from .._library import MluOpError
from ._permute import moe_token_permute_with_routing_map, moe_token_unpermute_with_routing_map


def route(scores, top_k):
    """The routing map and the probs of the `top_k` experts with the largest scores: softmax over those chosen.

    >>> routing_map, probs = route(torch.tensor([[1., 3, 3, 0]]), 2)
    >>> routing_map, probs
    (tensor([[False,  True,  True, False]]), tensor([[0.0000, 0.5000, 0.5000, 0.0000]]))
    """
    chosen = scores.topk(top_k, dim=-1).indices
    routing_map = torch.zeros_like(scores, dtype=torch.bool).scatter(1, chosen, True)
    return routing_map, scores.masked_fill(~routing_map, float("-inf")).softmax(-1)


class MoE(torch.nn.Module):
    """tokens [..., hidden] -> [..., hidden]: each token goes through its `top_k` experts of `num_experts`, two linear maps
    with a SiLU between them, and the results are summed with the router's probs.

    >>> layer = MoE(hidden=8, inner=16, num_experts=4, top_k=2)
    >>> layer(torch.ones(3, 5, 8)).shape
    torch.Size([3, 5, 8])
    """

    def __init__(self, hidden, inner, num_experts, top_k):
        super().__init__()
        if not 1 <= top_k <= num_experts:
            raise MluOpError(f"top_k: wanted 1 to the number of experts, {num_experts}, got {top_k}")
        self.top_k = top_k
        self.router = torch.nn.Linear(hidden, num_experts, bias=False)
        self.up = torch.nn.Parameter(torch.randn(num_experts, hidden, inner) * hidden**-0.5)
        self.down = torch.nn.Parameter(torch.randn(num_experts, inner, hidden) * inner**-0.5)

    def experts(self, rows, counts):
        """Each expert's rows through it; rows are in the order of the experts."""
        parts = []
        for expert, part in enumerate(rows.split(counts.tolist())):
            parts.append(torch.nn.functional.silu(part @ self.up[expert]) @ self.down[expert])
        return torch.cat(parts)

    def forward(self, tokens):
        flat = tokens.reshape(-1, tokens.shape[-1])
        routing_map, probs = route(self.router(flat), self.top_k)
        rows, _, indices, counts = moe_token_permute_with_routing_map(flat, routing_map, flat.shape[0] * self.top_k)
        results = self.experts(rows, counts)
        return moe_token_unpermute_with_routing_map(results, indices, routing_map, probs.to(results.dtype)).view(tokens.shape)
