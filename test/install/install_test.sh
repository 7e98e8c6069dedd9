#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: install_test.sh SOURCE BUILD WORK
# Installs the library, moves the installed tree, uses it from another project, and uninstalls it.
set -euo pipefail
source=$1 build=$2 work=$3
. "$source/test/install/common.sh"
. "$source/test/install/user_lists.sh"

put_lists_aside
header="$build/neuware/include/cnrt.h"
trap 'chmod 644 "$header"; bring_lists_back' EXIT
unset DESTDIR NEUWARE_HOME LD_LIBRARY_PATH

# ---- Install, move, use ---------------------------------------------------------------------------------------------

# The installed files must be readable by everybody, even if the builder's files are not.
chmod 600 "$header"
(umask 077 && quiet cmake --install "$build" --prefix "$work/first place")
chmod 644 "$header"
open_to_all "$work/first place"
mv "$work/first place" "$work/moved to"
no_foreign_paths "$work/moved to" "$build" "$work/first place"
consume "$work/moved to" moved
"$work/moved to/bin/mluop_gtest" --case_set=smoke >"$work/log" 2>&1 || { cat "$work/log"; fail "installed mluop_gtest"; }
grep -F "$work/moved to/share/mluops/zoo/" "$work/log" >/dev/null || fail "mluop_gtest took cases from elsewhere"
echo "ok   installed mluop_gtest runs its installed cases"

# The installed samples build against the installed package.
quiet cmake -S "$work/moved to/share/mluops/samples" -B "$work/samples" -DCMAKE_PREFIX_PATH="$work/moved to" \
    -DCMAKE_BUILD_TYPE=Release
quiet cmake --build "$work/samples"
quiet ctest --test-dir "$work/samples" --output-on-failure
grep -E 'tests passed' "$work/log"

# ---- Too early -----------------------------------------------------------------------------------------------------------

quiet cmake -S "$source" -B "$work/not built" -DMLUOP_NEUWARE_HOME="$build/neuware" -DMLUOP_BUILD_GTEST=OFF \
    -DMLUOP_BUILD_SPECIFIC_OP=gather_in_ub
! cmake --install "$work/not built" --prefix "$work/too early" >"$work/log" 2>&1 || fail "installed what is not built"
grep -q 'Nothing was installed' "$work/log" || { cat "$work/log"; fail "does not say that something is not built"; }
[ ! -e "$work/too early" ] || fail "something was installed too early: $(find "$work/too early")"
echo "ok   what is not built is not installed in part"
rm -rf "$work/not built"

# ---- Two prefixes, uninstall -------------------------------------------------------------------------------------------

rm -f "$build"/install_manifest*.txt "$build"/install_folders.txt
mkdir -p "$work/second/lib" "$work/second/share/doc"
echo "somebody else's" >"$work/second/lib/other.txt"
quiet cmake --install "$build" --prefix "$work/second"
consume "$work/second" second
quiet cmake --build "$build" --target uninstall
rest=$(cd "$work/second" && find . -mindepth 1 | sort | tr '\n' ' ')
[ "$rest" = "./lib ./lib/other.txt ./share ./share/doc " ] || fail "uninstall left: $rest"
echo "ok   uninstall leaves what was there before"
expect_pass "the other prefix still works" "$work/consumer moved/from_c"
quiet cmake --install "$build" --prefix "$work/third/deep"
quiet cmake --build "$build" --target uninstall
[ ! -e "$work/third" ] || fail "uninstall left folders it had made: $(find "$work/third")"
echo "ok   uninstall removes the folders it made"
rm -rf "$work/moved to" "$work/samples"
