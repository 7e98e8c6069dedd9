/* SPDX-License-Identifier: MIT
 *
 * Messages under way. For the engine's thread.
 */
#ifndef CNCL_MPI_REQUESTS_H_
#define CNCL_MPI_REQUESTS_H_

#include "mpi/engine.h"

/* Receivers of what arrives; set before anything is sent. */
struct receivers {
  /* A control message from any process. */
  void (*control)(const void *message, size_t bytes, int process);
  /* One of a transfer's requests is done. */
  void (*done)(struct transfer *transfer, bool ok, int rank);
};
void requests_begin(const struct receivers *receivers);

enum direction { SEND, RECEIVE };
/* Starts to send or receive data of any size and counts its requests for the transfer; false on
 * failure. */
bool start_data(struct transfer *transfer, enum direction direction, struct cncl_part part,
                int rank, int tag);
/* Channels; a tag has a meaning within one of them. */
enum { DATA_CHANNEL, ANSWER_CHANNEL };
/* One message of a transfer from or to memory of the host, at most 64 MB; `step` may be NULL. */
bool post_request(struct transfer *transfer, enum direction direction, void *data, size_t bytes,
                  int rank, int tag, int channel, struct step *step);
/* Sends a control message, a copy of `parts` one after the other, to a process, maybe this one. */
void send_control(int process, const void *first, size_t first_bytes, const void *second,
                  size_t second_bytes);

/* Takes finished requests off the list; true when there were some. */
bool requests_collect(void);
/* Handles the control messages that have arrived; true when there were some. */
bool requests_receive_control(void);
/* Waits up to a second until all messages are sent, and frees memory. */
void requests_end(void);

#endif /* CNCL_MPI_REQUESTS_H_ */
