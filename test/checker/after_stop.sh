#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: after_stop.sh PROGRAM WORK
# Launches that the checks stop do not disturb later ones: correct kernels in the same process are correct and silent.
set -eu
program=$1 work=$2
rm -rf "$work"
mkdir -p "$work"
cd "$work"
status=0
MLUOP_CHECK=all MLUOP_CHECK_JSON=findings.json "$program" 3 >output.txt 2>errors.txt || status=$?
[ "$status" -eq 0 ] || { cat output.txt; tail -n 40 errors.txt; echo "FAIL: exit status $status"; exit 1; }
grep -q '"kernel": "stopped_' findings.json || { echo "FAIL: nothing was found"; exit 1; }
! grep '"kernel": "right_' findings.json || { echo "FAIL: a right kernel was reported"; exit 1; }
echo PASS
