#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: sdk.sh NEUWARE_HOME PROGRAM WORK
# PROGRAM finds the files of a card's driver under cnrun, and only there. cnmon prints what other tools parse.
set -eu
home=$1 program=$2 work=$3
fail() { echo "FAIL: $*" >&2; exit 1; }
says() { grep -Eq -- "$1" said.txt || { cat said.txt >&2; fail "'$1' is not said"; }; }
rm -rf "$work"
mkdir -p "$work"
cd "$work"

# ---- cnrun ----
unset NEUWARE_HOME
status=0
"$program" >said.txt || status=$?
[ $status -eq 1 ] || fail "the program starts without a driver: $status"
status=0
"$home/bin/cnrun" "$program" >said.txt || status=$?
[ $status -eq 3 ] || fail "the status is not the program's: $status"
says '^claim 0$'
says '^then 1$'
says '^stream 1$'
says '^other no$'
says "^home $(readlink -f "$home")\$"
status=0
"$home/bin/cnrun" 2>said.txt || status=$?
[ $status -eq 2 ] || fail "cnrun without a program: $status"
says '^usage: cnrun PROGRAM'

# ---- cnmon ----
"$home/bin/cnmon" >said.txt
says '^ +0 .* 0000:[0-9a-f]+:00.0  Good '
"$home/bin/cnmon" version >said.txt
head -n 1 said.txt | grep -Eq '^[^:]*:[0-9]+\.[0-9]+\.[0-9]+$' || fail "the first line of versions is $(head -n 1 said.txt)"
"$home/bin/cnmon" topo >said.txt
says '^Card0 +SELF'
"$home/bin/cnmon" info -c 0 >said.txt
says '^Card 0$'
says 'Memory Total +: [0-9]+ MiB'
[ "$(grep -c '^Card ' said.txt)" -eq 1 ] || fail "-c 0 tells of other cards"
status=0
"$home/bin/cnmon" info -c 1000 2>said.txt || status=$?
[ $status -eq 1 ] || fail "there is a card 1000"
status=0
"$home/bin/cnmon" nonsense 2>said.txt || status=$?
[ $status -eq 2 ] || fail "cnmon nonsense: $status"
"$home/bin/cnmon" info -e -m -u -j >said.txt
[ ! -s said.txt ] || fail "-j prints"
cp cnmon_info.json said.txt
says '"CardNum": 0,'
says '"ProductName": "[^"]+"'
says '"PhysicalMemUsage": \{"Total": [0-9]+, "Used": [0-9]+\}'
says '"UUID": "[0-9a-f-]+"'
if command -v python3 >/dev/null; then
    python3 -c 'import json; assert json.load(open("cnmon_info.json"))["CnmonInfo"][0]["CardNum"] == 0'
fi

# ---- Names ----
grep -q '^Neuware Version [0-9.]*$' "$home/version.txt" || fail "version.txt says $(cat "$home/version.txt")"
[ -e "$home/lib64/libcnbin.so" ] || fail "there is no libcnbin.so"
echo "SDK parts work"
