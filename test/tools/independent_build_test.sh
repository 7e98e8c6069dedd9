#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: independent_build_test.sh SOURCE WORK
# independent_build.sh with fake tools: what it installs, what it passes to CMake, and that two runs cannot share a folder.
set -euo pipefail
source=$1 work=$2
rm -rf "$work"
mkdir -p "$work/repo/bangc_helper/roots" "$work/bin"
cp "$source/independent_build.sh" "$work/repo/"
# The project's roots and one more; the script only needs its name in the list.
sed 's/^    sm90/&\n    third/' "$source/bangc_helper/roots/list.cmake" >"$work/repo/bangc_helper/roots/list.cmake"

# pretend NAME: creates a fake tool that runs standard input as a script.
pretend() {
    { echo '#!/bin/sh'; echo "work='$work'"; cat; } >"$work/bin/$1"
    chmod +x "$work/bin/$1"
}
# script VARIABLE=VALUE... -- OPTION...: runs independent_build.sh with a clean environment.
script() {
    local variables=()
    while [ "$1" != -- ]; do variables+=("$1"); shift; done
    shift
    env -i PATH="$work/bin:$PATH" HOME="${HOME:-/}" "${variables[@]}" "$work/repo/independent_build.sh" "$@"
}
fail() {
    cat "$work/out"
    echo "FAIL: $*" >&2
    exit 1
}
# build WANTED_STATUS OPTION...: runs independent_build.sh; its output is in $work/out, its calls of tools in $work/calls.
build() {
    local wanted=$1 status=0
    shift
    rm -f "$work/calls"
    script -- "$@" >"$work/out" 2>&1 || status=$?
    [ "$status" -eq "$wanted" ] || fail "$*: ended with $status instead of $wanted"
}
called() { grep -qE -- "$1" "$work/calls" || { cat "$work/calls"; fail "no call like '$1'"; }; }
not_called() { ! grep -E -- "$1" "$work/calls" || fail "a call like '$1'"; }

# All required packages are installed, one optional package is not.
pretend dpkg-query <<'END'
case "$*" in *" file") exit 1 ;; esac
echo "install ok installed"
END
pretend id <<<'echo 1000'
pretend sudo <<'END'
[ "$1" != -n ] || shift
exec env -u DEBIAN_FRONTEND "$@" # like sudo, it drops variables that are not named
END
pretend apt-get <<<'echo "apt-get $* by $DEBIAN_FRONTEND" >>"$work/calls"'
pretend cpack <<<'echo cpack >>"$work/calls"'
# The fake cmake creates programs when it configures. Its build pauses on request and leaves a background process.
pretend cmake <<'END'
echo "cmake $*" >>"$work/calls"
case "$*" in
    *-S*)
        mkdir -p "$work/repo/build/test"
        for program in bench_moe_dispatch_forward mluop_gtest; do ln -sf /bin/true "$work/repo/build/test/$program"; done
        ;;
    --build*)
        [ "${GLIBC_TUNABLES:-}" = glibc.malloc.hugetlb=1 ] || exit 1 # compilers get huge pages
        [ -n "${PAUSE:-}" ] || exit 0
        sleep 600 </dev/null >/dev/null 2>&1 &
        echo $! >"$work/left"
        echo begun >"$PAUSE"
        read -r line <"$PAUSE"
        ;;
esac
END

build 0 --run
not_called apt-get
build 0 --run --package
called '^apt-get install .* file by noninteractive$'
called '^cpack'
build 0
called '^apt-get install .* file by noninteractive$'
echo "ok   optional packages where they are needed"

pretend ctest <<<'echo "ctest $* in $PWD" >>"$work/calls"; exit 8'
build 8 --no_prepare --test
called "^ctest --no-tests=error .* in $work/repo/build\$"
build 1 --no_prepare --build-dir=
echo "ok   tests in the build folder"

for option in --third --root=third; do
    build 0 --no_prepare "$option"
    called "^cmake .*-B $work/repo/build-third .*-DMLUOP_NEUWARE_TARGET=third"
done
build 1 --no_prepare --fourth
build 1 --no_prepare --root=fourth
grep -q "one of cpu card sm90 third, not 'fourth'" "$work/out" || fail "does not name the roots there are"
echo "ok   a root for every name in the list"

# Packages that only one root needs are requested only when that root is built.
mkdir "$work/repo/bangc_helper/roots/third"
printf 'third-compiler\nthird-library\n' >"$work/repo/bangc_helper/roots/third/packages"
pretend dpkg-query <<'END'
case "$*" in *" third-library") exit 1 ;; esac
echo "install ok installed"
END
build 0 --third
called '^apt-get install .* third-library by noninteractive$'
build 0
not_called apt-get
pretend dpkg-query <<'END'
case "$*" in *" file") exit 1 ;; esac
echo "install ok installed"
END
echo "ok   packages of a root"

# Contradictory options are refused before anything is installed or built.
for options in '--test --disable-gtest' '--run --disable-gtest' '--acceptance --disable-gtest' '--sm90 --pack --disable-gtest' \
               '--run --filter=gather_in_ub' '--asan --tsan' '--pack'; do
    # shellcheck disable=SC2086
    build 1 $options
    [ ! -e "$work/calls" ] || fail "$options: work began"
    [ "$(wc -l <"$work/out")" -eq 1 ] || fail "$options: not one line"
done
build 0 --run --filter='gather_in_ub;moe_dispatch_forward'
echo "ok   options that exclude each other"

# An unavailable optional package does not prevent the others from being installed.
pretend dpkg-query <<'END'
case "$*" in *" file" | *" chromium" | *" valgrind") exit 1 ;; esac
echo "install ok installed"
END
pretend apt-get <<'END'
case "$*" in *chromium*) exit 100 ;; esac
echo "apt-get $*" >>"$work/calls"
END
build 0
called '^apt-get install .* file$'
called '^apt-get install .* valgrind$'
grep -q -- '^-- could not install (optional.*: chromium$' "$work/out" || fail "does not say what is not there"
echo "ok   one optional package that cannot be had"

# Without root rights and sudo the script names all missing packages, required and optional, and does nothing else.
pretend dpkg-query <<'END'
case "$*" in *" file" | *" cmake" | *" ninja-build") exit 1 ;; esac
echo "install ok installed"
END
pretend sudo <<<'exit 1'
build 1 --run
[ ! -e "$work/calls" ] || fail "work began without the packages"
grep -qx '    apt-get install --no-install-recommends cmake ninja-build' "$work/out" || fail "does not say what to install"
grep -q ': file$' "$work/out" || fail "does not name the optional package"
# At a terminal sudo may ask for the password, but not for optional packages alone.
if command script -qec true /dev/null </dev/null >/dev/null 2>&1; then
    pretend sudo <<'END'
[ "$1" != -n ] || exit 1
echo "sudo $*" >>"$work/calls"
END
    at_terminal() {
        rm -f "$work/calls"
        command script -qec "env PATH='$work/bin:$PATH' '$work/repo/independent_build.sh' --prepare" /dev/null </dev/null >"$work/out"
    }
    at_terminal || fail "a terminal, and no password was asked for"
    called '^sudo env DEBIAN_FRONTEND=noninteractive apt-get install .* cmake ninja-build$'
    pretend dpkg-query <<'END'
case "$*" in *" file") exit 1 ;; esac
echo "install ok installed"
END
    at_terminal || fail "stopped for an optional package"
    [ ! -e "$work/calls" ] || fail "asked for a password for an optional package"
fi
echo "ok   without root"

build 0 --no_prepare --mtp613 --mtp617
called '^cmake .*-DMLUOP_MLU_ARCH_LIST=mtp_613;mtp_617( |$)'
build 0 --no_prepare
not_called 'DMLUOP_MLU_ARCH_LIST'
called '^cmake .*-UMLUOP_MLU_ARCH_LIST( |$)'
echo "ok   architectures are forgotten"

for option in -p --perf; do
    build 0 --no_prepare $option
    grep -q -- "$option: no effect" "$work/out" || fail "$option says nothing"
    not_called PERF
done

# Without CMake the script reports that itself.
mkdir "$work/few"
for tool in bash env nproc dirname; do ln -s "$(command -v $tool)" "$work/few/$tool"; done
status=0
env -i PATH="$work/few" "$work/repo/independent_build.sh" --no_prepare >"$work/out" 2>&1 || status=$?
[ "$status" -eq 1 ] || fail "without CMake: ended with $status"
grep -q '^independent_build.sh: there is no cmake on PATH' "$work/out" || fail "no word about CMake"

command -v flock >/dev/null || { echo "no flock, no lock"; exit 0; }
# A second run in the same folder is refused; one in another folder is not. A leftover background process blocks neither.
mkfifo "$work/pause"
script PAUSE="$work/pause" -- --no_prepare >/dev/null 2>&1 &
first=$!
read -r _ <"$work/pause"
left=$(cat "$work/left")
trap 'kill "$left"' EXIT
build 1 --no_prepare
grep -qF "another run is at work in $work/repo/build" "$work/out" || fail "the refusal does not name the folder"
[ ! -e "$work/calls" ] || fail "a refused run began"
build 0 --no_prepare --build-dir="$work/other"
echo >"$work/pause"
wait "$first" || fail "the first run failed"
kill -0 "$left" || fail "the process that was to be left behind is gone"
build 0 --no_prepare
echo "ok   one run per folder"
rm -rf "$work"
