# SPDX-License-Identifier: MIT
"""Times of functions that share a process, measured in turn, round after round."""
import statistics
import time

WARMUP_ROUNDS = 3
SETTLE_SECONDS = 0.02


def settle(run):
    """Runs without timing until the threads of the other library, which spin for a while, are asleep."""
    end = time.perf_counter() + SETTLE_SECONDS
    while time.perf_counter() < end:
        run()


def median_seconds(contenders, rounds):
    """{name: function} -> {name: median of its times}."""
    times = {name: [] for name in contenders}
    for number in range(-WARMUP_ROUNDS, rounds):
        for name, run in contenders.items():
            settle(run)
            start = time.perf_counter()
            run()
            if number >= 0:
                times[name].append(time.perf_counter() - start)
    return {name: statistics.median(values) for name, values in times.items()}
