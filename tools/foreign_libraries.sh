#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: tools/foreign_libraries.sh ARCHITECTURE FOLDER
#
# Unpacks into FOLDER the libraries that the tests link, from the distribution's packages of ARCHITECTURE (amd64 or
# arm64). The system stays unchanged: apt keeps the package lists of that architecture in a separate folder. A complete
# FOLDER is left as it is. If a package is unavailable, prints one line and exits with status 1.
set -euo pipefail

[ $# -eq 2 ] || { sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2; }
architecture=$1 folder=$2
packages=(libgtest-dev libprotobuf-dev libprotobuf-c-dev libzstd-dev zlib1g-dev)

complete=$folder/complete
! grep -qxF "${packages[*]}" "$complete" 2>/dev/null || exit 0

fail() {
    echo "the packages of $architecture cannot be had: $*"
    exit 1
}
for tool in apt-get dpkg-deb; do
    command -v "$tool" >/dev/null 2>&1 || fail "there is no $tool"
done

rm -rf "$folder"
mkdir -p "$folder/apt/lists/partial" "$folder/apt/cache/archives/partial" "$folder/apt/packages"
touch "$folder/apt/status"
state=$(cd "$folder/apt" && pwd)
apt=(apt-get -q -o APT::Architecture="$architecture" -o APT::Architectures="$architecture" -o Dir::State="$state"
    -o Dir::State::Lists="$state/lists" -o Dir::State::status="$state/status" -o Dir::Cache="$state/cache"
    -o APT::Sandbox::User= -o APT::Update::Error-Mode=any -o Acquire::http::Timeout=20)
"${apt[@]}" update >"$state/log" 2>&1 || fail "$(grep -m1 '^[EW]:' "$state/log")"
(cd "$state/packages" && "${apt[@]}" download "${packages[@]}") >"$state/log" 2>&1 || fail "$(grep -m1 '^E:' "$state/log")"
for package in "$state/packages"/*.deb; do dpkg-deb -x "$package" "$folder"; done
# The .so links dangle, because the shared libraries are in other packages. Without them the linker takes the archives.
find "$folder" -xtype l -delete
rm -rf "$state"
echo "${packages[*]}" >"$complete"
