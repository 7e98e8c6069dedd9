/* SPDX-License-Identifier: MIT */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "base/parallel.h"

enum { READ_CHUNK = 64 << 20, READ_THREADS_DEFAULT = 32 };

static int open_file(const char *path, size_t *size, mluopTestText *errors) {
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  struct stat info;
  if (fd < 0 || fstat(fd, &info)) {
    mluop_text_add(errors, "%s: %s", path, strerror(errno));
    if (fd >= 0) {
      close(fd);
    }
    return -1;
  }
  if (!S_ISREG(info.st_mode)) {
    mluop_text_add(errors, "%s: not a regular file", path);
    close(fd);
    return -1;
  }
  *size = (size_t)info.st_size;
  return fd;
}

typedef struct ReadJob {
  int fd;
  char *data;
  atomic_int error;
} ReadJob;

static void read_piece(void *arg, size_t piece, size_t begin, size_t end) {
  ReadJob *job = arg;
  (void)piece;
  while (begin < end) {
    const ssize_t got = pread(job->fd, job->data + begin, end - begin, (off_t)begin);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got <= 0) {
      atomic_store(&job->error, got < 0 ? errno : EIO);
      return;
    }
    begin += (size_t)got;
  }
}

static int read_threads(void) {
  const char *wish = getenv("MLUOP_GTEST_FILE_READ_THREAD_NUM");
  const int threads = wish ? atoi(wish) : READ_THREADS_DEFAULT;
  return threads > 0 ? threads : READ_THREADS_DEFAULT;
}

static int read_fd(const char *path, int fd, void *data, size_t size, mluopTestText *errors) {
  ReadJob job = {.fd = fd, .data = data};
  mluop_parallel_for_on(read_threads(), size, READ_CHUNK, read_piece, &job);
  const int error = atomic_load(&job.error);
  if (error) {
    mluop_text_add(errors, "%s: %s", path, strerror(error));
  }
  return error ? -1 : 0;
}

char *mluop_file_read_all(const char *path, size_t *size, mluopTestText *errors) {
  const int fd = open_file(path, size, errors);
  if (fd < 0) {
    return NULL;
  }
  char *data = malloc(*size + 1);
  if (!data) {
    mluop_text_add(errors, "%s: out of memory (%zu bytes)", path, *size);
  } else if (read_fd(path, fd, data, *size, errors)) {
    free(data);
    data = NULL;
  } else {
    data[*size] = '\0';
  }
  close(fd);
  return data;
}

int mluop_file_read_into(const char *path, void *data, size_t size, mluopTestText *errors) {
  size_t found = 0;
  const int fd = open_file(path, &found, errors);
  if (fd < 0) {
    return -1;
  }
  int failed = -1;
  if (found != size) {
    mluop_text_add(errors, "%s: has %zu bytes, the tensor needs %zu", path, found, size);
  } else {
    failed = read_fd(path, fd, data, size, errors);
  }
  close(fd);
  return failed;
}

int mluop_file_read_zst_into(const char *path, void *data, size_t size, mluopTestText *errors) {
  size_t packed_size = 0;
  char *packed = mluop_file_read_all(path, &packed_size, errors);
  if (!packed) {
    return -1;
  }
  int failed = -1;
  ZSTD_DCtx *context = ZSTD_createDCtx();
  if (!context) {
    mluop_text_add(errors, "%s: out of memory", path);
  } else {
    /* Decompresses as a stream: a file may hold several frames and need not state its size.
     * Asking for one byte more tells whether it is longer. */
    ZSTD_inBuffer in = {packed, packed_size, 0};
    ZSTD_outBuffer out = {data, size, 0};
    size_t code = 1;
    while (in.pos < in.size && out.pos < out.size && !ZSTD_isError(code)) {
      code = ZSTD_decompressStream(context, &out, &in);
    }
    char extra;
    ZSTD_outBuffer rest = {&extra, 1, 0};
    while (!ZSTD_isError(code) && out.pos == out.size && rest.pos == 0 &&
           (in.pos < in.size || code != 0)) {
      const size_t before = in.pos;
      code = ZSTD_decompressStream(context, &rest, &in);
      if (in.pos == before && rest.pos == 0) {
        break;
      }
    }
    if (ZSTD_isError(code)) {
      mluop_text_add(errors, "%s: %s", path, ZSTD_getErrorName(code));
    } else if (out.pos != size || rest.pos) {
      mluop_text_add(errors, "%s: unpacks to %s%zu bytes, the tensor needs %zu", path,
                     rest.pos ? "more than " : "", out.pos, size);
    } else if (code != 0) {
      mluop_text_add(errors, "%s: the zstd frame is cut short", path);
    } else {
      failed = 0;
    }
    ZSTD_freeDCtx(context);
  }
  free(packed);
  return failed;
}

int mluop_file_write_all(const char *path, const char *data, size_t size, mluopTestText *errors) {
  char *temporary = mluop_text_format("%s.%ld.tmp", path, (long)getpid());
  if (!temporary) {
    mluop_text_add(errors, "%s: out of memory", path);
    return -1;
  }
  FILE *file = fopen(temporary, "wbe");
  bool ok = file && fwrite(data, 1, size, file) == size;
  if (file && fclose(file)) {
    ok = false;
  }
  if (ok && rename(temporary, path)) {
    ok = false;
  }
  if (!ok) {
    mluop_text_add(errors, "%s: %s", path, strerror(errno));
    unlink(temporary);
  }
  free(temporary);
  return ok ? 0 : -1;
}

bool mluop_path_is_folder(const char *path) {
  struct stat info;
  return !stat(path, &info) && S_ISDIR(info.st_mode);
}

bool mluop_path_exists(const char *path) {
  return !access(path, R_OK);
}

bool mluop_path_ends_with(const char *path, const char *suffix) {
  const size_t length = strlen(path), tail = strlen(suffix);
  return length >= tail && !strcmp(path + length - tail, suffix);
}

const char *mluop_path_base(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

char *mluop_path_join(const char *folder, const char *name) {
  if (name[0] == '/') {
    return mluop_text_format("%s", name);
  }
  return mluop_text_format("%s%s%s", folder, mluop_path_ends_with(folder, "/") ? "" : "/", name);
}

char *mluop_path_folder(const char *path) {
  const char *slash = strrchr(path, '/');
  if (!slash) {
    return mluop_text_format(".");
  }
  return mluop_text_format("%.*s", slash == path ? 1 : (int)(slash - path), path);
}

int mluop_path_make_folder(const char *path) {
  char *part = mluop_text_format("%s", path);
  int failed = part && *part ? 0 : -1;
  for (char *end = part; !failed && *end;) {
    end += strspn(end, "/");
    end += strcspn(end, "/");
    const char kept = *end;
    *end = '\0';
    failed = mkdir(part, 0777) && errno != EEXIST ? -1 : 0;
    *end = kept;
  }
  const int error = errno; /* older C libraries' free() may change it */
  free(part);
  errno = error;
  return failed;
}
