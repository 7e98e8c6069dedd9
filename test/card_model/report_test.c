/* SPDX-License-Identifier: MIT
 *
 * usage: card_report_test play SOURCE | check FOLDER
 * `play` plays hand-made launches, so that the folder MLUOP_CARD_REPORT gets a report when the
 * program ends. `check` examines the report: well-formed JSON, facts, lines, hints, lanes.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bang/copies.h"
#include "bang/table.h"

#include "clock/estimate.h"
#include "log_builder.h"

/* ---- Launches ---- */

enum { SITE_LOOP = 1, SITE_LOAD, SITE_ADD, SITE_STORE, SITES };

static void at(struct log_builder *log, uint32_t site) {
  log->records[log->count - 1].site = site;
}

static void make_log(struct log_builder *log) {
  log_scalar(log, 4000000, 20000);
  at(log, SITE_LOOP);
  log_load(log, false, 1, 4096);
  at(log, SITE_LOAD);
  log_vector(log, CARD_FN_BINARY, BANG_ADD, 4096);
  at(log, SITE_ADD);
  log_store(log, false, 64, 4);
  at(log, SITE_STORE);
  log_repeat(log, 3, 99);
}

/* Synchronous loads of two rows at a time, and nothing else. */
static void make_waiting_log(struct log_builder *log) {
  log_load(log, false, 1, 4096);
  at(log, SITE_LOAD);
  log_repeat(log, 1, 287);
}

static bool play_launch(const struct log_builder *log, const char *kernel, uint32_t tasks,
                        const struct card_site *sites, const struct card_line *lines, int times,
                        uint64_t *now) {
  struct launch_builder builder;
  if (!launch_block(&builder, tasks, log, 1)) return false;
  builder.launch.kernel = kernel;
  builder.launch.sites = sites;
  builder.launch.site_count = SITES;
  builder.launch.lines = lines;
  builder.launch.line_count = lines != NULL ? 1 : 0;
  for (int i = 0; i < times; ++i) {
    const struct card_operation launch = {
        .kind = CARD_OP_LAUNCH, .queue = 1, .start = *now, .launch = &builder.launch};
    *now += card_clock_play(&launch);
  }
  launch_free(&builder);
  return true;
}

static int play(const char *source) {
  struct log_builder log = {0}, waiting = {0};
  make_log(&log);
  make_waiting_log(&waiting);
  const struct card_site sites[SITES] = {{"", "", 0},
                                         {source, "sample", 13},
                                         {source, "sample", 16},
                                         {source, "sample", 17},
                                         {source, "sample", 18}};
  const struct card_line lines[] = {
      {.site = SITE_LOOP, .cycles = 48 * 4000000ull, .loads = 48 * 10000, .stores = 48 * 10000}};
  uint64_t now = 0;
  if (!play_launch(&log, "sample<float>", 48, sites, lines, 3, &now) ||
      !play_launch(&waiting, "two_rows", 32, sites, NULL, 1, &now)) {
    return 1;
  }
  const struct card_operation copy = {
      .kind = CARD_OP_COPY, .queue = 1, .start = now, .copy = {CARD_DEVICE_TO_HOST, 4096}};
  now += card_clock_play(&copy);
  double bandwidth = 0;
  char class[128] = "";
  cnrtxEstimate(&bandwidth, class, sizeof class);
  printf("%llu ps, %s, %.1f GB/s\n", (unsigned long long)now, class, bandwidth);
  log_free(&waiting);
  log_free(&log);
  return 0;
}

/* ---- The files ---- */

static int failures;

static void expect(int ok, const char *what, const char *detail) {
  if (ok) return;
  ++failures;
  fprintf(stderr, "FAILED: %s (%s)\n", what, detail);
}

static char *read_file(const char *folder, const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "rb");
  expect(file != NULL, "the file is there", path);
  if (file == NULL) exit(1);
  char *text = malloc(64 << 20);
  if (text == NULL) exit(1);
  text[fread(text, 1, (64 << 20) - 1, file)] = '\0';
  fclose(file);
  return text;
}

static const char *skip_space(const char *text) {
  while (isspace((unsigned char)*text)) ++text;
  return text;
}

/* Returns the end of a JSON value; NULL: there is none. */
static const char *skip_value(const char *text);

static const char *skip_string(const char *text) {
  if (*text != '"') return NULL;
  for (++text; *text != '"'; ++text) {
    if ((unsigned char)*text < 0x20) return NULL;
    if (*text == '\\') ++text;
  }
  return text + 1;
}

static const char *skip_members(const char *text, char end, int have_names) {
  text = skip_space(text);
  if (*text == end) return text + 1;
  for (;;) {
    if (have_names) {
      text = skip_string(skip_space(text));
      if (text == NULL || *(text = skip_space(text)) != ':') return NULL;
      ++text;
    }
    text = skip_value(text);
    if (text == NULL) return NULL;
    text = skip_space(text);
    if (*text == end) return text + 1;
    if (*text++ != ',') return NULL;
  }
}

static const char *skip_value(const char *text) {
  text = skip_space(text);
  if (*text == '{') return skip_members(text + 1, '}', 1);
  if (*text == '[') return skip_members(text + 1, ']', 0);
  if (*text == '"') return skip_string(text);
  if (strncmp(text, "true", 4) == 0) return text + 4;
  if (strncmp(text, "false", 5) == 0) return text + 5;
  char *end;
  strtod(text, &end);
  return end != text ? end : NULL;
}

static void expect_json(const char *text, const char *name) {
  const char *end = skip_value(text);
  expect(end != NULL && *skip_space(end) == '\0', "well-formed JSON", name);
}

static void expect_parts(const char *text, const char *name, const char *const *parts) {
  for (; *parts != NULL; ++parts) {
    char what[512];
    snprintf(what, sizeof what, "%s has: %s", name, *parts);
    expect(strstr(text, *parts) != NULL, what, name);
  }
}

static int check(const char *folder) {
  static const char *const json_parts[] = {"\"board\":\"MLU370-X4\"",
                                           "\"kernel\":\"sample<float>\"",
                                           "\"launches\":3",
                                           "\"tasks\":48",
                                           "\"waves\":2",
                                           "\"bound\":\"scalar\"",
                                           "\"busy_us\":{\"scalar\"",
                                           "\"without_us\":{\"scalar\"",
                                           "\"dram_bytes_per_bin\":[",
                                           "\"line\":13",
                                           "report_sample.mlu:13: scalar loads",
                                           "\"kind\":\"copy\"",
                                           "report_sample.mlu:16: the latency of copies is "
                                           "waited for 9216 times",
                                           "copies of 4096 bytes, 1 to a wait",
                                           "constants there: ROW = 512 (report_sample.mlu:7), "
                                           "ROWS_PER_SYNC = 2 (report_sample.mlu:7)",
                                           "STORED_ROWS = 64 (report_sample.h:8)",
                                           "facts of the device there: tile_bytes "
                                           "(MLUOP_DEVICE_FACTS=tile_bytes=N tries a value)",
                                           "48 tasks are 2 waves on 32 cores",
                                           NULL};
  static const char *const html_parts[] = {"<svg",
                                           "sample&lt;float&gt;",
                                           "estimated, MLU370-X4, scalar-bound +-",
                                           "The lines that cost most",
                                           "table[(i * 7) % 4096]",
                                           "If a pipe took no time",
                                           "waiting for the latency of copies",
                                           "</html>",
                                           NULL};
  static const char *const trace_parts[] = {"\"device 0 cluster 7 core 3\"",
                                            "\"name\":\"scalar\"",
                                            "\"name\":\"move\"",
                                            "\"device memory, GB/s\"",
                                            "\"sample<float>\"",
                                            "\"line\":18",
                                            NULL};
  char *json = read_file(folder, "report.json");
  char *html = read_file(folder, "report.html");
  char *trace = read_file(folder, "trace.json");
  expect_json(json, "report.json");
  expect_json(trace, "trace.json");
  expect_parts(json, "report.json", json_parts);
  expect_parts(html, "report.html", html_parts);
  expect_parts(trace, "trace.json", trace_parts);
  expect(strstr(html, "http") == NULL, "the page needs nothing else", "report.html");
  free(json);
  free(html);
  free(trace);
  return failures > 0;
}

int main(int argc, char **argv) {
  if (argc == 3 && strcmp(argv[1], "play") == 0) return play(argv[2]);
  if (argc == 3 && strcmp(argv[1], "check") == 0) return check(argv[2]);
  fprintf(stderr, "usage: %s play SOURCE | check FOLDER\n", argv[0]);
  return 2;
}
