#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: perf_acceptance.sh WORK PROGRAM CASES
# --perf_acceptance uses the board's bandwidth, has the reports and exit codes of other roots, and prints how exact its times are.
set -eu
work=$1 program=$2 cases=$3
rm -rf "$work"
mkdir -p "$work"
fail() {
    cat "$work/out"
    echo "FAIL: $*"
    exit 1
}
# judge CODE CASE: fails unless the exit code is CODE.
judge() {
    code=0
    "$program" --perf_acceptance="$work/report" --case_path="$cases/$2" >"$work/out" 2>&1 || code=$?
    [ "$code" = "$1" ] || fail "exit code $code instead of $1: $2"
}
# 75 MB: copy-bound, meets the standard.
judge 0 moe_dispatch_backward_data/test_case/perf/swin_stage3_18432x512.prototxt
grep -q 'copy 307.2 GB/s (the board.s bandwidth)' "$work/out" || fail "another bandwidth than MLU370-X4's"
grep -q 'estimated, MLU370-X4, [a-z]*-bound +-[0-9]* %' "$work/out" || fail "no class of the estimate"
for page in report.html report.json report.csv performance.md; do
    [ -s "$work/report/$page" ] || fail "no $page"
done
grep -q 'estimated, MLU370-X4' "$work/report/report.html" || fail "no class in report.html"
grep -q '"time_class"' "$work/report/report.json" || fail "no class in report.json"
# A few rows: latency-bound, below the required 30 % of the bandwidth.
judge 1 moe_dispatch_backward_data/test_case/smoke/small_some_dropped.prototxt
# bfloat16 is refused, which does not count against the operator.
judge 0 moe_dispatch_backward_data/test_case/ci/various.prototxt#bfloat16_700x300
grep -q '1 cases were refused as this device must' "$work/out" || fail "bfloat16 was not refused"
echo "judged by the board's bandwidth"
