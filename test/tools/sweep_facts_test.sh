#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: sweep_facts_test.sh SOURCE BUILD
# tools/sweep_facts.sh prints a row for each value, with a time or a dash, and refuses unknown facts.
set -euo pipefail
source=$1 build=$2
fail() {
    echo "FAIL: $*" >&2
    exit 1
}
case=$source/test/mlu_op_gtest/pb_gtest/zoo/gather_in_ub/test_case/smoke/$(
    ls "$source/test/mlu_op_gtest/pb_gtest/zoo/gather_in_ub/test_case/smoke" | head -n 1)
table=$(REPEAT=2 "$source/tools/sweep_facts.sh" --rounds=2 --cases="$case /nowhere/a/test_case/smoke/b.prototxt" "$build" tile_bytes 4096 8192)
echo "$table"
[ "$(head -n 1 <<<"$table")" = '| tile_bytes | gather_in_ub | a |' ] || fail "header"
for value in now 4096 8192; do
    grep -qE "^\| $value \| [0-9.]+ \| - \|$" <<<"$table" || fail "row $value"
done
"$source/tools/sweep_facts.sh" --no_option 2>/dev/null && fail "an unknown option is taken"
"$source/tools/sweep_facts.sh" "$build" 2>/dev/null && fail "a fact is not asked for"
echo PASS
