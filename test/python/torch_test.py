# SPDX-License-Identifier: MIT
"""mluops.torch: torch's own checks of every operator, gradients beside those of torch's composites, compiled and exported
calls, and what users pass by habit. Prints PASS, or SKIPPED without torch."""
import doctest
import importlib
import sys
import unittest
import warnings

try:
    import torch
except ImportError:
    print("SKIPPED: no torch in this Python")
    sys.exit(0)

import mluops
import mluops.torch
import torch_composites as composites
from torch_data import leaf, routing

ops = torch.ops.mluops
F32, BF16, HALF = torch.float32, torch.bfloat16, torch.float16


def samples():
    """(overload, arguments) for every operator; data that may have a gradient requires one."""
    int32 = torch.int32
    places, locations = torch.tensor([1, 0, 2, 5], dtype=int32), torch.tensor([0, 1, 1, 0])
    yield ops.moe_dispatch_forward, (leaf(4), places, locations, leaf(4, 6), 2, 3), {}
    yield ops.moe_dispatch_backward_data, (leaf(4), places, locations, leaf(6, 6), 2, 3), {}
    yield ops.moe_dispatch_backward_gate, (places, locations, leaf(4, 6), leaf(6, 6), 2, 3), {}
    routing_map, probs = routing(5, 4, 2)
    for pad in (False, True):
        for weights in (None, probs.clone().requires_grad_()):
            rows = 8 if pad else 10
            yield ops.moe_token_permute_with_routing_map, (leaf(5, 3), routing_map, rows, weights, pad), {}
            ids = ops.moe_token_permute_with_routing_map(torch.zeros(5, 3), routing_map, rows, None, pad)[2]
            yield ops.moe_token_unpermute_with_routing_map, (leaf(rows, 3), ids, routing_map, weights, pad), {}
            row_grads = None if weights is None else torch.ones(rows)
            yield (ops.moe_token_permute_with_routing_map_grad,
                   (torch.ones(rows, 3), ids, routing_map, row_grads, pad), {})
            yield (ops.moe_token_unpermute_with_routing_map_grad,
                   (torch.ones(5, 3), ids, routing_map, None if weights is None else torch.ones(rows, 3),
                    None if weights is None else probs, pad), {})
    table, ids = torch.tensor([[2, 0, 1], [1, -1, 0]]), torch.tensor([[0, 5, 3, 3], [2, 9, -1, 1]], dtype=int32)
    more = {"request_ids": torch.tensor([1, 0]), "valid_counts": torch.tensor([3, 4], dtype=int32)}
    yield ops.gather_in_ub, (leaf(6, 3), ids[:1], table[:1], 2), {}
    yield ops.gather_in_ub_batched, (leaf(6, 3), ids, table, 2), more
    yield ops.gather_in_ub_batched, (leaf(6, 3), ids, table, 2), {}
    yield ops.sparse_attention_scores, (leaf(2, 4, 3), leaf(6, 3), ids, table, 2, 0.5), more
    logits, k, p = leaf(3, 20), torch.tensor([5, 0, 3]), torch.tensor([0.9, 0.5, 1.])
    yield ops.apply_top_k_top_p, (logits, k, p), {}
    # test_filter covers its gradient: torch's check cannot add a gradient to results whose first one is an integer.
    yield ops.top_k_top_p_sample, (logits.detach(), k, p), {}
    yield (ops.top_k_top_p_sample, (logits.detach(), k, p, torch.ones(3, 20), torch.tensor([0.1, 0, 1])),
           {"return_logits": True})
    mapping = torch.tensor([[[[1, 0], [0, 1]]]], dtype=int32)
    x = torch.ones(1, 1, 2, 4)
    yield (ops.all_to_all_dispatch, ([x, x + 1], [torch.tensor([[[[1], [0]]]], dtype=int32)] * 2, mapping, 1, 2), {})
    experts = torch.tensor([[[[1], [0]], [[0], [0]]]], dtype=int32)
    yield ops.all_to_all_combine, ([torch.ones(1, 2, 2, 4)] * 2, [experts] * 2, mapping, 1, 2), {}


def detached(value):
    if isinstance(value, torch.Tensor):
        return value.detach().clone()
    return [detached(v) for v in value] if isinstance(value, list) else value


def with_out(packet, arguments, more):
    """The arguments of the overload `out`, detached, and the results they have to give."""
    arguments = tuple(detached(a) for a in arguments)
    results = packet.default(*arguments, **more)
    names = [a.name for a in packet.out._schema.arguments if a.kwarg_only]
    results = [results] if len(names) == 1 else list(results)
    empty = [[torch.full_like(r, 3) for r in result] if isinstance(result, (list, tuple)) else torch.full_like(result, 3)
             for result in results]
    if packet in (ops.moe_dispatch_forward,):
        empty[0].zero_()  # unused slots keep their contents
    for place, result in enumerate(results):
        if isinstance(result, torch.Tensor) and result.dim() == 1 and result.numel() == 0:
            empty[place] = None  # this result was not requested
    return arguments, dict(more, **dict(zip(names, empty))), results, names


class Operators(unittest.TestCase):
    def test_all_are_registered(self):
        public = {name for name in mluops.__all__ if name.startswith(("moe_", "gather", "paged", "sparse", "apply", "top_k",
                                                                      "all_to"))}
        self.assertEqual(public, {name.split(".")[0] for name in mluops.torch.operators()})
        self.assertLessEqual(public, set(mluops.torch.__all__))
        checked = {packet.default.name().split("::")[1] for packet, _, _ in samples()} | {"paged_cache_write"}
        self.assertEqual(public, checked)

    def test_opcheck(self):
        for packet, arguments, more in samples():
            with self.subTest(op=str(packet)):
                torch.library.opcheck(packet.default, arguments, more)

    def test_opcheck_out(self):
        for packet, arguments, more in samples():
            if packet in (ops.all_to_all_dispatch, ops.all_to_all_combine) and torch.__version__.startswith("2.4."):
                continue  # torch cannot yet trace operators that modify lists of tensors
            with self.subTest(op=str(packet)):
                given, keywords, results, names = with_out(packet, arguments, more)
                torch.library.opcheck(packet.out, given, keywords)
                packet.out(*given, **keywords)
                for name, result in zip(names, results):
                    if keywords[name] is not None:
                        torch.testing.assert_close(keywords[name], result, rtol=0, atol=0, equal_nan=True)

    def test_opcheck_write(self):
        given = (torch.ones(3, 2), torch.tensor([0, 3, 1]), torch.tensor([[1, 0]]), 2, torch.zeros(4, 2))
        torch.library.opcheck(ops.paged_cache_write.default, given)

    def test_examples(self):
        for name in ("", "._dispatch", "._paged", "._permute", "._sampling", "._several", ".flashinfer", ".megatron",
                     ".moe", ".vllm"):
            self.assertEqual(doctest.testmod(importlib.import_module("mluops.torch" + name)).failed, 0)


def gradients(function, inputs):
    """The result of `function`, and the gradients of a weighted sum of it."""
    leaves = [x.detach().clone().requires_grad_() for x in inputs]
    results = function(*leaves)
    results = [r for r in (results if isinstance(results, tuple) else (results,)) if r is not None]
    total = sum((torch.where(r.isinf(), 0, r).float() *
                 torch.randn(r.shape, generator=torch.Generator().manual_seed(4))).sum() for r in results)
    return results, torch.autograd.grad(total, leaves)


class Gradients(unittest.TestCase):
    """Results and gradients beside those of what people write with torch, which computes in double."""

    def check(self, ours, theirs, inputs, tolerance):
        for mine, want in zip(gradients(ours, inputs), gradients(theirs, [x.double() for x in inputs])):
            self.assertEqual(len(mine), len(want))
            for a, b in zip(mine, want):
                torch.testing.assert_close(a.double(), b, rtol=tolerance, atol=tolerance)

    def types(self):
        yield from ((F32, 1e-5), (HALF, 4e-3), (BF16, 3e-2))

    def test_permute(self):
        routing_map, probs = routing(7, 5, 2)
        for dtype, tolerance in self.types():
            x = torch.randn(7, 16, generator=torch.Generator().manual_seed(3)).to(dtype)
            self.check(lambda x: mluops.torch.moe_token_permute_with_routing_map(x, routing_map, 14)[0],
                       lambda x: composites.permute(x, routing_map)[0], [x], tolerance)
            self.check(lambda x, p: mluops.torch.moe_token_permute_with_routing_map(x, routing_map, 14, p)[:2],
                       lambda x, p: composites.permute(x, routing_map, p)[:2], [x, probs.to(dtype)], tolerance)

    def test_unpermute(self):
        routing_map, probs = routing(7, 5, 2)
        for dtype, tolerance in self.types():
            rows = torch.randn(14, 16, generator=torch.Generator().manual_seed(3)).to(dtype)
            ids = mluops.torch.moe_token_permute_with_routing_map(rows[:7], routing_map, 14)[2]
            _, _, order = composites.permute(rows[:7], routing_map)
            for weights in ([], [probs.to(dtype)]):
                self.check(lambda r, *p: mluops.torch.moe_token_unpermute_with_routing_map(r, ids, routing_map, *p),
                           lambda r, *p: composites.unpermute(r, order, routing_map, *p), [rows, *weights], tolerance)

    def test_round_trip_of_capacity(self):
        routing_map, probs = routing(6, 3, 1)
        x = torch.randn(6, 8, generator=torch.Generator().manual_seed(3))

        def ours(x, p):
            rows, _, ids, _ = mluops.torch.moe_token_permute_with_routing_map(x, routing_map, 9, p, True)
            return mluops.torch.moe_token_unpermute_with_routing_map(rows * 2, ids, routing_map, p, True)

        def theirs(x, p):
            _, _, ids, _ = mluops.moe_token_permute_with_routing_map(x.detach().float(), routing_map, 9, None, True)
            weights = p.T.gather(1, ids.long().reshape(3, 3)).reshape(-1)
            return torch.zeros_like(x).index_add(0, ids.long(), x[ids.long()] * 2 * weights[:, None])

        self.check(ours, theirs, [x, probs], 1e-5)

    def test_dispatch(self):
        ids, slots = torch.tensor([1, 0, 2, 1, 9]), torch.tensor([0, 1, 1, 1, 0])
        for dtype, tolerance in self.types():
            gates, x, slots_in = (torch.randn(*shape, generator=torch.Generator().manual_seed(5)).to(dtype)
                                  for shape in ((5,), (5, 8), (6, 8)))
            self.check(lambda g, x: mluops.torch.moe_dispatch_forward(g, ids, slots, x, 2, 3),
                       lambda g, x: composites.dispatch(g, ids, slots, x, 2, 3), [gates, x], tolerance)
            # Two samples in one slot: what they read gets both gradients.
            self.check(lambda g, d: mluops.torch.moe_dispatch_backward_data(g, ids, slots * 0, d, 2, 3),
                       lambda g, d: composites.collect(g, ids, slots * 0, d, 2, 3), [gates, slots_in], tolerance)
            self.check(lambda x, d: mluops.torch.moe_dispatch_backward_gate(ids, slots * 0, x, d, 2, 3),
                       lambda x, d: (composites.collect(torch.ones(5), ids, slots * 0, d, 2, 3) * x).sum(1),
                       [x, slots_in], tolerance)

    def test_paged(self):
        ids, table = torch.tensor([[0, 5, 3, 3], [2, 9, -1, 1]]), torch.tensor([[2, 0, 1], [1, -1, 0]])
        request, counts = torch.tensor([1, 0]), torch.tensor([3, 4])
        rows, used = composites.rows_of_pages(ids, table, 2, request, counts, 6)
        for dtype, tolerance in self.types():
            cache, query = (torch.randn(*shape, generator=torch.Generator().manual_seed(5)).to(dtype)
                            for shape in ((6, 8), (2, 3, 8)))
            self.check(lambda c: mluops.torch.gather_in_ub_batched(c, ids, table, 2, request, counts),
                       lambda c: c[rows] * used[..., None], [cache], tolerance)
            self.check(lambda c: mluops.torch.gather_in_ub(c, ids[:1], table[:1], 2),
                       lambda c: c[torch.tensor([4, 3, 1, 1])], [cache], tolerance)

            def scores(q, c):
                wanted = 0.5 * torch.einsum("qhd,qkd->qhk", q, c[rows])
                return wanted.masked_fill(~used[:, None, :], float("-inf"))
            self.check(lambda q, c: mluops.torch.sparse_attention_scores(q, c, ids, table, 2, 0.5, request, counts),
                       scores, [query, cache], 2 * tolerance)

    def test_filter(self):
        logits = torch.randn(3, 50, generator=torch.Generator().manual_seed(5))
        _, grads = gradients(lambda x: mluops.torch.apply_top_k_top_p(x, 5, 1.), [logits])
        self.assertEqual((grads[0] != 0).sum(1).tolist(), [5, 5, 5])
        kept = composites.filter_top_k(logits.double(), 5)
        self.check(lambda x: mluops.torch.apply_top_k_top_p(x, 5, 1.),
                   lambda x: torch.where(kept.isinf(), kept, x), [logits], 0)
        self.check(lambda x: mluops.torch.top_k_top_p_sample(x, 5, 1., return_logits=True)[1],
                   lambda x: torch.where(kept.isinf(), kept, x), [logits], 0)

    def test_what_has_none_says_so(self):
        routing_map, _ = routing(5, 4, 2)
        ids = mluops.torch.moe_token_permute_with_routing_map(torch.ones(5, 3), routing_map, 10)[2]
        grad = mluops.torch.moe_token_permute_with_routing_map_grad(leaf(10, 3), ids, routing_map)[0]
        with self.assertRaisesRegex(RuntimeError, "moe_token_permute_with_routing_map_grad has no gradient"):
            grad.sum().backward()
        for call in (lambda: mluops.torch.paged_cache_write(leaf(1, 1), [0], [[0]], 1, torch.zeros(1, 1)),
                     lambda: mluops.gather_in_ub(leaf(1, 1), [[0]], [[0]], 1),
                     lambda: mluops.torch.gather_in_ub(leaf(1, 1), [[0]], [[0]], 1, out=torch.zeros(1, 1))):
            with self.assertRaisesRegex(mluops.MluOpError, "wanted a tensor without gradient"):
                call()
        with torch.no_grad():
            mluops.gather_in_ub(leaf(1, 1), [[0]], [[0]], 1)

    @unittest.skipUnless(hasattr(torch.library, "get_kernel"), "torch before 2.9")
    def test_forward_mode_is_refused(self):
        x, ones = torch.ones(2, 3), torch.ones(2, 1, dtype=torch.bool)
        for call in (lambda x: mluops.torch.gather_in_ub(x, [[0]], [[0]], 2), lambda x: mluops.torch.apply_top_k_top_p(x, 1, 1.0),
                     lambda x: mluops.torch.moe_token_permute_with_routing_map(x, ones, 2)[0],
                     lambda x: mluops.torch.all_to_all_combine([x[None, :, None]], [torch.zeros(1, 2, 1, 1, dtype=torch.int32)],
                                                               torch.ones(1, 1, 1, 1, dtype=torch.int32), 1, 1)[0]):
            call(x)
            with self.assertRaisesRegex(mluops.MluOpError, "wanted tensors without a tangent"):
                torch.func.jvp(call, (x,), (x,))


def layer(x, scores, weights):
    """A mixture-of-experts layer of our operators, as a function that can be compiled."""
    routing_map = torch.zeros_like(scores, dtype=torch.bool).scatter(1, scores.topk(2, dim=1).indices, True)
    probs = scores.softmax(1) * routing_map
    rows, _, ids, _ = mluops.torch.moe_token_permute_with_routing_map(x, routing_map, 2 * x.shape[0])
    return mluops.torch.moe_token_unpermute_with_routing_map(torch.relu(rows @ weights), ids, routing_map, probs)


class Compiled(unittest.TestCase):
    def inputs(self, tokens):
        return [torch.randn(*shape, generator=torch.Generator().manual_seed(6))
                for shape in ((tokens, 8), (tokens, 4), (8, 8))]

    def test_compile(self):
        torch._dynamo.reset()
        compiled = torch.compile(layer, fullgraph=True, backend="aot_eager", dynamic=True)
        for tokens in (6, 9):
            inputs = self.inputs(tokens)
            for mine, want in zip(gradients(compiled, inputs), gradients(layer, inputs)):
                for a, b in zip(mine, want):
                    torch.testing.assert_close(a, b)

    def test_compile_sampler(self):
        torch._dynamo.reset()

        def sample(logits, q):
            return mluops.torch.top_k_top_p_sample(logits * 2, 5, 0.9, q)
        logits, q = torch.randn(3, 40), torch.empty(3, 40).exponential_()
        compiled = torch.compile(sample, fullgraph=True, backend="aot_eager")
        self.assertTrue(torch.equal(compiled(logits, q), sample(logits, q)))

    def test_compile_write(self):
        torch._dynamo.reset()

        def write(rows, cache):
            mluops.torch.paged_cache_write(rows + 1, torch.tensor([1, 2]), torch.tensor([[1, 0]]), 2, cache)
            return cache * 2
        compiled = torch.compile(write, fullgraph=True, backend="aot_eager")
        rows, mine, want = torch.ones(2, 3), torch.zeros(4, 3), torch.zeros(4, 3)
        self.assertTrue(torch.equal(compiled(rows, mine), write(rows, want)) and torch.equal(mine, want))

    def test_export(self):
        class Layer(torch.nn.Module):
            def forward(self, x, scores, weights):
                return layer(x, scores, weights)
        inputs = self.inputs(6)
        tokens = torch.export.Dim("tokens", min=2, max=64)
        exported = torch.export.export(Layer(), tuple(inputs),
                                       dynamic_shapes=({0: tokens}, {0: tokens}, None)).module()
        more = self.inputs(11)
        torch.testing.assert_close(exported(*more), layer(*more))


class Habits(unittest.TestCase):
    def test_sampler(self):
        logits = torch.randn(4, 300, generator=torch.Generator().manual_seed(9))
        q = torch.empty(4, 300).exponential_(generator=torch.Generator().manual_seed(1))
        for dtype in (F32, BF16, HALF):
            x = logits.to(dtype)
            want = mluops.top_k_top_p_sample(x, torch.full((4,), 50, dtype=torch.int32), torch.full((4,), 0.9, dtype=dtype),
                                             q)
            for k in (50, [50] * 4, torch.tensor(50), torch.tensor([50] * 4), torch.full((4,), 50, dtype=torch.int32)):
                for p in (0.9, [0.9] * 4, torch.tensor(0.9), torch.full((4,), 0.9, dtype=torch.float64)):
                    for function in (mluops.top_k_top_p_sample, mluops.torch.top_k_top_p_sample):
                        self.assertTrue(torch.equal(function(x, k, p, q), want))
            self.assertTrue(torch.equal(mluops.torch.top_k_top_p_sample(x.T.contiguous().T, 50, 0.9, q), want))
            out = torch.empty(4, dtype=torch.int64)
            self.assertIs(mluops.torch.top_k_top_p_sample(x, 50, 0.9, q, out=out), out)
            self.assertTrue(torch.equal(out, want))
            for function in (mluops.apply_top_k_top_p, mluops.torch.apply_top_k_top_p):
                self.assertTrue(torch.equal(function(x, None, None), x))
                self.assertTrue(all(torch.equal(function(x, k, 1.0), x) for k in (2**40, -2**40)))
                self.assertTrue(torch.equal(function(x, None, 0.5), function(x, 0, 0.5)))
                self.assertTrue(torch.equal(function(x, 5, None), function(x, 5, 1.0)))
        self.assertEqual(mluops.torch.top_k_top_p_sample(logits[:0], 50, 0.9).shape, (0,))
        self.assertEqual(mluops.torch.apply_top_k_top_p(logits[:0], 50, 0.9).shape, (0, 300))

    def test_noise(self):
        logits = torch.randn(2, 30, generator=torch.Generator().manual_seed(9)).repeat(4000, 1)
        for k, p in ((4, 0.8), (0, 0.7), (0, 1.0)):
            draws = [mluops.torch.top_k_top_p_sample(logits, k, p, generator=torch.Generator().manual_seed(s))
                     for s in (1, 1, 2)]
            self.assertTrue(torch.equal(draws[0], draws[1]))
            self.assertFalse(torch.equal(draws[0], draws[2]))
            kept = mluops.torch.apply_top_k_top_p(logits[:2], k, p).softmax(1)
            seen = torch.stack([torch.bincount(draws[0][row::2], minlength=30) for row in (0, 1)]) / 4000
            self.assertTrue(bool((seen[kept == 0] == 0).all()))
            self.assertLess(float((seen - kept).abs().max()), 0.04)
        torch.manual_seed(5)
        first = mluops.torch.top_k_top_p_sample(logits, 4, 0.8)
        torch.manual_seed(5)
        self.assertTrue(torch.equal(first, mluops.torch.top_k_top_p_sample(logits, 4, 0.8)))

    def test_no_tokens(self):
        routing_map, probs = routing(0, 4, 2)
        x, p = leaf(0, 8), probs.requires_grad_()
        rows, row_probs, ids, counts = mluops.torch.moe_token_permute_with_routing_map(x, routing_map, 0, p)
        self.assertEqual((rows.shape, row_probs.shape, ids.shape, counts.tolist()), ((0, 8), (0,), (0,), [0] * 4))
        back = mluops.torch.moe_token_unpermute_with_routing_map(rows, ids, routing_map, p)
        back.sum().backward()
        self.assertEqual((back.shape, x.grad.shape, p.grad.shape), ((0, 8), (0, 8), (0, 4)))

    def test_not_contiguous(self):
        routing_map, probs = routing(7, 5, 2)
        x = torch.randn(8, 7).T
        for function in (mluops.moe_token_permute_with_routing_map, mluops.torch.moe_token_permute_with_routing_map):
            mine = function(x, routing_map.T.contiguous().T, 14, probs.T.contiguous().T)
            want = function(x.contiguous(), routing_map, 14, probs)
            self.assertTrue(all(torch.equal(a, b) for a, b in zip(mine, want)))

    def test_refusals_in_words(self):
        sample = mluops.torch.top_k_top_p_sample
        with self.assertRaisesRegex(mluops.MluOpError, "top_k: wanted a number, a tensor or a list, got str"):
            mluops.torch.apply_top_k_top_p(torch.ones(1, 3), "5", 0.9)
        with self.assertRaisesRegex(mluops.MluOpError, "top_p: wanted one number per row, 1, got 2"):
            mluops.torch.apply_top_k_top_p(torch.ones(1, 3), 5, [0.9, 0.5])
        with self.assertRaisesRegex(mluops.MluOpError, "wanted noise or a generator of it, got both"):
            mluops.torch.top_k_top_p_sample(torch.ones(1, 3), 5, 0.9, torch.ones(1, 3), generator=torch.Generator())
        row, ids = torch.ones(1, 3), [[0]]
        for text, call in (
                ("logits: wanted a tensor of 2 dimensions, got one of 1", lambda: sample(row[0], 5, 0.9)),
                ("logits: wanted a tensor of 2 dimensions, got list", lambda: sample([[1.]], 5, 0.9)),
                ("logits: wanted a tensor of floats, got one of torch.int64", lambda: sample(row.long(), 5, 0.9)),
                ("generator: wanted a torch.Generator, got int", lambda: mluops.top_k_top_p_sample(row, 5, 0.9, generator=7)),
                ("out: wanted a tuple of 2 arrays, got Tensor",
                 lambda: sample(row, 5, 0.9, return_logits=True, out=torch.zeros(1, dtype=torch.int64))),
                ("top_k: wanted an integer, a tensor or a list, got 5.5", lambda: sample(row, 5.5, 0.9)),
                ("top_k: wanted an integer, or an array or a list of them, got 5.5",
                 lambda: mluops.top_k_top_p_sample(row, 5.5, 0.9)),
                (r"top_k: wanted integers, got \[5.5\]", lambda: sample(row, [5.5], 0.9)),
                (r"top_k: wanted integers, got \[5.5\]", lambda: mluops.top_k_top_p_sample(row, [5.5], 0.9)),
                ("top_k: wanted integers, got float32", lambda: sample(row, torch.tensor([5.5]), 0.9)),
                ("indices: wanted integers", lambda: mluops.gather_in_ub(row, [[0.5]], ids, 1)),
                ("indices: wanted integers", lambda: mluops.torch.gather_in_ub(row, [[0.5]], ids, 1)),
                ("out: wanted a tuple of 4 arrays, got Tensor",
                 lambda: mluops.torch.moe_token_permute_with_routing_map(row, row.bool(), 3, out=torch.ones(4, 3)))):
            with self.assertRaisesRegex(mluops.MluOpError, text):
                call()
        with self.assertRaisesRegex(mluops.MluOpError, "tokens_desc"):
            mluops.torch.moe_token_permute_with_routing_map(torch.ones(2, 3, dtype=torch.float64), routing(2, 3, 1)[0], 2)


class Familiar(unittest.TestCase):
    """Functions with the names of other libraries, beside what those do, in torch."""

    def test_flashinfer(self):
        logits = torch.randn(2, 60, generator=torch.Generator().manual_seed(3)).to(BF16)
        sample = mluops.torch.top_k_top_p_sampling_from_logits
        first, again = (sample(logits, 5, 0.9, generator=torch.Generator().manual_seed(1)) for _ in range(2))
        self.assertTrue(torch.equal(first, again) and first.dtype == torch.int32)
        rows = torch.tensor([1, 0, 1])
        want = sample(logits[rows], torch.tensor([5, 6, 5]), 0.9, seed=2)
        self.assertTrue(torch.equal(sample(logits, torch.tensor([5, 6, 5]), 0.9, rows, seed=2), want))
        for more, text in (({"generator": 1}, "generator: wanted a torch.Generator, got int"), ({"filter_apply_order": "joint"}, "filter_apply_order: wanted 'top_k_first'"),
                           ({"offset": 1}, "offset: wanted None"), ({"check_nan": True}, "logits: wanted numbers")):
            with self.assertRaisesRegex(mluops.MluOpError, text):
                sample(logits * float("nan"), 5, 0.9, **more)

    def test_vllm(self):
        ids = torch.rand(9, 6, generator=torch.Generator().manual_seed(3)).topk(3, dim=1).indices
        x, scale = leaf(9, 4), torch.arange(9.)[:, None]
        rows, row_scale, offsets, inverse = mluops.torch.moe_permute(x, scale, ids, 6)
        order = ids.reshape(-1).argsort(stable=True)
        self.assertTrue(torch.equal(rows, x[order // 3]) and torch.equal(row_scale, scale[order // 3]))
        self.assertTrue(torch.equal(inverse.long(), order.argsort()))
        self.assertEqual(offsets.tolist(), [int((ids < expert).sum()) for expert in range(7)])
        weights, out = torch.rand(9, 3), torch.empty(9, 4)
        want = (x[:, None, :] * weights[..., None]).sum(1)
        torch.testing.assert_close(mluops.torch.moe_unpermute(None, rows, weights, inverse), want)
        self.assertIs(mluops.torch.moe_unpermute(out, rows.detach(), weights, inverse, offsets), out)
        torch.testing.assert_close(out, want.detach())
        place = torch.empty(27, 4)
        self.assertIs(mluops.torch.moe_permute(x.detach(), None, ids, 6, permuted_hidden_states=place)[0], place)
        with self.assertRaisesRegex(mluops.MluOpError, "wanted None and -1"):
            mluops.torch.moe_permute(x, None, ids, 6, 3)
        for wrong, text in (([[0, 6]], "topk_ids: wanted experts from 0 to 5, got 0 to 6"), ([[-1, 2]], "got -1 to 2"),
                            ([[0, 1], [4, 4]], "wanted different experts for each token, got 4 twice for token 1")):
            with self.assertRaisesRegex(mluops.MluOpError, text):
                mluops.torch.moe_permute(x[:len(wrong)], None, torch.tensor(wrong), 6)
        self.assertEqual(mluops.torch.moe_permute(x[:0], None, ids[:0], 6)[2].tolist(), [0] * 7)

    def test_megatron(self):
        uneven = torch.rand(9, 6, generator=torch.Generator().manual_seed(3)) < 0.4
        for routing_map in (uneven, routing(9, 6, 2)[0]):
            x, probs = leaf(9, 4), torch.rand(9, 6) * routing_map
            rows, row_probs, ids = mluops.torch.megatron.permute(x, routing_map, probs)
            want, want_probs, order = composites.permute(x, routing_map, probs)
            self.assertTrue(torch.equal(rows, want) and torch.equal(row_probs, want_probs))
            for weights in (None, probs):
                mine = mluops.torch.megatron.unpermute(rows, ids, x.shape, weights, routing_map)
                torch.testing.assert_close(mine, composites.unpermute(want, order, routing_map, weights))
            mine.sum().backward()
        rows, _, ids = mluops.torch.megatron.permute(x.detach(), routing_map, num_out_tokens=18)
        torch.testing.assert_close(mluops.torch.megatron.unpermute(rows, ids, x.shape), 2 * x.detach())
        rows, _, ids = mluops.torch.megatron.permute(x.detach(), routing_map, num_out_tokens=12, drop_and_pad=True)
        self.assertTrue(torch.equal(rows, x.detach()[ids.long()]))
        for call in (lambda: mluops.torch.megatron.permute(x, routing_map, drop_and_pad=True),
                     lambda: mluops.torch.megatron.unpermute(rows, ids, x.shape, probs)):
            with self.assertRaisesRegex(mluops.MluOpError, "wanted"):
                call()


if __name__ == "__main__":
    warnings.filterwarnings("ignore", category=DeprecationWarning)
    program = unittest.main(exit=False)
    print(f"torch {torch.__version__}")
    print("PASS" if program.result.wasSuccessful() and program.result.testsRun else "FAIL")
    sys.exit(not program.result.wasSuccessful())
