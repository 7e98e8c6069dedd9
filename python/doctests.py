# SPDX-License-Identifier: MIT
"""Runs the examples of the package and some checks that make poor examples. Prints PASS."""
import ast
import ctypes
import doctest
import importlib
import importlib.util
import inspect
import os
import pathlib
import pickle
import subprocess
import sys
import threading
import time
import warnings

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


def check_stubs():
    """The stubs have the functions and methods of the modules, with their parameters."""
    names = ["", ".torch", ".torch.flashinfer", ".torch.megatron", ".torch.moe", ".torch.vllm"]
    for name in names if importlib.util.find_spec("torch") else names[:1]:
        module = importlib.import_module("mluops" + name)
        path = pathlib.Path(module.__file__).with_suffix(".pyi")
        found = set()
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, (ast.Module, ast.ClassDef)):
                continue
            owner = module if isinstance(node, ast.Module) else getattr(module, node.name)
            for function in (part for part in node.body if isinstance(part, ast.FunctionDef)):
                every = function.args.posonlyargs + function.args.args + function.args.kwonlyargs
                real = inspect.signature(getattr(owner, function.name)).parameters.values()
                wanted = [p.name for p in real if p.kind != p.VAR_POSITIONAL]
                assert [argument.arg for argument in every] == wanted, (path, function.name, wanted)
                found.add(function.name)
            found.update(alias.asname for part in node.body if isinstance(part, ast.ImportFrom) for alias in part.names)
            found.update(part.name for part in node.body if isinstance(part, ast.ClassDef))
        missing = set(getattr(module, "__all__", ())) - found - {"library"}
        assert not missing, (path, missing)


def expect_refusal(text, make):
    """make() raises MluOpError with a text in which `text` is."""
    try:
        make()
    except mluops.MluOpError as error:
        assert text in str(error), f"wanted '{text}' in '{error}'"
        return
    raise AssertionError(f"nothing was raised where '{text}' was expected")


def check_refusals():
    """What is wrong raises MluOpError and names the argument, what was wanted and what came."""
    rows, ids, table = numpy.float32([[1], [2]]), numpy.int32([[0]]), numpy.int32([[0]])
    fixed = numpy.zeros((1, 1), numpy.float32)
    fixed.flags.writeable = False
    gather = mluops.gather_in_ub
    for text, call in (
            ("indices_desc", lambda: gather(rows, ids.astype(numpy.float64), table, 2)),
            ("indices: wanted a numpy array, a torch tensor or a list, got int", lambda: gather(rows, 0, table, 2)),
            ("block_table: wanted numbers that fit int64, got", lambda: gather(rows, ids, [["a"]], 2)),
            ("top_k: wanted one number per row, 2, got 3", lambda: mluops.apply_top_k_top_p(rows, [1, 2, 3], 1)),
            ("top_p: wanted a number, or an array or a list of 2 of them, got str",
             lambda: mluops.apply_top_k_top_p(rows, 1, "0.9")),
            ("out: wanted a tuple of 2 arrays, got 1",
             lambda: mluops.top_k_top_p_sample(rows, 1, 1, return_logits=True, out=(rows,))),
            ("generator: wanted a numpy.random.Generator, got int",
             lambda: mluops.top_k_top_p_sample(rows, 1, 1, generator=7)),
            ("param: wanted a numpy array or a torch tensor of 2 dimensions, got an array of 1",
             lambda: gather(rows[0], ids, table, 2)),
            ("block_size: wanted an integer of 32 bits, got 4294967298", lambda: gather(rows, ids, table, 2**32 + 2)),
            ("block_size: wanted an integer, got float", lambda: gather(rows, ids, table, 2.5)),
            ("output: wanted a writable array", lambda: gather(rows, ids, table, 2, out=fixed)),
            ("num_out_tokens: wanted an integer of 64 bits",
             lambda: mluops.moe_token_permute_with_routing_map(rows, numpy.int8([[1], [1]]), 2**63)),
            ("rows, cols", lambda: mluops.Ranks(0, 2)),
            ("expert_mapping_desc", lambda: dispatch_with_mapping(numpy.ones((1, 1, 2, 3), numpy.int32)))):
        expect_refusal(text, call)
    assert (gather(rows, ids, table, numpy.int64(2)) == [[1]]).all()


def dispatch_with_mapping(mapping):
    rows, ids = numpy.zeros((1, 1, 1, 4), numpy.float32), numpy.zeros((1, 1, 1, 1), numpy.int32)
    ranks = mluops.Ranks(1, 2)
    try:
        mluops.all_to_all_dispatch(ranks, [rows, rows], [ids, ids], mapping)
    finally:
        ranks.close()


def run_program(text, *arguments, **environment):
    """What a program of Python does in a process of its own."""
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(p for p in sys.path if p), **environment)
    return subprocess.run([sys.executable, "-c", text, *arguments], capture_output=True, text=True, env=environment, check=True,
                          timeout=600)  # for one that hangs; an emulated machine with much to do takes a minute


def check_log():
    """The log of the library goes to the standard error, the standard output is the program's."""
    program = ("import numpy, mluops\n"
               "try: mluops.gather_in_ub(numpy.zeros((1, 1)), numpy.zeros((1, 1)), numpy.int32([[0]]), 1)\n"
               "except mluops.MluOpError: print('refused')\n")
    result = run_program(program, MLUOP_MIN_LOG_LEVEL="0")
    assert result.stdout == "refused\n" and "[MLU-OPS][ERROR]" in result.stderr, result


def check_nothing_to_do():
    """Calls in which nothing is moved or summed give zeros, in memory of the host as well."""
    ids, none = numpy.int32([0, 0]), numpy.zeros((0, 3), numpy.float32)
    ones = numpy.ones((2, 3), numpy.float32)
    gates = numpy.float32([1, 1])

    def zeros(array, *shape):
        assert array.shape == shape and not array.any(), array

    # Python's allocator reuses memory, so unwritten output is seldom zero.
    for _ in range(3):
        zeros(mluops.moe_dispatch_backward_data(gates, ids, ids, none, 0, 1, out=ones.copy()), 2, 3)
        zeros(mluops.moe_dispatch_backward_gate(ids, ids, ones, none, 0, 1, out=gates.copy()), 2)
        zeros(mluops.moe_dispatch_backward_gate(ids, ids, ones[:, :0], numpy.zeros((4, 0), numpy.float32), 2, 2,
                                                out=gates.copy()), 2)
        nobody = numpy.int8([[1, 0], [0, 1]])
        zeros(mluops.moe_token_permute_with_routing_map(ones, nobody, 0)[3], 2)
        zeros(mluops.moe_token_permute_with_routing_map(none, nobody[:0], 0)[3], 2)
        zeros(mluops.moe_token_permute_with_routing_map(ones, nobody, 0, drop_and_pad=True)[3], 2)
        no_rows = numpy.zeros((0,), numpy.int32)
        zeros(mluops.moe_token_unpermute_with_routing_map(none, no_rows, nobody, out=ones.copy()), 2, 3)
        for gradient in mluops.moe_token_permute_with_routing_map_grad(none, no_rows, nobody, none[:, 0]):
            assert not gradient.any(), gradient
        zeros(mluops.moe_token_unpermute_with_routing_map_grad(ones, no_rows, nobody, none,
                                                               numpy.ones((2, 2), numpy.float32))[1], 2, 2)


def check_large_k():
    """A k above 1024 is no filter, and says so."""
    logits = numpy.arange(2000, dtype=numpy.float32)[None]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        kept = mluops.apply_top_k_top_p(logits, numpy.int32([1025]), numpy.float32([1]))
        mluops.apply_top_k_top_p(logits, numpy.int32([1024]), numpy.float32([1]))
    assert numpy.isfinite(kept).all() and len(caught) == 1 and "above 1024" in str(caught[0].message)


def check_zero_copy():
    """The result is written where `out` lies, and a strided input is read where it lies."""
    wide = numpy.arange(24, dtype=numpy.float32).reshape(6, 4)
    out = numpy.zeros((2, 2), dtype=numpy.float32)
    address = out.ctypes.data
    result = mluops.gather_in_ub(wide[:, :2], numpy.int32([[5, 0]]), numpy.int32([[0]]), 6, out=out)
    assert result is out and result.ctypes.data == address and (result == [[20, 21], [0, 1]]).all()


def check_habits():
    """Numbers for all rows, lists, wider types, nothing at all, and inputs that are not contiguous."""
    logits = numpy.random.default_rng(3).normal(size=(3, 40)).astype(numpy.float32)
    want = mluops.apply_top_k_top_p(logits, numpy.int32([5, 5, 5]), numpy.float32([0.5, 0.5, 0.5]))
    for top_k in (5, numpy.int64(5), [5, 5, 5], numpy.int64([5, 5, 5]), numpy.array(5)):
        for top_p in (0.5, numpy.float64([0.5, 0.5, 0.5]), [0.5, 0.5, 0.5]):
            assert (mluops.apply_top_k_top_p(logits, top_k, top_p) == want).all()
    assert (mluops.apply_top_k_top_p(numpy.asfortranarray(logits), 5, 0.5) == want).all()
    assert numpy.isfinite(mluops.apply_top_k_top_p(logits, [2**40, 2**31, 2**31 - 1], 1)).all()
    assert mluops.top_k_top_p_sample(logits[:0], 5, 0.5).shape == (0,)
    assert mluops.apply_top_k_top_p(logits[:0], [], 0.5).shape == (0, 40)
    draws = [mluops.top_k_top_p_sample(logits, 5, 0.9, generator=numpy.random.default_rng(seed)) for seed in (1, 1)]
    assert (draws[0] == draws[1]).all()
    rows = numpy.float32([[1], [2]])
    assert (mluops.gather_in_ub(rows, [[1, 2**40, -2**40]], [[0]], 2).ravel() == [2, 0, 0]).all()
    assert mluops.gather_in_ub(rows, numpy.zeros((1, 0), numpy.int64), [[0]], 2).shape == (0, 1)
    assert not mluops.gather_in_ub_batched(rows[:0], [[0], [0]], [[0]], 2).any()
    assert mluops.sparse_attention_scores(rows[None], rows[:0], [[0]], [[0]], 2).max() == float("-inf")
    assert mluops.paged_cache_write(rows[:0], [], [[0]], 2, rows) is rows


def check_outputs():
    """Operators with several results write them where `out` says."""
    tokens, routing = numpy.float32([[1], [2]]), numpy.int8([[0, 1], [1, 0]])
    wanted = mluops.moe_token_permute_with_routing_map(tokens, routing, 2)
    out = tuple(numpy.full_like(array, 9) if array is not None else None for array in wanted)
    results = mluops.moe_token_permute_with_routing_map(tokens, routing, 2, out=out)
    for result, want, given in zip(results, wanted, out):
        assert result is given and (want is None or (result == want).all())
    out = (numpy.full_like(tokens, 9), None)
    assert mluops.moe_token_permute_with_routing_map_grad(tokens, wanted[2], routing, out=out)[0] is out[0]
    assert mluops.moe_token_unpermute_with_routing_map_grad(tokens, wanted[2], routing, out=out)[0] is out[0]
    assert (out[0] == [[2], [1]]).all()
    drawn, kept = numpy.zeros(2, numpy.int64), numpy.zeros((2, 1), numpy.float32)
    assert mluops.top_k_top_p_sample(tokens, 1, 1, return_logits=True, out=(drawn, kept))[1] is kept
    assert (kept == tokens).all()


def check_ranks():
    """What one rank refuses ends the call for all of them, at once."""
    rows, ids = numpy.zeros((1, 1, 1, 4), numpy.float32), numpy.zeros((1, 1, 1, 1), numpy.int32)
    mapping = numpy.ones((1, 1, 2, 2), numpy.int32)
    for wrong in (rows.astype(numpy.float64), None):
        ranks = mluops.Ranks(1, 2)
        expect_refusal("input", lambda: mluops.all_to_all_dispatch(ranks, [rows, wrong], [ids, ids], mapping))
        ranks.close()
    with mluops.Ranks(2, 1) as ranks:
        outputs, _ = mluops.all_to_all_dispatch(ranks, [rows + 1, rows + 2], [ids, ids], mapping, cluster_axis=0,
                                                split="sequence")
        assert all((output[0, 0, :, 0] == [1, 2]).all() for output in outputs)
        places = ([numpy.zeros((1, 1, 2, 4), numpy.float32) for _ in range(2)],
                  [numpy.zeros((1, 1, 2, 1), numpy.int32) for _ in range(2)])
        mluops.all_to_all_dispatch(ranks, [rows + 1, rows + 2], [ids.astype(numpy.int64).tolist(), ids], mapping,
                                   cluster_axis=0, split="sequence", out=places)
        assert all((given == output).all() for given, output in zip(places[0], outputs))


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


def most_at_once():
    """How many threads of the runtime work on one piece of shared work at the same time."""
    working, most, done, lock = 0, 0, threading.Event(), threading.Lock()

    def task(_, __):
        nonlocal working, most
        with lock:
            working += 1
            most = max(most, working)
        time.sleep(0.01)  # releases the interpreter lock
        with lock:
            working -= 1

    run = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_uint64)(task)
    end = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda _: done.set())
    for flags in (0, 1):  # with and without help of this thread
        done.clear()
        library.cnrtxShare(ctypes.c_uint64(12), run, end, None, flags)
        assert done.wait(20)
    return most


def check_thread_limit():
    """No more threads work on a call than the limit says; calls of other threads go on meanwhile."""
    rows, first = numpy.float32([[1]]), numpy.int32([[0]])
    for limit in (1, 2):
        library.cnrtxLimitThreads(limit)
        assert most_at_once() <= limit
        assert mluops.gather_in_ub(rows, first, first, 1) == 1
        tokens, routing = numpy.ones((300, 64), numpy.float32), numpy.int8(numpy.eye(300, 30))
        assert mluops.moe_token_permute_with_routing_map(tokens, routing, 300)[3].sum() == 30
    library.cnrtxLimitThreads(0)
    assert most_at_once() >= 2


def check_interpreter_lock():
    """Other threads of Python run during a call."""
    tokens, routing = numpy.ones((2000, 1000), numpy.float32), numpy.ones((2000, 4), numpy.int8)
    counted, over = 0, False

    def count():
        nonlocal counted
        while not over:
            counted += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(60)  # threads switch only where the lock is released
    thread.start()
    before = counted
    for _ in range(5):
        mluops.moe_token_permute_with_routing_map(tokens, routing, 8000)
    seen, over = counted - before, True
    sys.setswitchinterval(interval)
    thread.join()
    assert seen > 0


def check_fork():
    """A child of fork() works when its parent has not used the devices, and says why not when it has."""
    program = """import os, sys, numpy, mluops
def call(): return mluops.gather_in_ub(numpy.float32([[1]]), [[0]], [[0]], 1)
if sys.argv[1] == "used": call()
child = os.fork()
if child == 0:
    try: print("result", call().item(), flush=True)
    except mluops.MluOpError as error: print(error, flush=True)
    os._exit(0)
os.waitpid(child, 0)
assert call() == 1
"""
    for before, text in (("unused", "result 1.0"), ("used", "fork: wanted a process whose parent had not called mluops")):
        result = run_program(program, before)
        assert text in result.stdout, result


def check_end():
    """Nothing is said at the end of a program that keeps modules of ours."""
    result = run_program("import sys, numpy, mluops\n"
                         "mluops.moe_token_permute_with_routing_map(numpy.float32([[1]]), numpy.int8([[1]]), 1)\n"
                         "sys.kept = mluops._context\n")
    assert result.stderr == "", result


def check_pickle():
    """Functions can be sent to other processes."""
    for name in mluops.__all__:
        if inspect.isfunction(getattr(mluops, name)):
            assert pickle.loads(pickle.dumps(getattr(mluops, name))) is getattr(mluops, name), name


def check_torch_threads(torch):
    """The threads follow torch.set_num_threads."""
    before = torch.get_num_threads()
    for count in (1, 2):
        torch.set_num_threads(count)
        mluops.gather_in_ub(torch.ones(1, 1), [[0]], [[0]], 1)
        assert most_at_once() == count, count
    torch.set_num_threads(before)


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
    check_torch_threads(torch)
    return True


def main():
    failed = run = 0
    for name in ("", "._context", "._library", "._picture", ".info", ".moe", ".paged", ".sampling", ".several"):
        result = doctest.testmod(importlib.import_module("mluops" + name))
        failed, run = failed + result.failed, run + result.attempted
    check_operators()
    check_stubs()
    check_refusals()
    check_log()
    check_nothing_to_do()
    check_large_k()
    check_zero_copy()
    check_habits()
    check_outputs()
    check_ranks()
    check_threads()
    check_thread_limit()
    check_interpreter_lock()
    check_fork()
    check_end()
    check_pickle()
    with_torch = check_torch()
    print(f"{run} examples, torch {'used' if with_torch else 'not installed'}, mluops {mluops.__version__}")
    print("FAIL" if failed else "PASS")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
