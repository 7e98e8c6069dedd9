# SPDX-License-Identifier: MIT
"""Data for the tests of mluops.torch."""
import torch


def routing(tokens, experts, k, seed=1):
    scores = torch.rand(tokens, experts, generator=torch.Generator().manual_seed(seed))
    chosen = scores.topk(k, dim=1).indices if tokens else torch.zeros(0, k, dtype=torch.int64)
    routing_map = torch.zeros(tokens, experts, dtype=torch.bool).scatter(1, chosen, True)
    return routing_map, scores * routing_map


def leaf(*shape, dtype=torch.float32, seed=2):
    values = torch.randn(*shape, generator=torch.Generator().manual_seed(seed)) if shape else torch.tensor(1.)
    return values.to(dtype).requires_grad_()
