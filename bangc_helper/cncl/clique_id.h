/* SPDX-License-Identifier: MIT
 *
 * Names of cliques.
 */
#ifndef CNCL_CLIQUE_ID_H_
#define CNCL_CLIQUE_ID_H_

#include "clique.h"

/* Makes a unique key; false when the system has no random numbers. */
bool cncl_key_create(struct cncl_key *key);
/* The key of an id; false when the id was not made by cnclGetCliqueId. */
bool cncl_key_of_id(const struct cnclCliqueId *id, struct cncl_key *key);

#endif /* CNCL_CLIQUE_ID_H_ */
