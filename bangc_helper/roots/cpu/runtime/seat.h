/* SPDX-License-Identifier: MIT
 *
 * Which CPUs the busy threads of this process are on. The kernel often lets a thread run where the
 * one that woke it goes on working, though another CPU is idle: then cores that should work side by
 * side do so one after the other, for as long as they yield to each other while they wait.
 */
#ifndef RUNTIME_SEAT_H_
#define RUNTIME_SEAT_H_

/* The calling thread begins to work: where another one does on the same CPU, it goes to one with
 * nobody. For rt_seat_leave, when it ends. */
int rt_seat_take(void);
void rt_seat_leave(int seat);

#endif /* RUNTIME_SEAT_H_ */
