/* SPDX-License-Identifier: MIT
 *
 * The interface between libcncl and its MPI module. The module is loaded when a clique needs it and
 * shares no symbols with the library: it gets a table of the functions it may call.
 */
#ifndef CNCL_MPI_MODULE_H_
#define CNCL_MPI_MODULE_H_

#include "cliques.h"
#include "match.h"

enum { CNCL_MPI_INTERFACE = 3 };

struct cncl_core {
  uint64_t timeout_ns;
  uint64_t (*limit_clock_ns)(void);
  void (*clique_retain)(struct cncl_clique *clique);
  void (*clique_release)(struct cncl_clique *clique);
  void (*clique_ready)(struct cncl_clique *clique, enum cncl_place place);
  void (*clique_fail)(struct cncl_clique *clique, int tell, const char *format, ...);
  void (*clique_peer_left)(struct cncl_clique *clique, int rank);
  void (*deliver)(struct cncl_clique *clique, const struct cncl_header *header);
  void (*match_end)(struct cncl_match *match, cnrtRet_t result);
  void (*matches_end)(struct cncl_match *list, cnrtRet_t result);
};

/* The only function that the module exports: returns its transport, or NULL when it was built for
 * another version of the library. */
typedef const struct cncl_transport *(*cncl_mpi_open_t)(const struct cncl_core *core, int version);
#define CNCL_MPI_OPEN_NAME "cncl_mpi_open"

#endif /* CNCL_MPI_MODULE_H_ */
