/* SPDX-License-Identifier: MIT */
#include "boards/table.h"

/* Constants that are missing here are those of the MLU590-M9. */
const struct card_table card_table_mlu590_h8 = {
    .name = "MLU590-H8",
    .base = &card_table_mlu590_m9,
    .extrapolated = true,
    .values =
        {
            VALUE(clusters, 12, DERIVED, "2.304e12 op/s: 48 cores at 1.5 GHz"),
            VALUE(memory_mib, 81920, EXTRAPOLATED, "80 GB"),
            VALUE(bus_bits, 5120, DOCUMENTED, "CNRT's attributes on a card of the family"),
            VALUE(memory_clock_khz, 1600000, DERIVED,
                  "2048 GB/s by a bus of 5120 bits, two transfers a cycle"),
            VALUE(core_clock_khz, 1500000, DERIVED, "2.304e12 op/s by 48 cores of 32"),
            VALUE(peak_dram_mb_per_s, 2048000, DOCUMENTED, "what MLU-OPS' test program divides by"),
            VALUE(dram_mb_per_s, 1564000, EXTRAPOLATED,
                  "the part of its peak that an MLU590-M9 reaches"),
            VALUE(device_copy_mb_per_s, 1480000, EXTRAPOLATED,
                  "the part of its peak that an MLU590-M9 reaches"),
        },
};
