/* SPDX-License-Identifier: MIT
 *
 * Ranks of a clique find each other: every process tells one process which ranks it has, and
 * receives the places of all ranks when the last one has joined.
 */
#include "mpi/meeting.h"

#include <stdio.h>
#include <stdlib.h>

#include "mpi/wire.h"

struct meeting {
  struct meeting *next;
  struct cncl_key key;
  int ranks;
  int present;
  uint64_t since;
  int process[]; /* per rank, -1: not arrived yet */
};

static struct meeting *meetings;

bool meeting_is_open(void) {
  return meetings != NULL;
}

static struct meeting **find(struct cncl_key key) {
  struct meeting **place = &meetings;
  while (*place != NULL && !cncl_same_key((*place)->key, key)) {
    place = &(*place)->next;
  }
  return place;
}

static struct meeting *open_meeting(struct cncl_key key, int ranks) {
  struct meeting *meeting = malloc(sizeof(*meeting) + (size_t)ranks * sizeof(meeting->process[0]));
  if (meeting != NULL) {
    meeting->next = NULL;
    meeting->key = key;
    meeting->ranks = ranks;
    meeting->present = 0;
    meeting->since = engine.core->limit_clock_ns();
    for (int rank = 0; rank < ranks; ++rank) {
      meeting->process[rank] = -1;
    }
  }
  return meeting;
}

/* True for the first rank of its process; each process gets one answer. */
static bool is_first_of_process(const struct meeting *meeting, int rank) {
  for (int before = 0; before < rank; ++before) {
    if (meeting->process[before] == meeting->process[rank]) {
      return false;
    }
  }
  return meeting->process[rank] >= 0;
}

/* Ends a meeting with the places of the ranks, or with the reason for its failure. */
static void close_meeting(struct meeting **place, const char *reason) {
  struct meeting *meeting = *place;
  *place = meeting->next;
  for (int rank = 0; rank < meeting->ranks; ++rank) {
    if (!is_first_of_process(meeting, rank)) {
      continue;
    }
    if (reason == NULL) {
      control_send_map(meeting->key, meeting->ranks, meeting->process, meeting->process[rank]);
    } else {
      control_send_failure(meeting->key, reason, meeting->process[rank]);
    }
  }
  free(meeting);
}

/* Stores why ranks cannot join; false if they can. */
static bool refuses(const struct meeting *meeting, int ranks, const int *list, int count,
                    char *text, size_t size) {
  if (ranks != meeting->ranks) {
    snprintf(text, size, "processes disagree on the number of ranks of a clique: %d and %d", ranks,
             meeting->ranks);
    return true;
  }
  for (int i = 0; i < count; ++i) {
    if (list[i] < 0 || list[i] >= ranks || meeting->process[list[i]] >= 0) {
      snprintf(text, size, "rank %d of a clique exists twice", list[i]);
      return true;
    }
  }
  return false;
}

void meeting_join(struct cncl_key key, int ranks, const int *list, int count, int process) {
  char text[128];
  struct meeting **place = find(key);
  if (*place == NULL) {
    *place = open_meeting(key, ranks);
  }
  if (*place == NULL) {
    control_send_failure(key, "no memory for a clique", process);
    return;
  }
  struct meeting *meeting = *place;
  if (refuses(meeting, ranks, list, count, text, sizeof(text))) {
    control_send_failure(key, text, process);
    close_meeting(place, text);
    return;
  }
  for (int i = 0; i < count; ++i) {
    meeting->process[list[i]] = process;
  }
  meeting->present += count;
  if (meeting->present == meeting->ranks) {
    close_meeting(place, NULL);
  }
}

void meeting_check_time(void) {
  const uint64_t now = meetings != NULL ? engine.core->limit_clock_ns() : 0;
  for (struct meeting **place = &meetings; *place != NULL;) {
    const struct meeting *meeting = *place;
    if (now - meeting->since < engine.core->timeout_ns) {
      place = &(*place)->next;
      continue;
    }
    char text[256];
    size_t used = (size_t)snprintf(text, sizeof(text), "cnclInitComms gave up after %llu ms: rank",
                                   (unsigned long long)(engine.core->timeout_ns / 1000000u));
    for (int rank = 0; rank < meeting->ranks && used + 32 < sizeof(text); ++rank) {
      if (meeting->process[rank] < 0) {
        used += (size_t)snprintf(text + used, sizeof(text) - used, " %d", rank);
      }
    }
    snprintf(text + used, sizeof(text) - used, " did not come");
    close_meeting(place, text);
  }
}

void meeting_end(void) {
  while (meetings != NULL) {
    struct meeting *meeting = meetings;
    meetings = meeting->next;
    free(meeting);
  }
}
