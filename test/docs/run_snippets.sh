#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: run_snippets.sh DOCUMENT SOURCE BUILD WORK [NEUWARE_HOME]
#
# Executes the fenced blocks of a Markdown document, from the first to the last, in a folder WORK/tree that looks like a
# clone of SOURCE with a finished build folder; $HOME is WORK/home, by a name without spaces (docs/troubleshooting.md has what
# pkg-config makes of them).
#
#   ```sh     run by bash; the first command that fails fails the document
#   ```diff   applied with patch -p1
#   ```c      compiled: as a file when it has an #include, else as the body of a function
#   others    shown, not run
#
# A comment directly before a block changes that:
#   <!-- snippet: file NAME -->       the block is written to NAME
#   <!-- snippet: with CODE -->       declarations the body of a function needs
#   <!-- snippet: in FILE -->         not run here: every command must stand in FILE, which runs it
#   <!-- snippet: shown REASON -->    not run
#   <!-- snippet: where COMMAND -->   run if the command succeeds, else passed over with a line that says so
#   <!-- snippet: expect FILE -->     the lines stand in FILE, which an earlier block wrote, in this order; "..." is any text
# A document with <!-- snippets: root NAME --> is run in a build of that root alone, one with <!-- snippets: also root NAME --> in a
# build of the CPU root and of that one.
# A document whose first lines hold <!-- snippets: copy --> gets a copy of the sources it may change, without a build.
set -euo pipefail
document=$1 source=$2 build=$3 work=$4 neuware=${5:-$3/neuware}

. "$(dirname "${BASH_SOURCE[0]}")/../install/user_lists.sh"
short=""
clean() {
    if [ -n "$short" ]; then
        find "$build" -maxdepth 1 -name 'install_*.txt' -exec grep -qF "$short/" {} \; -delete
        rm -rf "$short"
    fi
    bring_lists_back
}
trap clean EXIT
if grep -q '^<!-- snippets: copy -->' "$document"; then
    rm -rf "$work"
    mkdir -p "$work/tree"
    (cd "$source" && find . -mindepth 1 -maxdepth 1 ! -name 'build*' ! -name .git -print0 | xargs -0 cp -r -t "$work/tree")
else
    put_lists_aside
    mkdir "$work/tree"
    find "$source" -mindepth 1 -maxdepth 1 ! -name 'build*' ! -name .git -exec ln -s {} "$work/tree/" \;
    ln -s "$build" "$work/tree/build"
fi
mkdir "$work/home" "$work/blocks"
cd "$work/tree"
HOME="$work/home"
if [[ $HOME = *" "* ]]; then
    short=$(mktemp -d /tmp/mluops.XXXXXX)
    ln -s "$HOME" "$short/home"
    HOME="$short/home"
fi
export HOME PATH="$neuware/bin:$PATH"
unset DESTDIR

# One file per block: its kind, its directive, its line number in the document, then its text.
awk -v folder="$work/blocks" '
    /^<!-- snippet: .* -->$/ { directive = $0; sub(/^<!-- snippet: /, "", directive); sub(/ -->$/, "", directive); next }
    /^```/ && !inside { inside = 1; kind = substr($0, 4); file = sprintf("%s/%03d", folder, ++count)
                        print kind "\n" directive "\n" NR > file; next }
    /^```$/ && inside { inside = 0; directive = ""; close(file); next }
    inside { print > file; next }
    /[^ ]/ { directive = "" }
' "$document"

fail() {
    echo "FAIL: $(basename "$document"):$line: $*" >&2
    exit 1
}

compile_c() { # text file, declarations
    local unit="$work/unit.c"
    if grep -q '^ *#include' "$1"; then
        cp "$1" "$unit"
    else
        {
            echo '#include <stdio.h>'
            echo '#include "mlu_op.h"'
            echo '#include "cncl.h"'
            echo 'void snippet(void);'
            echo "void snippet(void) { ${2-}"
            cat "$1"
            echo '}'
        } >"$unit"
    fi
    cc -std=gnu11 -Wall -Wextra -Wno-unused -Werror -fsyntax-only -I"$source" -I"$neuware/include" "$unit"
}

# Checks that the lines of the first file, as patterns, occur in the second in this order.
expect() {
    local wanted from=1 at
    while IFS= read -r wanted; do
        at=$(tail -n "+$from" "$2" | grep -nx -m 1 -- "$(sed 's/[][\.*^$]/\\&/g; s/\\\.\\\.\\\./.*/g' <<<"$wanted")" | cut -d: -f1) || true
        [ -n "$at" ] || { cat "$2"; fail "the output has no line '$wanted' here"; }
        from=$((from + at))
    done <"$1"
}

run=0 passed_over=0
for block in "$work"/blocks/*; do
    { read -r kind; read -r directive; read -r line; } <"$block"
    text="$work/text"
    tail -n +4 "$block" >"$text"
    case "$directive" in
        shown\ ?*) continue ;;
        file\ *)
            mkdir -p "$(dirname "${directive#file }")"
            cp "$text" "${directive#file }"
            continue
            ;;
        in\ *)
            while IFS= read -r command; do
                command=${command%%#*}
                command=$(sed 's/ *$//' <<<"$command")
                [ -z "$command" ] || grep -qF -- "$command" "$source/${directive#in }" ||
                    fail "${directive#in } does not run '$command'"
            done <"$text"
            continue
            ;;
        where\ *)
            if ! bash -c "${directive#where }" >/dev/null 2>&1; then
                echo "-- line $line passed over: not '${directive#where }'"
                passed_over=$((passed_over + 1))
                continue
            fi
            ;;
        expect\ *)
            [ "$passed_over" -gt 0 ] || expect "$text" "${directive#expect }"
            continue
            ;;
        '' | with\ *) ;;
        *) fail "unknown directive '$directive'" ;;
    esac
    case "$kind" in
        sh)
            echo "-- line $line"
            bash -euo pipefail "$text" || fail "a command failed"
            ;;
        diff) patch -p1 --no-backup-if-mismatch <"$text" || fail "the change does not fit" ;;
        c) compile_c "$text" "${directive#with }" || fail "does not compile" ;;
        *) continue ;;
    esac
    run=$((run + 1))
done
echo "PASS: $run blocks"
