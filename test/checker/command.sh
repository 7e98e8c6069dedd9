#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: command.sh NEUWARE_HOME PROGRAMS WORK
# The checks as a command and as settings: which ones run, what they write, what they ignore, and the exit status.
set -eu
home=$1 programs=$2 work=$3
rm -rf "$work"
mkdir -p "$work"
cd "$work"

fail() {
    echo "FAIL: $*" >&2
    cat output.txt >&2
    exit 1
}
# run WANTED COMMAND...: fails unless the exit status is WANTED; "reports" and "silent" then look at the output.
run() {
    wanted=$1
    shift
    status=0
    "$@" >output.txt 2>&1 || status=$?
    [ "$status" -eq "$wanted" ] || fail "exit status $status instead of $wanted: $*"
}
reports() { grep -q "^cncheck: $1: " output.txt || fail "no report of $1"; }
silent() { ! grep -q '^cncheck: ' output.txt || fail "a report where there must be none"; }

sync="$programs/sync vector_reads_load 1"
race="$programs/race tasks_write_one_element 1"

# Options of the command and the environment variables they set. A program of a defect succeeds if its launch failed; cncheck succeeds
# if there is no report.
run 1 "$home/bin/cncheck" $sync
reports sync
run 1 "$home/bin/cncheck" --tool=sync,race $race
reports race
run 0 env MLUOP_CHECK=race "$programs/race" tasks_write_one_element 0
silent
run 0 env MLUOP_CHECK=all $race
reports race
run 1 $race # nothing is checked, so the launch succeeds and the program complains
silent
run 1 "$home/bin/cncheck" --tool=memory,race $sync
silent
run 2 "$home/bin/cncheck" --tool=nothing $sync
run 2 "$home/bin/cncheck"
run 127 "$home/bin/cncheck" ./is_not_there

# One report for a place, with a count.
run 1 "$home/bin/cncheck" --tool=race --json=findings.json $race
[ "$(grep -c '^cncheck: race: ' output.txt)" -eq 1 ] || fail "more than one report of a place"
grep -q '^  times [1-9]' output.txt || fail "no count"
grep -q '"check": "race".*"kernel": "tasks_write_one_element"' findings.json || fail "nothing in JSON"

# Suppressed places, by file and function.
echo 'race:*race.mlu:tasks_write_*  # known' >known.txt
run 1 "$home/bin/cncheck" --tool=race --suppressions=known.txt $race # the launch succeeds, so the program complains
silent
echo 'sync:*:*' >known.txt
run 1 "$home/bin/cncheck" --tool=race --suppressions=known.txt $race
reports race
echo PASS
