#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: case_times.sh MLUOP_GTEST ZOO
# Upper limits for the times of cases on an MLU370-X4, in us. The clock is deterministic, so they need no margin.
set -eu
gtest=$1 zoo=$2
export MLUOP_CARD=MLU370-X4

within() {
    time=$("$gtest" --case_path="$zoo/$1" | sed -n 's/^\[MLU Hardware Time *\]: \([0-9.]*\) (us)$/\1/p')
    echo "$1: $time us, at most $2"
    [ -n "$time" ] && awk -v t="$time" -v limit="$2" 'BEGIN { exit !(t <= limit) }'
}

within top_k_top_p_sample/test_case/perf/cann_48_k50_p_half.prototxt 140
within top_k_top_p_sample/test_case/perf/cann_48_p_half.prototxt 350
within top_k_top_p_sample/test_case/perf/cann_1_p_half.prototxt 90
within apply_top_k_top_p/test_case/nightly/cann_48_k50_p_half.prototxt 138
