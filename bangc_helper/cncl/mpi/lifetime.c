/* SPDX-License-Identifier: MIT
 *
 * The engine's thread initialises MPI unless the program has done so, and finalises it at the end
 * of the process. If the program finalises MPI itself, a callback of MPI ends the engine first.
 */
#include "mpi/lifetime.h"

#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

#include "cnrt_external.h"
#include "mpi/commands.h"
#include "mpi/loop.h"

static struct {
  pthread_mutex_t lock;
  enum { NOT_STARTED, RUNNING, ENDED } state;
  pthread_t thread;
  uint64_t began;             /* when the thread was started */
  _Atomic bool mpi_started;   /* MPI has started; starting may wait forever for another process */
  bool initialised_here;      /* the engine's thread only */
  _Atomic bool program_ended; /* the program finalises MPI */
} lifetime = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- MPI ---- */

/* Called by MPI_Finalize before anything else. */
static int before_finalize(MPI_Comm comm, int key, void *value, void *extra) {
  (void)comm;
  (void)key;
  (void)value;
  (void)extra;
  pthread_mutex_lock(&lifetime.lock);
  const bool join = lifetime.state == RUNNING && !pthread_equal(lifetime.thread, pthread_self());
  if (join) {
    lifetime.state = ENDED;
    atomic_store(&lifetime.program_ended, true);
  }
  pthread_mutex_unlock(&lifetime.lock);
  if (join) {
    engine_stop();
    pthread_join(lifetime.thread, NULL);
  }
  return MPI_SUCCESS;
}

static const char *initialise(void) {
  int flag = 0;
  int level = MPI_THREAD_SINGLE;
  if (MPI_Finalized(&flag) == MPI_SUCCESS && flag != 0) {
    return "the program has finalised MPI";
  }
  MPI_Initialized(&flag);
  if (flag == 0) {
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &level) != MPI_SUCCESS) {
      return "MPI cannot be initialised";
    }
    lifetime.initialised_here = true;
    return NULL; /* only this thread calls MPI, so any level suffices */
  }
  MPI_Query_thread(&level);
  return level >= MPI_THREAD_MULTIPLE
             ? NULL
             : "the program initialised MPI without MPI_THREAD_MULTIPLE: it must call "
               "MPI_Init_thread, or run with OMPI_MPI_THREAD_LEVEL=3";
}

/* A communicator of all processes, private to this module. */
static const char *duplicate_world(MPI_Comm *copy) {
  MPI_Request request;
  int done = 0;
  if (MPI_Comm_idup(MPI_COMM_WORLD, copy, &request) != MPI_SUCCESS) {
    return "MPI has no communicator left";
  }
  const uint64_t end = engine.core->limit_clock_ns() + engine.core->timeout_ns;
  while (MPI_Test(&request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && done == 0) {
    if (engine.core->limit_clock_ns() > end || engine_is_stopping()) {
      return "not all processes of the MPI job use CNCL";
    }
    sched_yield();
  }
  return done != 0 ? NULL : "MPI has no communicator left";
}

/* True if MPI itself accesses device memory that the host cannot reach. */
static bool mpi_knows_devices(void) {
#if defined(MPIX_CUDA_AWARE_SUPPORT) && MPIX_CUDA_AWARE_SUPPORT
  return MPIX_Query_cuda_support() == 1;
#else
  return false;
#endif
}

static const char *start_mpi(void) {
  const char *refusal = initialise();
  if (refusal == NULL) { /* separates this library's messages from the program's */
    refusal = duplicate_world(&engine.comm);
  }
  engine.touches_devices = cnrtxHostReaches() || mpi_knows_devices();
  if (refusal == NULL && !engine.touches_devices) {
    refusal = duplicate_world(&engine.answers);
  }
  if (refusal != NULL) {
    return refusal;
  }
  int key = 0;
  int *largest_tag = NULL;
  int flag = 0;
  MPI_Comm_set_errhandler(engine.comm, MPI_ERRORS_RETURN);
  if (!engine.touches_devices) {
    MPI_Comm_set_errhandler(engine.answers, MPI_ERRORS_RETURN);
  }
  MPI_Comm_rank(engine.comm, &engine.self);
  MPI_Comm_size(engine.comm, &engine.processes);
  MPI_Comm_get_attr(engine.comm, MPI_TAG_UB, &largest_tag, &flag);
  engine.largest_tag = flag != 0 ? *largest_tag : 32767; /* the standard's minimum */
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, before_finalize, &key, NULL);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
  return NULL;
}

/* ---- The thread ---- */

static void *engine_main(void *argument) {
  (void)argument;
  pthread_setname_np(pthread_self(), "cncl-mpi");
  engine.refusal = start_mpi();
  if (engine.refusal != NULL) {
    atomic_store(&engine.trouble, true);
  }
  atomic_store(&lifetime.mpi_started, true);
  engine_run();
  if (lifetime.initialised_here && !atomic_load(&lifetime.program_ended)) {
    MPI_Finalize();
  }
  return NULL;
}

/* Waits for the thread a little longer than this many nanoseconds, then leaves it to the end of the
 * process. */
static void leave_within(uint64_t nanoseconds, const char *what) {
  static const uint64_t grace_ns = 100000000u;
  struct timespec limit;
  clock_gettime(CLOCK_REALTIME, &limit);
  const uint64_t end = (uint64_t)limit.tv_nsec + nanoseconds + grace_ns;
  limit.tv_sec += (time_t)(end / 1000000000u);
  limit.tv_nsec = (long)(end % 1000000000u);
  if (pthread_timedjoin_np(lifetime.thread, NULL, &limit) != 0) {
    cncl_log("MPI does not %s, other processes seem to be stuck", what);
  }
}

static void end_at_exit(void) {
  pthread_mutex_lock(&lifetime.lock);
  const bool running = lifetime.state == RUNNING;
  lifetime.state = ENDED;
  pthread_mutex_unlock(&lifetime.lock);
  if (!running) {
    return;
  }
  engine_stop();
  /* MPI_Finalize waits for the other processes without a limit. After a failure the wait is
   * limited, since a stuck process must not hold up this one; ending that one is up to mpirun. The
   * same holds for MPI's start, which is timed from its beginning. */
  const uint64_t now = cncl_now_ns();
  const uint64_t limit_ns = engine.core->timeout_ns;
  if (!atomic_load(&lifetime.mpi_started)) {
    const uint64_t passed = now - lifetime.began;
    leave_within(passed < limit_ns ? limit_ns - passed : 0, "start");
  } else if (atomic_load(&engine.trouble)) {
    leave_within(limit_ns, "end");
  } else {
    pthread_join(lifetime.thread, NULL);
  }
}

static bool start_locked(void) {
  lifetime.began = cncl_now_ns();
  if (!cncl_thread_create(&lifetime.thread, engine_main, NULL)) {
    return false;
  }
  atexit(end_at_exit);
  lifetime.state = RUNNING;
  return true;
}

bool lifetime_start(void) {
  pthread_mutex_lock(&lifetime.lock);
  const bool running =
      lifetime.state == RUNNING || (lifetime.state == NOT_STARTED && start_locked());
  pthread_mutex_unlock(&lifetime.lock);
  return running;
}
