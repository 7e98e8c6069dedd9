#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: tools/coverage.sh SOURCE BUILD
# Prints the line coverage of every file of core, kernels and bangc_helper. Build with coverage counters (-c) and run the
# tests first. Build without a compiler cache: cached objects write their counters elsewhere. Needs gcov, which comes with
# gcc. Fails below 95 % for a file of kernels, or below 90 % for core or bangc_helper as a whole.
set -euo pipefail
source=$(cd "$1" && pwd)
build=$(cd "$2" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cd "$work"
# One counter file per object; the text output names the source, then has "count:line:text" per line.
find "$build" -name '*.gcda' -print0 | xargs -0 -r -n 64 -P "$(nproc)" sh -c 'gcov -t "$@" 2>/dev/null >"$$.txt"' _
cat ./*.txt 2>/dev/null | awk -v root="$source/" -v build="$build/" '
    # A compiler cache may have made paths relative to the build folder.
    function plain(path) {
        if (path !~ /^\//) path = build path
        while (match(path, /[^\/]+\/\.\.\//)) path = substr(path, 1, RSTART - 1) substr(path, RSTART + RLENGTH)
        return path
    }
    { split($0, part, ":"); count = part[1]; line = part[2] + 0; gsub(/[ *]/, "", count) }
    line == 0 && part[3] == "Source" {
        file = $0; sub(/^[^:]*:[^:]*:Source:/, "", file)
        file = plain(file)
        if (index(file, root) == 1) file = substr(file, length(root) + 1)
        wanted = file ~ /^(core|kernels|bangc_helper)\//
        next }
    !wanted || line == 0 || count == "-" { next }
    { key = file SUBSEP line
      if (!(key in known)) { known[key] = 1; total[file]++ }
      if (count !~ /^[#=]/ && !(key in hit)) { hit[key] = 1; covered[file]++ } }
    END { for (file in total) printf "%s %d %d\n", file, covered[file], total[file] }' | sort >"$work/table"
[ -s "$work/table" ] || { echo "coverage: no counters in $build: build with -c and run the tests first" >&2; exit 1; }

awk '
    function share(a, b) { return b ? 100 * a / b : 100 }
    { printf "%6.1f %%  %5d of %5d  %s\n", share($2, $3), $2, $3, $1
      split($1, part, "/"); sum[part[1]] += $2; all[part[1]] += $3
      if (part[1] == "kernels" && share($2, $3) < 95) low[++n] = $1 " is below 95 %" }
    END {
        print ""
        for (name in all) {
            printf "%6.1f %%  %5d of %5d  %s\n", share(sum[name], all[name]), sum[name], all[name], name
            if (name != "kernels" && share(sum[name], all[name]) < 90) low[++n] = name " is below 90 %"
        }
        for (i = 1; i <= n; ++i) print "coverage: " low[i]
        exit n > 0
    }' "$work/table"
