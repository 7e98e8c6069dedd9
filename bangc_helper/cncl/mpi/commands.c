/* SPDX-License-Identifier: MIT */
#include "mpi/commands.h"

#include <pthread.h>
#include <stdlib.h>

static struct {
  pthread_mutex_t lock;
  pthread_cond_t wake;
  struct command *head, **end;
  bool stop;
} inbox = {.lock = PTHREAD_MUTEX_INITIALIZER, .end = &inbox.head};

static _Atomic uint32_t tags_taken;
static bool (*start_engine)(void);

void commands_set_start(bool (*start)(void)) {
  start_engine = start;
}

struct command *command_create(enum command_kind kind, struct cncl_clique *clique, size_t bytes) {
  struct command *command = calloc(1, sizeof(*command) + bytes);
  if (command != NULL) {
    engine.core->clique_retain(clique);
    command->kind = kind;
    command->clique = clique;
    command->bytes = bytes;
  }
  return command;
}

void command_discard(struct command *command) {
  engine.core->clique_release(command->clique);
  free(command);
}

uint32_t engine_take_tags(uint32_t count) {
  return atomic_fetch_add(&tags_taken, count);
}

static void prepare_inbox(void) {
  cncl_condition_init(&inbox.wake);
}

bool engine_post(struct command *command) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, prepare_inbox);
  if (!start_engine()) {
    command_discard(command);
    return false;
  }
  pthread_mutex_lock(&inbox.lock);
  *inbox.end = command;
  inbox.end = &command->next;
  pthread_cond_signal(&inbox.wake);
  pthread_mutex_unlock(&inbox.lock);
  return true;
}

struct command *commands_take(unsigned microseconds, bool *stop) {
  pthread_mutex_lock(&inbox.lock);
  if (inbox.head == NULL && !inbox.stop && microseconds != 0) {
    cncl_wait_until(&inbox.wake, &inbox.lock, cncl_now_ns() + (uint64_t)microseconds * 1000);
  }
  struct command *commands = inbox.head;
  inbox.head = NULL;
  inbox.end = &inbox.head;
  *stop = inbox.stop;
  pthread_mutex_unlock(&inbox.lock);
  return commands;
}

void engine_stop(void) {
  pthread_mutex_lock(&inbox.lock);
  inbox.stop = true;
  pthread_cond_signal(&inbox.wake);
  pthread_mutex_unlock(&inbox.lock);
}

bool engine_is_stopping(void) {
  pthread_mutex_lock(&inbox.lock);
  const bool stop = inbox.stop;
  pthread_mutex_unlock(&inbox.lock);
  return stop;
}
