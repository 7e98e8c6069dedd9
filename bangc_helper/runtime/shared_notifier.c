/* SPDX-License-Identifier: MIT */
#include "shared_notifier.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "peer_file.h"
#include "threads.h"

enum {
  NO_FILE = -1,
  PAGE_BYTES = 1024,
  PAGES = 16384,
  /* Placements that can be in flight at a time. Beyond that, a new one reuses the line of an
   * earlier one, and both count as reached together. */
  LINES = 32,
  LOOK_MS = 100, /* how often waiting threads check on a process, whose end wakes nobody */
};

/* A process and its start time, since process numbers are reused. */
struct identity {
  int32_t process;
  uint64_t begin;
};

struct line {
  /* Written under the lock of the page: */
  _Atomic uint32_t reached; /* number that was reached last; sleepers wait on it */
  struct identity placer;
};

/* The page that processes share. */
struct page {
  _Atomic uint32_t serial;  /* serial number of its notifier, 0 for none; written under the lock */
  pthread_mutex_t lock;     /* of all processes */
  _Atomic uint32_t latest;  /* written under the lock */
  struct line lines[LINES]; /* line of placement n: n % LINES */
};
_Static_assert(sizeof(struct page) <= PAGE_BYTES, "pages do not overlap");

struct rt_shared_notifier {
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
  uint32_t *free_pages; /* has room for all pages, once one was freed */
} own = {.lock = PTHREAD_MUTEX_INITIALIZER, .file = NO_FILE};

static struct page *page_at(char *start, uint32_t index) {
  return (struct page *)(start + (size_t)index * PAGE_BYTES);
}

static void open_file(void) {
  own.file =
      rt_file_create_mapped("cnrt-notifiers", (size_t)PAGES * PAGE_BYTES, INT32_MAX, &own.start);
}

bool rt_shared_notifiers_exist(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, open_file);
  return own.file != NO_FILE;
}

/* If a process ends while it holds the lock, the next one takes it over. */
static void prepare_lock(pthread_mutex_t *lock) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(lock, &attributes);
  pthread_mutexattr_destroy(&attributes);
}

/* A page without a notifier, PAGES when there is none. The lock is held. Another process may still
 * lock a page for its previous notifier, so a page keeps the lock of its first use. */
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

/* If there is no memory for the list, the page is lost. */
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

/* ---- Notifiers ---- */

static void lock_page(struct page *page) {
  if (pthread_mutex_lock(&page->lock) == EOWNERDEAD) {
    pthread_mutex_consistent(&page->lock);
  }
}

/* Puts a notifier into a free page. */
static void begin_page(struct page *page, uint32_t serial) {
  lock_page(page);
  atomic_store(&page->latest, 0);
  for (int i = 0; i < LINES; ++i) {
    atomic_store(&page->lines[i].reached, 0);
  }
  atomic_store(&page->serial, serial);
  pthread_mutex_unlock(&page->lock);
}

struct rt_shared_notifier *rt_shared_notifier_create(void) {
  struct rt_shared_notifier *notifier =
      rt_shared_notifiers_exist() ? calloc(1, sizeof(*notifier)) : NULL;
  if (notifier == NULL) {
    return NULL;
  }
  pthread_mutex_lock(&own.lock);
  notifier->index = take_page();
  if (++own.serial == 0) {
    ++own.serial;
  }
  notifier->serial = own.serial;
  pthread_mutex_unlock(&own.lock);
  if (notifier->index == PAGES) {
    free(notifier);
    return NULL;
  }
  atomic_init(&notifier->references, 1);
  notifier->page = page_at(own.start, notifier->index);
  notifier->is_own = true;
  notifier->process = (int32_t)getpid();
  notifier->file = own.file;
  begin_page(notifier->page, notifier->serial);
  return notifier;
}

/* A handle in words: process, file, page, serial number. */
void rt_shared_notifier_describe(const struct rt_shared_notifier *notifier,
                                 cnrtIpcNotifierHandle *handle) {
  memset(handle, 0, sizeof(*handle));
  handle->res[0] = (uint64_t)notifier->process;
  handle->res[1] = (uint64_t)notifier->file;
  handle->res[2] = notifier->index;
  handle->res[3] = notifier->serial;
}

struct rt_shared_notifier *rt_shared_notifier_open(const cnrtIpcNotifierHandle *handle) {
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
  struct rt_shared_notifier *notifier = calloc(1, sizeof(*notifier));
  if (notifier != NULL) {
    atomic_init(&notifier->references, 1);
    notifier->page = page;
    notifier->process = (int32_t)words[0];
    notifier->file = (int32_t)words[1];
    notifier->index = (uint32_t)words[2];
    notifier->serial = (uint32_t)words[3];
  }
  return notifier;
}

struct rt_shared_notifier *rt_shared_notifier_retain(struct rt_shared_notifier *notifier) {
  if (notifier != NULL) {
    atomic_fetch_add(&notifier->references, 1);
  }
  return notifier;
}

static void wake(_Atomic uint32_t *word) {
  syscall(SYS_futex, word, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
}

void rt_shared_notifier_release(struct rt_shared_notifier *notifier) {
  if (notifier == NULL || atomic_fetch_sub(&notifier->references, 1) != 1) {
    return;
  }
  if (notifier->is_own) {
    lock_page(notifier->page);
    atomic_store(&notifier->page->serial, 0); /* sleepers notice it at their next check */
    pthread_mutex_unlock(&notifier->page->lock);
    return_page(notifier->index);
  }
  free(notifier);
}

/* ---- Processes ---- */

/* Reads the start time of a process. False if it has ended, even as a zombie. */
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
  const char *rest = strrchr(text, ')'); /* the name may contain any character */
  if (rest == NULL || sscanf(rest,
                             ") %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
                             "%*s %*s %*s %llu",
                             &state, &ticks) != 2) {
    return false;
  }
  *begin = ticks;
  return state != 'Z' && state != 'X';
}

/* A child of fork is another process. */
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

static struct line *line_of(const struct rt_shared_notifier *notifier, uint32_t number) {
  return &notifier->page->lines[number % LINES];
}

/* False once the notifier was destroyed. */
static bool is_there(const struct rt_shared_notifier *notifier) {
  return atomic_load(&notifier->page->serial) == notifier->serial;
}

/* Numbers wrap around. */
static bool is_up_to(uint32_t number, uint32_t reached) {
  return (int32_t)(reached - number) >= 0;
}

uint32_t rt_shared_notifier_place(struct rt_shared_notifier *notifier) {
  const struct identity self = this_process();
  uint32_t number = 0;
  lock_page(notifier->page);
  if (is_there(notifier)) {
    number = atomic_load(&notifier->page->latest) + 1;
    number += number == 0;
    line_of(notifier, number)->placer = self;
    atomic_store(&notifier->page->latest, number);
  }
  pthread_mutex_unlock(&notifier->page->lock);
  return number;
}

void rt_shared_notifier_reach(struct rt_shared_notifier *notifier, uint32_t number) {
  if (number == 0) {
    return;
  }
  struct line *line = line_of(notifier, number);
  lock_page(notifier->page);
  if (is_there(notifier) && !is_up_to(number, atomic_load(&line->reached))) {
    atomic_store(&line->reached, number);
  }
  pthread_mutex_unlock(&notifier->page->lock);
  wake(&line->reached);
}

uint32_t rt_shared_notifier_latest(const struct rt_shared_notifier *notifier) {
  return is_there(notifier) ? atomic_load(&notifier->page->latest) : 0;
}

static bool is_reached(const struct rt_shared_notifier *notifier, uint32_t number) {
  return number == 0 || is_up_to(number, atomic_load(&line_of(notifier, number)->reached)) ||
         !is_there(notifier);
}

/* True if a placement can no longer be reached. Its process may have reached it just before it
 * ended. */
static bool is_lost(const struct rt_shared_notifier *notifier, uint32_t number) {
  lock_page(notifier->page);
  const struct identity placer = line_of(notifier, number)->placer;
  pthread_mutex_unlock(&notifier->page->lock);
  return has_ended(placer) && !is_reached(notifier, number);
}

cnrtRet_t rt_shared_notifier_query(struct rt_shared_notifier *notifier, uint32_t number) {
  if (is_reached(notifier, number)) {
    return cnrtSuccess;
  }
  return is_lost(notifier, number) ? cnrtErrorSys : cnrtErrorNotReady;
}

cnrtRet_t rt_shared_notifier_wait(struct rt_shared_notifier *notifier, uint32_t number) {
  const struct timespec limit = {.tv_nsec = LOOK_MS * 1000000};
  _Atomic uint32_t *word = &line_of(notifier, number)->reached;
  while (!is_reached(notifier, number)) {
    const uint32_t seen = atomic_load(word);
    if (is_reached(notifier, number)) {
      break;
    }
    syscall(SYS_futex, word, FUTEX_WAIT, seen, &limit, NULL, 0);
    if (rt_threads_stopping()) {
      return cnrtErrorNotReady; /* this process ends */
    }
    if (!is_reached(notifier, number) && is_lost(notifier, number)) {
      return cnrtErrorSys;
    }
  }
  return cnrtSuccess;
}
