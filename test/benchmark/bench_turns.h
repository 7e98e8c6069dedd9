/* SPDX-License-Identifier: MIT
 *
 * Processes that take turns. What is set once per process, such as the topology of the devices, is
 * compared between copies of the program: each is asked in turn, the others sleep. */
#ifndef TEST_BENCHMARK_BENCH_TURNS_H_
#define TEST_BENCHMARK_BENCH_TURNS_H_

#include <stdio.h>

typedef struct BenchPeer {
  FILE *to, *from;
  int pid;
} BenchPeer;

/* Starts this program again with one argument and with a variable of the environment set; ends the
 * program when it cannot. */
BenchPeer bench_peer_start(const char *argument, const char *name, const char *value);
/* Sends a question and reads `count` numbers; ends the program when they do not come. */
void bench_peer_ask(BenchPeer *peer, int question, int count, double *answer);
void bench_peer_end(BenchPeer *peer);

/* The peer's side: the next question, -1 at the end; and the answer. */
int bench_peer_question(void);
void bench_peer_answer(const double *answer, int count);

#endif /* TEST_BENCHMARK_BENCH_TURNS_H_ */
