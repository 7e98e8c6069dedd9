/* SPDX-License-Identifier: MIT */
#include "peer_file.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

int rt_file_create(const char *name, size_t bytes, int numbers) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur < bytes) {
    return -1; /* a file above the size limit would end the process */
  }
  const int file = memfd_create(name, MFD_CLOEXEC);
  if (file >= 0 && (file >= numbers || ftruncate(file, (off_t)bytes) != 0)) {
    close(file);
    return -1;
  }
  return file;
}

int rt_file_create_mapped(const char *name, size_t bytes, int numbers, char **start) {
  const int file = rt_file_create(name, bytes, numbers);
  void *mapped = MAP_FAILED;
  if (file >= 0) {
    mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
  }
  if (file >= 0 && mapped == MAP_FAILED) {
    close(file);
    return -1;
  }
  *start = mapped;
  return file;
}

struct peer {
  struct peer *next;
  int process;
  int file;
  /* What the file is; excludes files of a later process with the same number. */
  uint64_t node;
  uint32_t major, minor;
  struct rt_peer_file mapped;
};

static struct {
  pthread_mutex_t lock;
  struct peer *list;
} peers = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct peer *map_peer(int process, int number, const char *path) {
  struct statx found;
  struct peer *peer = calloc(1, sizeof(*peer));
  const int file = open(path, O_RDWR | O_CLOEXEC);
  void *mapped = MAP_FAILED;
  if (peer != NULL && file >= 0 && statx(file, "", AT_EMPTY_PATH, STATX_BASIC_STATS, &found) == 0 &&
      S_ISREG(found.stx_mode) && found.stx_size > 0) {
    mapped =
        mmap(NULL, found.stx_size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
  }
  if (file >= 0) {
    close(file);
  }
  if (mapped == MAP_FAILED) {
    free(peer);
    return NULL;
  }
  *peer = (struct peer){.next = peers.list,
                        .process = process,
                        .file = number,
                        .node = found.stx_ino,
                        .major = found.stx_dev_major,
                        .minor = found.stx_dev_minor,
                        .mapped = {mapped, found.stx_size}};
  peers.list = peer;
  return peer;
}

static bool is_same_file(const struct peer *peer, const struct statx *file) {
  return peer->node == file->stx_ino && peer->major == file->stx_dev_major &&
         peer->minor == file->stx_dev_minor;
}

/* The lock is held. statx, unlike stat, is the same function in every glibc since 2.28. */
static struct peer *find_peer(int process, int file) {
  char path[64];
  struct statx now;
  snprintf(path, sizeof(path), "/proc/%d/fd/%d", process, file);
  if (statx(AT_FDCWD, path, 0, STATX_INO, &now) != 0) {
    return NULL;
  }
  struct peer *peer = peers.list;
  while (peer != NULL &&
         (peer->process != process || peer->file != file || !is_same_file(peer, &now))) {
    peer = peer->next;
  }
  return peer != NULL ? peer : map_peer(process, file, path);
}

bool rt_peer_file(int process, int file, struct rt_peer_file *found) {
  pthread_mutex_lock(&peers.lock);
  const struct peer *peer = find_peer(process, file);
  if (peer != NULL) {
    *found = peer->mapped;
  }
  pthread_mutex_unlock(&peers.lock);
  return peer != NULL;
}
