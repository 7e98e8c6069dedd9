/* SPDX-License-Identifier: MIT */
#include "mpi/apart.h"

#include <stdlib.h>

#include "cnrt_external.h"

enum {
  /* Below this a message is faster than a note, a copy and an answer; measured with four processes
   * on one GPU, which they use in turns. */
  MAPPED_BYTES = 1 << 20,
  /* Size of a message, and how many of one part may be in flight, so that copies and messages
   * overlap. */
  STAGING_BYTES = 4 << 20,
  STAGING_MESSAGES = 2,
  MAX_UNUSED_STAGING = 8,
};

/* One part of a call that is sent or received. */
struct parcel {
  struct transfer *transfer;
  enum direction direction;
  struct cncl_part part;
  int rank;
  int tag;
  size_t started; /* bytes for which messages were posted */
  int messages;   /* in flight, plus one while the parcel is being started */
};

/* Where the sender's data is; handle 0: it comes in messages instead. */
struct note {
  uint64_t handle;
  uint64_t offset;
};

/* What to do when a request is done: the first member of the data for that. */
struct note_step {
  struct step step;
  struct parcel *parcel;
  struct note note;
};

struct message_step {
  struct step step;
  struct parcel *parcel;
  struct staging *staging; /* NULL: the data is in host memory, which MPI can access */
  char *address;
  size_t bytes;
};

/* ---- Page-locked memory ---- */

struct staging {
  struct staging *next;
  void *memory;
};

static struct {
  struct staging *list;
  int count;
} unused;

static struct staging *take_staging(void) {
  struct staging *staging = unused.list;
  if (staging != NULL) {
    unused.list = staging->next;
    --unused.count;
    return staging;
  }
  staging = malloc(sizeof(*staging));
  if (staging != NULL && cnrtHostMalloc(&staging->memory, STAGING_BYTES) != cnrtSuccess) {
    free(staging);
    staging = NULL;
  }
  return staging;
}

static void destroy_staging(struct staging *staging) {
  cnrtFreeHost(staging->memory);
  free(staging);
}

static void return_staging(struct staging *staging) {
  if (unused.count >= MAX_UNUSED_STAGING) {
    destroy_staging(staging);
    return;
  }
  staging->next = unused.list;
  unused.list = staging;
  ++unused.count;
}

void apart_end(void) {
  while (unused.list != NULL) {
    destroy_staging(take_staging());
  }
}

/* ---- Messages ---- */

static void release(struct parcel *parcel) {
  if (--parcel->messages == 0) {
    free(parcel);
  }
}

/* True while the program still guarantees the buffers of the call. */
static bool is_wanted(const struct parcel *parcel) {
  return parcel->transfer->match != NULL && !parcel->transfer->failed;
}

static bool start_messages(struct parcel *parcel);

static bool message_done(struct step *base, bool ok) {
  struct message_step *step = (struct message_step *)base;
  struct parcel *parcel = step->parcel;
  if (ok && is_wanted(parcel)) {
    if (step->staging != NULL && parcel->direction == RECEIVE) {
      cnrtxStream(step->address, step->staging->memory, step->bytes);
    }
    ok = start_messages(parcel);
  }
  if (step->staging != NULL) {
    return_staging(step->staging);
  }
  free(step);
  release(parcel);
  return ok;
}

static bool start_message(struct parcel *parcel, char *address, size_t bytes) {
  struct message_step *step = calloc(1, sizeof(*step));
  if (step == NULL) {
    return false;
  }
  const bool is_staged = cnrtxIsDeviceMemory(address, bytes);
  step->step.done = message_done;
  step->parcel = parcel;
  step->staging = is_staged ? take_staging() : NULL;
  step->address = address;
  step->bytes = bytes;
  bool ok = !is_staged || step->staging != NULL;
  if (ok && is_staged && parcel->direction == SEND) {
    cnrtxStream(step->staging->memory, address, bytes);
  }
  ++parcel->messages;
  ok = ok && post_request(parcel->transfer, parcel->direction,
                          is_staged ? step->staging->memory : address, bytes, parcel->rank,
                          parcel->tag, DATA_CHANNEL, &step->step);
  if (!ok) {
    if (step->staging != NULL) {
      return_staging(step->staging);
    }
    free(step);
    --parcel->messages;
  }
  return ok;
}

/* Posts as many messages as may be in flight. The caller holds the parcel. */
static bool start_messages(struct parcel *parcel) {
  while (parcel->started < parcel->part.bytes && parcel->messages <= STAGING_MESSAGES) {
    const size_t left = parcel->part.bytes - parcel->started;
    const size_t bytes = left < STAGING_BYTES ? left : STAGING_BYTES;
    if (!start_message(parcel, parcel->part.address + parcel->started, bytes)) {
      return false;
    }
    parcel->started += bytes;
  }
  return true;
}

/* ---- Mapped memory ---- */

/* Describes the data for another process; handle 0 when it cannot be mapped. */
static struct note make_note(const struct cncl_part *part) {
  struct note note = {0, 0};
  cnrtPointerAttributes_t attributes;
  cnrtIpcMemHandle handle = NULL;
  if (cnrtxIsDeviceMemory(part->address, part->bytes) &&
      cnrtPointerGetAttributes(&attributes, part->address) == cnrtSuccess &&
      cnrtAcquireMemHandle(&handle, attributes.deviceBasePointer) == cnrtSuccess) {
    note.handle = (uint64_t)(uintptr_t)handle;
    note.offset = (uint64_t)(part->address - (char *)attributes.deviceBasePointer);
  }
  return note;
}

/* Maps the data on the device that it goes to, if it goes to a device. */
static bool copy_mapped(const struct parcel *parcel, const struct note *note) {
  cnrtPointerAttributes_t attributes;
  void *memory = NULL;
  if (cnrtxIsDeviceMemory(parcel->part.address, parcel->part.bytes) &&
      cnrtPointerGetAttributes(&attributes, parcel->part.address) == cnrtSuccess) {
    cnrtSetDevice(attributes.device);
  }
  if (cnrtMapMemHandle(&memory, (cnrtIpcMemHandle)(uintptr_t)note->handle, 0) != cnrtSuccess) {
    return false;
  }
  cnrtxStream(parcel->part.address, (char *)memory + note->offset, parcel->part.bytes);
  cnrtUnMapMemHandle(memory);
  return true;
}

/* A note or an answer was sent, or an answer has arrived. */
static bool note_ended(struct step *base, bool ok) {
  struct note_step *step = (struct note_step *)base;
  release(step->parcel);
  free(step);
  return ok;
}

static bool post_note(struct note_step *step, enum direction direction, int channel, size_t bytes,
                      bool (*done)(struct step *step, bool ok)) {
  struct parcel *parcel = step->parcel;
  step->step.done = done;
  ++parcel->messages;
  if (post_request(parcel->transfer, direction, &step->note, bytes, parcel->rank, parcel->tag,
                   channel, &step->step)) {
    return true;
  }
  --parcel->messages;
  return false;
}

/* A note has arrived: copies the data and answers, or waits for messages. */
static bool note_arrived(struct step *base, bool ok) {
  struct note_step *step = (struct note_step *)base;
  struct parcel *parcel = step->parcel;
  bool answered = false;
  if (ok && is_wanted(parcel) && step->note.handle == 0) {
    ok = start_messages(parcel);
  } else if (ok && is_wanted(parcel)) {
    ok = copy_mapped(parcel, &step->note);
    answered = ok && post_note(step, SEND, ANSWER_CHANNEL, 0, note_ended);
    ok = answered;
  }
  if (!answered) {
    free(step);
  }
  release(parcel);
  return ok;
}

static struct note_step *create_note(struct parcel *parcel) {
  struct note_step *step = calloc(1, sizeof(*step));
  if (step != NULL) {
    step->parcel = parcel;
  }
  return step;
}

static bool send_note(struct parcel *parcel) {
  struct note_step *step = create_note(parcel);
  if (step == NULL) {
    return false;
  }
  step->note = make_note(&parcel->part);
  const bool is_mapped = step->note.handle != 0;
  if (!post_note(step, SEND, DATA_CHANNEL, sizeof(step->note), note_ended)) {
    free(step);
    return false;
  }
  if (!is_mapped) {
    return start_messages(parcel);
  }
  struct note_step *answer = create_note(parcel);
  if (answer == NULL || !post_note(answer, RECEIVE, ANSWER_CHANNEL, 0, note_ended)) {
    free(answer);
    return false;
  }
  return true;
}

static bool receive_note(struct parcel *parcel) {
  struct note_step *step = create_note(parcel);
  if (step == NULL || !post_note(step, RECEIVE, DATA_CHANNEL, sizeof(step->note), note_arrived)) {
    free(step);
    return false;
  }
  return true;
}

bool start_apart(struct transfer *transfer, enum direction direction, struct cncl_part part,
                 int rank, int tag) {
  struct parcel *parcel = calloc(1, sizeof(*parcel));
  if (parcel == NULL) {
    return false;
  }
  *parcel = (struct parcel){transfer, direction, part, rank, tag, 0, 1};
  bool ok = true;
  if (transfer->link->reach.failed || part.bytes < MAPPED_BYTES) {
    ok = start_messages(parcel);
  } else {
    ok = direction == SEND ? send_note(parcel) : receive_note(parcel);
  }
  release(parcel);
  return ok;
}
