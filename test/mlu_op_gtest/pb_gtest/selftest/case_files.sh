#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: case_files.sh MLUOP_GTEST ZOO
# Cases that differ only in numbers must be sweeps: many cases, few files. Case names must be unique in their set, so
# that a filter or a report refers to one case.
set -euo pipefail
cases_min=1138 files_max=500
files=$(find "$2" -name '*.prototxt' | wc -l)
list=$("$1" --cases_dir="$2" --case_set=all --gtest_list_tests | sed -n 's/.*GetParam() = //p')
cases=$(wc -l <<<"$list")
echo "$cases cases in $files files"
[ "$files" -le "$files_max" ] || { echo "FAIL: more than $files_max files: fold families into sweeps" >&2; exit 1; }
[ "$cases" -ge "$cases_min" ] || { echo "FAIL: there were $cases_min cases" >&2; exit 1; }
# .../<op>/test_case/<set>/file.prototxt or file.prototxt#member
twice=$(sed -E 's|.*/([^/]+)/test_case/([^/]+)/([^/#]*)\.prototxt(#(.*))?$|\1 \2 \5 \3|' <<<"$list" |
    awk '{ name = $1 " " $2 " " $3; if (seen[name]++) print name }')
[ -z "$twice" ] || { printf 'FAIL: two cases of one name:\n%s\n' "$twice" >&2; exit 1; }
