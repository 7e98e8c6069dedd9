#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: report_age_test.sh SOURCE WORK
# tools/report_age.sh keeps the line about a page's age correct in a repository with history, and needs no history where
# there is none. The pages of this tree have that line, and the sampler's design document quotes its page.
set -euo pipefail
source=$1 work=$2
rm -rf "$work"
mkdir -p "$work/tree/tools" "$work/tree/docs/performance" "$work/tree/core"
cp "$source/tools/report_age.sh" "$work/tree/tools/"
cd "$work/tree"
git() { command git -c user.name=test -c user.email=test@example.com -c commit.gpgsign=false -c core.hooksPath=/dev/null -c core.fsync=none "$@"; }
commit() { git add -A && git commit -q --allow-empty -m "$1"; }

# check WANTED_STATUS WHAT [FOLDER]
check() {
    local status=0
    (cd "${3:-.}" && tools/report_age.sh --check) >"$work/out" 2>&1 || status=$?
    [ "$status" -eq "$1" ] || { cat "$work/out"; echo "FAIL: $2: status $status, wanted $1" >&2; exit 1; }
}
git init -q
echo 1 >core/a.c
commit first
measured=$(git rev-parse --short=7 HEAD)
printf '# Performance\n\nWritten by a program.\n\n- commit %s, gcc\n' "$measured" >docs/performance.md
printf '<h1>Report</h1>\n<p>Text</p>\n<tr><td>commit</td><td>%s</td></tr>\n' "$measured" >docs/performance/report.html
commit pages
check 0 "pages of the commit they stand in"
for i in 2 3 4; do
    echo "$i" >core/a.c
    commit "change $i"
done
echo text >docs/other.md
commit "no code"
check 1 "three commits later, without a line"
tools/report_age.sh >/dev/null
check 0 "after the tool"
for page in docs/performance.md docs/performance/report.html; do
    grep -q "Measured at commit $measured; at least 3 later commits change" "$page" || { cat "$page"; echo "FAIL: $page" >&2; exit 1; }
done
[ "$(sed -n 3p docs/performance.md)" = "Measured at commit $measured; at least 3 later commits change kernels, core or bangc_helper." ]
cp docs/performance.md "$work/before"
tools/report_age.sh >/dev/null
cmp docs/performance.md "$work/before"
commit lines
echo 5 >core/a.c
commit "change 5"
check 0 "the line stays true one commit later"
tools/report_age.sh >/dev/null
grep -q 'at least 4 later' docs/performance.md
sed -i 's/at least 4/at least 5/' docs/performance.md
check 1 "more commits than there are"
sed -i 's/at least 5/at least 1/' docs/performance.md
git add -A
git commit -q -m "a wrong line"
branch=$(git symbolic-ref HEAD)
for i in $(seq 60); do
    printf 'commit %s\ncommitter test <test@example.com> 1 +0000\ndata 0\n' "$branch"
    [ "$i" -ne 1 ] || printf 'from %s^0\n' "$branch"
    printf 'M 644 inline core/a.c\ndata %d\n%s\n' "${#i}" "$i"
done | git fast-import --quiet
git reset -q --hard
check 1 "less than half of the commits"
tools/report_age.sh >/dev/null
commit lines
check 0 "brought up to date"

# Without the history.
git clone -q --depth 1 "file://$PWD" "$work/shallow"
check 0 "a shallow clone" "$work/shallow"
grep -q "of commit $measured; without the history" "$work/out"
mkdir "$work/archive"
git archive HEAD | tar -x -C "$work/archive"
check 0 "an archive" "$work/archive"
(cd "$work/archive" && tools/report_age.sh >/dev/null && cmp docs/performance.md "$work/tree/docs/performance.md")

# This tree.
cd "$source"
tools/report_age.sh --check
share=$(sed -nE 's/^\| qwen_64_k50_p .*\| ([0-9]+) % \(read rate\).*/\1/p' docs/performance.md)
reads=$(awk -v share="$share" 'BEGIN { printf "%.1f", 100 / share }')
tr '\n' ' ' <docs/design_docs/top_k_top_p_sample/top_k_top_p_sample.md |
    grep -qF "has $share % of the read rate, which is $reads reads" ||
    { echo "FAIL: the page has qwen_64_k50_p at $share % of the read rate, $reads reads; the design document says otherwise" >&2; exit 1; }
rm -rf "$work"
echo PASS
