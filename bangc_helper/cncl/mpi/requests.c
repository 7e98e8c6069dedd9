/* SPDX-License-Identifier: MIT */
#include "mpi/requests.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

/* Long messages are split, because MPI counts with an int, and so that progress is visible. */
enum { CHUNK_BYTES = 64 << 20 };

static const struct receivers *receivers;

void requests_begin(const struct receivers *wanted) {
  receivers = wanted;
}

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

static void keep_request(MPI_Request request, const struct owner *owner) {
  engine.requests[engine.request_count] = request;
  engine.owners[engine.request_count] = *owner;
  ++engine.request_count;
}

bool post_request(struct transfer *transfer, enum direction direction, void *data, size_t bytes,
                  int rank, int tag, int channel, struct step *step) {
  const struct owner owner = {.transfer = transfer, .rank = rank, .step = step};
  const int process = transfer->link->process[rank];
  const MPI_Comm comm = channel == ANSWER_CHANNEL ? engine.answers : engine.comm;
  MPI_Request request;
  if (!reserve_request() ||
      (direction == SEND
           ? MPI_Isend(data, (int)bytes, MPI_BYTE, process, tag, comm, &request)
           : MPI_Irecv(data, (int)bytes, MPI_BYTE, process, tag, comm, &request)) != MPI_SUCCESS) {
    return false;
  }
  ++transfer->pending;
  keep_request(request, &owner);
  return true;
}

bool start_data(struct transfer *transfer, enum direction direction, struct cncl_part part,
                int rank, int tag) {
  for (size_t done = 0; done < part.bytes; done += CHUNK_BYTES) {
    const size_t left = part.bytes - done;
    if (!post_request(transfer, direction, part.address + done,
                      left < CHUNK_BYTES ? left : CHUNK_BYTES, rank, tag, DATA_CHANNEL, NULL)) {
      return false;
    }
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
    receivers->control(message, first_bytes + second_bytes, process);
    free(message);
  } else if (!reserve_request() ||
             MPI_Isend(message, (int)(first_bytes + second_bytes), MPI_BYTE, process, CONTROL_TAG,
                       engine.comm, &request) != MPI_SUCCESS) {
    cncl_log("a message to process %d could not be sent", process);
    free(message);
  } else {
    const struct owner owner = {.message = message, .rank = -1};
    keep_request(request, &owner);
  }
}

bool requests_collect(void) {
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
    bool ok = status == MPI_SUCCESS;
    if (owner.step != NULL) {
      ok = owner.step->done(owner.step, ok);
    }
    if (owner.transfer != NULL) {
      receivers->done(owner.transfer, ok, owner.rank);
    }
  }
  return any;
}

bool requests_receive_control(void) {
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
      receivers->control(message, (size_t)bytes, status.MPI_SOURCE);
    }
    free(message);
    any = true;
  }
}

/* So that the others receive the last messages. */
void requests_end(void) {
  const uint64_t end = cncl_now_ns() + 1000000000u;
  while (engine.request_count != 0 && cncl_now_ns() < end) {
    if (!requests_collect()) {
      sched_yield();
    }
  }
  free(engine.requests);
  free(engine.owners);
}
