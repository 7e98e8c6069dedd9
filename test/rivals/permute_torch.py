#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""moe_token_permute_with_routing_map beside the PyTorch composite people write on a CPU.

Neither the build nor the tests need this script. It wants torch in some virtual environment:

    python3 -m venv venv && venv/bin/pip install torch
    venv/bin/python test/rivals/permute_torch.py --build build --tokens 4096

Both run in turn in one process, round after round, on the same data and the same number of threads; medians are
compared, and all outputs must be equal.
"""
import argparse
import ctypes
import os
import sys

import torch

from in_turn import median_seconds

BFLOAT16, FLOAT, INT8, INT32 = 17, 2, 3, 6  # mluOpDataType_t
LAYOUT_ARRAY = 4
HOST_TO_DEVICE, DEVICE_TO_HOST = 0, 2  # cnrtMemTransDir_t


class Library:
    """The few functions the comparison needs."""

    def __init__(self, build):
        self.cnrt = ctypes.CDLL(os.path.join(build, "neuware/lib64/libcnrt.so"), mode=ctypes.RTLD_GLOBAL)
        self.ops = ctypes.CDLL(os.path.join(build, "lib/libmluops.so"))
        self.handle, self.queue = ctypes.c_void_p(), ctypes.c_void_p()
        self.check(self.cnrt.cnrtQueueCreate(ctypes.byref(self.queue)))
        self.check(self.ops.mluOpCreate(ctypes.byref(self.handle)))
        self.check(self.ops.mluOpSetQueue(self.handle, self.queue))

    @staticmethod
    def check(status):
        if status != 0:
            sys.exit(f"a call of the library gave status {status}")

    def describe(self, dtype, dims):
        desc = ctypes.c_void_p()
        self.check(self.ops.mluOpCreateTensorDescriptor(ctypes.byref(desc)))
        sizes = (ctypes.c_int64 * len(dims))(*dims)
        self.check(self.ops.mluOpSetTensorDescriptor_v2(desc, LAYOUT_ARRAY, dtype, len(dims), sizes))
        return desc

    def allocate(self, size):
        memory = ctypes.c_void_p()
        self.check(self.cnrt.cnrtMalloc(ctypes.byref(memory), ctypes.c_size_t(max(size, 1))))
        return memory

    def copy(self, dst, src, size, direction):
        self.check(self.cnrt.cnrtMemcpy(dst, src, ctypes.c_size_t(size), direction))


def to_device(lib, tensor):
    size = tensor.numel() * tensor.element_size()
    memory = lib.allocate(size)
    lib.copy(memory, ctypes.c_void_p(tensor.data_ptr()), size, HOST_TO_DEVICE)
    return memory


def to_host(lib, memory, dims, dtype):
    tensor = torch.empty(dims, dtype=dtype)
    lib.copy(ctypes.c_void_p(tensor.data_ptr()), memory, tensor.numel() * tensor.element_size(), DEVICE_TO_HOST)
    return tensor


class Ours:
    def __init__(self, lib, tokens, routing_map, probs, rows):
        (self.tokens_num, self.hidden), self.experts, self.rows, self.lib = tokens.shape, probs.shape[1], rows, lib
        self.data = [to_device(lib, tokens), to_device(lib, routing_map.to(torch.int8)), to_device(lib, probs)]
        self.results = [lib.allocate(rows * self.hidden * 2), lib.allocate(rows * 4), lib.allocate(rows * 4)]
        self.descs = [lib.describe(BFLOAT16, [self.tokens_num, self.hidden]),
                      lib.describe(INT8, [self.tokens_num, self.experts]),
                      lib.describe(FLOAT, [self.tokens_num, self.experts])]
        self.result_descs = [lib.describe(BFLOAT16, [rows, self.hidden]), lib.describe(FLOAT, [rows]),
                             lib.describe(INT32, [rows])]
        size = ctypes.c_size_t()
        lib.check(lib.ops.mluOpGetMoeTokenPermuteWithRoutingMapWorkspaceSize(lib.handle, self.descs[1],
                                                                             ctypes.byref(size)))
        self.workspace, self.workspace_size = lib.allocate(size.value), size

    def run(self):
        pairs = [x for pair in zip(self.descs, self.data) for x in pair]
        result_pairs = [x for pair in zip(self.result_descs, self.results) for x in pair]
        self.lib.check(self.lib.ops.mluOpMoeTokenPermuteWithRoutingMap(
            self.lib.handle, *pairs, ctypes.c_int64(self.rows), ctypes.c_bool(False), self.workspace,
            self.workspace_size, *result_pairs))
        self.lib.check(self.lib.cnrt.cnrtQueueSync(self.lib.queue))

    def outputs(self):
        return (to_host(self.lib, self.results[0], [self.rows, self.hidden], torch.bfloat16),
                to_host(self.lib, self.results[1], [self.rows], torch.float32),
                to_host(self.lib, self.results[2], [self.rows], torch.int32))


def composite(tokens, routing_map, probs):
    """What Megatron-LM's unfused permute does, and the inverse map beside it."""
    tokens_num, experts = routing_map.shape
    map_t = routing_map.bool().T.contiguous()
    token_ids = torch.arange(tokens_num).unsqueeze(0).expand(experts, -1)
    first = token_ids.masked_select(map_t)
    permuted = tokens.index_select(0, first)
    permuted_probs = probs.T.contiguous().masked_select(map_t)
    return permuted, permuted_probs, torch.argsort(first, stable=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    for name, value in (("tokens", 4096), ("experts", 256), ("top_k", 8), ("hidden", 7168), ("rounds", 21)):
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    torch.manual_seed(7)

    tokens = torch.randn(args.tokens, args.hidden).to(torch.bfloat16)
    scores = torch.rand(args.tokens, args.experts)
    routing_map = torch.zeros(args.tokens, args.experts, dtype=torch.bool)
    routing_map.scatter_(1, scores.topk(args.top_k, dim=1).indices, True)
    probs = scores * routing_map

    ours = Ours(Library(args.build), tokens, routing_map, probs, args.tokens * args.top_k)
    medians = median_seconds({"mluOpMoeTokenPermuteWithRoutingMap": ours.run,
                              "PyTorch composite": lambda: composite(tokens, routing_map, probs)}, args.rounds)

    print(f"{args.tokens} tokens x {args.hidden} bfloat16, {args.experts} experts, top {args.top_k}, "
          f"{args.threads} threads, torch {torch.__version__}, median of {args.rounds} rounds")
    for name, median in medians.items():
        print(f"  {name:38} {median * 1e6:12.1f} us")
    own, rival = medians.values()
    print(f"  {rival / own:.2f}x faster than the composite")
    wanted = composite(tokens, routing_map, probs)
    same = all(torch.equal(a, b.to(a.dtype)) for a, b in zip(ours.outputs(), wanted))
    print(f"  outputs: {'equal' if same else 'DIFFERENT'}")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
