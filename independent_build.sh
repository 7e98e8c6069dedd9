#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs what the build needs, builds, and on request runs or tests.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build="${MLUOP_BUILD_DIR:-}"
target="${MLUOP_NEUWARE_TARGET:-cpu}"
jobs="${BUILD_JOBS:-$(nproc)}"
mode="${BUILD_MODE:-release}"
prepare="${MLUOP_BUILD_PREPARE:-ON}"
asan="${MLUOP_BUILD_ASAN_CHECK:-OFF}"
tsan="${MLUOP_BUILD_TSAN_CHECK:-OFF}"
coverage="${MLUOP_BUILD_COVERAGE_TEST:-OFF}"
static="${MLUOP_BUILD_STATIC:-OFF}"
gtest="${MLUOP_BUILD_GTEST:-ON}"
filter="${MLUOP_BUILD_SPECIFIC_OP:-}"
archs="${MLUOP_MLU_ARCH_LIST:-}"
do_run=no
do_test=no
do_package=no
prefix=""
matrix=""
do_acceptance=no
do_pack=no
prepare_only=no

# The packages of Debian 12 the project is built and tested with.
packages=(build-essential cmake ninja-build pkg-config libgtest-dev protobuf-compiler libprotobuf-dev
          protobuf-c-compiler libprotobuf-c-dev libzstd-dev libxml2-dev)
# What works without them: fewer tests run (chromium looks at the performance report, python3-numpy is for the Python
# package), CNCL within one process only, Debian packages that do not name the libraries they need (file). The main job alone does not wait for them.
optional_packages=(gdb valgrind patch file libopenmpi-dev openmpi-bin chromium python3-numpy)
# More tests run where these are: the other compiler, the API reference.
other_packages="clang libclang-rt-dev doxygen"

# The roots of the embedded Neuware, one in a line of a list that CMake reads, too.
roots=()
while read -r word; do
    case "$word" in '' | '#'* | 'set('*) ;; *) roots+=("${word%)}") ;; esac
done <"$here/bangc_helper/roots/list.cmake"
is_root() { case " ${roots[*]} " in *" $1 "*) ;; *) return 1 ;; esac; }

usage() {
    cat <<EOF
usage: ./independent_build.sh [options]

Installs missing packages, builds the library and its tests in build/, and on request runs them.

  --run                  build, then run the main job: moe_dispatch_forward on a network shape, timed; then half a minute
                         of performance acceptance, operators in turn, with a report in build/perf_report
  --acceptance           build, then the whole performance acceptance (minutes); fails when a case misses the standard
  --test                 build, then run all tests; with -c also print the line coverage of every file
  --install=PREFIX       build, then install there: library, headers, the Neuware root, tools, cases
  --package              build, then make the Debian packages and the archives in build/
  --matrix[=quick]       build and test with gcc and clang, each release, debug, asan and tsan, in build-matrix/; quick: the
                         runtime, the compiler, some operators, the test framework; and, emulated, for the other one of
                         x86-64 and Arm. tools/ci_matrix.sh says more
  -h, --help             this text
  -d, --debug            debug build (-g3 -O0)                      env BUILD_MODE=debug
  -c, --coverage         with coverage counters                     env MLUOP_BUILD_COVERAGE_TEST=ON
      --asan             with address and undefined-behaviour sanitizers
                                                                    env MLUOP_BUILD_ASAN_CHECK=ON
      --tsan             with the thread sanitizer                  env MLUOP_BUILD_TSAN_CHECK=ON
      --enable-static    also a static library                      env MLUOP_BUILD_STATIC=ON
      --disable-gtest    without the tests                          env MLUOP_BUILD_GTEST=OFF
      --filter="a;b"     only these operators and their tests       env MLUOP_BUILD_SPECIFIC_OP
  -j N, --jobs=N         parallel jobs (default: number of CPUs)    env BUILD_JOBS
      --mlu590           for mtp_592 (with --mtp613, --mtp617: for several)
      --mtp613           for mtp_613                                env MLUOP_MLU_ARCH_LIST="mtp_592;..."
      --mtp617           for mtp_617
      --root=NAME        for what the Neuware root of that name runs on, in build-NAME/: ${roots[*]}; --NAME is
                         short for it                               env MLUOP_NEUWARE_TARGET
      --card             for a played MLU card, with its sizes and its clock: needs clang and LLVM 14. MLUOP_CARD names the board
      --sm90             for NVIDIA Hopper GPUs: needs the CUDA toolkit, not a GPU. With --test it runs the tests where
                         there is a GPU
      --pack             with --sm90: a folder build-sm90/pack to carry to a machine with a GPU; run.sh there runs the tests
      --prepare          only install the packages the build needs
      --no_prepare       do not look at packages                    env MLUOP_BUILD_PREPARE=OFF
      --build-dir=DIR    build there instead of in build/           env MLUOP_BUILD_DIR

The tests use these packages when they are there, and say what they skip when not: $other_packages

NEUWARE_HOME, when set, names the Neuware root of an installed vendor's SDK: it is used then. Without it the project
builds its own root: for the CPU in build/neuware, any other in build-NAME/neuware-NAME.
EOF
}

die() {
    echo "independent_build.sh: $*" >&2
    exit 1
}

add_arch() { archs="${archs:+$archs;}$1"; }

while [ $# -gt 0 ]; do
    case "$1" in
        --run) do_run=yes ;;
        --test) do_test=yes ;;
        --install=*) prefix="${1#*=}"; [ -n "$prefix" ] || die "--install needs a folder" ;;
        --package) do_package=yes ;;
        --matrix) matrix=full ;;
        --matrix=*) matrix="${1#*=}" ;;
        --acceptance) do_acceptance=yes ;;
        -h | --help) usage; exit 0 ;;
        -d | --debug) mode=debug ;;
        -c | --coverage) coverage=ON ;;
        --asan) asan=ON ;;
        --tsan) tsan=ON ;;
        --enable-bang-memcheck) echo "independent_build.sh: --enable-bang-memcheck: use --asan, it covers kernels too" >&2; asan=ON ;;
        --enable-static) static=ON ;;
        --disable-gtest) gtest=OFF ;;
        --filter) [ $# -gt 1 ] || die "--filter needs a list of operators"; filter="$2"; shift ;;
        --filter=*) filter="${1#*=}" ;;
        -j | --jobs) [ $# -gt 1 ] || die "$1 needs a number"; jobs="$2"; shift ;;
        -j*) jobs="${1#-j}" ;;
        --jobs=*) jobs="${1#*=}" ;;
        -p | --perf) echo "independent_build.sh: $1: no effect, kernels are not instrumented here; --run measures" >&2 ;;
        --root=*) target="${1#*=}" ;;
        --pack) do_pack=yes ;;
        --mlu590) add_arch mtp_592 ;;
        --mtp613) add_arch mtp_613 ;;
        --mtp617) add_arch mtp_617 ;;
        --prepare) prepare_only=yes ;;
        --no_prepare) prepare=OFF ;;
        --build-dir=*) build="${1#*=}"; [ -n "$build" ] || die "--build-dir needs a folder" ;;
        --*) if is_root "${1#--}"; then target="${1#--}"; else usage >&2; die "unknown option '$1'"; fi ;;
        *) usage >&2; die "unknown option '$1'" ;;
    esac
    shift
done
case "$jobs" in '' | *[!0-9]* | 0) die "the number of jobs must be a positive number, not '$jobs'" ;; esac
case "$matrix" in '' | full | quick) ;; *) die "--matrix: full or quick, not '$matrix'" ;; esac
is_root "$target" || die "MLUOP_NEUWARE_TARGET: one of ${roots[*]}, not '$target'"
if [ "$target" = cpu ]; then
    build="${build:-$here/build}"
else
    build="${build:-$here/build-$target}"
    [ -z "${NEUWARE_HOME:-}" ] || die "--$target builds a Neuware root, but NEUWARE_HOME names one: unset it"
fi
[ "$do_pack" = no ] || [ -x "$here/test/$target/pack.sh" ] || die "--pack goes with --sm90"
if [ "$gtest" != ON ]; then
    [ "$do_run" = no ] || die "--run needs the benchmark programs, leave --disable-gtest away"
    [ "$do_acceptance" = no ] || die "--acceptance and --disable-gtest exclude each other"
    [ "$do_test" = no ] || die "--test and --disable-gtest exclude each other"
    [ "$do_pack" = no ] || die "--pack and --disable-gtest exclude each other"
fi
case "$do_run;$filter;" in
    no* | "yes;;" | *";moe_dispatch_forward;"*) ;;
    *) die "--run needs moe_dispatch_forward in --filter" ;;
esac
[ "$asan$tsan" != ONON ] || die "--asan and --tsan exclude each other"
# The main job needs two programs and the library: a newcomer should wait neither for the tests nor for what they need.
main_job=bench_moe_dispatch_forward
main_job_alone=no
[ "$do_run$do_test$do_package$do_acceptance$do_pack$prefix$matrix" != yesnononono ] || main_job_alone=yes
case "$mode" in release) build_type=Release ;; debug) build_type=Debug ;; *) die "BUILD_MODE: release or debug, not '$mode'" ;; esac

missing_packages() {
    local package
    for package in "$@"; do
        dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q '^install ok installed$' || echo "$package"
    done
}

# may_sudo PACKAGE...: a password is asked for where somebody can type it, and for nothing less than the named packages.
may_sudo() {
    command -v sudo >/dev/null 2>&1 || return 1
    ! sudo -n true 2>/dev/null || return 0
    [ $# -gt 0 ] && [ -t 0 ] && [ -t 2 ] || return 1
    echo "-- sudo may ask for your password, to install:" "$@" >&2
    sudo true
}

prepare_machine() {
    if ! command -v dpkg-query >/dev/null 2>&1; then
        echo "independent_build.sh: not a Debian-like system; the build needs what these Debian packages hold:"
        echo "    ${packages[*]}"
        echo "and more tests run with:"
        echo "    ${optional_packages[*]}"
        return 0
    fi
    local missing optional=() package
    mapfile -t missing < <(missing_packages "${packages[@]}")
    [ "$main_job_alone" = yes ] || mapfile -t optional < <(missing_packages "${optional_packages[@]}")
    [ $((${#missing[@]} + ${#optional[@]})) -gt 0 ] || return 0
    local root=(env DEBIAN_FRONTEND=noninteractive)
    if [ "$(id -u)" -ne 0 ]; then
        if may_sudo "${missing[@]}"; then
            root=(sudo "${root[@]}") # which hands on no variable of ours by itself
        elif [ ${#missing[@]} -eq 0 ]; then
            echo "-- not installed (optional, some tests are skipped): ${optional[*]}"
            return 0
        else
            echo "independent_build.sh: these packages are missing and cannot be installed without root:" >&2
            printf '    %s\n' "${missing[@]}" >&2
            echo "Ask whoever administers this machine for:" >&2
            echo "    apt-get install --no-install-recommends ${missing[*]}" >&2
            mapfile -t optional < <(missing_packages "${optional_packages[@]}")
            [ ${#optional[@]} -eq 0 ] || echo "and, to have all tests run, for: ${optional[*]}" >&2
            echo "(or install the same software yourself, put it on PATH, and use --no_prepare)" >&2
            exit 1
        fi
    fi
    echo "-- installing:" "${missing[@]}" "${optional[@]}"
    if ! "${root[@]}" apt-get update >/dev/null; then
        [ ${#missing[@]} -eq 0 ] || die "apt-get update failed"
    fi
    local install=("${root[@]}" apt-get install -y --no-install-recommends)
    [ ${#missing[@]} -eq 0 ] || "${install[@]}" "${missing[@]}" >/dev/null || die "could not install: ${missing[*]}"
    # All at once, or, where one of them cannot be had, the others.
    [ ${#optional[@]} -eq 0 ] || "${install[@]}" "${optional[@]}" >/dev/null 2>&1 || for package in "${optional[@]}"; do
        "${install[@]}" "$package" >/dev/null || echo "-- could not install (optional, some tests are skipped): $package"
    done
}

if [ -n "$matrix" ]; then
    optional_packages+=(clang libclang-rt-dev qemu-user)
    # The other architecture; the libraries of its tests are fetched by tools/foreign_libraries.sh.
    case "$(uname -m)" in aarch64) optional_packages+=(g++-x86-64-linux-gnu) ;; *) optional_packages+=(g++-aarch64-linux-gnu) ;; esac
fi
# A root may need more: one package in a line of its list.
if [ -f "$here/bangc_helper/roots/$target/packages" ]; then
    mapfile -t of_root <"$here/bangc_helper/roots/$target/packages"
    packages+=("${of_root[@]}")
fi
[ "$prepare" = OFF ] || prepare_machine
[ "$prepare_only" = no ] || exit 0
command -v cmake >/dev/null 2>&1 || die "there is no cmake on PATH; the build needs what these Debian packages hold: ${packages[*]}"

# lock FOLDER: until this script ends, no other one works in that folder: they would remove each other's files. What
# runs meanwhile does not get descriptor 9: a process left behind would keep the folder locked.
lock() {
    command -v flock >/dev/null 2>&1 || return 0
    mkdir -p "$1"
    exec 9>"$1/independent_build.lock"
    flock --nonblock 9 || die "another run is at work in $1: wait for it, or choose another folder with --build-dir"
}

if [ -n "$matrix" ]; then
    lock "$here/build-matrix"
    status=0
    BUILD_JOBS="$jobs" "$here/tools/ci_matrix.sh" "$matrix" 9>&- || status=$?
    exit "$status"
fi

configure=(-S "$here" -B "$build" -DCMAKE_BUILD_TYPE="$build_type"
    -DMLUOP_BUILD_ASAN_CHECK="$asan" -DMLUOP_BUILD_TSAN_CHECK="$tsan" -DMLUOP_BUILD_COVERAGE_TEST="$coverage"
    -DMLUOP_BUILD_STATIC="$static" -DMLUOP_BUILD_GTEST="$gtest"
    -DMLUOP_BUILD_SPECIFIC_OP="$filter" -DMLUOP_NEUWARE_HOME="${NEUWARE_HOME:-}"
    -DMLUOP_NEUWARE_TARGET="$target")
# The list of an earlier run is forgotten, as are its other options.
if [ -n "$archs" ]; then configure+=(-DMLUOP_MLU_ARCH_LIST="$archs"); else configure+=(-UMLUOP_MLU_ARCH_LIST); fi
if command -v ninja >/dev/null 2>&1 && [ ! -f "$build/Makefile" ]; then
    configure=(-G Ninja "${configure[@]}")
fi
targets=()
[ "$main_job_alone" = no ] || targets=(--target "$main_job" mluop_gtest)

run_main_job() {
    echo
    "$build/test/$main_job"
    echo
    mkdir -p "$build/perf_report"
    # A first look: what is below the standard is shown, and is no failure of this script.
    "$build/test/mluop_gtest" --perf_acceptance="$build/perf_report" --perf_budget=30 ||
        case $? in 1 | 3) ;; *) return 1 ;; esac
}

run_acceptance() {
    echo
    mkdir -p "$build/perf_report"
    "$build/test/mluop_gtest" --perf_acceptance="$build/perf_report"
}

run_tests() {
    local status=0
    echo
    if [ -x "$here/test/$target/run.sh" ]; then # tests that ctest does not run: they need the device
        "$here/test/$target/run.sh" "$build" || status=$?
        [ "$status" -ne 77 ] || status=0
    else
        # Not --test-dir: a ctest before 3.20 would look here instead, find nothing and be content.
        # One test more than jobs: some mostly wait, for timeouts and for MPI to start.
        (cd "$build" && ctest --no-tests=error --output-on-failure --parallel "$((jobs + 1))") || status=$?
        # The table is worth having even when a test minds the counters.
        [ "$coverage" = OFF ] || "$here/tools/coverage.sh" "$here" "$build" || status=$?
    fi
    [ "$status" -eq 0 ] || exit "$status"
}

build_and_use() {
    cmake "${configure[@]}"
    # Compilers for kernels take a sixth less time with their memory in huge pages, which glibc 2.35 and later can ask for.
    GLIBC_TUNABLES=glibc.malloc.hugetlb=1 cmake --build "$build" --parallel "$jobs" "${targets[@]}"
    if [ "$do_pack" = yes ]; then
        "$here/test/$target/pack.sh" "$build" "$build/pack"
    fi
    [ "$do_run" = no ] || run_main_job
    [ "$do_acceptance" = no ] || run_acceptance
    [ "$do_test" = no ] || run_tests
    [ -z "$prefix" ] || cmake --install "$build" --prefix "$prefix"
    [ "$do_package" = no ] || (cd "$build" && cpack)
}

lock "$build"
build_and_use 9>&-
