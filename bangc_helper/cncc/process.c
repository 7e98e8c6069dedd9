/* SPDX-License-Identifier: MIT */
#include "process.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* For the signal handler: a compiler that outlives the driver would recreate the removed files. */
static volatile sig_atomic_t g_child;

void stop_running_command(void) {
  pid_t child = (pid_t)g_child;
  if (child <= 0) return;
  kill(child, SIGTERM);
  while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
  }
}

void print_command(const StrList *argv) {
  for (size_t i = 0; i < argv->count; ++i) {
    if (i) fputc(' ', stderr);
    const char *word = argv->items[i];
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=/.,:@%^";
    if (*word && word[strspn(word, plain)] == '\0') {
      fputs(word, stderr);
      continue;
    }
    fputc('\'', stderr);
    for (const char *c = word; *c; ++c) {
      if (*c == '\'') {
        fputs("'\\''", stderr);
      } else {
        fputc(*c, stderr);
      }
    }
    fputc('\'', stderr);
  }
  fputc('\n', stderr);
}

static int wait_for(pid_t child) {
  int status;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) {
      g_child = 0;
      return 127;
    }
  }
  g_child = 0;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* A signal between the start of the child and storing its number would leave the child running. So
 * signals are blocked meanwhile, except in the child. */
static int spawn_and_note(const StrList *argv, const posix_spawn_file_actions_t *actions,
                          pid_t *child) {
  posix_spawnattr_t attributes;
  int failure = posix_spawnattr_init(&attributes);
  if (failure != 0) return failure;
  sigset_t all, before;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, &before);
  posix_spawnattr_setsigmask(&attributes, &before);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  failure = posix_spawnp(child, argv->items[0], actions, &attributes, argv->items, environ);
  if (failure == 0) g_child = *child;
  sigprocmask(SIG_SETMASK, &before, NULL);
  posix_spawnattr_destroy(&attributes);
  return failure;
}

static bool start(const StrList *argv, const posix_spawn_file_actions_t *actions, pid_t *child) {
  int failure = spawn_and_note(argv, actions, child);
  if (failure != 0) {
    fprintf(stderr, "cncc: error: cannot run '%s': %s\n", argv->items[0], strerror(failure));
  }
  return failure == 0;
}

int run_command(const StrList *argv) {
  pid_t child;
  fflush(NULL);
  return start(argv, NULL, &child) ? wait_for(child) : 127;
}

/* Runs a command with one of its outputs read into `out`. */
static int capture(const StrList *argv, int descriptor, StrBuf *out) {
  int ends[2];
  if (pipe(ends) != 0) return 127;
  posix_spawn_file_actions_t actions;
  if (posix_spawn_file_actions_init(&actions) != 0) {
    close(ends[0]);
    close(ends[1]);
    return 127;
  }
  posix_spawn_file_actions_adddup2(&actions, ends[1], descriptor);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawn_file_actions_addclose(&actions, ends[1]);
  pid_t child;
  bool started = start(argv, &actions, &child);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  char chunk[4096];
  ssize_t got;
  while (started &&
         ((got = read(ends[0], chunk, sizeof chunk)) > 0 || (got < 0 && errno == EINTR))) {
    if (got > 0) strbuf_add(out, chunk, (size_t)got);
  }
  close(ends[0]);
  return started ? wait_for(child) : 127;
}

bool capture_command(const StrList *argv, StrBuf *out) {
  return capture(argv, STDOUT_FILENO, out) == 0;
}

int capture_messages(const StrList *argv, StrBuf *messages) {
  return capture(argv, STDERR_FILENO, messages);
}
