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
  dev_t device; /* together with `node`: excludes files of a later process with the same number */
  ino_t node;
  struct rt_peer_file mapped;
};

static struct {
  pthread_mutex_t lock;
  struct peer *list;
} peers = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct peer *map_peer(int process, int number, const char *path) {
  struct stat found;
  struct peer *peer = calloc(1, sizeof(*peer));
  const int file = open(path, O_RDWR | O_CLOEXEC);
  void *mapped = MAP_FAILED;
  if (peer != NULL && file >= 0 && fstat(file, &found) == 0 && S_ISREG(found.st_mode) &&
      found.st_size > 0) {
    mapped = mmap(NULL, (size_t)found.st_size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
                  file, 0);
  }
  if (file >= 0) {
    close(file);
  }
  if (mapped == MAP_FAILED) {
    free(peer);
    return NULL;
  }
  *peer = (struct peer){peers.list,   process,      number,
                        found.st_dev, found.st_ino, {mapped, (size_t)found.st_size}};
  peers.list = peer;
  return peer;
}

/* The lock is held. */
static struct peer *find_peer(int process, int file) {
  char path[64];
  struct stat now;
  snprintf(path, sizeof(path), "/proc/%d/fd/%d", process, file);
  if (stat(path, &now) != 0) {
    return NULL;
  }
  struct peer *peer = peers.list;
  while (peer != NULL && (peer->process != process || peer->file != file ||
                          peer->device != now.st_dev || peer->node != now.st_ino)) {
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
