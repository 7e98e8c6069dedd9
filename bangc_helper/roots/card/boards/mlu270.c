/* SPDX-License-Identifier: MIT */
#include "boards/table.h"

/* Constants that are missing here are those of the MLU370-X4. */
const struct card_table card_table_mlu270 = {
    .name = "MLU270",
    .base = &card_table_mlu370_x4,
    .extrapolated = true,
    .values =
        {
            VALUE(architecture, 270, DOCUMENTED, "mtp_270"),
            VALUE(clusters, 4, DOCUMENTED, "16 cores in a published log"),
            VALUE(largest_union, 4, EXTRAPOLATED, "all clusters"),
            VALUE(nram_kib, 512, EXTRAPOLATED, "its generation"),
            VALUE(wram_kib, 1024, EXTRAPOLATED, "its generation"),
            VALUE(sram_kib, 2048, EXTRAPOLATED, "its generation"),
            VALUE(l2_kib, 2048, EXTRAPOLATED, "as on an MLU370-X4"),
            VALUE(memory_mib, 16384, DOCUMENTED, "16 GB"),
            VALUE(bus_bits, 256, EXTRAPOLATED, "102.4 GB/s at 1600 MHz, two transfers a cycle"),
            VALUE(memory_clock_khz, 1600000, EXTRAPOLATED, "102.4 GB/s by a bus of 256 bits"),
            VALUE(peak_dram_mb_per_s, 102400, DOCUMENTED, "what MLU-OPS' test program divides by"),
            VALUE(dram_mb_per_s, 91000, EXTRAPOLATED,
                  "the part of its peak that an MLU370-X4 reaches"),
            VALUE(core_dram_mb_per_s, 10700, EXTRAPOLATED, "scaled by bandwidth per core"),
            VALUE(memory_core_dram_mb_per_s, 22700, EXTRAPOLATED, "a quarter of what all reach"),
            VALUE(tensor_fp16_macs, 512, EXTRAPOLATED, "made of 16-bit integers"),
            VALUE(tensor_mixed_macs, 256, EXTRAPOLATED, "made of 16-bit integers"),
            VALUE(tensor_fp32_macs, 128, EXTRAPOLATED, "made of 16-bit integers"),
            VALUE(memset_mb_per_s, 12900, EXTRAPOLATED, "scaled by bandwidth"),
            VALUE(device_copy_mb_per_s, 87000, EXTRAPOLATED, "scaled by bandwidth"),
        },
};
