#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: check_includes_test.sh SOURCE WORK
# tools/check_includes.sh finds include circles, and headers that declare what another file defines.
set -euo pipefail
source=$1 work=$2
rm -rf "$work"
mkdir -p "$work/tools" "$work/core" "$work/core/include" "$work/bangc_helper"
cp "$source/tools/check_includes.sh" "$work/tools/"
git -C "$work" init -q

# check WANTED_STATUS TEXT WHAT: runs check_includes.sh; its output must contain TEXT.
check() {
    local status=0
    "$work/tools/check_includes.sh" >"$work/out" 2>&1 || status=$?
    [ "$status" -eq "$1" ] || { cat "$work/out"; echo "$3: status $status, wanted $1"; exit 1; }
    grep -qF -- "$2" "$work/out" || { cat "$work/out"; echo "$3: does not say '$2'"; exit 1; }
}
cd "$work/core"
printf '#include "b.h"\n\nint a(int x);\n' >a.h
printf '#include "a.h"\n\nint a(int x) {\n  return b(x);\n}\n' >a.c
printf '/* declares int a(int); */\nint b(int x);\n' >b.h
printf '#include "b.h"\n\nint b(int x) {\n  return x;\n}\n' >b.c
check 0 'includes of 4 files checked' "files in one direction"
# A cycle through the .c of the second file and a third file whose header is in another folder.
mkdir below
printf '#include "core/a.h"\n' >below/c.h
printf '#include "b.h"\n#include "below/c.h"\n\nint b(int x) {\n  return x;\n}\n' >b.c
check 1 'circle: ' "a circle of three files"
for name in core/a core/b core/below/c; do grep -q "$name" "$work/out" || { cat "$work/out"; echo "the circle has no $name"; exit 1; }; done
printf '#include "b.h"\n\nint b(int x) {\n  return x;\n}\n' >b.c
# A header with its own .c must not declare functions of another .c; a header without one may.
printf '#include "b.h"\n\nint a(int x);\nstruct s *d(const char *text,\n            int x);\n' >a.h
printf 'struct s *d(const char *text, int x) {\n  return 0;\n}\n\nstatic int a(int x) {\n  return x;\n}\n' >d.c
check 1 'core/a.h declares d, which is in core/d.c' "a header that declares another file's function"
printf '#include "b.h"\n\nint a(int x);\n' >a.h
printf 'struct s *d(const char *text, int x);\nint b(int x);\n' >all.h
check 0 'files checked' "an interface of several files"
# A function that two files define, each for another build, may be declared anywhere.
printf '#include "b.h"\n\nint a(int x);\nint e(void);\n' >a.h
printf 'int e(void) {\n  return 1;\n}\n' >e_here.c
check 1 'core/a.h declares e' "another file's function"
cp e_here.c e_there.c
check 0 'files checked' "a function with two definitions"
# Public headers are not checked.
printf '#include "core/a.h"\n' >include/public.h
printf '#include "core/include/public.h"\n\nint b(int x) {\n  return x;\n}\n' >b.c
check 0 'files checked' "a public header"
rm -f include/public.h
printf '#include "b.h"\n\nint b(int x) {\n  return x;\n}\n' >b.c
# An included list does not hide the function after it.
printf 'static const int list[] = {\n#include "list.inc"\n    0};\n\nint f(void) {\n  return list[0];\n}\n' >f.c
printf '#include "b.h"\n\nint a(int x);\nint f(void);\n' >a.h
check 1 'core/a.h declares f, which is in core/f.c' "a function after a list"
printf '#include "b.h"\n\nint a(int x);\n' >a.h
# The tests and the roots are checked too.
mkdir -p ../test ../bangc_helper/roots/card
printf '#include "d.h"\n' >../test/c.h
printf '#include "c.h"\n' >../test/d.h
check 1 'circle: ' "a circle of tests"
rm ../test/d.h
printf 'int h(void);\n' >../bangc_helper/roots/card/g.h
printf '#include "g.h"\n' >../bangc_helper/roots/card/g.c
printf 'int h(void) {\n  return 0;\n}\n' >../bangc_helper/roots/card/h.c
check 1 'card/g.h declares h, which is in' "a header of a root"
printf '#include "h.h"\n' >../bangc_helper/roots/card/g.h
printf '#include "g.h"\n' >../bangc_helper/roots/card/h.h
check 1 'circle: ' "a circle of a root"
rm -rf "$work"
