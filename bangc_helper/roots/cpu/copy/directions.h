/* SPDX-License-Identifier: MIT
 *
 * Which kind of operation a direction of BANG C is. */
#ifndef BANGC_HELPER_CPU_COPY_DIRECTIONS_H_
#define BANGC_HELPER_CPU_COPY_DIRECTIONS_H_

#include "bang_runtime.h"
#include "copy/operation.h"

/* Pipe and route by direction, in the order of mluMemcpyDirection_t. Published kernels use the
 * result of an asynchronous copy inside NRAM without a sync, or after a sync of the vector unit
 * only: such a copy keeps the order of the vector unit. */
static const unsigned directions[] = {
    BANG_PIPE_IO | ROUTE_LOAD | CORE_RAM,              /* GDRAM2NRAM */
    BANG_PIPE_IO | ROUTE_STORE | CORE_RAM,             /* NRAM2GDRAM */
    BANG_PIPE_IO | ROUTE_LOAD | CORE_RAM,              /* LDRAM2NRAM */
    BANG_PIPE_IO | ROUTE_STORE | CORE_RAM,             /* NRAM2LDRAM */
    BANG_PIPE_IO | ROUTE_LOAD | CORE_RAM,              /* GDRAM2WRAM */
    BANG_PIPE_IO | ROUTE_STORE | CORE_RAM,             /* WRAM2GDRAM */
    BANG_PIPE_IO | ROUTE_LOAD | CORE_RAM,              /* LDRAM2WRAM */
    BANG_PIPE_IO | ROUTE_STORE | CORE_RAM,             /* WRAM2LDRAM */
    BANG_PIPE_MOVE | ROUTE_LOCAL | CORE_RAM | AT_ONCE, /* NRAM2NRAM */
    BANG_PIPE_MOVE | ROUTE_LOCAL | CORE_RAM,           /* NRAM2WRAM */
    BANG_PIPE_MOVE | ROUTE_LOCAL | CORE_RAM,           /* WRAM2NRAM */
    BANG_PIPE_IO | ROUTE_LOAD | OF_CLUSTER,            /* GDRAM2SRAM */
    BANG_PIPE_IO | ROUTE_STORE | OF_CLUSTER,           /* SRAM2GDRAM */
    BANG_PIPE_IO | ROUTE_LOAD,                         /* LDRAM2SRAM */
    BANG_PIPE_IO | ROUTE_STORE,                        /* SRAM2LDRAM */
    BANG_PIPE_MOVE | ROUTE_LOCAL | CORE_RAM,           /* SRAM2NRAM */
    BANG_PIPE_MOVE | ROUTE_LOCAL | CORE_RAM,           /* NRAM2SRAM */
    BANG_PIPE_MOVE | ROUTE_LOCAL | CORE_RAM,           /* SRAM2WRAM */
    BANG_PIPE_MOVE | ROUTE_LOCAL | CORE_RAM,           /* WRAM2SRAM */
    BANG_PIPE_IO | ROUTE_LOCAL | IN_MEMORY,    /* GDRAM2GDRAM: source and target may overlap */
    BANG_PIPE_IO | ROUTE_LOCAL | IN_MEMORY,    /* GDRAM2LDRAM */
    BANG_PIPE_IO | ROUTE_LOCAL | IN_MEMORY,    /* LDRAM2GDRAM */
    BANG_PIPE_IO | ROUTE_LOCAL | IN_MEMORY,    /* LDRAM2LDRAM */
    BANG_PIPE_MOVE | ROUTE_LOCAL | OF_CLUSTER, /* SRAM2SRAM */
};
#define DIRECTION_COUNT ((int)(sizeof directions / sizeof directions[0]))

#endif /* BANGC_HELPER_CPU_COPY_DIRECTIONS_H_ */
