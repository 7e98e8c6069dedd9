#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times PyTorch's composites on the shapes of the perf cases, for the report of mluop_gtest --perf_acceptance.

    python3 -m venv venv && venv/bin/pip install torch
    venv/bin/python test/rivals/rivals.py --out rivals.json
    mluop_gtest --perf_render=DIR/report.json --rivals=rivals.json

run_rivals.sh does all three. Neither the build nor the tests need PyTorch. Caches are emptied before every call by
writing a block as large as the last level, as the report's cold times are; medians of several calls."""
import argparse
import datetime
import json
import os
import pathlib
import platform
import statistics
import sys
import time

from case_text import Case

try:
    import torch

    import torch_composites
except ImportError:
    sys.exit("rivals.py: PyTorch is not here; test/rivals/run_rivals.sh makes an environment that has it")

ZOO = pathlib.Path(__file__).resolve().parent.parent / "mlu_op_gtest/pb_gtest/zoo"


def cache_bytes():
    sizes = [64 << 20]
    for path in pathlib.Path("/sys/devices/system/cpu/cpu0/cache").glob("index*/size"):
        sizes.append(int(path.read_text().strip().rstrip("K")) << 10)
    return max(sizes)


def cpu_model():
    for line in open("/proc/cpuinfo", encoding="utf-8"):
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def quantile(values, share):
    ordered = sorted(values)
    return ordered[round(share * (len(ordered) - 1))]


def measure(run, flush, seconds):
    """One call that is not counted, then one or more while there is time."""
    run()
    times, start = [], time.perf_counter()
    while not times or (len(times) < 25 and time.perf_counter() - start < seconds):
        flush.add_(1)
        begin = time.perf_counter()
        run()
        times.append((time.perf_counter() - begin) * 1e6)
    return times


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", default="rivals.json")
    parser.add_argument("--seconds", type=float, default=1.0, help="per case and rival")
    parser.add_argument("--filter", default="", help="only cases whose operator/name contains this")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    torch.manual_seed(7)
    flush = torch.zeros(cache_bytes(), dtype=torch.uint8)
    report = {"context": {"date": datetime.datetime.now().astimezone().isoformat(timespec="seconds"),
                          "executable": f"PyTorch {torch.__version__} on {args.threads} threads",
                          "num_cpus": args.threads, "cpu_model": cpu_model(), "library_build_type": "release"},
              "benchmarks": []}
    for path in sorted(ZOO.glob("*/test_case/perf/*.prototxt")):
        case = Case(path)
        name = f"{case.op}/perf/{path.stem}"
        make = getattr(torch_composites, case.op, None)
        if make is None or args.filter not in name:
            continue
        for rival, run in make(case).items():
            times = measure(run, flush, args.seconds)
            report["benchmarks"].append(
                {"name": f"{name}/{rival}", "run_name": name, "run_type": "iteration", "repetitions": 1,
                 "threads": args.threads, "iterations": len(times), "real_time": statistics.median(times),
                 "cpu_time": statistics.median(times) * args.threads, "time_unit": "us", "contender": rival,
                 "p10": quantile(times, 0.1), "p90": quantile(times, 0.9)})
            print(f"{name:90} {rival:14} {statistics.median(times):12.1f} us", flush=True)
        # Written after every case, so that an interrupted run keeps its results.
        pathlib.Path(args.out).write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    return 0 if report["benchmarks"] else 1


if __name__ == "__main__":
    sys.exit(main())
