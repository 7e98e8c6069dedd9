#!/bin/sh
# SPDX-License-Identifier: MIT
# A separate CMake project with FindBANG.cmake is configured, built and run; a second build only rebuilds what changed.
. "$(dirname "$0")/common.sh"

root=$(cd "$(dirname "$CNCC")/.." && pwd)
cp -R "$here/cmake_project" "source dir"
flags=${CNCC_TEST_FLAGS:-}

build() { cmake --build "$1" >log 2>&1 || { fail "the build failed"; tail -20 log; }; }
objects() { grep -c 'Building BANG object' log; }
# configure <folder> <options...>
configure() {
  folder=$1
  shift
  cmake -S "source dir" -B "$folder" -DCMAKE_BUILD_TYPE=Release "-DNEUWARE_HOME=$root" "-DCMAKE_CXX_FLAGS=$flags" \
    "-DCMAKE_C_FLAGS=$flags" "-DBANG_CNCC_FLAGS_RELEASE=$flags" "$@" >log 2>&1
}

for generator in Ninja "Unix Makefiles"; do
  case $generator in
    Ninja) command -v ninja >/dev/null || continue ;;
    *) command -v make >/dev/null || continue ;;
  esac
  tree="build $generator"
  configure "$tree" -G "$generator" || { fail "configuring failed"; tail -20 log; continue; }
  build "$tree"
  [ "$(objects)" -eq 5 ] || fail "$(objects) objects built instead of 5"
  # (x * 5 + 2) * 2 - 3, for x = 1, 2, 3
  [ "$("$tree/app")" = "11 21 31" ] || fail "wrong result: $("$tree/app")"
  build "$tree"
  [ "$(objects)" -eq 0 ] || fail "an unchanged tree was rebuilt ($generator)"
  sed 's/SCALE_EXTRA 0/SCALE_EXTRA 1/' "source dir/include dir/scale.h" >changed
  cat changed >"source dir/include dir/scale.h"
  build "$tree"
  [ "$(objects)" -eq 5 ] || fail "a changed header rebuilt $(objects) objects ($generator)"
  [ "$("$tree/app")" = "14 24 34" ] || fail "wrong result after the change: $("$tree/app")"
  sed 's/SCALE_EXTRA 1/SCALE_EXTRA 0/' changed >"source dir/include dir/scale.h"
  members=$(ar t "$tree/plugin/libplugins.a" | sort | tr '\n' ' ')
  [ "$members" = "PluginShift_generated_kernel.mlu.o PluginShift_generated_shift.cc.o " ] || fail "plugin objects: $members"
done

# bang_wrap_srcs refuses what it does not support.
configure refused -DWRAP_FORMAT=CNBIN && fail "a format was accepted that nobody makes"
has log "the format is CNBIN"
configure refused -DWRAP_FORMAT=OBJ -DWRAP_EXTRA=notes.txt && fail "a text was accepted as a source"
has log "neither .mlu nor C nor C++: notes.txt"

finish
