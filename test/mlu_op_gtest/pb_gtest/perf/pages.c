/* SPDX-License-Identifier: MIT */
#include "perf/pages.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "perf/html.h"
#include "perf/report_csv.h"
#include "perf/report_json.h"
#include "perf/report_markdown.h"

int mluop_perf_pages_check(const char *folder, mluopTestText *errors) {
  if (!mluop_path_is_folder(folder)) {
    mluop_text_add(errors, "the report's folder: '%s' is not a folder\n", folder);
    return -1;
  }
  char *probe = mluop_text_format("%s/.report_XXXXXX", folder);
  const int file = probe ? mkstemp(probe) : -1;
  if (file < 0) {
    mluop_text_add(errors, "the report's folder '%s' cannot be written: %s\n", folder,
                   strerror(errno));
  } else {
    close(file);
    unlink(probe);
  }
  free(probe);
  return file < 0 ? -1 : 0;
}

static int write_page(const char *folder, const char *name, const mluopPerfReport *report,
                      void (*make)(const mluopPerfReport *report, mluopTestText *page),
                      mluopTestText *errors) {
  char *path = mluop_path_join(folder, name);
  mluopTestText page = {0};
  make(report, &page);
  const int failed =
      path ? mluop_file_write_all(path, mluop_text_get(&page), page.length, errors) : -1;
  mluop_text_free(&page);
  free(path);
  return failed;
}

int mluop_perf_pages_write(mluopPerfReport *report, const char *folder, mluopTestText *errors) {
  mluop_perf_report_group(report);
  char *json = mluop_path_join(folder, "report.json");
  int failed = json ? mluop_perf_json_write(report, json, errors) : -1;
  free(json);
  failed = failed || write_page(folder, "report.csv", report, mluop_perf_csv, errors);
  failed = failed || write_page(folder, "report.html", report, mluop_perf_html, errors);
  failed = failed || write_page(folder, "performance.md", report, mluop_perf_markdown, errors);
  return failed ? -1 : 0;
}
