/* SPDX-License-Identifier: MIT */
#include "mpi/loop.h"

#include <sched.h>

#include "mpi/apart.h"
#include "mpi/commands.h"
#include "mpi/control.h"
#include "mpi/meeting.h"
#include "mpi/requests.h"
#include "mpi/transfer.h"

enum {
  /* MPI cannot wake a thread, so the engine polls; microseconds between polls. */
  IDLE_US = 2000,
  WAITING_US = 100,
  /* Polls in a row before it sleeps, when headers are expected. */
  WAITING_POLLS = 200,
};

static void execute(struct command *command) {
  switch (command->kind) {
    case COMMAND_JOIN:
      control_join(command->clique, (const int *)command->payload,
                   (int)(command->bytes / sizeof(int)));
      break;
    case COMMAND_ANNOUNCE:
      control_announce(command->clique, (const struct cncl_header *)command->payload);
      break;
    case COMMAND_MOVE:
      transfers_begin(command->clique, command->matches);
      break;
    case COMMAND_PROCEED:
      transfer_proceed(command->transfer);
      break;
    case COMMAND_FAIL:
      control_fail(command->clique, command->tell, (const char *)command->payload);
      break;
    case COMMAND_LEAVE:
      control_leave(command->clique, command->rank);
      break;
  }
  command_discard(command);
}

static bool headers_are_due(void) {
  bool due = meeting_is_open();
  for (const struct link *link = engine.links; link != NULL && !due; link = link->next) {
    due = !link->ready || link->waiting > 0;
  }
  return due;
}

/* How long the engine may sleep after `quiet` polls without a message. */
static unsigned patience(unsigned quiet) {
  if (engine.request_count != 0) {
    return 0; /* data moves only during calls of MPI */
  }
  if (headers_are_due()) {
    return quiet < WAITING_POLLS ? 0 : WAITING_US;
  }
  return IDLE_US;
}

void engine_run(void) {
  static const struct receivers receivers = {.control = control_receive,
                                             .done = transfer_request_done};
  requests_begin(&receivers);
  unsigned quiet = 0;
  for (;;) {
    bool stop = false;
    bool any = false;
    struct command *commands = commands_take(patience(quiet), &stop);
    while (commands != NULL) {
      struct command *next = commands->next;
      execute(commands);
      commands = next;
      any = true;
    }
    if (engine.refusal == NULL) {
      any |= requests_collect();
      any |= requests_receive_control();
      meeting_check_time();
      transfers_check_time();
    }
    if (stop) {
      break;
    }
    quiet = any ? 0 : quiet + 1;
    if (!any) {
      sched_yield();
    }
  }
  control_leave_all();
  requests_end();
  apart_end();
}
