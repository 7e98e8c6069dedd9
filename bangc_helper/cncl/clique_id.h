/* SPDX-License-Identifier: MIT
 *
 * Names of cliques.
 */
#ifndef CNCL_CLIQUE_ID_H_
#define CNCL_CLIQUE_ID_H_

#include "clique.h"

/* A key nobody else has; false when the system gives no random numbers. */
bool cncl_key_create(struct cncl_key *key);
/* The key of an id; false when cnclGetCliqueId did not make the id. */
bool cncl_key_of_id(const struct cnclCliqueId *id, struct cncl_key *key);

#endif /* CNCL_CLIQUE_ID_H_ */
