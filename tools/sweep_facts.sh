#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: sweep_facts.sh [--rounds=N] [--cases="CASE..."] BUILD FACT [VALUE...]
# Times cases with different values of a device fact (core/device_facts.h) and prints a table to choose the fact from. The
# first row has the device's current value; times are in microseconds. BUILD is a build folder of any root. On the card root
# the times are those of the board in MLUOP_CARD and exact, so one round is enough. On the others they are medians of several
# rounds and need an otherwise idle machine.
#
#   tools/sweep_facts.sh build-card tile_bytes
#   tools/sweep_facts.sh --rounds=9 build scattered_tile_bytes 8192 16384 24576 32768
set -euo pipefail
rounds=1 cases=
while [[ ${1:-} == --* ]]; do
    case $1 in
        --rounds=*) rounds=${1#*=} ;;
        --cases=*) cases=${1#*=} ;;
        *) echo "unknown option $1" >&2; exit 2 ;;
    esac
    shift
done
[ $# -ge 2 ] || { sed -n '3,11s/^# \{0,1\}//p' "$0" >&2; exit 2; }
build=$1 fact=$2
shift 2
values=("$@")
[ ${#values[@]} -gt 0 ] || values=(4096 8192 16384 24576 32768 49152 65536)
zoo=$(cd "$(dirname "$0")/.." && pwd)/test/mlu_op_gtest/pb_gtest/zoo
# By default the movers' cases with shapes from networks, those that this build has.
[ -n "$cases" ] || cases="$zoo/moe_dispatch_forward/test_case/perf/swin_moe_stage3_18432x512.prototxt
$zoo/moe_dispatch_backward_data/test_case/perf/swin_stage3_18432x512.prototxt
$zoo/gather_in_ub_batched/test_case/perf/half_32_queries_of_2048_rows_of_576_blocks_of_128.prototxt
$zoo/paged_cache_write/test_case/perf/half_16384_rows_of_576_in_order.prototxt"

# time_of CASE FACTS: prints one time, or "-" if the operator or the case does not exist.
time_of() {
    MLUOP_DEVICE_FACTS=$2 "$build/test/mluop_gtest" --mlu_only --perf_repeat="${REPEAT:-10}" --case_path="$1" 2>/dev/null |
        sed -n 's/.*MLU Hardware Time *\]: *\([0-9.]*\) .*/\1/p' | head -n 1 | grep . || echo -
}
median() { sort -g | awk '{ a[NR] = $1 } END { print a[int((NR + 1) / 2)] }'; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for ((round = 0; round < rounds; ++round)); do
    for value in now "${values[@]}"; do
        for case in $cases; do
            [ "$value" = now ] && facts= || facts=$fact=$value
            time_of "$case" "$facts" >>"$work/$value.$(cksum <<<"$case" | cut -d' ' -f1)"
        done
    done
done
header="| $fact |" line='|---|'
for case in $cases; do
    header+=" $(basename "$(dirname "$(dirname "$(dirname "$case")")")") |" line+='---|'
done
printf '%s\n%s\n' "$header" "$line"
for value in now "${values[@]}"; do
    row="| $value |"
    for case in $cases; do row+=" $(median <"$work/$value.$(cksum <<<"$case" | cut -d' ' -f1)") |"; done
    echo "$row"
done
