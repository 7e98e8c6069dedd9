#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: hooks.sh SOURCE LIBCNRT PROGRAM...
# Every entry point that the headers of the language declare has a hook, bang-card knows it, and the programs use it.
set -eu
source=$1 library=$2
shift 2
headers=$source/bangc_helper/include
# Entry points that are no instructions of a card have no hook.
others='vec_use_isa|vec_isa|copy_pipe|copy_engine_reset|copy_engine_finish|sram_of_cluster'
entries=$(sed -n 's/^\(void\|uint32_t\) \**__bang_\(vec_[a-z0-9_]*\|copy\|defer\|sync_pipes\|barrier\)(.*/\2/p' \
    "$headers/bang/vector_api.h" "$headers/bang_runtime.h" | grep -vxE "$others")
[ "$(echo "$entries" | wc -l)" -gt 45 ] || { echo "FAIL: the headers look otherwise"; exit 1; }
status=0
nm -D --defined-only "$library" >hooks.exported
nm -u "$@" >hooks.used
for entry in $entries; do
    grep -q "\"__bang_$entry\"" "$source/bangc_helper/roots/card/instrument/language.c" ||
        { echo "FAIL: bang-card does not know __bang_$entry"; status=1; }
    grep -q " __bang_card_$entry\$" hooks.exported || { echo "FAIL: no hook for __bang_$entry"; status=1; }
    grep -q " __bang_card_$entry\$" hooks.used || { echo "FAIL: no program uses the hook of __bang_$entry"; status=1; }
done
[ "$status" -ne 0 ] || echo "$(echo "$entries" | wc -l) entry points have hooks"
exit "$status"
