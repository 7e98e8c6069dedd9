/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* pipe2 */
#include "bench_turns.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void give_up(const char *what) {
  perror(what);
  exit(1);
}

BenchPeer bench_peer_start(const char *argument, const char *name, const char *value) {
  int questions[2], answers[2];
  if (pipe2(questions, O_CLOEXEC) != 0 || pipe2(answers, O_CLOEXEC) != 0) give_up("pipe");
  BenchPeer peer = {fdopen(questions[1], "w"), fdopen(answers[0], "r"), fork()};
  if (peer.pid == 0) {
    dup2(questions[0], STDIN_FILENO);
    dup2(answers[1], STDOUT_FILENO);
    setenv(name, value, 1);
    execl("/proc/self/exe", "benchmark", argument, (char *)NULL);
    _exit(127);
  }
  if (peer.pid < 0 || peer.to == NULL || peer.from == NULL) give_up("cannot start a process");
  close(questions[0]);
  close(answers[1]);
  return peer;
}

void bench_peer_ask(BenchPeer *peer, int question, int count, double *answer) {
  fprintf(peer->to, "%d\n", question);
  fflush(peer->to);
  for (int i = 0; i < count; ++i) {
    if (fscanf(peer->from, "%lf", &answer[i]) == 1) continue;
    fprintf(stderr, "a process of the benchmark ended early\n");
    exit(1);
  }
}

void bench_peer_end(BenchPeer *peer) {
  fclose(peer->to);
  fclose(peer->from);
  waitpid(peer->pid, NULL, 0);
}

int bench_peer_question(void) {
  int question;
  return scanf("%d", &question) == 1 ? question : -1;
}

void bench_peer_answer(const double *answer, int count) {
  for (int i = 0; i < count; ++i) printf("%.3f\n", answer[i]);
  fflush(stdout);
}
