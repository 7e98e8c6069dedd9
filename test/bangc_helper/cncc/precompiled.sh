#!/bin/sh
# SPDX-License-Identifier: MIT
# The bang.h that CNCC_PCH_DIR keeps precompiled, from the second compilation with the same flags on: objects, messages
# and dependencies stay the same, and a changed header is read again.
. "$(dirname "$0")/common.sh"

write_program
cat >wrong.mlu <<'END'
#include "k.h"
__mlu_global__ void wrong(half *x) {
  int unused = 1;
  __bang_add(x, x, VALUE);
  std::swap(x, unused);
}
END
root=$(cd "$(dirname "$CNCC")/.." && pwd)
mkdir "moved root"
cp -R "$root/bin" "$root/include" "moved root/"
# gcc's debug information names the place of the header.
case $(${CNCC_HOST_CXX:-c++} --version) in
  *clang*) compiled=bang.pch flags="--bang-strict -g" ;;
  *) compiled=bang.h.gch flags=-g0 ;;
esac

# moved <status> <source> [flag]...: compiles it with the moved root
moved() {
  status_of_moved=$1
  source=$2
  shift 2
  rm -f kept.o kept.dep
  run "$status_of_moved" "moved root/bin/cncc" "-Iinc dir" -MD -MF kept.dep "$@" -c "$source" -o kept.o
}
# result <folder>: puts what the compilation gave there. The order of dependencies does not matter, nor does a file that
# gcc includes in every other one.
result() {
  rm -rf "$1"
  mkdir "$1"
  cp err "$1/"
  [ ! -e kept.o ] || cp kept.o "$1/"
  tr -s ' \\' '\n' <kept.dep | grep -v stdc-predef | sort >"$1/dependencies"
}

CNCC_PCH_DIR=$work/kept
for flag in $flags; do
  for source in k.mlu wrong.mlu; do
    expected_of_source=0
    [ $source = k.mlu ] || expected_of_source=1
    CNCC_PCH_DIR='' moved $expected_of_source $source "$flag"
    result parsed
    for _ in 1 2; do
      moved $expected_of_source $source "$flag"
      result precompiled
      diff -r parsed precompiled || fail "$source $flag: a precompiled header changes the result"
    done
  done
done
[ -z "$(find kept -name '*.[0-9]*')" ] || fail "unfinished files: $(find kept -name '*.[0-9]*')"

# Two sets of flags do not share a header. Dependencies name the header itself, and no file of the folder.
rm -rf kept
printf '#define CHOSEN CHOICE\nint chosen[CHOICE];\n' >>"moved root/include/bang_asm.h"
mkdir kept_apart
: >kept_apart/own.h
# choose <number>: compiles a file that is right with that number alone
choose() {
  printf '#include "%s/kept_apart/own.h"\n' "$work" >set.mlu
  printf 'static_assert(sizeof(chosen) == %d * sizeof(int) && CHOSEN == %d, "another set");\n' "$1" "$1" >>set.mlu
  moved 0 set.mlu "-DCHOICE=$1"
}
choose 1
absent "$(echo kept/*/$compiled)"
choose 1
exists "$(echo kept/*/$compiled)"
has kept.dep 'moved\ root/include/bang.h'
has kept.dep 'kept_apart/own.h'
has_not kept.dep /kept/
choose 2

# A changed header
printf '#define ADDED_LATER\nint added_later;\n' >>"moved root/include/bang_asm.h"
printf '#ifndef ADDED_LATER\n#error "the header is an old one"\n#endif\nint *later = &added_later;\n' >later.mlu
moved 0 later.mlu -DCHOICE=1

# Compilations at the same time
rm -rf kept
moved 0 k.mlu -DCHOICE=1
for i in 1 2; do
  "moved root/bin/cncc" "-Iinc dir" -MD -MF at_once.$i.dep -DCHOICE=1 -c k.mlu -o at_once.$i.o 2>at_once.$i.err &
done
wait
for i in 1 2; do
  exists at_once.$i.o
  [ ! -s at_once.$i.err ] || fail "at the same time: $(cat at_once.$i.err)"
done

finish
