#!/bin/sh
# SPDX-License-Identifier: MIT
# A CMake project of its own, with FindBANG.cmake: configure, build, run, rebuild only what changed.
. "$(dirname "$0")/common.sh"

root=$(cd "$(dirname "$CNCC")/.." && pwd)
cp -R "$here/cmake_project" "source dir"
flags=${CNCC_TEST_FLAGS:-}

build() { cmake --build "$1" >log 2>&1 || { fail "the build failed"; tail -20 log; }; }
objects() { grep -c 'Building BANG object' log; }

for generator in Ninja "Unix Makefiles"; do
  case $generator in
    Ninja) command -v ninja >/dev/null || continue ;;
    *) command -v make >/dev/null || continue ;;
  esac
  tree="build $generator"
  cmake -G "$generator" -S "source dir" -B "$tree" -DCMAKE_BUILD_TYPE=Release "-DNEUWARE_HOME=$root" \
    "-DCMAKE_CXX_FLAGS=$flags" "-DCMAKE_C_FLAGS=$flags" "-DBANG_CNCC_FLAGS_RELEASE=$flags" >log 2>&1 || { fail "configuring failed"; tail -20 log; continue; }
  build "$tree"
  [ "$(objects)" -eq 3 ] || fail "$(objects) objects built instead of 3"
  # x * 5 + 2 in the library, then doubled
  [ "$("$tree/app")" = "14 24 34" ] || fail "wrong result: $("$tree/app")"
  build "$tree"
  [ "$(objects)" -eq 0 ] || fail "an unchanged tree was rebuilt ($generator)"
  sed 's/SCALE_EXTRA 0/SCALE_EXTRA 1/' "source dir/include dir/scale.h" >changed
  cat changed >"source dir/include dir/scale.h"
  build "$tree"
  [ "$(objects)" -eq 3 ] || fail "a changed header rebuilt $(objects) objects ($generator)"
  [ "$("$tree/app")" = "16 26 36" ] || fail "wrong result after the change: $("$tree/app")"
  sed 's/SCALE_EXTRA 1/SCALE_EXTRA 0/' changed >"source dir/include dir/scale.h"
done

finish
