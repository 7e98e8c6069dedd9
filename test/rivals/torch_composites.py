# SPDX-License-Identifier: MIT
"""What people write with PyTorch for each operator, on data of a case's shapes. Every function takes a Case and gives
back {name of the rival: function without arguments}. Data and maps that a model has anyway are made beforehand."""
import torch

TYPES = {"float": torch.float32, "half": torch.float16, "bfloat16": torch.bfloat16, "uint8": torch.uint8,
         "int8": torch.int8}
NAME = "PyTorch"


def data(tensor):
    if tensor.dtype in ("uint8", "int8"):
        return torch.randint(0, 127, tensor.dims, dtype=TYPES[tensor.dtype])
    return torch.rand(tensor.dims).to(TYPES[tensor.dtype])


def slots(case):
    """Expert and location of every sample, each slot once."""
    samples, capacity = case.number("samples"), case.number("capacity")
    slot = torch.randperm(capacity * case.number("num_experts"))[:samples]
    return slot // capacity, slot % capacity


def moe_dispatch_forward(case):
    gates, rows, out = data(case.inputs["gates"]), data(case.inputs["input"]), data(case.inputs["dispatch"])
    expert, location = slots(case)
    capacity = case.number("capacity")
    return {NAME: lambda: out.index_copy_(0, expert * capacity + location, gates[:, None] * rows)}


def moe_dispatch_backward_data(case):
    gates, dispatch = data(case.inputs["gates"]), data(case.inputs["dispatch"])
    expert, location = slots(case)
    capacity = case.number("capacity")
    return {NAME: lambda: dispatch.index_select(0, expert * capacity + location) * gates[:, None]}


def moe_dispatch_backward_gate(case):
    rows, dispatch = data(case.inputs["input"]), data(case.inputs["dispatch"])
    expert, location = slots(case)
    capacity = case.number("capacity")
    return {NAME: lambda: (dispatch.index_select(0, expert * capacity + location) * rows).sum(dim=1)}


class Routing:
    """A routing map with top-k ones per token, and the permutation that follows from it."""

    def __init__(self, case, rows):
        self.tokens, self.experts = case.inputs["routing_map"].dims
        self.padded = case.flag("drop_and_pad")
        self.top_k = max(1, min(self.experts, rows // self.tokens))
        chosen = torch.rand(self.tokens, self.experts).topk(self.top_k, dim=1).indices
        self.map = torch.zeros(self.tokens, self.experts, dtype=torch.bool).scatter_(1, chosen, True)
        self.probs = torch.rand(self.tokens, self.experts) * self.map
        self.capacity = rows // self.experts
        self.token_of_row, self.expert_of_row = self.permutation()

    def permutation(self):
        transposed = self.map.T.contiguous()
        if self.padded:
            order = transposed.to(torch.int8).argsort(dim=-1, descending=True, stable=True)
            tokens = order[:, :self.capacity].contiguous().view(-1)
            return tokens, torch.arange(self.experts).repeat_interleave(self.capacity)
        ids = torch.arange(self.tokens).unsqueeze(0).expand(self.experts, -1)
        return ids.masked_select(transposed), transposed.nonzero()[:, 0]


def moe_token_permute_with_routing_map(case):
    tokens = data(case.inputs["tokens"])
    routing = Routing(case, case.number("num_out_tokens"))

    def run():
        first, _ = routing.permutation()
        probs = routing.probs.T.contiguous()
        picked = (probs.gather(1, first.view(routing.experts, -1)) if routing.padded
                  else probs.masked_select(routing.map.T))
        return tokens.index_select(0, first), picked, torch.argsort(first, stable=True)

    return {NAME: run}


def sum_rows(routing, rows, weights):
    """Megatron-LM's unpermute: weight each row and add it to its token."""
    weighted = rows if weights is None else rows * weights[:, None].to(rows.dtype)
    out = torch.zeros(routing.tokens, rows.shape[1], dtype=rows.dtype)
    return out.index_add_(0, routing.token_of_row, weighted)


def moe_token_unpermute_with_routing_map(case):
    rows = data(case.inputs["permuted_tokens"])
    routing = Routing(case, rows.shape[0])

    def run():
        weights = routing.probs[routing.token_of_row, routing.expert_of_row] if "probs" in case.inputs else None
        return sum_rows(routing, rows, weights)

    return {NAME: run}


def moe_token_permute_with_routing_map_grad(case):
    rows = data(case.inputs["permuted_tokens_grad"])
    routing = Routing(case, rows.shape[0])
    row_probs = torch.rand(rows.shape[0])

    def run():
        probs = torch.zeros(routing.tokens, routing.experts)
        probs[routing.token_of_row, routing.expert_of_row] = row_probs
        return sum_rows(routing, rows, None), probs

    return {NAME: run}


def moe_token_unpermute_with_routing_map_grad(case):
    grad, rows = data(case.inputs["unpermuted_tokens_grad"]), case.outputs["permuted_tokens_grad"].dims[0]
    routing = Routing(case, rows)
    permuted = data(case.inputs["permuted_tokens"]) if "permuted_tokens" in case.inputs else None

    def run():
        spread = grad.index_select(0, routing.token_of_row)
        if permuted is None:
            return spread
        weights = routing.probs[routing.token_of_row, routing.expert_of_row].to(grad.dtype)
        probs = torch.zeros(routing.tokens, routing.experts)
        probs[routing.token_of_row, routing.expert_of_row] = (spread * permuted).sum(dim=1).float()
        return spread * weights[:, None], probs

    return {NAME: run}


class Pages:
    def __init__(self, case, rows):
        self.block_size = case.number("block_size")
        self.table = torch.randperm(max(1, rows // self.block_size)).to(torch.int32)

    def rows(self, ids):
        block = torch.div(ids, self.block_size, rounding_mode="floor")
        return self.table[block].long() * self.block_size + ids % self.block_size


def gather_in_ub(case):
    param = data(case.inputs["param"])
    pages = Pages(case, param.shape[0])
    ids = torch.randint(0, param.shape[0] // pages.block_size * pages.block_size, case.inputs["indices"].dims)
    return {NAME: lambda: param.index_select(0, pages.rows(ids.view(-1)))}


gather_in_ub_batched = gather_in_ub


def paged_cache_write(case):
    rows, cache = data(case.inputs["input"]), data(case.inputs["cache"])
    pages = Pages(case, cache.shape[0])
    positions = torch.arange(rows.shape[0])
    return {NAME: lambda: cache.index_copy_(0, pages.rows(positions), rows)}


def sparse_attention_scores(case):
    param, query = data(case.inputs["param"]), data(case.inputs["query"])
    pages = Pages(case, param.shape[0])
    ids = torch.randint(0, param.shape[0], case.inputs["indices"].dims)

    def run():
        keys = param.index_select(0, pages.rows(ids.view(-1))).view(*ids.shape, -1)
        return torch.bmm(query, keys.transpose(1, 2)).float()

    return {NAME: run}


def cut(logits, k, p):
    """Logits in falling order, with -inf where top-k and top-p drop them."""
    values, ids = logits.sort(dim=-1, descending=True)
    if k > 0:
        values[:, k:] = float("-inf")
    probs = values.float().softmax(dim=-1)
    values.masked_fill_(probs.cumsum(dim=-1) - probs >= p, float("-inf"))
    return values, ids


def top_k_top_p_sample(case):
    logits = torch.randn(case.inputs["logits"].dims).to(TYPES[case.inputs["logits"].dtype])
    noise = torch.rand(logits.shape) + 0.1
    k = case.k

    def by_sorting():
        values, ids = cut(logits, k, 0.9)
        best = (values.float().softmax(dim=-1) / noise).argmax(dim=-1, keepdim=True)
        return ids.gather(1, best)

    def by_topk():
        values, ids = logits.topk(k, dim=-1)
        probs = values.float().softmax(dim=-1)
        probs = probs.masked_fill(probs.cumsum(dim=-1) - probs >= 0.9, 0)
        return ids.gather(1, (probs / noise[:, :k]).argmax(dim=-1, keepdim=True))

    rivals = {NAME + " sort": by_sorting}
    if k > 0:
        rivals[NAME + " topk"] = by_topk
    return rivals


def apply_top_k_top_p(case):
    logits = torch.randn(case.inputs["logits"].dims).to(TYPES[case.inputs["logits"].dtype])

    def run():
        values, ids = cut(logits, case.k, 0.9)
        return torch.empty_like(logits).scatter_(1, ids, values)

    return {NAME + " sort": run}
