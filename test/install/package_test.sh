#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: package_test.sh SOURCE BUILD WORK VERSION
# Makes the Debian packages and the archives, unpacks them into a separate root and uses that.
set -euo pipefail
source=$1 build=$2 work=$3 version=$4
. "$source/test/install/common.sh"

rm -rf "$work"
mkdir -p "$work/root"
unset DESTDIR NEUWARE_HOME LD_LIBRARY_PATH
# Packages must be readable by all, whatever the packager's umask.
before=$(umask)
umask 077
# Searching for library dependencies takes one process per file, half a minute in total; the runtime has few files.
quiet cpack --config "$build/CPackConfig.cmake" -B "$work/made" -G DEB -D CPACK_DEBIAN_TESTS_PACKAGE_SHLIBDEPS=OFF \
    -D CPACK_DEBIAN_DEV_PACKAGE_SHLIBDEPS=OFF
quiet cpack --config "$build/CPackConfig.cmake" -B "$work/made" -G TGZ -D CPACK_COMPONENTS_ALL=runtime
umask "$before"
for list in "$build"/install_manifest_*.txt; do
    [ ! -e "$list" ] || fail "uninstalling would take packages for installed: $list"
done

# closed: lines of a tar listing for files that others cannot read, or can write.
closed() { grep -vE '^(l|[-d]rw[-x]r-[-x]r-[-x] )'; }

arch=$(dpkg --print-architecture)
runtime=libmluops${version%%.*}
names="$runtime libmluops-dev mluops-tests"
[ ! -e "$build/neuware/lib64/libcncl_mpi.so.1" ] || names="$names $runtime-mpi"
for name in $names; do
    package="$work/made/${name}_${version}_${arch}.deb"
    [ -f "$package" ] || fail "no package $package"
    [ "$(dpkg-deb -f "$package" Version)" = "$version" ] || fail "$name: wrong version"
    for part in --fsys-tarfile --ctrl-tarfile; do
        dpkg-deb "$part" "$package" | tar -tv | closed && fail "$name: wrong permissions of the files above"
    done
    dpkg -x "$package" "$work/root"
done
# Only one package contains code that needs Open MPI, and no other depends on it.
for name in $names; do
    package="$work/made/${name}_${version}_${arch}.deb"
    needs=$(dpkg-deb -f "$package" Pre-Depends Depends Recommends)
    case "$name:$needs" in
        *-mpi:*"$runtime (= $version)"*) ;;
        *-mpi:*) fail "$name does not ask for $runtime: $needs" ;;
        *-mpi*|*openmpi*) fail "$name brings MPI: $needs" ;;
    esac
    if [ "$name" = "$runtime-mpi" ] && command -v dpkg-shlibdeps >/dev/null && command -v file >/dev/null; then
        case "$needs" in *libopenmpi*) ;; *) fail "$name does not ask for Open MPI: $needs" ;; esac
    fi
    dpkg-deb -c "$package" | awk '{ print $6 }' | grep -q 'libcncl_mpi' && holds=yes || holds=no
    case "$name:$holds" in *-mpi:yes|*[!i]:no) ;; *) fail "$name: libcncl_mpi: $holds" ;; esac
done
[ -e "$work/root/usr/lib/mluops/neuware/lib64/libcncl.so.1" ] || fail "$runtime holds no libcncl"
echo "ok   only $runtime-mpi asks for Open MPI"
# Every file belongs to just one package.
for package in "$work"/made/*.deb; do
    dpkg-deb -c "$package" | awk '$6 !~ /\/$/ { print $6 }'
done | sort | uniq -d | grep . && fail "files in two packages"
[ -L "$work/root/usr/lib/libmluops.so.${version%%.*}" ] || fail "no libmluops.so.${version%%.*}"
open_to_all "$work/root/usr"
no_foreign_paths "$work/root/usr" "$build"
consume "$work/root/usr" deb
"$work/root/usr/bin/mluop_gtest" --case_set=smoke >"$work/log" 2>&1 || { cat "$work/log"; fail "packaged mluop_gtest"; }

archive="$work/made/mluops-$version-Linux-runtime.tar.gz"
tar -tzf "$archive" >"$work/log" || fail "no archive of the runtime"
grep -q "^mluops-$version-Linux/lib/libmluops.so" "$work/log" || fail "$archive holds no library"
tar -tvzf "$archive" | closed && fail "$archive: wrong permissions of the files above"
echo "ok   archive $(basename "$archive")"
rm -rf "$work/root" "$work/made"
