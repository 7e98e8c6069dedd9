/* SPDX-License-Identifier: MIT */
#include "limit_clock.h"

#include "common.h"

uint64_t cncl_limit_clock_ns(void) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static uint64_t read_at;
  static uint64_t time = 1;
  pthread_mutex_lock(&lock);
  const uint64_t now = cncl_now_ns();
  const uint64_t passed = now - read_at;
  const uint64_t longest = 2 * (uint64_t)CNCL_LIMIT_CLOCK_PERIOD_NS;
  read_at = now;
  time += passed < longest ? passed : longest;
  const uint64_t result = time;
  pthread_mutex_unlock(&lock);
  return result;
}
