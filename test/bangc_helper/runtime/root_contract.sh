#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: root_contract.sh ROOT_H NM OBJECT...
# Checks that runtime/root.h declares exactly the rt_ functions of the root that bangc_helper/runtime uses.
set -eu
header=$1 nm=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for object; do
    case "$object" in
        */__/__/runtime/*) echo "$object" >>"$work/shared" ;; # compiled from outside the root's folder
        *) echo "$object" >>"$work/root" ;;
    esac
done
xargs "$nm" -u <"$work/shared" | awk 'NF == 2 { print $2 }' >"$work/used"
xargs "$nm" -g --defined-only <"$work/root" | awk '$2 ~ /[TDBVRW]/ { print $3 }' >"$work/defined"
for list in "$work"/*; do sort -u -o "$list" "$list"; done
comm -12 "$work/used" "$work/defined" | grep '^rt_' >"$work/taken"
# A declaration is a statement, outside comments, of the form "TYPE rt_NAME(...)".
sed -e 's|/\*.*\*/||' -e '/\/\*/,/\*\//d' "$header" | tr '\n' ' ' | tr ';{}' '\n\n\n' |
    grep -oE '[ *]rt_[a-z_0-9]+\(.*\) *$' | grep -oE '^[ *]rt_[a-z_0-9]+' | tr -d ' *' | sort -u >"$work/declared"
[ "$(wc -l <"$work/declared")" -gt 40 ] || { echo "cannot read $header"; exit 1; }
if ! diff "$work/declared" "$work/taken"; then
    echo "above: < in root.h, but nothing that the shared half takes from the root; > taken, but not in root.h"
    exit 1
fi
echo "$(wc -l <"$work/taken") functions"
