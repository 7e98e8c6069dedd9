/* SPDX-License-Identifier: MIT
 *
 * Cliques as the engine knows them. For the engine's thread.
 */
#ifndef CNCL_MPI_LINKS_H_
#define CNCL_MPI_LINKS_H_

#include "mpi/engine.h"

struct link *link_of(const struct cncl_clique *clique);
struct link *link_of_key(struct cncl_key key);

#endif /* CNCL_MPI_LINKS_H_ */
