/* SPDX-License-Identifier: MIT */
#include "boards/table.h"

/* Constants that are missing here are those of the MLU370-X4. */
const struct card_table card_table_mlu370_m8 = {
    .name = "MLU370-M8",
    .base = &card_table_mlu370_x4,
    .values =
        {
            VALUE(clusters, 8, DERIVED, "332.8 INT8 TOPS at 1300 MHz: 32 cores"),
            VALUE(largest_union, 8, EXTRAPOLATED, "all clusters"),
            VALUE(l2_kib, 2048, EXTRAPOLATED, "as on an MLU370-X4"),
            VALUE(memory_mib, 49152, DOCUMENTED, "48 GB"),
            VALUE(bus_bits, 384, EXTRAPOLATED, "as on an MLU370-X4"),
            VALUE(core_clock_khz, 1300000, DOCUMENTED, "published logs: 1300 MHz"),
            VALUE(peak_dram_mb_per_s, 307200, EXTRAPOLATED, "as on an MLU370-X4"),
            VALUE(scalar_read_ns, 202, DERIVED,
                  "scalar product on device memory: 629 ns for two loads and a store"),
            VALUE(scalar_write_ns, 202, DERIVED,
                  "the same row; loads and stores are not told apart"),
        },
};
