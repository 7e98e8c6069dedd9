/* SPDX-License-Identifier: MIT */
#include "precompiled_text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kept_folder.h"
#include "process.h"

/* clang's -include is a line of a file with this name. */
#define INCLUDER "# 1 \"<built-in>\"\n"
static const char before_header[] = "\n# 1 \"<built-in>\" 2\n";
static const char after_header[] = "\n# 2 \"<built-in>\" 2\n";

/* The header's text with the marker that enters it; false when it is not there. */
static bool find_header(const StrBuf *lowered, size_t *begin, size_t *end) {
  const char *first = strstr(lowered->data, before_header);
  if (!first) return false;
  first += sizeof before_header - 1;
  const char *last = strstr(first, after_header);
  *begin = (size_t)(first - lowered->data);
  *end = last ? (size_t)(last + 1 - lowered->data) : 0;
  return last && starts_with(first, "# 1 ");
}

/* clang refuses what another version of it has precompiled. */
static uint64_t hash_version(const Job *job, uint64_t hash) {
  StrList command = {0};
  StrBuf version = {0};
  strlist_add_all(&command, &job->host->cxx);
  strlist_add(&command, "--version");
  if (capture_command(&command, &version) && version.data) hash = hash_text(hash, version.data);
  strlist_free(&command);
  strbuf_free(&version);
  return hash;
}

static bool precompile(const Job *job, const StrList *flags, const StrBuf *header, const char *path,
                       const char *compiled) {
  StrList command = {0};
  strlist_add_all(&command, flags);
  /* Another process may replace the text by the same text. */
  strlist_add2(&command, "-Xclang", "-fno-pch-timestamp");
  strlist_add2(&command, "-x", "c++-header");
  strlist_add(&command, path);
  return kept_write(path, header) && kept_make(job, &command, compiled);
}

/* Beyond lines, debug information describes what a header declares only where that was parsed. */
static bool describes_declarations(const StrList *flags) {
  static const char *const lines_at_most[] = {"-g0", "-g1", "-gline-tables-only"};
  for (size_t i = 0; i < flags->count; ++i) {
    bool harmless = !starts_with(flags->items[i], "-g");
    for (size_t k = 0; k < sizeof lines_at_most / sizeof *lines_at_most; ++k) {
      if (strcmp(flags->items[i], lines_at_most[k]) == 0) harmless = true;
    }
    if (!harmless) return true;
  }
  return false;
}

/* Path of the precompiled header, which the caller frees; NULL when there is none. */
static char *precompiled(const Job *job, const StrList *flags, const StrBuf *header) {
  uint64_t key = hash_version(job, hash_text(HASH_START, header->data));
  for (size_t i = 0; i < flags->count; ++i) key = hash_text(key, flags->items[i]);
  char *place = kept_place(key);
  if (!place) return NULL;
  char *text = xasprintf("%s/bang.ii", place);
  char *compiled = xasprintf("%s/bang.pch", place);
  bool ok = access(compiled, R_OK) == 0 || precompile(job, flags, header, text, compiled);
  free(text);
  free(place);
  if (ok) return compiled;
  free(compiled);
  return NULL;
}

void use_precompiled_text(const Job *job, StrList *command, const char *lowered) {
  if (!job->host->is_clang || !kept_is_wanted(job) || describes_declarations(command)) return;
  size_t begin, end;
  StrBuf text = {0}, header = {0}, rest = {0};
  char *compiled = NULL;
  if (read_file(lowered, &text) && text.size > 0 && find_header(&text, &begin, &end)) {
    strbuf_puts(&header, INCLUDER);
    strbuf_add(&header, text.data + begin, end - begin);
    compiled = precompiled(job, command, &header);
  }
  if (compiled) {
    size_t after = end + sizeof after_header - 2;
    strbuf_add(&rest, text.data, begin);
    strbuf_add(&rest, text.data + after, text.size - after);
    if (!write_file(lowered, &rest)) fatal("cannot write '%s': %s", lowered, strerror(errno));
    strlist_add2(command, "-Xclang", "-include-pch");
    strlist_add2(command, "-Xclang", compiled);
  }
  free(compiled);
  strbuf_free(&text);
  strbuf_free(&header);
  strbuf_free(&rest);
}
