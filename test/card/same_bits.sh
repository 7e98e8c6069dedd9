#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: same_bits.sh WORK CARD_BUILD CPU_BUILD READ_BACK_LIBRARY
# The smoke cases of all operators, the corpus of kernels and the samples give the same bits with the card root as with the CPU's,
# whose build is the third argument. Cases that the board refuses are not compared. Exit code 77: that build is not there.
set -eu
work=$1 card=$2 cpu=$3 library=$4
corpus=$cpu/test/bangc_helper/corpus/kernel_corpus
if [ ! -x "$cpu/test/mluop_gtest" ] || [ ! -x "$corpus" ]; then
    echo "no build of the CPU root in $cpu: there is nothing to compare with"
    exit 77
fi
rm -rf "$work"
mkdir -p "$work"
# The same number of cores on both sides, since kernels divide their work by it.
MLUOP_CPU_TOPOLOGY=8x4 MLUOP_GTEST_SET_GDRAM=NAN MLUOP_GTEST_FILL_RAM=NAN_HALF
export MLUOP_CPU_TOPOLOGY MLUOP_GTEST_SET_GDRAM MLUOP_GTEST_FILL_RAM
# run NAME PROGRAM [ARGUMENT]...: writes the output to WORK/NAME.out and hashes of copies from the device to WORK/NAME.
run() {
    name=$1
    shift
    : >"$work/$name"
    LD_PRELOAD=$library READ_BACK="$work/$name" "$@" >"$work/$name.out" 2>&1 || {
        cat "$work/$name.out"
        echo "FAIL: $*"
        exit 1
    }
}
# Compares sorted lines, since threads of several devices copy in any order.
compare() {
    sort "$work/card.$1" >"$work/card.sorted"
    sort "$work/cpu.$1" >"$work/cpu.sorted"
    [ -s "$work/cpu.sorted" ] || { echo "FAIL: $1 read nothing back"; exit 1; }
    cmp "$work/card.sorted" "$work/cpu.sorted" || { echo "FAIL: $1 differs between the roots"; exit 1; }
    echo "$1: $(wc -l <"$work/cpu.sorted") $2, the same on both roots"
}

# digests FILE: prints each case with the digest of its outputs, one per line.
digests() {
    awk '/^\[MLU Output Digest/ { digest = $NF } /^\[\^ / { if (digest != "") print $NF, digest; digest = "" }' "$1"
}
run card.gtest "$card/test/mluop_gtest" --case_set=smoke --seed=1
run cpu.gtest "$cpu/test/mluop_gtest" --case_set=smoke --seed=1
digests "$work/card.gtest.out" >"$work/card.cases"
digests "$work/cpu.gtest.out" | awk 'NR == FNR { there[$1]; next } $1 in there' "$work/card.cases" - >"$work/cpu.cases"
compare cases outputs

# The results of some kernels depend on the order of tasks (atomics that return old values, random numbers).
MLUOP_CPU_TASK_ORDER=sequential
export MLUOP_CPU_TASK_ORDER
run card.corpus "$card/test/kernel_corpus"
# Without what the card's corpus does not have, such as bfloat16 on an MLU370.
run cpu.corpus "$corpus" -kernels_that_end_themselves -fault_in_a_copy_of_the_cluster -matmul_of_bfloat16
compare corpus "reads of results"
unset MLUOP_CPU_TASK_ORDER

for program in "$card"/samples/*; do
    sample=$(basename "$program")
    [ -f "$program" ] && [ -x "$program" ] && [ -x "$cpu/samples/$sample" ] || continue
    steps=
    [ "$sample" = sampling_loop ] && steps=20
    run "card.$sample" "$program" $steps
    run "cpu.$sample" "$cpu/samples/$sample" $steps
    grep -q PASS "$work/card.$sample.out" || { cat "$work/card.$sample.out"; echo "FAIL: $sample"; exit 1; }
    compare "$sample" "reads of results"
done
