#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: deterministic.sh WORK PROGRAM [ARGUMENT]...
# Runs a program with one thread, with eight, and with its tasks in another order on a loaded machine: all launches give the same
# records, times and costs per source line. Launches are sorted, since those of several devices may come in any order.
set -eu
work=$1
shift
rm -rf "$work"
mkdir -p "$work"
run() {
    name=$1
    shift
    MLUOP_CARD_RECORDS="$work/$name.txt" "$@" >"$work/$name.out" 2>&1 || { cat "$work/$name.out"; exit 1; }
    awk '/^launch/ { if (NR > 1) printf "\n" } { printf "%s|", $0 } END { printf "\n" }' "$work/$name.txt" | sort >"$work/$name"
}
run one env MLUOP_CPU_THREADS=1 "$@"
run eight env MLUOP_CPU_THREADS=8 "$@"
(while :; do :; done) &
load=$!
trap 'kill $load' EXIT
run loaded env MLUOP_CPU_TASK_ORDER=random:3 "$@"
cmp "$work/one" "$work/eight"
cmp "$work/one" "$work/loaded"
echo "$(wc -l <"$work/one") launches, the same in three ways"
