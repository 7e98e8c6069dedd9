/* SPDX-License-Identifier: MIT
 *
 * A core's program: its scalar pipe reads the log, starts work on the other pipes, and waits for
 * them where the program does.
 *
 * The compiler keeps synchronous functions in order: vector and tensor functions run one after
 * another; a synchronous copy and a scalar access to on-chip memory wait for both.
 */
#include "clock/program.h"

#include "bang/copies.h"
#include "bang_runtime.h"

#include "clock/account.h"
#include "clock/channel.h"
#include "clock/channel_wait.h"
#include "clock/group.h"
#include "clock/shared.h"

/* GOES_ON: continues with the next record. STOPS: has to wait. */
enum step { GOES_ON, STOPS };

static int64_t later(int64_t a, int64_t b) {
  return a > b ? a : b;
}

static void await_compute(struct play *play, struct core *core, uint32_t site) {
  const int64_t end = later(core->vector_free, core->tensor_free);
  if (end > core->now) {
    const bool by_tensor = core->tensor_free > core->vector_free;
    play_spend(play, core, by_tensor ? CARD_SPENT_TENSOR : CARD_SPENT_VECTOR, end, site);
  }
}

static enum step await_channels(struct play *play, struct core *core, unsigned channels,
                                uint32_t site) {
  return channels_await(play, core, channels, CHANNEL_COMPLETED, site) ? GOES_ON : STOPS;
}

/* True if the common time has reached this core's time, so that it may act on other cores.
 * Otherwise the record is tried again at that time. */
static bool is_ordered(struct play *play, struct core *core, const struct card_record *record) {
  if (core->now <= play->time) return true;
  core->pending = record;
  play_continue(play, core);
  return false;
}

static void do_scalar(struct play *play, struct core *core, const struct card_record *record) {
  const struct card_scalar *scalar = &record->scalar;
  if (scalar->nram + scalar->wram + scalar->sram > 0) await_compute(play, core, record->site);
  const int64_t cost =
      play_is_free(play, CARD_PIPE_SCALAR) ? 0 : card_scalar_cost(play->board, scalar);
  const int64_t start = core->now;
  play_spend(play, core, CARD_SPENT_SCALAR, start + cost, record->site);
  play_busy(play, core, CARD_PIPE_SCALAR, start, start + cost, record->site, record);
}

static void do_compute(struct play *play, struct core *core, const struct card_record *record) {
  const bool by_tensor = record->kind == CARD_TENSOR;
  const enum card_pipe pipe = by_tensor ? CARD_PIPE_TENSOR : CARD_PIPE_VECTOR;
  int64_t cost = 0;
  if (!play_is_free(play, pipe)) {
    cost = by_tensor ? card_tensor_cost(play->board, &record->tensor)
                     : card_vector_cost(play->board, &record->vector);
  }
  const int64_t start = later(core->now, later(core->vector_free, core->tensor_free));
  *(by_tensor ? &core->tensor_free : &core->vector_free) = start + cost;
  play_busy(play, core, pipe, start, start + cost, record->site, record);
  if ((record->flags & CARD_TO_SCALAR) != 0) await_compute(play, core, record->site);
}

/* All cores of a cluster issue a shared copy; the first core does it. */
static bool is_done_by_another(const struct core *core, const struct card_record *record) {
  return (record->flags & CARD_SHARED) != 0 && !core->is_memory_core && core->task->core != 0;
}

/* A synchronous copy returns when its bytes have left the core. A write is complete at the next
 * sync, barrier or end of the task. */
static enum step do_copy(struct play *play, struct core *core, const struct card_record *record) {
  if (is_done_by_another(core, record)) return GOES_ON;
  const bool is_async = (record->flags & CARD_ASYNC) != 0;
  if (!is_async) await_compute(play, core, record->site);
  struct command command = {.ready = core->now, .site = record->site, .record = record};
  const enum channel_index which = record->pipe == CARD_PIPE_IO ? CHANNEL_IO : CHANNEL_MOVE;
  if (!play_is_free(play, (enum card_pipe)record->pipe)) {
    command.cost = card_copy_cost(play->board, record, core->is_memory_core);
  }
  if (which == CHANNEL_IO) {
    ++play->timing->transfers;
    play->timing->dram_read += card_copy_read(play->board, &record->copy);
    play->timing->dram_written += card_copy_written(play->board, &record->copy);
    if (!is_async) ++play->timing->syncs;
  }
  channel_issue(play, core, which, &command);
  if (is_async) return GOES_ON;
  return channels_await(play, core, 1u << which, CHANNEL_MOVED, record->site) ? GOES_ON : STOPS;
}

static enum step do_atomic(struct play *play, struct core *core, const struct card_record *record) {
  if (!is_ordered(play, core, record)) return STOPS;
  if (play_is_free(play, CARD_PIPE_IO)) return GOES_ON;
  const struct card_atomic *atomic = &record->atomic;
  int64_t end =
      shared_atomic(play, core->now, atomic->place, card_atomic_cost(play->board, atomic));
  end += 1000 * ((record->flags & CARD_RETURNS_OLD) != 0 ? play->board->read_latency_ns
                                                         : play->board->write_latency_ns);
  if ((record->flags & CARD_ASYNC) != 0) {
    struct channel *io = &core->channels[CHANNEL_IO];
    io->completed = later(io->completed, end);
  } else {
    play_spend(play, core, CARD_SPENT_ATOMIC, end, record->site);
  }
  return GOES_ON;
}

static enum step do_sync(struct play *play, struct core *core, const struct card_record *record) {
  const unsigned pipes = record->sync.pipes;
  unsigned channels = 0;
  if ((pipes & BANG_PIPE_COMPUTE) != 0) await_compute(play, core, record->site);
  if ((pipes & BANG_PIPE_IO) != 0) {
    channels |= 1u << CHANNEL_IO;
    if (!channel_is_empty(&core->channels[CHANNEL_IO])) ++play->timing->syncs;
  }
  if ((pipes & BANG_PIPE_MOVE) != 0) channels |= 1u << CHANNEL_MOVE;
  if (!play_is_free(play, CARD_PIPE_SCALAR)) {
    play_spend(play, core, CARD_SPENT_SCALAR,
               core->now + card_cycles(play->board, play->board->sync_cycles), record->site);
  }
  return await_channels(play, core, channels, record->site);
}

static enum step do_barrier(struct play *play, struct core *core,
                            const struct card_record *record) {
  await_compute(play, core, record->site);
  if (!channels_are_empty(core, ALL_CHANNELS)) {
    core->pending = record;
    return await_channels(play, core, ALL_CHANNELS, record->site);
  }
  channels_spend(play, core, ALL_CHANNELS, CHANNEL_COMPLETED, record->site);
  core->wait_site = record->site;
  group_arrive(play, core, record->barrier.which);
  return STOPS;
}

static enum step do_lock(struct play *play, struct core *core, const struct card_record *record) {
  if (!is_ordered(play, core, record)) return STOPS;
  core->wait_site = record->site;
  if (record->kind == CARD_UNLOCK) {
    shared_unlock(play, core, record->lock.id);
    return GOES_ON;
  }
  return shared_lock(play, core, record->lock.id) ? GOES_ON : STOPS;
}

static enum step do_record(struct play *play, struct core *core, const struct card_record *record) {
  if (play->sink->sites != NULL && record->kind != CARD_SCALAR) {
    ++play->sink->sites[record->site].calls;
  }
  switch (record->kind) {
    case CARD_SCALAR:
      do_scalar(play, core, record);
      return GOES_ON;
    case CARD_VECTOR:
    case CARD_TENSOR:
      do_compute(play, core, record);
      return GOES_ON;
    case CARD_COPY:
      return do_copy(play, core, record);
    case CARD_ATOMIC:
      return do_atomic(play, core, record);
    case CARD_SYNC:
      return do_sync(play, core, record);
    case CARD_BARRIER:
      return do_barrier(play, core, record);
    case CARD_LOCK:
    case CARD_UNLOCK:
      return do_lock(play, core, record);
    default:
      return GOES_ON;
  }
}

/* A task ends when its pipes are done. */
static void end_task(struct play *play, struct core *core) {
  await_compute(play, core, 0);
  if (await_channels(play, core, ALL_CHANNELS, 0) == STOPS) return;
  if (is_ordered(play, core, NULL)) group_task_ended(play, core);
}

void program_run(struct play *play, struct core *core) {
  core->state = CORE_RUNS;
  for (;;) {
    const struct card_record *record = core->pending;
    core->pending = NULL;
    if (record == NULL) record = card_reader_next(&core->reader);
    if (record == NULL) {
      end_task(play, core);
      return;
    }
    if (do_record(play, core, record) == STOPS) return;
  }
}
