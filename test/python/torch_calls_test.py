# SPDX-License-Identifier: MIT
"""Calls of mluops from torch: that those which are remembered do what the first one did, and the program that measures them.
Prints PASS, or SKIPPED without torch."""
import os
import subprocess
import sys
import tempfile
import threading
import unittest

try:
    import torch
except ImportError:
    print("SKIPPED: no torch in this Python")
    sys.exit(0)

from torch.utils._python_dispatch import TorchDispatchMode

import mluops
import mluops.torch
from torch_data import leaf, routing

ops = torch.ops.mluops


class Remembered(unittest.TestCase):
    """Calls with shapes that were seen before do what the first one did."""

    def test_same_shapes(self):
        routing_map, probs = routing(7, 5, 2)
        other_map, other_probs = routing(7, 5, 2, seed=9)
        rows = [leaf(14, 8, seed=s).detach() for s in (1, 2)]
        for function, calls in (
                (mluops.moe_token_permute_with_routing_map, [(rows[0][:7], routing_map, 14, probs),
                                                             (rows[1][:7], other_map, 14, other_probs)]),
                (mluops.moe_token_permute_with_routing_map, [(rows[0][:7], routing_map, 14), (rows[1][:7], other_map, 14)]),
                (mluops.gather_in_ub, [(row, torch.tensor([[1, 3]], dtype=torch.int32),
                                        torch.tensor([[0, 1]], dtype=torch.int32), 4) for row in rows]),
                (mluops.gather_in_ub, [(row, torch.tensor([[1, 3]]), [[0, 1]], 4) for row in rows])):
            for _ in range(2):
                for call in calls:
                    mine, want = function(*call), function.__wrapped__(*call)
                    for a, b in zip(mine if isinstance(mine, tuple) else (mine,), want if isinstance(want, tuple) else (want,)):
                        self.assertTrue(a is b is None or torch.equal(a, b))

    def test_out_and_in_place(self):
        ids, table = torch.tensor([[1, 0]], dtype=torch.int32), torch.tensor([[0]], dtype=torch.int32)
        for value in (1., 2., 3.):
            out, cache = torch.zeros(2, 4), torch.zeros(2, 4)
            self.assertIs(mluops.gather_in_ub(torch.full((2, 4), value), ids, table, 2, out=out), out)
            self.assertTrue(bool((out == value).all()))
            self.assertIs(mluops.paged_cache_write(out, ids[0], table, 2, cache), cache)
            self.assertTrue(bool((cache == value).all()))

    def test_what_differs_is_seen(self):
        row, ids, table = torch.ones(2, 4), torch.tensor([[1]], dtype=torch.int32), torch.tensor([[0]], dtype=torch.int32)
        for _ in range(2):
            mluops.gather_in_ub(row, ids, table, 2)
        with self.assertRaisesRegex(mluops.MluOpError, "block_size: wanted an integer"):
            mluops.gather_in_ub(row, ids, table, 2.0)
        with self.assertRaisesRegex(mluops.MluOpError, "wanted a tensor without gradient"):
            mluops.gather_in_ub(row.clone().requires_grad_(), ids, table, 2)
        with self.assertRaisesRegex(mluops.MluOpError, "wanted a tensor of the CPU"):
            mluops.gather_in_ub(row.to("meta"), ids, table, 2)
        self.assertTrue(torch.equal(mluops.gather_in_ub(row.T.contiguous().T, ids, table, 2), row[:1]))
        grad = mluops.moe_token_permute_with_routing_map_grad
        given, place = (row, torch.tensor([0, 1], dtype=torch.int32), torch.ones(2, 1, dtype=torch.bool), None, False), row.clone()
        for _ in range(2):
            grad(*given, (place, None))
        with self.assertRaisesRegex(mluops.MluOpError, "out: wanted a tuple of 2 arrays, got Tensor"):
            grad(*given, place, None)
        results = []
        threads = [threading.Thread(target=lambda: results.append(mluops.gather_in_ub(row, ids, table, 2)))
                   for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(results), 4)
        self.assertTrue(all(torch.equal(result, row[:1]) for result in results))

    def test_torch_sees_calls(self):
        """A call like one before has its gradient, and modes and tensors that stand for others see it."""
        class Mode(TorchDispatchMode):
            def __torch_dispatch__(self, function, types, args=(), kwargs=None):
                seen.append(function)
                return function(*args, **(kwargs or {}))

        row, ids, table = torch.randn(1, 1), torch.tensor([[0]], dtype=torch.int32), torch.tensor([[0]], dtype=torch.int32)
        negative, wanted, seen = torch.complex(row, row).conj().imag, row.clone().requires_grad_(), []
        for _ in range(3):
            self.assertTrue(torch.equal(ops.gather_in_ub(row, ids, table, 1), row))
            self.assertTrue(torch.equal(ops.gather_in_ub(negative, ids, table, 1), -row))
            ops.gather_in_ub(wanted, ids, table, 1).backward()
            with torch.no_grad():
                for function in (mluops.gather_in_ub, ops.gather_in_ub):
                    self.assertFalse(function(wanted, ids, table, 1).requires_grad)
            with Mode():
                ops.gather_in_ub(row, ids, table, 1)
        self.assertEqual((wanted.grad.item(), seen), (3., [ops.gather_in_ub.default] * 3))
        tokens, routing_map = torch.ones(2, 4), torch.ones(2, 1, dtype=torch.bool)
        for _ in range(2):
            self.assertEqual(ops.moe_token_permute_with_routing_map(tokens, routing_map, 2)[1].shape, (0,))

    def test_many_shapes(self):
        ids, table = torch.tensor([[1]], dtype=torch.int32), torch.tensor([[0]], dtype=torch.int32)
        for hidden in [*range(1, 1200), 1, 2, 3]:  # more shapes than plans and descriptors are cached
            self.assertEqual(mluops.gather_in_ub(torch.ones(2, hidden), ids, table, 2).sum(), hidden)


class Bench(unittest.TestCase):
    def test_small(self):
        with tempfile.TemporaryDirectory() as folder:
            picture = os.path.join(folder, "bench.svg")
            command = [sys.executable, "-m", "mluops.bench", "--tokens", "64", "--hidden", "64", "--experts", "16", "--vocab",
                       "2000", "--rounds", "1", "--picture", picture]
            result = subprocess.run(command, capture_output=True, text=True, check=False)
            self.assertEqual(result.returncode, 0, result.stderr + result.stdout)
            for line in ("permute decode 128 x 64", "unpermute 64 x 64", "sample 1 x 2000", "beyond the C call"):
                self.assertIn(line, result.stdout)
            with open(picture, encoding="utf-8") as file:
                self.assertIn("</svg>", file.read())


if __name__ == "__main__":
    program = unittest.main(exit=False)
    print("PASS" if program.result.wasSuccessful() and program.result.testsRun else "FAIL")
    sys.exit(not program.result.wasSuccessful())
