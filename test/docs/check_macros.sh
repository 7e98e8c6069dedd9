#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: check_macros.sh SOURCE
# docs/add_an_operator.md lists every macro of core/check.h that operators check their arguments with, and no other.
set -euo pipefail
cd "$1"

defined() { # those of the section of operators, and what stands elsewhere for all
    sed -n '/^\/\* ---- Checks of operators/,/^\/\* ---- The family of MLU-OPS/s/^#define \([A-Z0-9_]*\)(.*/\1/p' core/check.h
    printf '%s\n' MLUOP_RETURN_IF_FAILED LARGE_TENSOR_CHECK CHECK_RETURN KERNEL_CHECK
}
listed() { sed -n '/^## The checks of arguments/,/^`PARAM_CHECK/p' docs/add_an_operator.md | grep '^|' | grep -oE '`[A-Z0-9_]{5,}\(' | tr -d '`('; }
for name in $(defined); do
    grep -q "^#define $name(" core/check.h || { echo "FAIL: core/check.h has no $name" >&2; exit 1; }
done
diff <(defined | sort -u) <(listed | sort -u) || { echo "FAIL: core/check.h (<) and docs/add_an_operator.md (>) differ" >&2; exit 1; }
echo "PASS: $(defined | sort -u | wc -l) macros"
