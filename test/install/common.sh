# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: MIT
# Shared by the tests of the installed package. The caller sets $work to a folder of its own.

fail() {
    echo "FAIL: $*" >&2
    exit 1
}

# expect_pass NAME COMMAND...: the program must print PASS.
expect_pass() {
    local name=$1 output
    shift
    output=$("$@" 2>&1) || { echo "$output" >&2; fail "$name: exit status not 0"; }
    case "$output" in *PASS*) echo "ok   $name" ;; *) echo "$output" >&2; fail "$name: no PASS" ;; esac
}

# quiet COMMAND...: prints the output only on failure.
quiet() {
    "$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "$*"; }
}

# no_foreign_paths PREFIX FORBIDDEN...: no library or program in PREFIX has an absolute search path outside of the
# system, and no text file of the package contains one of the FORBIDDEN folders.
no_foreign_paths() {
    local prefix=$1 file forbidden
    shift
    while IFS= read -r -d '' file; do
        if readelf -d "$file" 2>/dev/null | grep -E 'R(UN)?PATH' | grep -oE '\[.*\]' | tr '[]:' '\n' |
            grep -vE '^$|^\$ORIGIN|^/(usr/)?lib/'; then
            fail "$file: a run path that is not relative"
        fi
        if ldd "$file" 2>/dev/null | grep 'not found'; then
            fail "$file: a library is not found"
        fi
    done < <(find "$prefix" -type f \( -name '*.so*' -o -perm -u+x \) -print0)
    for forbidden in "$@"; do
        if grep -rlF -- "$forbidden" "$prefix"/lib/cmake "$prefix"/lib/pkgconfig "$prefix"/include; then
            fail "the files above name $forbidden"
        fi
    done
    echo "ok   $prefix finds its parts by itself"
}

# open_to_all PREFIX: everyone may read the installed files and run the programs.
open_to_all() {
    local run=(-path '*/bin/*' -o -path '*/benchmarks/*' -o -name '*.so.*') wrong
    wrong=$(find "$1" \( -type d ! -perm 755 \) -o \( -type f \( "${run[@]}" \) ! -perm 755 \) \
        -o \( -type f ! \( "${run[@]}" \) ! -perm 644 \))
    [ -z "$wrong" ] || fail "wrong permissions: $wrong"
    echo "ok   $1 is open to all"
}

# consume PREFIX NAME: builds and runs the separate project against PREFIX: with CMake, with pkg-config, with cncc.
consume() {
    local prefix=$1 name=$2 flags
    local out="$work/consumer $name"
    quiet cmake -S "$source/test/install/consumer" -B "$out" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_BUILD_TYPE=Release
    grep -q "^mluops_DIR:PATH=$prefix/" "$out/CMakeCache.txt" || fail "find_package took another package than $prefix"
    quiet cmake --build "$out"
    expect_pass "$name: CMake, C" "$out/from_c"
    expect_pass "$name: CMake, C++" "$out/from_cxx"
    expect_pass "$name: CMake, own kernel" "$out/own_kernel"
    ldd "$out/from_c" | grep -F "$prefix/" >/dev/null || fail "$name: the program runs with another library"

    export PKG_CONFIG_PATH="$prefix/lib/pkgconfig" PKG_CONFIG_LIBDIR=/nonexistent
    flags=$(pkg-config --cflags --libs-only-L --libs-only-l mluops)
    local libdir neuware
    libdir=$(pkg-config --variable=libdir mluops)
    neuware=$(pkg-config --variable=neuware_home mluops)
    eval "cc '$source/test/install/consumer/dispatch.c' -o '$out/pc_c' $flags" \
        "-Wl,-rpath,$libdir -Wl,-rpath,$neuware/lib64"
    expect_pass "$name: pkg-config, C" "$out/pc_c"
    eval "c++ -x c++ '$source/test/install/consumer/dispatch.c' -x none -o '$out/pc_cxx' $flags" \
        "-Wl,-rpath,$libdir -Wl,-rpath,$neuware/lib64"
    expect_pass "$name: pkg-config, C++" "$out/pc_cxx"
    case "$prefix" in
        *' '*) ;;
        *)
            # shellcheck disable=SC2046
            cc "$source/test/install/consumer/dispatch.c" -o "$out/pc_all" $(pkg-config --cflags --libs mluops)
            expect_pass "$name: pkg-config with its run paths" "$out/pc_all"
            ;;
    esac
    unset PKG_CONFIG_PATH PKG_CONFIG_LIBDIR

    # The link in bin/ and the driver find their root without any variable.
    env -u NEUWARE_HOME "$prefix/bin/cncc" -O2 "$source/test/install/consumer/own_kernel.mlu" -o "$out/by_cncc"
    expect_pass "$name: cncc" "$out/by_cncc"
}
