#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""gather_in_ub beside PyTorch on the same cores: page translation and index_select, round by round in one run.

Needs PyTorch and a build of this library; neither the build nor the tests need this script:

    python3 gather_in_ub.py BUILD_FOLDER [--queries=128] [--k=2048] [--hidden=576] [--block_size=128] [--blocks=1024]
"""
import argparse
import ctypes
import os
import sys

import torch

from in_turn import median_seconds


def read_enumerators(header):
    names = {}
    for line in open(header):
        for name in ("MLUOP_DTYPE_BFLOAT16", "MLUOP_DTYPE_INT32", "MLUOP_LAYOUT_ARRAY"):
            if line.strip().startswith(name + " ") and "=" in line:
                names[name] = int(line.split("=")[1].split(",")[0].split("/")[0])
    return names


class Library:
    def __init__(self, build, header):
        self.cnrt = ctypes.CDLL(f"{build}/neuware/lib64/libcnrt.so", mode=ctypes.RTLD_GLOBAL)
        self.ops = ctypes.CDLL(f"{build}/lib/libmluops.so")
        self.names = read_enumerators(header)
        self.handle, self.queue = ctypes.c_void_p(), ctypes.c_void_p()
        self.check(self.ops.mluOpCreate(ctypes.byref(self.handle)))
        self.check(self.cnrt.cnrtQueueCreate(ctypes.byref(self.queue)))
        self.check(self.ops.mluOpSetQueue(self.handle, self.queue))

    @staticmethod
    def check(status):
        if status != 0:
            raise SystemExit(f"a call of the library returned {status}")

    def desc(self, dtype, *dims):
        desc = ctypes.c_void_p()
        self.check(self.ops.mluOpCreateTensorDescriptor(ctypes.byref(desc)))
        self.check(self.ops.mluOpSetTensorDescriptor(desc, self.names["MLUOP_LAYOUT_ARRAY"],
                                                     self.names["MLUOP_DTYPE_" + dtype], len(dims),
                                                     (ctypes.c_int * len(dims))(*dims)))
        return desc

    def memory(self, tensor):
        """Device memory with the tensor's contents."""
        size = tensor.numel() * tensor.element_size()
        memory = ctypes.c_void_p()
        self.check(self.cnrt.cnrtMalloc(ctypes.byref(memory), ctypes.c_size_t(size)))
        ctypes.memmove(memory, tensor.data_ptr(), size)
        return memory


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--header", default=__file__.rsplit("/test/", 1)[0] + "/mlu_op.h")
    for name, value in (("queries", 128), ("k", 2048), ("hidden", 576), ("block_size", 128), ("blocks", 1024),
                        ("rounds", 15)):
        parser.add_argument("--" + name, type=int, default=value)
    o = parser.parse_args()
    runtime = f"{o.build}/neuware/lib64/libcnrt.so"
    if runtime not in os.environ.get("LD_PRELOAD", ""):
        # It needs static thread-local storage, so it must be loaded at program start.
        os.environ["LD_PRELOAD"] = runtime
        os.execv(sys.executable, [sys.executable] + sys.argv)
    torch.manual_seed(1)
    tokens = o.blocks * o.block_size
    param = torch.randn(tokens, o.hidden).to(torch.bfloat16)
    table = torch.randperm(o.blocks, dtype=torch.int32)
    indices = torch.randint(0, tokens, (o.queries, o.k), dtype=torch.int32)
    out = torch.zeros(o.queries * o.k, o.hidden, dtype=torch.bfloat16)

    library = Library(o.build, o.header)
    d_param, d_table, d_indices, d_out = map(library.memory, (param, table, indices, out))
    param_desc = library.desc("BFLOAT16", tokens, o.hidden)
    table_desc = library.desc("INT32", 1, o.blocks)
    indices_desc = library.desc("INT32", o.queries, o.k)
    out_desc = library.desc("BFLOAT16", o.queries, o.k, o.hidden)

    def ours():
        library.check(library.ops.mluOpGatherInUbBatched(
            library.handle, param_desc, d_param, indices_desc, d_indices, table_desc, d_table, None, None, None, None,
            o.block_size, -2, out_desc, d_out))
        library.check(library.cnrt.cnrtQueueSync(library.queue))

    def rows():
        ids = indices.view(-1)
        return table[torch.div(ids, o.block_size, rounding_mode="floor")].long() * o.block_size + ids % o.block_size

    def torch_into():
        torch.index_select(param, 0, rows(), out=out)

    def torch_new():
        return torch.index_select(param, 0, rows())

    contenders = {"ours": ours, "torch, into a given tensor": torch_into, "torch, into a new tensor": torch_new}
    medians = median_seconds(contenders, o.rounds)
    size = out.numel() * out.element_size()
    got = torch.empty_like(out)
    ctypes.memmove(got.data_ptr(), d_out, size)
    print(f"{o.queries} x {o.k} rows of {o.hidden} bfloat16, {o.blocks} blocks of {o.block_size}, "
          f"torch {torch.__version__} on {torch.get_num_threads()} threads, {o.rounds} rounds")
    for name, median in medians.items():
        print(f"  {name:28s} {median * 1e6:10.1f} us  {2 * size / median * 1e-9:6.2f} GB/s  "
              f"{median / medians['ours']:5.2f} of our time")
    same = torch.equal(got.view(torch.int16), out.view(torch.int16))
    print("  results are", "equal" if same else "DIFFERENT")
    raise SystemExit(0 if same else 1)


if __name__ == "__main__":
    main()
