#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: commit_header_test.sh SOURCE WORK
# A new commit updates the header that names it; otherwise the header stays unchanged.
set -euo pipefail
source=$1 work=$2
rm -rf "$work"
mkdir -p "$work/not a repository" "$work/re po"
header=$work/commit.h
export GIT_CEILING_DIRECTORIES=$work

# make FOLDER: writes the header for the sources there.
make() { cmake -DSOURCE="$work/$1" -DHEADER="$header" -P "$source/test/mlu_op_gtest/pb_gtest/commit.cmake"; }
commit() {
    git -C "$work/re po" -c user.name=a -c user.email=a@b -c core.hooksPath= commit -q --allow-empty -m "$1"
    wanted=$(git -C "$work/re po" rev-parse --short HEAD)
}
names() { grep -q "^#define MLUOP_TEST_$1 \"$2\"\$" "$header" || { cat "$header"; echo "FAIL: not $2"; exit 1; }; }

make "not a repository"
names COMMIT unknown
names BRANCH unknown
git -C "$work/re po" init -q -b some/branch
commit one
make "re po"
names COMMIT "$wanted"
names BRANCH some/branch
touch -d '2001-01-01' "$header"
make "re po"
[ "$(date -r "$header" +%Y)" = 2001 ] || { echo "FAIL: written again"; exit 1; }
commit two
make "re po"
names COMMIT "$wanted"
rm -rf "$work"
