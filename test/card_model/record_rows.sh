#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: record_rows.sh PROGRAM NO_WORK_LIBRARY FOLDER
# Writes the log of every row of the calibration to FOLDER/ROW.log.
set -euo pipefail
program=$1 no_work=$2 folder=$3
mkdir -p "$folder"
sed -n 's/^CARD_ROW(\(.*\))$/\1/p' "$(dirname "${BASH_SOURCE[0]}")/kernels/row_names.def" | while read -r row; do
    MLUOP_CARD_LOG=$folder/$row.log LD_PRELOAD=$no_work "$program" "$row" >/dev/null
done
