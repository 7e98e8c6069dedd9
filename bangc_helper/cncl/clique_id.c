/* SPDX-License-Identifier: MIT */
#include "clique_id.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

/* Layout of an id: a readable mark, the key in hexadecimal, and a checksum of both. All of it is in
 * the data, because programs send CNCL_CLIQUE_ID_BYTES_SIZE bytes without the hash. */
static const char mark[] = "cncl clique ";
enum { MARK_SIZE = sizeof(mark) - 1, NUMBER_SIZE = 16, CHECKED_SIZE = MARK_SIZE + 2 * NUMBER_SIZE };

bool cncl_key_create(struct cncl_key *key) {
  char *bytes = (char *)key;
  size_t done = 0;
  while (done < sizeof(*key)) {
    const ssize_t got = getrandom(bytes + done, sizeof(*key) - done, 0);
    if (got < 0 && errno != EINTR) {
      return false;
    }
    done += got > 0 ? (size_t)got : 0;
  }
  key->high |= 1; /* never the key of cliques without an id */
  return true;
}

/* FNV-1a over the preceding text: detects ids that were never filled or were damaged on the way. */
static uint64_t checksum(const char *data) {
  uint64_t hash = 14695981039346656037u;
  for (size_t i = 0; i < CHECKED_SIZE; ++i) {
    hash = (hash ^ (unsigned char)data[i]) * 1099511628211u;
  }
  return hash;
}

bool cncl_key_of_id(const struct cnclCliqueId *id, struct cncl_key *key) {
  unsigned long long high = 0;
  unsigned long long low = 0;
  unsigned long long sum = 0;
  if (memcmp(id->data, mark, MARK_SIZE) != 0 || id->data[sizeof(id->data) - 1] != '\0' ||
      sscanf(id->data + MARK_SIZE, "%16llx%16llx%16llx", &high, &low, &sum) != 3 ||
      sum != checksum(id->data)) {
    return false;
  }
  key->high = high;
  key->low = low;
  return true;
}

CNCL_EXPORT cnclResult_t cnclGetCliqueId(cnclCliqueId_t clique_id) {
  if (clique_id == NULL) {
    return cncl_refuse(CNCL_RET_ERR_NULL_POINTER, "cnclGetCliqueId: clique_id is NULL");
  }
  struct cncl_key key;
  if (!cncl_key_create(&key)) {
    return cncl_refuse(CNCL_RET_ERR_INIT, "cnclGetCliqueId: the system gives no random numbers");
  }
  memset(clique_id, 0, sizeof(*clique_id));
  const int written = snprintf(clique_id->data, sizeof(clique_id->data), "%s%016llx%016llx", mark,
                               (unsigned long long)key.high, (unsigned long long)key.low);
  clique_id->hash = checksum(clique_id->data);
  snprintf(clique_id->data + written, sizeof(clique_id->data) - (size_t)written, "%016llx",
           (unsigned long long)clique_id->hash);
  return CNCL_RET_SUCCESS;
}
