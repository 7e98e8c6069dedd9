# SPDX-License-Identifier: MIT
# Sourced by the test scripts, which then run in a temporary folder. $CNCC is the compiler under test. $emulator runs
# programs for another architecture, and is empty otherwise.

set -u
: "${CNCC:?the compiler to test}"
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/cncc test XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir tmp
TMPDIR=$work/tmp
# Here cncc keeps a precompiled bang.h for each set of flags that is used more than once.
CNCC_PCH_DIR=$work/precompiled
export TMPDIR CNCC_PCH_DIR
failures=0
emulator=${CNCC_TEST_EMULATOR:-}

fail() {
  echo "FAIL: $*"
  failures=$((failures + 1))
}

# run <expected status> <command...>: the output goes to the files "out" and "err"
run() {
  expected=$1
  shift
  "$@" >out 2>err
  status=$?
  if [ $status -ne "$expected" ]; then
    fail "status $status instead of $expected: $*"
    sed 's/^/  | /' err
  fi
}

# has <file> <fixed text>: fails if the text is not in the file
has() {
  grep -qF -e "$2" "$1" || {
    fail "'$2' is not in $1:"
    sed 's/^/  | /' "$1" | head -20
  }
}
has_not() {
  if grep -qF -e "$2" "$1"; then fail "'$2' is in $1"; fi
}
exists() { [ -e "$1" ] || fail "$1 is missing"; }
absent() { [ ! -e "$1" ] || fail "$1 was left behind"; }

# A program of two sources: k.mlu, which includes "inc dir/k.h", and main.cpp
write_program() {
  cat >k.mlu <<'END'
#include "k.h"
__nram__ char buffer[64];
__mlu_global__ void kernel(int *x) { x[0] = VALUE + buffer[0]; }
void host_function(int *x, cnrtQueue_t queue) {
  cnrtDim3_t dim = {1, 1, 1};
  kernel<<<dim, cnrtFuncTypeBlock, queue>>>(x);
}
END
  mkdir "inc dir"
  echo '#define VALUE 3' >"inc dir/k.h"
  cat >main.cpp <<'END'
#include <cnrt.h>
void host_function(int *x, cnrtQueue_t queue);
int main() { void (*f)(int *, cnrtQueue_t) = host_function; return f == nullptr; }
END
}

finish() {
  if [ -n "$(ls -A tmp)" ]; then fail "temporary files left: $(ls -A tmp)"; fi
  [ $failures -eq 0 ] && echo passed
  exit $((failures != 0))
}
