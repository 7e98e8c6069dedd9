/* SPDX-License-Identifier: MIT */
#include "boards/table.h"

/* Constants that are missing here are those of the MLU370-X4. */
const struct card_table card_table_mlu290 = {
    .name = "MLU290",
    .base = &card_table_mlu370_x4,
    .extrapolated = true,
    .values =
        {
            VALUE(architecture, 290, DOCUMENTED, "mtp_290"),
            VALUE(clusters, 16, DERIVED, "512 INT8 TOPS: 64 cores"),
            VALUE(largest_union, 16, EXTRAPOLATED, "all clusters"),
            VALUE(nram_kib, 512, EXTRAPOLATED, "its generation"),
            VALUE(wram_kib, 512, EXTRAPOLATED, "its generation"),
            VALUE(sram_kib, 2048, EXTRAPOLATED, "its generation"),
            VALUE(l2_kib, 2048, EXTRAPOLATED, "as on an MLU370-X4"),
            VALUE(memory_mib, 32768, DOCUMENTED, "32 GB"),
            VALUE(bus_bits, 4096, EXTRAPOLATED, "1024 GB/s at 1000 MHz, two transfers a cycle"),
            VALUE(memory_clock_khz, 1000000, EXTRAPOLATED, "1024 GB/s by a bus of 4096 bits"),
            VALUE(peak_dram_mb_per_s, 1024000, DOCUMENTED, "what MLU-OPS' test program divides by"),
            VALUE(dram_mb_per_s, 910000, EXTRAPOLATED,
                  "the part of its peak that an MLU370-X4 reaches"),
            VALUE(core_dram_mb_per_s, 26700, EXTRAPOLATED, "scaled by bandwidth per core"),
            VALUE(memory_core_dram_mb_per_s, 107000, EXTRAPOLATED, "four cores"),
            VALUE(tensor_fp16_macs, 512, EXTRAPOLATED, "made of 16-bit integers"),
            VALUE(tensor_mixed_macs, 256, EXTRAPOLATED, "made of 16-bit integers"),
            VALUE(tensor_fp32_macs, 128, EXTRAPOLATED, "made of 16-bit integers"),
            VALUE(memset_mb_per_s, 128000, EXTRAPOLATED, "scaled by bandwidth"),
            VALUE(device_copy_mb_per_s, 873000, EXTRAPOLATED, "scaled by bandwidth"),
        },
};
