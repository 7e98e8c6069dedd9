#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: new_op_test.sh SOURCE WORK
# tools/new_op.sh puts the new operator where a reader of the registry looks for it. Whether it works the test
# docs.add_an_operator says.
set -euo pipefail
source=$1 work=$2
rm -rf "$work"
schema=test/mlu_op_gtest/pb_gtest/schema
mkdir -p "$work/core" "$work/$schema"
cp -r "$source/tools" "$source/mlu_op.h" "$work/"
cp "$source/core/op_list.inc" "$work/core/"
cp "$source/$schema/mlu_op_test.proto" "$work/$schema/"

for name in first_new second_new; do "$work/tools/new_op.sh" $name >"$work/log"; done
# Two more lines, after the last operator of one device; nothing else changed.
last=$(grep -n '^MLUOP_OP(' "$source/core/op_list.inc" | tail -n 1 | cut -d: -f1)
diff "$work/core/op_list.inc" <(sed "${last}a MLUOP_OP(first_new, .)\\nMLUOP_OP(second_new, .)" "$source/core/op_list.inc")
! "$work/tools/new_op.sh" first_new 2>/dev/null
rm -rf "$work"
