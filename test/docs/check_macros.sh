#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: check_macros.sh SOURCE
# Checks that docs/add_an_operator.md lists exactly the argument-check macros of core/check.h and the checks of
# core/tensor_rules.h.
set -euo pipefail
cd "$1"

defined() { # those of the operators' section, and those for all defined elsewhere
    sed -n '/^\/\* ---- Checks of operators/,/^\/\* ---- The family of MLU-OPS/s/^#define \([A-Z0-9_]*\)(.*/\1/p' core/check.h
    printf '%s\n' MLUOP_RETURN_IF_FAILED LARGE_TENSOR_CHECK CHECK_RETURN KERNEL_CHECK
}
listed() { sed -n '/^| macro |/,/^`PARAM_CHECK/p' docs/add_an_operator.md | grep '^|' | grep -oE '`[A-Z0-9_]{5,}\(' | tr -d '`('; }
for name in $(defined); do
    grep -q "^#define $name(" core/check.h || { echo "FAIL: core/check.h has no $name" >&2; exit 1; }
done
diff <(defined | sort -u) <(listed | sort -u) || { echo "FAIL: core/check.h (<) and docs/add_an_operator.md (>) differ" >&2; exit 1; }
of_tensors() { sed -n 's/^  MLUOP_CHECK_\([A-Z0-9_]*\),.*/\1/p' core/tensor_rules.h; }
listed_of_tensors() { sed -n '/^| check |/,/^$/s/^| `\([A-Z0-9_]*\)` |.*/\1/p' docs/add_an_operator.md; }
[ -n "$(of_tensors)" ] && diff <(of_tensors) <(listed_of_tensors) ||
    { echo "FAIL: the checks of core/tensor_rules.h (<) and docs/add_an_operator.md (>) differ" >&2; exit 1; }
echo "PASS: $(defined | sort -u | wc -l) macros"
