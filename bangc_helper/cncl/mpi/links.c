/* SPDX-License-Identifier: MIT */
#include "mpi/links.h"

struct engine engine;

struct link *link_of(const struct cncl_clique *clique) {
  struct link *link = engine.links;
  while (link != NULL && link->clique != clique) {
    link = link->next;
  }
  return link;
}

struct link *link_of_key(struct cncl_key key) {
  struct link *link = engine.links;
  while (link != NULL && !cncl_same_key(link->clique->key, key)) {
    link = link->next;
  }
  return link;
}
