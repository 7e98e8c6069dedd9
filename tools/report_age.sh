#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: tools/report_age.sh [--check]
# Every page with measured figures names the commit it was measured at. This writes below the page's title how many later
# commits changed kernels, core or the embedded Neuware. The line says "at least", so it stays true after further commits.
# --check writes nothing. It fails if a line is missing, counts too many commits, or fewer than about half of them. Without
# git history (an archive, a shallow clone) it only checks that the line names the commit.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

pages=(docs/performance.md docs/performance/report.html docs/performance/repeatability.md
       docs/performance/aarch64/performance.md docs/performance/aarch64/report.html
       docs/performance/cascade_lake/performance.md docs/performance/cascade_lake/report.html
       docs/performance/sixteen_cores/performance.md docs/performance/sixteen_cores/report.html
       docs/performance/h200/performance.md docs/performance/h200/report.html)
folders=(kernels core bangc_helper)
mark='later commits change kernels, core or bangc_helper'
mode=${1:-write}
case "$mode" in write | --check) ;; *) sed -n 's/^# usage/usage/p' "$0" >&2; exit 2 ;; esac

# measured_at PAGE: prints the first commit named outside the age line.
measured_at() {
    grep -vF "$mark" "$1" | sed -nE 's/.*commit(<\/td><td>| )([0-9a-f]{7,40}).*/\2/p;' | head -n 1
}

# count_since COMMIT: prints the number of later commits; fails without history.
count_since() {
    git rev-parse --is-inside-work-tree >/dev/null 2>&1 && [ -e .git ] || return 1
    git merge-base --is-ancestor "$1" HEAD 2>/dev/null || return 1
    [ "$(git rev-parse --is-shallow-repository)" = false ] || return 1
    git rev-list --count "$1..HEAD" -- "${folders[@]}"
}

# write_line PAGE COMMIT COUNT: writes the line after the title; replaces an old one.
write_line() {
    local line="Measured at commit $2; at least $3 $mark."
    case "$1" in
        *.html) awk -v line="<p>$line</p>" -v mark="$mark" 'index($0, mark) { next } { print } /^<h1/ { print line }' "$1" ;;
        *) awk -v line="$line" -v mark="$mark" '
               index($0, mark) { getline; next }
               { print }
               /^# / && !done { done = 1; print ""; print line }' "$1" ;;
    esac >"$1.new"
    mv "$1.new" "$1"
}

bad=0
for page in "${pages[@]}"; do
    [ -f "$page" ] || continue
    commit=$(measured_at "$page")
    [ -n "$commit" ] || { echo "$page: names no commit" >&2; bad=1; continue; }
    stated=$(sed -nE "s/.*Measured at commit $commit; at least ([0-9]+) later commits.*/\1/p" "$page" | head -n 1)
    if ! count=$(count_since "$commit"); then
        echo "$page: of commit $commit; without the history, later commits are not counted"
        [ "$mode" = write ] || [ -n "$stated" ] || { echo "$page: has no line about its age" >&2; bad=1; }
        continue
    fi
    echo "$page: of commit $commit, $count $mark"
    if [ "$mode" = write ]; then
        write_line "$page" "$commit" "$count"
    elif [ -z "$stated" ]; then
        [ "$count" -eq 0 ] || { echo "$page: has no line about its age; run tools/report_age.sh" >&2; bad=1; }
    elif [ "$stated" -gt "$count" ] || [ "$count" -gt $((2 * stated + 50)) ]; then
        echo "$page: says at least $stated, there are $count; run tools/report_age.sh" >&2
        bad=1
    fi
done
exit "$bad"
