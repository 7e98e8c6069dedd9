# SPDX-License-Identifier: MIT
"""Runs the examples of the package and some checks that make poor examples. Prints PASS."""
import ctypes
import doctest
import importlib
import pathlib
import sys
import threading

import numpy

import mluops
from mluops import _context
from mluops._library import library


def check_operators():
    """Every operator of the registry can be called."""
    registry = pathlib.Path(__file__).resolve().parent.parent / "core" / "op_list.inc"
    if not registry.exists():
        return
    names = {line.split("(")[1].split(",")[0] for line in registry.read_text().splitlines()
             if line.startswith("MLUOP_OP(")}
    missing = sorted(n for n in names if not hasattr(mluops, n))
    assert not missing, f"no Python function for {missing}"


def check_refusals():
    """What is wrong raises, and says what."""
    rows = numpy.float32([[1], [2]])
    ids, table = numpy.int32([[0]]), numpy.int32([[0]])
    for wrong, kind in ((numpy.float64([[0]]), mluops.MluOpError), ([[0]], TypeError)):
        try:
            mluops.gather_in_ub(rows, wrong, table, 2)
        except kind:
            continue
        except AttributeError:  # a list has no shape
            continue
        raise AssertionError(f"indices {wrong!r} were taken")
    assert (mluops.gather_in_ub(rows, ids, table, 2) == [[1]]).all()


def check_zero_copy():
    """The result is written where `out` lies, and a strided input is read where it lies."""
    wide = numpy.arange(24, dtype=numpy.float32).reshape(6, 4)
    out = numpy.zeros((2, 2), dtype=numpy.float32)
    address = out.ctypes.data
    result = mluops.gather_in_ub(wide[:, :2], numpy.int32([[5, 0]]), numpy.int32([[0]]), 6, out=out)
    assert result is out and result.ctypes.data == address and (result == [[20, 21], [0, 1]]).all()


def check_ranks():
    """What one rank refuses ends the call for all of them, at once."""
    rows, ids = numpy.zeros((1, 1, 1, 4), numpy.float32), numpy.zeros((1, 1, 1, 1), numpy.int32)
    mapping = numpy.ones((1, 1, 2, 2), numpy.int32)
    for wrong, kind in ((rows.astype(numpy.float64), mluops.MluOpError), (None, AttributeError)):
        ranks = mluops.Ranks(1, 2)
        try:
            mluops.all_to_all_dispatch(ranks, [rows, wrong], [ids, ids], mapping)
        except kind:
            ranks.close()
            continue
        raise AssertionError(f"input {wrong!r} was taken")
    with mluops.Ranks(2, 1) as ranks:
        outputs, _ = mluops.all_to_all_dispatch(ranks, [rows + 1, rows + 2], [ids, ids], mapping, cluster_axis=0,
                                                split="sequence")
        assert all((output[0, 0, :, 0] == [1, 2]).all() for output in outputs)


def check_threads():
    """The context of a thread ends with the thread."""
    rows, first = numpy.float32([[1]]), numpy.int32([[0]])
    queues = []

    def work():
        assert mluops.gather_in_ub(rows, first, first, 1) == 1
        queues.append(_context.default_context().queue.value)
        assert library.cnrtQueueQuery(ctypes.c_void_p(queues[-1])) == 0

    for _ in range(3):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert len(queues) == 3 and all(library.cnrtQueueQuery(ctypes.c_void_p(queue)) != 0 for queue in queues)


def check_torch():
    """torch tensors, bfloat16 among them; returns whether torch is there."""
    try:
        import torch
    except ImportError:
        return False
    logits = torch.tensor([[0.5, 2, 1, 2, -1, 0]], dtype=torch.bfloat16)
    kept = mluops.apply_top_k_top_p(logits, torch.tensor([1], dtype=torch.int32),
                                    torch.tensor([1], dtype=torch.bfloat16))
    assert kept.dtype == torch.bfloat16 and int(kept.argmax()) == 1
    return True


def main():
    failed = run = 0
    for name in ("", "._context", "._library", ".moe", ".paged", ".sampling", ".several"):
        result = doctest.testmod(importlib.import_module("mluops" + name))
        failed, run = failed + result.failed, run + result.attempted
    check_operators()
    check_refusals()
    check_zero_copy()
    check_ranks()
    check_threads()
    with_torch = check_torch()
    print(f"{run} examples, torch {'used' if with_torch else 'not installed'}, mluops {mluops.__version__}")
    print("FAIL" if failed else "PASS")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
