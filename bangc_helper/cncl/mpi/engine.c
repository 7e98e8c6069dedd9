/* SPDX-License-Identifier: MIT */
#include "mpi/engine.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/control.h"
#include "mpi/lifetime.h"
#include "mpi/transfer.h"

enum {
  /* Messages are cut, since MPI counts with an int and so that progress can be seen. */
  CHUNK_BYTES = 64 << 20,
  /* MPI cannot wake a thread: how often the engine looks, in microseconds. */
  IDLE_US = 2000,
  WAITING_US = 100,
  /* How often it looks in a row before it sleeps, when headers are due. */
  WAITING_POLLS = 200,
};

struct engine engine;

/* ---- Commands ---- */

static struct {
  pthread_mutex_t lock;
  pthread_cond_t wake;
  struct command *head, **end;
  bool stop;
} inbox = {.lock = PTHREAD_MUTEX_INITIALIZER, .end = &inbox.head};

static _Atomic uint32_t tags_taken;

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
  if (!lifetime_start()) {
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

/* Takes all commands; sleeps up to `microseconds` when there are none. */
static struct command *take_commands(unsigned microseconds, bool *stop) {
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

/* ---- Requests ---- */

static bool reserve_request(void) {
  if (engine.request_count < engine.request_capacity) {
    return true;
  }
  const int capacity = engine.request_capacity == 0 ? 64 : 2 * engine.request_capacity;
  MPI_Request *requests = realloc(engine.requests, (size_t)capacity * sizeof(*requests));
  if (requests != NULL) {
    engine.requests = requests;
  }
  struct owner *owners = realloc(engine.owners, (size_t)capacity * sizeof(*owners));
  if (owners != NULL) {
    engine.owners = owners;
  }
  if (requests == NULL || owners == NULL) {
    return false;
  }
  engine.request_capacity = capacity;
  return true;
}

static void keep_request(MPI_Request request, struct transfer *transfer, void *message, int rank) {
  engine.requests[engine.request_count] = request;
  engine.owners[engine.request_count].transfer = transfer;
  engine.owners[engine.request_count].message = message;
  engine.owners[engine.request_count].rank = rank;
  ++engine.request_count;
}

static int start_chunk(enum direction direction, char *data, int bytes, int process, int tag,
                       MPI_Request *request) {
  return direction == SEND ? MPI_Isend(data, bytes, MPI_BYTE, process, tag, engine.comm, request)
                           : MPI_Irecv(data, bytes, MPI_BYTE, process, tag, engine.comm, request);
}

bool start_data(struct transfer *transfer, enum direction direction, struct cncl_part part,
                int rank, int tag) {
  for (size_t done = 0; done < part.bytes; done += CHUNK_BYTES) {
    const size_t left = part.bytes - done;
    MPI_Request request;
    if (!reserve_request() ||
        start_chunk(direction, part.address + done, (int)(left < CHUNK_BYTES ? left : CHUNK_BYTES),
                    transfer->link->process[rank], tag, &request) != MPI_SUCCESS) {
      return false;
    }
    ++transfer->pending;
    keep_request(request, transfer, NULL, rank);
  }
  return true;
}

void send_control(int process, const void *first, size_t first_bytes, const void *second,
                  size_t second_bytes) {
  char *message = malloc(first_bytes + second_bytes);
  MPI_Request request;
  if (message == NULL) {
    cncl_log("no memory for a message to process %d", process);
    return;
  }
  memcpy(message, first, first_bytes);
  if (second_bytes != 0) {
    memcpy(message + first_bytes, second, second_bytes);
  }
  if (process == engine.self) {
    handle_control(message, first_bytes + second_bytes, process);
    free(message);
  } else if (!reserve_request() ||
             MPI_Isend(message, (int)(first_bytes + second_bytes), MPI_BYTE, process, CONTROL_TAG,
                       engine.comm, &request) != MPI_SUCCESS) {
    cncl_log("a message to process %d could not be sent", process);
    free(message);
  } else {
    keep_request(request, NULL, message, -1);
  }
}

/* Takes finished requests off the list; true when there were some. */
static bool collect_requests(void) {
  bool any = false;
  for (int i = 0; i < engine.request_count;) {
    int done = 0;
    const int status = MPI_Test(&engine.requests[i], &done, MPI_STATUS_IGNORE);
    if (status == MPI_SUCCESS && done == 0) {
      ++i;
      continue;
    }
    any = true;
    const struct owner owner = engine.owners[i];
    --engine.request_count;
    engine.requests[i] = engine.requests[engine.request_count];
    engine.owners[i] = engine.owners[engine.request_count];
    free(owner.message); /* NOLINT(clang-analyzer-unix.Malloc): the last one took its place */
    if (owner.transfer != NULL) {
      transfer_request_done(owner.transfer, status == MPI_SUCCESS, owner.rank);
    }
  }
  return any;
}

/* Handles the control messages that have arrived; true when there were some. */
static bool receive_control(void) {
  bool any = false;
  for (;;) {
    int found = 0;
    int bytes = 0;
    MPI_Message handle;
    MPI_Status status;
    if (MPI_Improbe(MPI_ANY_SOURCE, CONTROL_TAG, engine.comm, &found, &handle, &status) !=
            MPI_SUCCESS ||
        found == 0) {
      return any;
    }
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    void *message = malloc(bytes > 0 ? (size_t)bytes : 1);
    if (message == NULL) {
      cncl_log("no memory for a message of %d bytes", bytes);
      MPI_Mrecv(NULL, 0, MPI_BYTE, &handle, MPI_STATUS_IGNORE); /* truncated: it is lost */
    } else if (MPI_Mrecv(message, bytes, MPI_BYTE, &handle, MPI_STATUS_IGNORE) == MPI_SUCCESS) {
      handle_control(message, (size_t)bytes, status.MPI_SOURCE);
    }
    free(message);
    any = true;
  }
}

/* ---- The loop ---- */

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

static bool headers_are_due(void) {
  bool due = meeting_is_open();
  for (const struct link *link = engine.links; link != NULL && !due; link = link->next) {
    due = !link->ready || link->waiting > 0;
  }
  return due;
}

/* How long the engine may sleep after `quiet` looks that found nothing. */
static unsigned patience(unsigned quiet) {
  if (engine.request_count != 0) {
    return 0; /* data moves only while MPI is called */
  }
  if (headers_are_due()) {
    return quiet < WAITING_POLLS ? 0 : WAITING_US;
  }
  return IDLE_US;
}

/* Sends what is under way, so that the others hear the last messages. */
static void flush(void) {
  const uint64_t end = cncl_now_ns() + 1000000000u;
  while (engine.request_count != 0 && cncl_now_ns() < end) {
    if (!collect_requests()) {
      sched_yield();
    }
  }
}

void engine_run(void) {
  unsigned quiet = 0;
  for (;;) {
    bool stop = false;
    bool any = false;
    struct command *commands = take_commands(patience(quiet), &stop);
    while (commands != NULL) {
      struct command *next = commands->next;
      execute(commands);
      commands = next;
      any = true;
    }
    if (engine.refusal == NULL) {
      any |= collect_requests();
      any |= receive_control();
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
  flush();
  free(engine.requests);
  free(engine.owners);
}
