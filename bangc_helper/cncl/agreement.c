/* SPDX-License-Identifier: MIT
 *
 * Do the calls that met belong together?
 */
#include "agreement.h"

#include <stdio.h>

static const char *const kind_names[CNCL_KIND_COUNT] = {"Broadcast", "AllGather",     "Reduce",
                                                        "AllReduce", "ReduceScatter", "AlltoAll",
                                                        "AlltoAllv", "Send",          "Recv"};

void cncl_describe(const struct cncl_header *header, char *text, size_t size) {
  const char *kind = header->kind < CNCL_KIND_COUNT ? kind_names[header->kind] : "unknown call";
  if (header->kind == CNCL_ALL_TO_ALL_V) {
    snprintf(text, size, "%s", kind);
    return;
  }
  char detail[64] = "";
  const char *op = cncl_op_name(header->op);
  if (header->kind == CNCL_REDUCE) {
    snprintf(detail, sizeof(detail), " (%s, root %d)", op != NULL ? op : "?", (int)header->root);
  } else if (cncl_is_reduction(header)) {
    snprintf(detail, sizeof(detail), " (%s)", op != NULL ? op : "?");
  } else if (header->kind == CNCL_BROADCAST) {
    snprintf(detail, sizeof(detail), " (root %d)", (int)header->root);
  } else if (cncl_is_pair(header)) {
    snprintf(detail, sizeof(detail), " (%s rank %d)", header->kind == CNCL_SEND ? "to" : "from",
             (int)header->peer);
  }
  snprintf(text, size, "%s of %llu %s%s", kind, (unsigned long long)header->count,
           cncl_type_name(header->type), detail);
}

static bool same_call(const struct cncl_header *a, const struct cncl_header *b) {
  return a->kind == b->kind && a->type == b->type && a->op == b->op && a->root == b->root &&
         a->count == b->count && a->lanes == b->lanes;
}

/* The rank to blame when calls differ: one that differs from at least two others, else the later
 * one. */
static int odd_one(const struct cncl_header *const *headers, int count, int differing) {
  if (count > 2 && differing == 1 && same_call(headers[1], headers[2])) {
    return 0;
  }
  return differing;
}

static bool same_calls(const struct cncl_header *const *headers, int count, char *text,
                       size_t size) {
  for (int r = 1; r < count; ++r) {
    if (same_call(headers[0], headers[r])) {
      continue;
    }
    const int odd = odd_one(headers, count, r);
    const int other = odd == 0 ? 1 : 0;
    char odd_text[128];
    char other_text[128];
    cncl_describe(headers[odd], odd_text, sizeof(odd_text));
    cncl_describe(headers[other], other_text, sizeof(other_text));
    snprintf(text, size, "rank %d calls %s where rank %d calls %s", odd, odd_text, other,
             other_text);
    return false;
  }
  return true;
}

static bool lanes_fit(const struct cncl_header *const *headers, int count, char *text,
                      size_t size) {
  for (int source = 0; source < count; ++source) {
    for (int target = 0; target < count; ++target) {
      const struct cncl_lane *out = &headers[source]->lane[target];
      const struct cncl_lane *in = &headers[target]->lane[source];
      if (out->send_count != in->recv_count ||
          (out->send_count != 0 && out->send_type != in->recv_type)) {
        snprintf(text, size,
                 "AlltoAllv: rank %d sends %lu %s to rank %d, which expects %lu %s from it", source,
                 (unsigned long)out->send_count, cncl_type_name(out->send_type), target,
                 (unsigned long)in->recv_count, cncl_type_name(in->recv_type));
        return false;
      }
    }
  }
  return true;
}

bool cncl_agree(const struct cncl_header *const *headers, int count, char *text, size_t size) {
  if (cncl_is_pair(headers[0])) {
    if (headers[0]->type == headers[1]->type && headers[0]->count == headers[1]->count) {
      return true;
    }
    char sent[128];
    char expected[128];
    cncl_describe(headers[0], sent, sizeof(sent));
    cncl_describe(headers[1], expected, sizeof(expected));
    snprintf(text, size, "rank %d calls %s, rank %d calls %s", (int)headers[0]->rank, sent,
             (int)headers[1]->rank, expected);
    return false;
  }
  return same_calls(headers, count, text, size) &&
         (headers[0]->kind != CNCL_ALL_TO_ALL_V || lanes_fit(headers, count, text, size));
}
