/* SPDX-License-Identifier: MIT */
#include "boards/table.h"

/* Constants that are missing here are those of the MLU370-X4. */
const struct card_table card_table_mlu590_m9 = {
    .name = "MLU590-M9",
    .as_on_it = "as on an MLU590-M9",
    .base = &card_table_mlu370_x4,
    .extrapolated = true,
    .values =
        {
            VALUE(architecture, 592, DOCUMENTED, "mtp_592"),
            VALUE(clusters, 12, DOCUMENTED, "48 cores"),
            VALUE(nram_kib, 512, DOCUMENTED, "CNRT's attributes on a card"),
            VALUE(wram_kib, 512, DOCUMENTED, "CNRT's attributes on a card"),
            VALUE(sram_kib, 2048, DOCUMENTED, "CNRT's attributes on a card"),
            VALUE(l2_kib, 49152, EXTRAPOLATED,
                  "not published for kernels; as reported for the generation"),
            VALUE(memory_mib, 98304, EXTRAPOLATED, "96 GB"),
            VALUE(bus_bits, 6144, DERIVED, "2765 GB/s at 1800 MHz, two transfers a cycle"),
            VALUE(memory_clock_khz, 1800000, DOCUMENTED,
                  "CNRT's attributes on a card of the family"),
            VALUE(core_clock_khz, 1850000, EXTRAPOLATED, "as on an MLU590-M9DG"),
            VALUE(peak_dram_mb_per_s, 2764800, DERIVED, "efficiencies in MLU-OPS pull requests"),
            VALUE(dram_mb_per_s, 2112000, DERIVED, "537 MB in 254 us"),
            VALUE(core_dram_mb_per_s, 44000, DERIVED,
                  "48 cores together: 537 MB in 254 us; one alone: 29.3 GB/s with "
                  "synchronous copies on an MLU590-M9DG"),
            VALUE(memory_core_dram_mb_per_s, 176000, EXTRAPOLATED, "four cores"),
            VALUE(read_latency_ns, 420, DERIVED,
                  "moe_dispatch_backward_data of MLU-OPS, which loads a row after another"),
            VALUE(memset_mb_per_s, 300000, EXTRAPOLATED, "scaled by bandwidth"),
            VALUE(device_copy_mb_per_s, 2000000, DERIVED, "537 MB in 254 us"),
        },
};
