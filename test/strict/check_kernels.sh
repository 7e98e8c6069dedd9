#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: check_kernels.sh SOURCE CNCC WORK
# Checks all kernels, the samples' kernels and the templates of tools/new_op.sh with cncc --bang-strict, for mtp_372 and
# mtp_592, and prints what it finds. violations.txt has the number that is allowed; it may only fall. The templates and
# the families named below may have none, and no kernel may ask which root it is compiled for.
set -euo pipefail
source=$1 cncc=$2 work=$3
here=$source/test/strict
families=(moe_dispatch gather_in_ub all_to_all moe_token_permute top_k_top_p_sample)
rm -rf "$work"
for kind in elementwise reduction mover; do
    mkdir -p "$work/kernels/my_op_$kind"
    for ending in h mlu; do
        sed "s/my_op/my_op_$kind/g" "$source/tools/new_op/$kind/my_op.$ending" >"$work/kernels/my_op_$kind/my_op_$kind.$ending"
    done
done
cd "$source"

# check FILE: writes the messages for both architectures to a log.
check() {
    {
        "$CNCC" --bang-strict --bang-mlu-arch=mtp_372 -fsyntax-only -I"$WORK" -I. "$1" 2>&1 || true
        "$CNCC" --bang-strict --bang-mlu-arch=mtp_592 -fsyntax-only -I"$WORK" -I. "$1" 2>&1 || true
    } >"$WORK/$(tr / _ <<<"$1").log"
}
export -f check
export CNCC=$cncc WORK=$work CNCC_PCH_DIR=$work/precompiled
find kernels samples "$work/kernels" -name '*.mlu' -print0 | sort -z | xargs -0 -P 2 -I {} bash -c 'check {}'

# A violation in a header is reported for every file that includes it, so equal lines count once. The text after the ';'
# is left out of the comparison, because it depends on the architecture.
cat "$work"/*.log | { grep -F '[--bang-strict]' || true; } | sed 's|^\./||' | sort -t: -k1,1 -k2,2n -k3,3n |
    awk -F ';' '!seen[$1]++' >"$work/violations"
if grep -v -F '[--bang-strict]' "$work"/*.log | grep -E 'error: '; then
    echo "the files above do not compile"
    exit 1
fi
cat "$work/violations"
cut -d: -f1 "$work/violations" | sort | uniq -c | sort -rn
found=$(wc -l <"$work/violations")
allowed=$(sed -n 's/^violations: //p' "$here/violations.txt")
echo "$found violations, $allowed allowed"
if grep -F "my_op" "$work/violations"; then
    echo "a new operator would begin with violations"
    exit 1
fi
for family in "${families[@]}"; do
    if grep -hF '[--bang-strict]' "$work/kernels_${family}_"*.log; then
        echo "$family has violations, with the headers it includes, and had none"
        exit 1
    fi
done
if grep -rnE '__BANG_PREFERRED_TILE_BYTES__|__BANG_(CPU|SM90|CARD)' kernels; then
    echo "kernels ask which root they are compiled for"
    exit 1
fi
if [ "$found" -gt "$allowed" ]; then
    echo "more than there were: the new ones are among the lines above"
    exit 1
fi
if [ "$found" -lt "$allowed" ]; then
    echo "fewer than there were: please lower the number in test/strict/violations.txt to $found"
fi
