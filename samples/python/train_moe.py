# SPDX-License-Identifier: MIT
"""Trains a mixture-of-experts layer of mluops.torch on a small task, and the same layer in plain torch.

Both start with the same weights and get the same data; at every step their losses must be equal up to rounding.
Needs torch: prints SKIPPED without it.
"""
import copy
import sys

try:
    import torch
except ImportError:
    print("SKIPPED: no torch in this Python")
    sys.exit(0)

from mluops.torch.moe import MoE, route

STEPS, TOKENS, HIDDEN = 80, 96, 16


class PlainMoE(MoE):
    """The layer in plain torch: every expert selects its tokens by index."""

    def forward(self, tokens):
        routing_map, probs = route(self.router(tokens), self.top_k)
        result = torch.zeros_like(tokens)
        for expert in range(routing_map.shape[1]):
            ids = routing_map[:, expert].nonzero()[:, 0]
            rows = torch.nn.functional.silu(tokens[ids] @ self.up[expert]) @ self.down[expert]
            result = result.index_add(0, ids, rows * probs[ids, expert][:, None])
        return result


def train(layer):
    """The losses of all steps. The task is one of four rotations, selected by the signs of two features."""
    generator = torch.Generator().manual_seed(5)
    turns = [torch.linalg.qr(torch.randn(HIDDEN, HIDDEN, generator=generator))[0] for _ in range(4)]
    optimizer = torch.optim.Adam(layer.parameters(), lr=0.01)
    losses = []
    for _ in range(STEPS):
        tokens = torch.randn(TOKENS, HIDDEN, generator=generator)
        kind = (tokens[:, 0] > 0).long() * 2 + (tokens[:, 1] > 0).long()
        wanted = torch.stack([tokens[i] @ turns[k] for i, k in enumerate(kind.tolist())])
        loss = torch.nn.functional.mse_loss(layer(tokens), wanted)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def main():
    torch.manual_seed(3)
    ours = MoE(HIDDEN, 64, num_experts=8, top_k=2)
    plain = PlainMoE(HIDDEN, 64, num_experts=8, top_k=2)
    plain.load_state_dict(copy.deepcopy(ours.state_dict()))
    mine, theirs = train(ours), train(plain)
    apart = max(abs(a - b) / b for a, b in zip(mine, theirs))
    print(f"loss {mine[0]:.4f} -> {mine[-1]:.4f} in {STEPS} steps; plain torch {theirs[0]:.4f} -> {theirs[-1]:.4f}")
    print(f"losses differ by at most {apart:.1e} of their value")
    learns, equal = mine[-1] < 0.7 * mine[0], apart < 1e-3
    print("PASS" if learns and equal else "FAIL")
    return not (learns and equal)


if __name__ == "__main__":
    sys.exit(main())
