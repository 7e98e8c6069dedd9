# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: MIT
# `cmake --install` writes its lists into the build folder. The lists of an installation the user made from there are put
# aside while a test makes installations of its own below $work, and come back. The caller sets $build and $work.

# However this or an earlier run ended: removes manifests of installations below $work, and restores the user's unless
# there are newer ones.
bring_lists_back() {
    [ -d "$work/kept" ] || return 0
    find "$build" -maxdepth 1 -name 'install_*.txt' -exec grep -qF "$work/" {} \; -delete
    find "$work/kept" -type f -exec mv -n {} "$build/" \;
    rm -rf "$work/kept"
}

# Recreates $work.
put_lists_aside() {
    bring_lists_back
    rm -rf "$work"
    mkdir -p "$work/kept"
    find "$build" -maxdepth 1 -name 'install_*.txt' -exec mv {} "$work/kept/" \;
}
