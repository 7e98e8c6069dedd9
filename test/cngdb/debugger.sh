#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: debugger.sh NEUWARE_HOME SOURCE WORK
# Runs gdb sessions: breakpoints on kernels and lines, built-in and on-chip variables, names of stack frames.
set -eu
home=$1 source=$2 work=$3
line_of() { grep -n "// $1\$" "$source" | cut -d: -f1; }
rm -rf "$work"
mkdir -p "$work"
cd "$work"

if ! command -v gdb >/dev/null || ! gdb -nx -batch -ex 'python print("has Python")' -ex run /bin/true >probe.txt 2>&1 ||
    ! grep -q 'has Python' probe.txt || ! grep -q 'exited normally' probe.txt; then
    echo "SKIPPED: no gdb with Python that may run programs"
    exit 77
fi

# session PROGRAM COMMAND...: runs gdb; its output is in session.txt.
session() {
    program=$1
    shift
    for command in "$@"; do set -- "$@" -ex "$command"; shift; done
    "$home/bin/cngdb" -nx -q -batch -ex 'set confirm off' -ex 'set print thread-events off' "$@" "./$program" >session.txt 2>&1 || true
}
says() {
    grep -Eq -- "$1" session.txt && return
    echo "FAIL: cngdb does not say '$1'" >&2
    cat session.txt >&2
    exit 1
}
"$home/bin/cncc" -g "$source" -o debug
"$home/bin/cncc" -O2 "$source" -o release

# A breakpoint on a kernel's name stops in a task, not in the host function that launches it.
session debug 'break scale' run 'print taskDim' 'print coreDim' backtrace
says 'Breakpoint 1, scale \('
says '^\$1 = 4'
says '^\$2 = 4'
says '^#0 +scale \('
says '^#[0-9]+ .* run_guarded \('

# A conditional breakpoint stops one task only; breakpoints in a device function and in a template.
session debug start 'break scale_tile if taskId == 2' continue 'print taskId' 'print coreId' 'print clusterId' 'print data[1]@2' 'print n' up 'info tasks'
says '^\$1 = 2'
says '^\$2 = 2'
says '^\$3 = 0'
says '^\$4 = \{3, 3\}'
says '^\$5 = 256'
says '^#1 .*scale \('
says '^thread [0-9]+: task 2, core 2 of cluster 0, scale_tile at .*session.mlu:[0-9]+$'
session debug 'break scale_more' run
says 'Breakpoint 1, scale_more<float> \('

# On-chip variables, in a function that uses them.
session debug start "break session.mlu:$(line_of 'line after the sums') if taskId == 1" continue 'print tile[255]' 'print sums[1]' 'print sizeof(tile)'
says '^\$1 = 4'
says '^\$2 = 4'
says '^\$3 = 1024'

# A breakpoint on a line of the kernel file works in release builds, too.
for program in debug release; do
    session "$program" "break session.mlu:$(line_of 'line of scale')" run 'info symbol $pc'
    says 'Breakpoint 1(\.[0-9]+)?, '
    says '^scale\('
done
session release 'break scale' run 'backtrace 1' 'print taskDim'
says '^#0 +scale \(\) at .*session.mlu:[0-9]+'
says '^\$1 = 4'

# Without breakpoints the program runs as usual.
session debug run
says '^24$'
says 'exited normally'
echo PASS
