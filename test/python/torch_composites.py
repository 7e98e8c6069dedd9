# SPDX-License-Identifier: MIT
"""What people write with torch on a CPU for what the operators do; differentiable where theirs is."""
import torch

from mluops._composites import permute, unpermute  # noqa: F401, for those who import this


def _slots(indices, locations, capacity, num_experts):
    used = (indices >= 0) & (indices < num_experts) & (locations >= 0) & (locations < capacity)
    return (indices * capacity + locations)[used], used


def dispatch(gates, indices, locations, samples, capacity, num_experts):
    slots, used = _slots(indices, locations, capacity, num_experts)
    return samples.new_zeros((capacity * num_experts, samples.shape[1])).index_put(
        (slots,), (gates[:, None] * samples)[used])


def collect(gates, indices, locations, slots_in, capacity, num_experts):
    slots, used = _slots(indices, locations, capacity, num_experts)
    samples = slots_in.new_zeros((gates.shape[0], slots_in.shape[1])).index_put((used.nonzero()[:, 0],), slots_in[slots])
    return samples * gates[:, None]


def rows_of_pages(ids, table, block_size, requests, counts, token_size):
    """The row of each id, one by one, and whether there is one."""
    rows, used = torch.zeros_like(ids), torch.zeros_like(ids, dtype=torch.bool)
    for query, (request, count) in enumerate(zip(requests.tolist(), counts.tolist())):
        for place, index in enumerate(ids[query].tolist()):
            if place >= count or not 0 <= index < table.shape[1] * block_size:
                continue
            block = int(table[request, index // block_size])
            row = block * block_size + index % block_size
            if block >= 0 and row < token_size:
                rows[query, place], used[query, place] = row, True
    return rows, used


def filter_top_k(logits, k):
    values, ids = logits.topk(k, dim=-1)
    return torch.full_like(logits, float("-inf")).scatter(1, ids, values)
