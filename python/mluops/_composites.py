# SPDX-License-Identifier: MIT
"""The operators as usually written with torch on a CPU, to compare times and results."""
import torch


def permute(tokens, routing_map, probs=None):
    """Returns the rows ordered by expert, then by token, their probs, and the token of each row."""
    map_of_experts = routing_map.bool().T.contiguous()
    ids = torch.arange(routing_map.shape[0]).expand(routing_map.shape[1], -1).masked_select(map_of_experts)
    return (tokens.index_select(0, ids),
            None if probs is None else probs.T.contiguous().masked_select(map_of_experts), ids)


def permute_and_invert(tokens, routing_map, probs):
    """As permute, but returns the rows in the order of their tokens, which mluops returns as sorted_indices."""
    rows, row_probs, ids = permute(tokens, routing_map, probs)
    return rows, row_probs, torch.argsort(ids, stable=True)


def unpermute(rows, ids, routing_map, probs=None):
    """Sums the rows of each token, each times its prob."""
    if probs is not None:
        rows = rows * probs.T.contiguous().masked_select(routing_map.bool().T.contiguous())[:, None]
    return rows.new_zeros((routing_map.shape[0], rows.shape[1])).index_add(0, ids, rows)


def draw(values, ids, top_p, noise):
    """Top-p and the draw, for logits in descending order."""
    probs = values.float().softmax(dim=-1)
    kept = probs.cumsum(dim=-1) - probs < top_p
    kept[:, 0] = True
    scores = torch.where(kept, probs, 0.0) / (noise[:, :values.shape[1]] + 1e-8)
    return ids.gather(1, scores.argmax(dim=-1, keepdim=True))[:, 0]


def sample_by_sort(logits, top_k, top_p, noise):
    """Sorts the vocabulary, then applies top-k and top-p and draws."""
    values, ids = logits.sort(dim=-1, descending=True, stable=True)
    values = values.masked_fill(torch.arange(logits.shape[1]) >= top_k, float("-inf"))
    return draw(values, ids, top_p, noise)


def sample_by_topk(logits, top_k, top_p, noise):
    """torch.topk first, then top-p and the draw among its k candidates."""
    return draw(*logits.topk(top_k, dim=-1), top_p, noise)
