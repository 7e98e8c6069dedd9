#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: check_sources_test.sh SOURCE WORK
# tools/check_sources.sh checks tracked and new files, but not those that git ignores.
set -euo pipefail
source=$1 work=$2
rm -rf "$work"
mkdir -p "$work/tools" "$work/build"
cp "$source/tools/check_sources.sh" "$work/tools/"
git -C "$work" init -q
echo '/build/' >"$work/.gitignore"
git -C "$work" add -A

# check WANTED_STATUS WHAT: runs check_sources.sh; its output is in $work/build/out.
check() {
    local status=0
    "$work/tools/check_sources.sh" >"$work/build/out" 2>&1 || status=$?
    [ "$status" -eq "$1" ] || { cat "$work/build/out"; echo "$2: status $status, wanted $1"; exit 1; }
}
check 0 "tidy files"
printf 'echo new \n' >"$work/build/made.sh"
check 0 "an ignored file"
printf 'echo new \n' >"$work/new.sh"
check 1 "a new file"
grep -q 'new.sh' "$work/build/out"
git -C "$work" add new.sh
check 1 "a file git knows"
printf '# SPDX-License-Identifier: MIT\necho new\n' >"$work/new.sh"
check 0 "a file put right"
printf '#\n#\n#\n# SPDX-License-Identifier: MIT\n' >"$work/new.sh"
check 1 "a licence line below the top"
rm "$work/new.sh"
echo 'syntax = "proto2";' >"$work/new.proto"
check 1 "a schema without a licence line"
rm "$work/new.proto"
for line in 'enum { MOST_TASKS = 4 };' 'enum { TASKS_LEAST = 4 };' 'int rt_seat_take(void);' 'static int crews;'; do
    printf '/* SPDX-License-Identifier: MIT */\n%s\n' "$line" >"$work/new.c"
    check 1 "$line"
done
printf '/* SPDX-License-Identifier: MIT */\nenum { MAX_TASKS = 4, LEAST = 1 };\nstatic int seated;\n' >"$work/new.c"
check 0 "usual words"
mkdir "$work/kernels"
printf '/* SPDX-License-Identifier: MIT */\nenum { MOST_TASKS = 4 };\n' >"$work/kernels/new.c"
check 1 "a kernel's host file"
rm "$work/kernels/new.c"
printf '/* SPDX-License-Identifier: MIT */\n#define MOST_TASKS 4\n' >"$work/kernels/new.mlu"
check 1 "a kernel"
rm -rf "$work"
