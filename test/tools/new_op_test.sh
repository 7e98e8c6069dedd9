#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: new_op_test.sh SOURCE WORK
# tools/new_op.sh puts the new operator where the registry expects it. Whether it works is tested by
# docs.add_an_operator.
set -euo pipefail
source=$1 work=$2
rm -rf "$work"
schema=test/mlu_op_gtest/pb_gtest/schema
mkdir -p "$work/core" "$work/$schema"
cp -r "$source/tools" "$source/mlu_op.h" "$work/"
cp "$source/core/op_list.inc" "$work/core/"
cp "$source/$schema/mlu_op_test.proto" "$work/$schema/"

"$work/tools/new_op.sh" first_new >"$work/log"
"$work/tools/new_op.sh" --kind=mover second_new >"$work/log"
# Two more lines, after the last single-device operator; nothing else changed.
last=$(grep -n '^MLUOP_OP(' "$source/core/op_list.inc" | tail -n 1 | cut -d: -f1)
diff "$work/core/op_list.inc" <(sed "${last}a MLUOP_OP(first_new, .)\\nMLUOP_OP(second_new, .)" "$source/core/op_list.inc")
! "$work/tools/new_op.sh" first_new 2>/dev/null
! "$work/tools/new_op.sh" --kind=unknown third_new 2>/dev/null
! "$work/tools/new_op.sh" --kind= third_new 2>/dev/null
[ ! -e "$work/kernels/third_new" ]
# The schema has an entry for an operator with scalars, and none for one without.
grep -q '^message FirstNewParam {$' "$work/$schema/mlu_op_test.proto"
! grep -q SecondNew "$work/$schema/mlu_op_test.proto"
# Every kind creates all files, and no file keeps the template's name.
"$work/tools/new_op.sh" --kind=reduction third_new >"$work/log"
files() { (cd "$work" && find kernels test docs -path "*$1*" -type f ! -path '*/test_case/*' | sed "s/$1/NAME/g" | sort); }
[ "$(files first_new | wc -l)" -eq 8 ]
diff <(files first_new) <(files second_new)
diff <(files first_new) <(files third_new)
! grep -rniE 'my_?op' "$work/kernels" "$work/docs" "$work/test" "$work/mlu_op.h"
rm -rf "$work"
