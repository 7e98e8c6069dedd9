/* SPDX-License-Identifier: MIT */
#include "board.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "peer_file.h"
#include "settings.h"
#include "threads.h"

enum {
  NO_FILE = -1,
  PAGE_BYTES = 1024,
  PAGES = 16384,
  /* Placements that may be under way at a time; of more, an earlier one counts as reached with the
   * one that takes its line. */
  LINES = 32,
  LOOK_MS = 100, /* a process that ends wakes nobody: how often waiting threads look after it */
};

/* A process, and when it began: numbers are used again. */
struct identity {
  int32_t process;
  uint64_t begin;
};

struct line {
  /* Written under the lock of the page: */
  _Atomic uint32_t reached; /* the number that was reached last; sleepers wait on it */
  struct identity placer;
};

/* What processes share. */
struct page {
  _Atomic uint32_t serial;  /* of the board that it is now, 0 for none; written under the lock */
  pthread_mutex_t lock;     /* of all processes */
  _Atomic uint32_t latest;  /* written under the lock */
  struct line lines[LINES]; /* of placement n: n % LINES */
};
_Static_assert(sizeof(struct page) <= PAGE_BYTES, "pages do not overlap");

struct rt_board {
  _Atomic int references;
  struct page *page;
  bool is_own; /* in this process's file */
  int32_t process;
  int32_t file;
  uint32_t index;
  uint32_t serial;
};

/* ---- This process's file ---- */

static struct {
  pthread_mutex_t lock;
  int file;
  char *start;
  uint32_t serial;
  uint32_t used; /* pages that were ever in use */
  uint32_t free_count;
  uint32_t *free_pages; /* room for all, once one is free */
} own = {.lock = PTHREAD_MUTEX_INITIALIZER, .file = NO_FILE};

static struct page *page_at(char *start, uint32_t index) {
  return (struct page *)(start + (size_t)index * PAGE_BYTES);
}

static void open_file(void) {
  const size_t bytes = (size_t)PAGES * PAGE_BYTES;
  struct rlimit limit;
  if (rt_settings()->shared_memory == RT_SHARED_MEMORY_OFF ||
      getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur < bytes) {
    return; /* a larger file than allowed would end the process */
  }
  const int file = memfd_create("cnrt-notifiers", MFD_CLOEXEC);
  void *start = MAP_FAILED;
  if (file >= 0 && ftruncate(file, (off_t)bytes) == 0) {
    start = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
  }
  if (start != MAP_FAILED) {
    own.file = file;
    own.start = start;
  } else if (file >= 0) {
    close(file);
  }
}

bool rt_boards_exist(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, open_file);
  return own.file != NO_FILE;
}

/* A process that ends with the lock leaves it to the next one. */
static void prepare_lock(pthread_mutex_t *lock) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(lock, &attributes);
  pthread_mutexattr_destroy(&attributes);
}

/* A page that is no board, PAGES when there is none. The lock is held. Somebody may still hold on
 * to a board that a page was, and lock it: a page keeps the lock it gets before its first use. */
static uint32_t take_page(void) {
  if (own.free_count != 0) {
    return own.free_pages[--own.free_count];
  }
  if (own.used == PAGES) {
    return PAGES;
  }
  prepare_lock(&page_at(own.start, own.used)->lock);
  return own.used++;
}

/* Without memory for the list the page is lost. */
static void return_page(uint32_t index) {
  pthread_mutex_lock(&own.lock);
  if (own.free_pages == NULL) {
    own.free_pages = malloc(PAGES * sizeof(*own.free_pages));
  }
  if (own.free_pages != NULL) {
    own.free_pages[own.free_count++] = index;
  }
  pthread_mutex_unlock(&own.lock);
}

/* ---- Boards ---- */

static void lock_page(struct page *page) {
  if (pthread_mutex_lock(&page->lock) == EOWNERDEAD) {
    pthread_mutex_consistent(&page->lock);
  }
}

/* Makes a page that is no board one. */
static void begin_board(struct page *page, uint32_t serial) {
  lock_page(page);
  atomic_store(&page->latest, 0);
  for (int i = 0; i < LINES; ++i) {
    atomic_store(&page->lines[i].reached, 0);
  }
  atomic_store(&page->serial, serial);
  pthread_mutex_unlock(&page->lock);
}

struct rt_board *rt_board_create(void) {
  struct rt_board *board = rt_boards_exist() ? calloc(1, sizeof(*board)) : NULL;
  if (board == NULL) {
    return NULL;
  }
  pthread_mutex_lock(&own.lock);
  board->index = take_page();
  if (++own.serial == 0) {
    ++own.serial;
  }
  board->serial = own.serial;
  pthread_mutex_unlock(&own.lock);
  if (board->index == PAGES) {
    free(board);
    return NULL;
  }
  atomic_init(&board->references, 1);
  board->page = page_at(own.start, board->index);
  board->is_own = true;
  board->process = (int32_t)getpid();
  board->file = own.file;
  begin_board(board->page, board->serial);
  return board;
}

/* A handle in words: process, file, page, serial number. */
void rt_board_describe(const struct rt_board *board, cnrtIpcNotifierHandle *handle) {
  memset(handle, 0, sizeof(*handle));
  handle->res[0] = (uint64_t)board->process;
  handle->res[1] = (uint64_t)board->file;
  handle->res[2] = board->index;
  handle->res[3] = board->serial;
}

struct rt_board *rt_board_open(const cnrtIpcNotifierHandle *handle) {
  struct rt_peer_file file;
  const uint64_t *words = handle->res;
  if (words[0] > INT32_MAX || words[1] > INT32_MAX || words[2] >= PAGES ||
      !rt_peer_file((int)words[0], (int)words[1], &file) ||
      file.size != (size_t)PAGES * PAGE_BYTES) {
    return NULL;
  }
  struct page *page = page_at(file.start, (uint32_t)words[2]);
  if (words[3] == 0 || atomic_load(&page->serial) != words[3]) {
    return NULL;
  }
  struct rt_board *board = calloc(1, sizeof(*board));
  if (board != NULL) {
    atomic_init(&board->references, 1);
    board->page = page;
    board->process = (int32_t)words[0];
    board->file = (int32_t)words[1];
    board->index = (uint32_t)words[2];
    board->serial = (uint32_t)words[3];
  }
  return board;
}

struct rt_board *rt_board_retain(struct rt_board *board) {
  if (board != NULL) {
    atomic_fetch_add(&board->references, 1);
  }
  return board;
}

static void wake(_Atomic uint32_t *word) {
  syscall(SYS_futex, word, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
}

void rt_board_release(struct rt_board *board) {
  if (board == NULL || atomic_fetch_sub(&board->references, 1) != 1) {
    return;
  }
  if (board->is_own) {
    lock_page(board->page);
    atomic_store(&board->page->serial, 0); /* whoever still waits looks soon */
    pthread_mutex_unlock(&board->page->lock);
    return_page(board->index);
  }
  free(board);
}

/* ---- Processes ---- */

/* Reads when a process began. False when it has ended, also where nobody has noticed that yet. */
static bool find_begin(int32_t process, uint64_t *begin) {
  char path[64];
  char text[1024];
  char state = '\0';
  unsigned long long ticks = 0;
  snprintf(path, sizeof(path), "/proc/%d/stat", (int)process);
  FILE *file = fopen(path, "re");
  if (file == NULL) {
    return false;
  }
  const size_t length = fread(text, 1, sizeof(text) - 1, file);
  fclose(file);
  text[length] = '\0';
  const char *rest = strrchr(text, ')'); /* names may have anything in them */
  if (rest == NULL || sscanf(rest,
                             ") %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
                             "%*s %*s %*s %llu",
                             &state, &ticks) != 2) {
    return false;
  }
  *begin = ticks;
  return state != 'Z' && state != 'X';
}

/* In a child of fork it is another. */
static struct identity this_process(void) {
  static _Atomic int32_t known;
  static _Atomic uint64_t begin;
  struct identity self = {(int32_t)getpid(), 0};
  if (atomic_load(&known) == self.process) {
    self.begin = atomic_load(&begin);
  } else if (find_begin(self.process, &self.begin)) {
    atomic_store(&begin, self.begin);
    atomic_store(&known, self.process);
  }
  return self;
}

static bool has_ended(struct identity identity) {
  uint64_t begin = 0;
  return !find_begin(identity.process, &begin) || begin != identity.begin;
}

/* ---- Placements ---- */

static struct line *line_of(const struct rt_board *board, uint32_t number) {
  return &board->page->lines[number % LINES];
}

/* Whether nobody has destroyed the notifier. */
static bool is_there(const struct rt_board *board) {
  return atomic_load(&board->page->serial) == board->serial;
}

/* Numbers begin again after the last one. */
static bool is_up_to(uint32_t number, uint32_t reached) {
  return (int32_t)(reached - number) >= 0;
}

uint32_t rt_board_place(struct rt_board *board) {
  const struct identity self = this_process();
  uint32_t number = 0;
  lock_page(board->page);
  if (is_there(board)) {
    number = atomic_load(&board->page->latest) + 1;
    number += number == 0;
    line_of(board, number)->placer = self;
    atomic_store(&board->page->latest, number);
  }
  pthread_mutex_unlock(&board->page->lock);
  return number;
}

void rt_board_reach(struct rt_board *board, uint32_t number) {
  if (number == 0) {
    return;
  }
  struct line *line = line_of(board, number);
  lock_page(board->page);
  if (is_there(board) && !is_up_to(number, atomic_load(&line->reached))) {
    atomic_store(&line->reached, number);
  }
  pthread_mutex_unlock(&board->page->lock);
  wake(&line->reached);
}

uint32_t rt_board_latest(const struct rt_board *board) {
  return is_there(board) ? atomic_load(&board->page->latest) : 0;
}

static bool is_reached(const struct rt_board *board, uint32_t number) {
  return number == 0 || is_up_to(number, atomic_load(&line_of(board, number)->reached)) ||
         !is_there(board);
}

/* Whether a placement will never be reached. Its process may have reached it at the last moment. */
static bool is_lost(const struct rt_board *board, uint32_t number) {
  lock_page(board->page);
  const struct identity placer = line_of(board, number)->placer;
  pthread_mutex_unlock(&board->page->lock);
  return has_ended(placer) && !is_reached(board, number);
}

cnrtRet_t rt_board_query(struct rt_board *board, uint32_t number) {
  if (is_reached(board, number)) {
    return cnrtSuccess;
  }
  return is_lost(board, number) ? cnrtErrorSys : cnrtErrorNotReady;
}

cnrtRet_t rt_board_wait(struct rt_board *board, uint32_t number) {
  const struct timespec limit = {.tv_nsec = LOOK_MS * 1000000};
  _Atomic uint32_t *word = &line_of(board, number)->reached;
  while (!is_reached(board, number)) {
    const uint32_t seen = atomic_load(word);
    if (is_reached(board, number)) {
      break;
    }
    syscall(SYS_futex, word, FUTEX_WAIT, seen, &limit, NULL, 0);
    if (rt_threads_stopping()) {
      return cnrtErrorNotReady; /* the process ends */
    }
    if (!is_reached(board, number) && is_lost(board, number)) {
      return cnrtErrorSys;
    }
  }
  return cnrtSuccess;
}
