/* SPDX-License-Identifier: MIT */
#include "boards/table.h"

/* Constants that are missing here are those of the MLU370-X4. */
const struct card_table card_table_mlu370_x8 = {
    .name = "MLU370-X8",
    .base = &card_table_mlu370_x4,
    .values =
        {
            VALUE(clusters, 4, DOCUMENTED, "developer's guide: per device, two devices on a board"),
            VALUE(largest_union, 4, EXTRAPOLATED, "all clusters of a device"),
            VALUE(l2_kib, 2048, EXTRAPOLATED, "as on an MLU370-X4"),
            VALUE(bus_bits, 384, EXTRAPOLATED, "as on an MLU370-X4"),
            VALUE(dram_mb_per_s, 225000, DERIVED,
                  "published matrix products: 177 to 211 GB/s, 16 cores"),
            VALUE(scalar_read_ns, 208, DERIVED,
                  "scalar product on device memory: 648 ns for two loads and a store"),
            VALUE(scalar_write_ns, 208, DERIVED,
                  "the same row; loads and stores are not told apart"),
        },
};
