#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: sm90_run_test.sh SOURCE WORK
# test/sm90/run.sh with a fake GPU and fake programs: which parts it runs, and its exit status.
set -euo pipefail
source=$1 work=$2
rm -rf "$work"
mkdir -p "$work/bin" "$work/test" "$work/samples"
printf '#!/bin/sh\necho "pretended, 1"\n' >"$work/bin/nvidia-smi"
chmod +x "$work/bin/nvidia-smi"
for program in cnrt_{memory,queue,implicit_queue,capture,capture_refused,convert,cndev,ipc,ipc_notifier}_test cncl_apart_test sm90_launch_test \
    kernel_corpus mluop_gtest mluop_api_gtest; do
    ln -s /bin/true "$work/test/$program"
done
ln -sf /bin/false "$work/test/kernel_corpus"

# run WANTED_STATUS RUN_ONLY LINE...: runs run.sh; it must print these lines about its parts, apart from times.
run() {
    local wanted=$1 only=$2 status=0
    shift 2
    RUN_ONLY="$only" PATH="$work/bin:$PATH" "$source/test/sm90/run.sh" "$work" >"$work/out" 2>&1 || status=$?
    [ "$status" -eq "$wanted" ] || { cat "$work/out"; echo "FAIL: '$only' ended with $status instead of $wanted"; exit 1; }
    for line in "$@"; do grep -q "^$line" "$work/out" || { cat "$work/out"; echo "FAIL: no '$line'"; exit 1; }; done
}
run 0 "launch cncl" "PASS launch" "PASS cncl" "all passed"
run 1 "launch corpus" "PASS launch" "FAIL corpus" "failed: corpus"
run 2 "lunch" "run.sh: RUN_ONLY names what is no part here: lunch"
run 2 "launch cncl_" "PASS launch" ".* no part here: cncl_$"
run 2 "corpus lunch crpus" "failed: corpus" ".* no part here: lunch crpus$"
run 2 " " ".* no part here"
run 1 "" "PASS cases" "failed: corpus"
rm -rf "$work"
