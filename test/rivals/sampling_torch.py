#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""top_k_top_p_sample beside the two samplers people write with PyTorch on a CPU.

Neither the build nor the tests need this script. It wants torch in some virtual environment:

    python3 -m venv venv && venv/bin/pip install torch
    venv/bin/python test/rivals/sampling_torch.py --build build --batch 64

sort: sort the vocabulary, cut by k and by mass, divide by the noise, take the largest.
topk: torch.topk first, the rest among k candidates; only where every row has a top-k.
All run in turn in one process, round after round, on the same data and the same number of threads; medians are
compared, and the tokens of sort and of the library must be the same.
"""
import argparse
import ctypes
import os
import statistics
import sys
import time

import torch

TYPES = {torch.bfloat16: 17, torch.float32: 2, torch.int32: 6, torch.int64: 9}  # mluOpDataType_t
LAYOUT_ARRAY = 4


class Library:
    """The few functions the comparison needs. Device memory of the CPU is ordinary memory, so tensors of torch are
    given to the operator as they are."""

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

    def describe(self, tensor):
        desc = ctypes.c_void_p()
        self.check(self.ops.mluOpCreateTensorDescriptor(ctypes.byref(desc)))
        sizes = (ctypes.c_int64 * tensor.dim())(*tensor.shape)
        dtype = TYPES[tensor.dtype]
        self.check(self.ops.mluOpSetTensorDescriptor_v2(desc, LAYOUT_ARRAY, dtype, tensor.dim(), sizes))
        return desc


class Sampler:
    def __init__(self, lib, logits, k, p, q):
        self.lib, self.tensors = lib, [logits, k, p, q]
        self.index = torch.empty(logits.shape[0], dtype=torch.int64)
        self.descs = [lib.describe(t) for t in self.tensors + [self.index]]
        size = ctypes.c_size_t()
        lib.check(lib.ops.mluOpGetTopKTopPSampleWorkspaceSize(lib.handle, self.descs[0], ctypes.byref(size)))
        self.workspace = torch.empty(max(size.value, 1), dtype=torch.uint8)
        self.size = size

    def __call__(self):
        args = []
        for desc, tensor in zip(self.descs, self.tensors):
            args += [desc, ctypes.c_void_p(tensor.data_ptr())]
        self.lib.check(
            self.lib.ops.mluOpTopKTopPSample(
                self.lib.handle, *args, ctypes.c_float(1e-8), ctypes.c_bool(False), ctypes.c_int(32),
                ctypes.c_void_p(self.workspace.data_ptr()), self.size, self.descs[4],
                ctypes.c_void_p(self.index.data_ptr()), None, None))
        self.lib.check(self.lib.cnrt.cnrtQueueSync(self.lib.queue))
        return self.index


def draw(values, ids, p, q):
    """Top-p and the draw on logits in falling order."""
    probs = values.float().softmax(dim=-1)
    before = probs.cumsum(dim=-1) - probs
    kept = before < p.float()[:, None]
    kept[:, 0] = True
    scores = torch.where(kept, probs, 0.0) / (q[:, : values.shape[1]].abs() + 1e-8)
    return ids.gather(1, scores.argmax(dim=-1, keepdim=True))[:, 0]


def sort_sampler(logits, k, p, q):
    values, ids = logits.sort(dim=-1, descending=True, stable=True)
    ranks = torch.arange(logits.shape[1])
    if k > 0:
        values = values.masked_fill(ranks >= k, float("-inf"))
    return draw(values, ids, p, q)


def topk_sampler(logits, k, p, q):
    values, ids = logits.topk(k, dim=-1)
    return draw(values, ids, p, q)


def median_times(contenders, rounds):
    times = {name: [] for name in contenders}
    for step in range(rounds + 1):
        for name, run in contenders.items():
            start = time.perf_counter()
            run()
            if step > 0:
                times[name].append(time.perf_counter() - start)
    return {name: statistics.median(t) for name, t in times.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--vocab", type=int, default=151936)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    lib = Library(args.build)
    generator = torch.Generator().manual_seed(6)
    q = torch.empty(args.batch, args.vocab).exponential_(generator=generator)
    for dtype in (torch.bfloat16, torch.float32):
        for deviation in (1.0, 2.5, 5.0):
            normal = torch.empty(args.batch, args.vocab).normal_(0, deviation, generator=generator)
            logits = normal.to(dtype)
            p = torch.full((args.batch,), 0.9, dtype=dtype)
            for k in (50, 0):
                ours = Sampler(lib, logits, torch.full((args.batch,), k, dtype=torch.int32), p, q)
                contenders = {"library": ours, "sort": lambda: sort_sampler(logits, k, p, q)}
                if k > 0:
                    contenders["topk"] = lambda: topk_sampler(logits, k, p, q)
                times = median_times(contenders, args.rounds)
                equal = (ours().clone() == sort_sampler(logits, k, p, q)).sum().item()
                line = ", ".join(
                    f"{name} {t * 1e3:.1f} ms ({t / times['library']:.1f} x)" for name, t in times.items())
                print(f"{str(dtype)[6:]} std {deviation} k {k} p 0.9: {line}; {equal} of {args.batch} tokens equal",
                      flush=True)


if __name__ == "__main__":
    main()
