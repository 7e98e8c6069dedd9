#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: functions.sh PROGRAM SOURCE WORK
# Runs the program and compares its log with the comments of its source: each line gives exactly the record in its comment.
set -eu
program=$1 source=$2 work=$3
rm -rf "$work"
mkdir -p "$work"
MLUOP_CARD_RECORDS="$work/log" "$program" >"$work/out"
awk -v name="$(basename "$source")" '
    # The source: wanted[line] holds the words of its record.
    FILENAME == ARGV[1] {
        place = index($0, "  // ")
        if (place > 0) wanted[FNR] = substr($0, place + 5)
        next
    }
    # The log: records of one task are enough.
    /^ task/ { first = seen[kernel]++ == 0 }
    /^launch/ { kernel = $2 }
    /^  / && first && !/^  scalar/ {
        at = $NF
        if (index(at, "@" name ":") != 1) { print "a record of another place:" $0; bad = 1; next }
        sub(/.*:/, "", at)
        found[at]++
        record[at] = " " $0 " "
    }
    END {
        for (line in wanted) {
            if (wanted[line] == "nothing") {
                if (line in found) { print name ":" line ": no record wanted, found" record[line]; bad = 1 }
                continue
            }
            if (found[line] != 1) { print name ":" line ": " found[line] + 0 " records instead of one: " wanted[line]; bad = 1; continue }
            n = split(wanted[line], words, " ")
            for (i = 1; i <= n; i++)
                if (index(record[line], " " words[i] " ") == 0) { print name ":" line ": no " words[i] " in" record[line]; bad = 1 }
            checked++
        }
        for (line in found) if (!(line in wanted)) { print name ":" line ": a record too many:" record[line]; bad = 1 }
        if (!bad) print checked " records, one for each function"
        exit bad
    }' "$source" "$work/log"
