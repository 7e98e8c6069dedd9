/* SPDX-License-Identifier: MIT
 *
 * Processes that take turns. Settings that exist once per process, such as the devices' topology,
 * are compared between copies of the program: each runs in turn while the others sleep. */
#ifndef TEST_BENCHMARK_BENCH_TURNS_H_
#define TEST_BENCHMARK_BENCH_TURNS_H_

#include <stdio.h>

typedef struct BenchPeer {
  FILE *to, *from;
  int pid;
} BenchPeer;

/* Starts this program again with one argument and an environment variable; exits if that fails.
 */
BenchPeer bench_peer_start(const char *argument, const char *name, const char *value);
/* Sends a request and reads `count` numbers; exits if they do not arrive. */
void bench_peer_ask(BenchPeer *peer, int question, int count, double *answer);
void bench_peer_end(BenchPeer *peer);

/* The peer's side: the next request, or -1 at the end; and the reply. */
int bench_peer_question(void);
void bench_peer_answer(const double *answer, int count);

#endif /* TEST_BENCHMARK_BENCH_TURNS_H_ */
