/* SPDX-License-Identifier: MIT */
#include "precompiled.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kept_folder.h"

/* Of the header's preprocessed text, beside the header. */
#define TEXT_SUFFIX ".ii"

static bool is_newer(const struct timespec *a, const struct timespec *b) {
  return a->tv_sec != b->tv_sec ? a->tv_sec > b->tv_sec : a->tv_nsec > b->tv_nsec;
}

/* Takes the next name of a list of dependencies as make reads it; false at the end. */
static bool next_dependency(const char **at, StrBuf *name) {
  const char *p = *at;
  name->size = 0;
  while (*p == ' ' || *p == '\n' || (*p == '\\' && p[1] == '\n')) ++p;
  for (; *p && *p != ' ' && *p != '\n'; ++p) {
    if ((*p == '\\' && strchr(" #\\", p[1])) || (*p == '$' && p[1] == '$')) ++p;
    strbuf_add(name, p, 1);
  }
  *at = p;
  return name->size > 0;
}

static bool is_below(const char *path, const char *folder) {
  size_t length = strlen(folder);
  while (length > 0 && folder[length - 1] == '/') --length;
  return strncmp(path, folder, length) == 0 && path[length] == '/';
}

void hide_precompiled_header(const char *path) {
  const char *folder = kept_folder();
  StrBuf list = {0}, name = {0}, kept = {0};
  if (folder && read_file(path, &list) && list.size > 0) {
    const char *at = list.data;
    for (const char *before = at; next_dependency(&at, &name); before = at) {
      if (!is_below(name.data, folder)) strbuf_add(&kept, before, (size_t)(at - before));
    }
    strbuf_puts(&kept, "\n");
    write_file(path, &kept);
  }
  strbuf_free(&list);
  strbuf_free(&name);
  strbuf_free(&kept);
}

bool read_precompiled_text(const char *preprocessed, StrBuf *text) {
  static const char pragma[] = "\n#pragma GCC pch_preprocess \"";
  const char *begin = strstr(preprocessed, pragma);
  if (!begin) return true;
  begin += sizeof pragma - 1;
  const char *end = strstr(begin, ".gch\"\n");
  if (!end) return false;
  char *path = xasprintf("%.*s%s", (int)(end - begin), begin, TEXT_SUFFIX);
  bool ok = read_file(path, text);
  free(path);
  return ok;
}

/* gcc itself checks flags, macros and its own version, but not whether the headers have changed. */
static bool is_up_to_date(const char *compiled, const char *dependencies) {
  struct stat made, file;
  StrBuf list = {0}, name = {0};
  bool ok = stat(compiled, &made) == 0 && read_file(dependencies, &list) && list.size > 0;
  const char *at = ok ? strstr(list.data, ": ") : NULL;
  ok = at != NULL;
  if (ok) ++at;
  while (ok && next_dependency(&at, &name)) {
    ok = stat(name.data, &file) == 0 && !is_newer(&file.st_mtim, &made.st_mtim);
  }
  strbuf_free(&list);
  strbuf_free(&name);
  return ok;
}

static bool make(const Job *job, const StrList *flags, const char *mode, const char *header,
                 const char *place) {
  StrList command = {0};
  strlist_add_all(&command, flags);
  if (mode) strlist_add(&command, mode);
  strlist_add2(&command, "-x", mode ? "c++" : "c++-header");
  strlist_add(&command, header);
  return kept_make(job, &command, place);
}

/* The list of dependencies comes last: where it is, the others are. */
static bool precompile(const Job *job, const StrList *flags, const char *header,
                       const char *compiled, const char *dependencies) {
  StrList listing = {0};
  strlist_add_all(&listing, flags);
  strlist_add2(&listing, "-MD", "-MF");
  char *list = xasprintf("%s.%ld", dependencies, (long)getpid());
  strlist_add(&listing, list);
  char *text = xasprintf("%s%s", header, TEXT_SUFFIX);
  bool ok = make(job, &listing, "-E", header, text) &&
            make(job, &listing, NULL, header, compiled) && rename(list, dependencies) == 0;
  if (!ok) unlink(list);
  free(text);
  free(list);
  strlist_free(&listing);
  return ok;
}

/* The marker makes what follows a system header, as the lowering does where it is not precompiled:
 * the user's warnings are not for it. */
static bool put_header(const char *path, const char *header, const char *more) {
  StrBuf text = {0};
  strbuf_printf(&text, "# 1 \"%s\" 3\n#include \"%s\"\n", header, header);
  if (more) strbuf_printf(&text, "#include \"%s\"\n", more);
  bool ok = kept_write(path, &text);
  strbuf_free(&text);
  return ok;
}

char *precompiled_header(const Job *job, const StrList *flags, const char *header,
                         const char *more) {
  if (job->host->is_clang || !kept_is_wanted(job)) return NULL;
  uint64_t key = hash_text(HASH_START, header);
  if (more) key = hash_text(key, more);
  for (size_t i = 0; i < flags->count; ++i) key = hash_text(key, flags->items[i]);
  char *place = kept_place(key);
  if (!place) return NULL;
  char *ours = xasprintf("%s/bang.h", place);
  char *compiled = xasprintf("%s.gch", ours);
  char *dependencies = xasprintf("%s/dependencies", place);
  bool ok =
      is_up_to_date(compiled, dependencies) ||
      (put_header(ours, header, more) && precompile(job, flags, ours, compiled, dependencies));
  free(dependencies);
  free(compiled);
  free(place);
  if (ok) return ours;
  free(ours);
  return NULL;
}
