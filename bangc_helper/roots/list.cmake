# SPDX-License-Identifier: MIT
# The roots that can be built, and the only place that names them all: a root is a folder beside this file and a word
# here. docs/porting.md says what the folder holds. independent_build.sh reads this list, too.
set(MLUOP_ROOTS
    cpu
    card
    sm90)
