# SPDX-License-Identifier: MIT
"""python -m mluops.bench [--op permute|unpermute|sample|call]: times operators against the usual torch code.

All contenders run in one process, in turns, on the same data and with the same number of threads. Times include the call
from Python; medians are compared, and the results must be equal. "mluops" writes into `out`, as a program that calls
repeatedly does. "new memory" allocates its result, so that first touches of pages count, as they do for the torch code.
Prints a table, and draws a picture with --picture. Needs torch.
"""
import argparse
import ctypes
import statistics
import sys
import time
from unittest import mock

try:
    import torch
except ImportError:
    sys.exit("mluops.bench: wanted torch to compare with, got none: pip install torch")

import numpy

import mluops.torch
from . import _call, _composites, _picture, _plan
from ._library import library

_SETTLE_SECONDS = 0.02  # worker threads spin for a while after a call


def _time(run):
    """Wall-clock seconds and CPU seconds of one call."""
    end = time.perf_counter() + _SETTLE_SECONDS
    while time.perf_counter() < end:
        run()
    start, work = time.perf_counter(), time.process_time()
    run()
    return time.perf_counter() - start, time.process_time() - work


def in_turn(contenders, rounds):
    """{name: function} -> {name: (median wall-clock seconds, median CPU seconds)}."""
    times = {name: [] for name in contenders}
    for number in range(rounds + 1):
        for name, run in contenders.items():
            one = _time(run)
            if number > 0:
                times[name].append(one)
    return {name: tuple(statistics.median(column) for column in zip(*values)) for name, values in times.items()}


def _routing(tokens, experts, top_k):
    scores = torch.rand(tokens, experts)
    routing_map = torch.zeros(tokens, experts, dtype=torch.bool).scatter(1, scores.topk(top_k, dim=1).indices, True)
    return routing_map, scores * routing_map


def permute(args):
    for name, tokens in (("prefill", args.tokens), ("decode", 128)):
        x = torch.randn(tokens, args.hidden).to(torch.bfloat16)
        routing_map, probs = _routing(tokens, args.experts, 8)

        def ours():
            return mluops.moe_token_permute_with_routing_map(x, routing_map, 8 * tokens, probs)[:3]

        def ours_again():
            mluops.moe_token_permute_with_routing_map(x, routing_map, 8 * tokens, probs, out=place)

        def composite():
            return _composites.permute_and_invert(x, routing_map, probs)

        place = mluops.moe_token_permute_with_routing_map(x, routing_map, 8 * tokens, probs)
        equal = all(torch.equal(a, b.to(a.dtype)) for a, b in zip(place, composite()))
        yield (f"permute {name} {tokens} x {args.hidden}",
               {"mluops": ours_again, "new memory": ours, "composite": composite}, equal)


def unpermute(args):
    tokens = args.tokens
    routing_map, probs = _routing(tokens, args.experts, 8)
    probs = probs.to(torch.bfloat16)
    rows, _, indices, _ = mluops.moe_token_permute_with_routing_map(
        torch.randn(tokens, args.hidden).to(torch.bfloat16), routing_map, 8 * tokens)
    ids = _composites.permute(rows[:tokens, :1], routing_map)[2]

    def ours():
        return mluops.moe_token_unpermute_with_routing_map(rows, indices, routing_map, probs)

    def ours_again():
        mluops.moe_token_unpermute_with_routing_map(rows, indices, routing_map, probs, out=place)

    def composite():
        return _composites.unpermute(rows, ids, routing_map, probs)

    place = ours()
    # The composite rounds every product and sum to bfloat16.
    equal = torch.allclose(place.float(), composite().float(), rtol=0.05, atol=0.1)
    yield (f"unpermute {tokens} x {args.hidden}", {"mluops": ours_again, "new memory": ours, "composite": composite}, equal)


def sample(args):
    for batch, vocab, ways in ((64, args.vocab, ("sort", "topk")), (1, min(args.vocab, 131072), ("sort",))):
        logits = torch.randn(batch, vocab) * 2.5
        noise = torch.empty(batch, vocab).exponential_()
        contenders = {"mluops": lambda: mluops.top_k_top_p_sample(logits, 50, 0.9, noise)}
        functions = {"sort": _composites.sample_by_sort, "topk": _composites.sample_by_topk}
        for way in ways:
            contenders[way] = lambda way=way: functions[way](logits, 50, 0.9, noise)
        equal = torch.equal(contenders["mluops"](), contenders["sort"]())
        yield f"sample {batch} x {vocab}, k 50, p 0.9", contenders, equal


class _Clock:
    """Wraps C functions and sums up the time spent in them."""

    def __init__(self):
        self.spent = 0.0

    def around(self, run):
        def timed(*words):
            start = time.perf_counter()
            status = run(*words)
            self.spent += time.perf_counter() - start
            return status
        return timed


def _quick_and_median(seconds):
    return numpy.array((statistics.quantiles(seconds, n=10)[0], statistics.median(seconds))) * 1e6


def cost_of_a_call(rounds=60, calls=50):
    """Microseconds that Python adds to the C calls of a small gather: {name: (fastest tenth, median)}. The cost of ctypes
    belongs to Python; it is measured by calls of a C function that does nothing."""
    param, ids, table = torch.randn(8, 16), torch.tensor([[1, 2]], dtype=torch.int32), torch.tensor([[0]], dtype=torch.int32)
    result, clock = torch.empty(2, 16), _Clock()
    nothing, words = clock.around(library.cnrtxHostReaches), [ctypes.c_void_p.from_param(1)] * 11
    contenders = {"": lambda: (nothing(*words), nothing(words[0])),
                  "mluops.gather_in_ub": lambda: mluops.gather_in_ub(param, ids, table, 8),
                  "mluops.gather_in_ub, out=": lambda: mluops.gather_in_ub(param, ids, table, 8, out=result),
                  "torch.ops.mluops.gather_in_ub": lambda: torch.ops.mluops.gather_in_ub(param, ids, table, 8)}
    beside, inside = {name: [] for name in contenders}, {name: [] for name in contenders}
    gather, sync = clock.around(library.mluOpGatherInUb), clock.around(library.cnrtQueueSync)
    with mock.patch.object(_call, "function", lambda name: gather), mock.patch.object(_plan, "function", lambda name: gather), \
            mock.patch.object(library, "cnrtQueueSync", sync):
        for name, run in [*contenders.items()] * rounds:
            for _ in range(calls):
                clock.spent = 0.0
                start = time.perf_counter()
                run()
                beside[name].append(time.perf_counter() - start - clock.spent)
                inside[name].append(clock.spent)
    of_ctypes, of_clocks = _quick_and_median(inside.pop("")), _quick_and_median(beside.pop(""))
    return {name: _quick_and_median(values) + of_ctypes - of_clocks for name, values in beside.items()}


_OPERATORS = {"permute": permute, "unpermute": unpermute, "sample": sample}


def main():
    parser = argparse.ArgumentParser(prog="python -m mluops.bench", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--op", action="append", choices=[*_OPERATORS, "call"], help="only this; may be repeated")
    for name, value in (("tokens", 4096), ("hidden", 7168), ("experts", 256), ("vocab", 151936), ("rounds", 9)):
        parser.add_argument(f"--{name}", type=int, default=value, help=f"default {value}")
    parser.add_argument("--threads", type=int, default=torch.get_num_threads(), help="of both; default torch's")
    parser.add_argument("--picture", default="mluops_bench.svg", help="file of the picture; '' for none")
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    torch.manual_seed(7)

    print(f"mluops {mluops.__version__}, torch {torch.__version__}, {args.threads} threads, medians of {args.rounds} rounds")
    print(f"{'':38} {'contender':10} {'ms':>10} {'times ours':>11} {'CPU, times ours':>16}")
    bars, wrong = [], 0
    for name in [name for name in _OPERATORS if args.op is None or name in args.op]:
        for title, contenders, equal in _OPERATORS[name](args):
            medians = in_turn(contenders, args.rounds)
            own = medians["mluops"]
            for contender, (wall, work) in medians.items():
                print(f"{title:38} {contender:10} {wall * 1e3:10.3f} {wall / own[0]:11.1f} {work / max(own[1], 1e-9):16.1f}",
                      flush=True)
            bars.append((title, {contender: wall / own[0] for contender, (wall, _) in medians.items()}))
            wrong += not equal
            if not equal:
                print(f"{title}: results DIFFER")
    if args.op is None or "call" in args.op:
        for name, (quick, median) in cost_of_a_call().items():
            print(f"a call of {name}: {quick:.1f} us beyond the C call in the quickest tenth, median {median:.1f}")
    if args.picture and bars:
        with open(args.picture, "w", encoding="utf-8") as file:
            file.write(_picture.bars(f"Times of mluops {mluops.__version__} = 1, {args.threads} threads", bars))
        print(f"picture: {args.picture}")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
