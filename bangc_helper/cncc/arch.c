/* SPDX-License-Identifier: MIT */
#include "arch.h"

#include <string.h>
#include <strings.h>

#include "util.h"

/* tp_* names are the single-core variants, which have no cluster and so no shared RAM; MLU100,
 * known by its card name only, was one as well. The sizes of tp_520 and tp_521 are not public;
 * those of their generation are used. */
static const Arch archs[] = {
    {"mtp_592", 592, 512, 512, 2048},  {"tp_210", 210, 256, 256, 0},
    {"tp_220", 220, 512, 512, 0},      {"mtp_220", 220, 512, 512, 2048},
    {"tp_270", 270, 512, 1024, 0},     {"mtp_270", 270, 512, 1024, 2048},
    {"mtp_290", 290, 512, 512, 2048},  {"tp_322", 322, 768, 1024, 0},
    {"mtp_322", 322, 768, 1024, 4096}, {"mtp_372", 372, 768, 1024, 4096},
    {"mtp_392", 392, 512, 512, 2048},  {"tp_520", 520, 512, 512, 0},
    {"tp_521", 521, 512, 512, 0},      {"mtp_613", 613, 512, 512, 2048},
    {"mtp_617", 617, 512, 512, 2048},  {"MLU100", 100, 512, 1024, 0},
};
enum { ARCH_COUNT = sizeof archs / sizeof *archs };
_Static_assert(ARCH_COUNT <= CNCC_MAX_ARCHS, "a list of them has room for all");

/* A card name or a group stands for an architecture, a group for its newest member. MLU200 was the
 * name of the generation while MLU270 was its only card. */
static const struct {
  const char *alias;
  const char *name;
} aliases[] = {
    {"MLU200", "mtp_270"}, {"MLU220", "mtp_220"}, {"MLU270", "mtp_270"},
    {"MLU290", "mtp_290"}, {"MLU370", "mtp_372"}, {"MLU590", "mtp_592"},
};
static const struct {
  const char *compute;
  const char *name;
} computes[] = {{"compute_20", "mtp_290"}, {"compute_30", "mtp_372"}, {"compute_50", "mtp_592"}};

const Arch *arch_by_name(const char *name) {
  for (size_t i = 0; i < sizeof aliases / sizeof *aliases; ++i) {
    if (strcasecmp(aliases[i].alias, name) == 0) name = aliases[i].name;
  }
  for (size_t i = 0; i < ARCH_COUNT; ++i) {
    if (strcasecmp(archs[i].name, name) == 0) return &archs[i];
  }
  return NULL;
}

const Arch *arch_by_compute(const char *compute) {
  for (size_t i = 0; i < sizeof computes / sizeof *computes; ++i) {
    if (strcmp(computes[i].compute, compute) == 0) return arch_by_name(computes[i].name);
  }
  return NULL;
}

char *arch_names(void) {
  StrBuf names = {0};
  for (size_t i = 0; i < ARCH_COUNT; ++i) {
    strbuf_printf(&names, "%s%s", i ? ", " : "", archs[i].name);
  }
  for (size_t i = 0; i < sizeof aliases / sizeof *aliases; ++i) {
    strbuf_printf(&names, ", %s", aliases[i].alias);
  }
  return names.data;
}
