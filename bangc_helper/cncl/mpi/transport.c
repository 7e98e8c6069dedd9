/* SPDX-License-Identifier: MIT
 *
 * What libcncl calls: everything becomes a command for the engine.
 */
#include <stdlib.h>
#include <string.h>

#include "cnrt_external.h"
#include "mpi/commands.h"
#include "mpi/lifetime.h"

static bool post(enum command_kind kind, struct cncl_clique *clique, const void *payload,
                 size_t bytes) {
  struct command *command = command_create(kind, clique, bytes);
  if (command == NULL) {
    return false;
  }
  memcpy(command->payload, payload, bytes);
  return engine_post(command);
}

static bool join(struct cncl_clique *clique, const int *ranks, int count) {
  return post(COMMAND_JOIN, clique, ranks, (size_t)count * sizeof(*ranks));
}

/* Small data that all others get is sent with the header. */
static uint32_t eager_bytes(const struct cncl_header *header) {
  const size_t size = cncl_type_size(header->type);
  return header->kind == CNCL_ALL_GATHER && header->count <= CNCL_EAGER_BYTES / size
             ? (uint32_t)(header->count * size)
             : 0;
}

static void announce(struct cncl_clique *clique, const struct cncl_call *call) {
  struct cncl_header *header = call->header;
  header->tag = engine_take_tags(cncl_is_pair(header) ? 1 : 2 * (uint32_t)clique->ranks);
  header->eager = eager_bytes(header);
  const size_t bytes = cncl_header_bytes(header);
  struct command *command = command_create(COMMAND_ANNOUNCE, clique, bytes + header->eager);
  if (command != NULL) {
    memcpy(command->payload, header, bytes);
    if (header->eager != 0) {
      cnrtxStream((char *)command->payload + bytes, call->send, header->eager);
    }
  }
  if (command == NULL || !engine_post(command)) {
    engine.core->clique_fail(clique, CNCL_FAIL_TELL, "a call cannot be announced");
  }
}

static void move(struct cncl_clique *clique, struct cncl_match *list) {
  struct command *command = command_create(COMMAND_MOVE, clique, 0);
  if (command != NULL) {
    command->matches = list;
  }
  if (command == NULL || !engine_post(command)) {
    engine.core->clique_fail(clique, CNCL_FAIL_TELL, "data cannot be moved");
    engine.core->matches_end(list, cnrtErrorSys);
  }
}

static void fail(struct cncl_clique *clique, bool tell, const char *reason) {
  struct command *command = command_create(COMMAND_FAIL, clique, strlen(reason) + 1);
  if (command != NULL) {
    command->tell = tell;
    memcpy(command->payload, reason, strlen(reason) + 1);
    engine_post(command);
  }
}

static void leave(struct cncl_clique *clique, int rank) {
  struct command *command = command_create(COMMAND_LEAVE, clique, 0);
  if (command != NULL) {
    command->rank = rank;
    engine_post(command);
  }
}

static const struct cncl_transport transport = {
    .name = "mpi",
    .move = move,
    .join = join,
    .announce = announce,
    .fail = fail,
    .leave = leave,
};

CNCL_EXPORT const struct cncl_transport *cncl_mpi_open(const struct cncl_core *core, int version);

CNCL_EXPORT const struct cncl_transport *cncl_mpi_open(const struct cncl_core *core, int version) {
  engine.core = core;
  commands_set_start(lifetime_start);
  return version == CNCL_MPI_INTERFACE ? &transport : NULL;
}
