#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: strict_kernels_test.sh SOURCE NEUWARE_HOME WORK FOLDER...
# The kernels of these folders below kernels/ compile for cards: functions of the language with public evidence only, for the
# architectures of MLU370 and MLU590, and nothing that only one device defines.
set -euo pipefail
source=$1 neuware=$2 work=$3
shift 3
mkdir -p "$work"
failed=0 checked=0
for folder in "$@"; do
    if grep -rnE '__BANG_SLOW_SCALAR__|__BANG_PREFERRED_TILE_BYTES__|SCALAR_IS_SLOW|(PIPELINE|SCATTERED)_TILE_BYTES' \
        "$source/kernels/$folder"; then
        echo "FAIL: $folder asks which device it is compiled for" >&2
        failed=1
    fi
    while read -r file; do
        for arch in mtp_372 mtp_592; do
            "$neuware/bin/cncc" --bang-strict --bang-mlu-arch=$arch -O0 -I"$source" -I"$neuware/include" -c "$file" \
                -o "$work/strict.o" || failed=1
            checked=$((checked + 1))
        done
    done < <(find "$source/kernels/$folder" -name '*.mlu' | sort)
done
[ "$checked" -gt 0 ] || failed=1
[ $failed = 0 ] && echo "PASS: $checked compilations"
exit $failed
