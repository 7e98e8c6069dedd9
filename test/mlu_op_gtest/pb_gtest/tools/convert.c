/* SPDX-License-Identifier: MIT */
#include "tools/convert.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"

static int convert_one(const mluopConverter *converter, const char *source, const char *target) {
  mluopTestText errors = {0};
  const int failed = converter->convert(source, target, &errors);
  if (errors.length) {
    fprintf(stderr, "%s", mluop_text_get(&errors));
    if (errors.data[errors.length - 1] != '\n') {
      fprintf(stderr, "\n");
    }
  }
  if (!failed) {
    printf("%s -> %s\n", source, target);
  }
  mluop_text_free(&errors);
  return failed ? 1 : 0;
}

/* folder/name with the extension replaced */
static char *target_in(const mluopConverter *converter, const char *folder, const char *source) {
  const char *base = mluop_path_base(source);
  size_t stem = strlen(base);
  if (mluop_path_ends_with(base, converter->from)) {
    stem -= strlen(converter->from);
  }
  return mluop_text_format("%s/%.*s%s", folder, (int)stem, base, converter->to);
}

static int convert_into(const mluopConverter *converter, const char *source, const char *folder) {
  char *target = target_in(converter, folder, source);
  const int failed = target ? convert_one(converter, source, target) : 1;
  free(target);
  return failed;
}

static int convert_folder(const mluopConverter *converter, const char *source, const char *target) {
  if (mkdir(target, 0777) && errno != EEXIST) {
    fprintf(stderr, "%s: %s\n", target, strerror(errno));
    return 1;
  }
  DIR *dir = opendir(source);
  if (!dir) {
    fprintf(stderr, "%s: %s\n", source, strerror(errno));
    return 1;
  }
  int failed = 0;
  for (struct dirent *item; (item = readdir(dir));) {
    if (!strcmp(item->d_name, ".") || !strcmp(item->d_name, "..")) {
      continue;
    }
    char *path = mluop_path_join(source, item->d_name);
    char *below = mluop_path_join(target, item->d_name);
    if (!path || !below) {
      failed = 1;
    } else if (mluop_path_is_folder(path)) {
      failed |= convert_folder(converter, path, below);
    } else if (mluop_path_ends_with(path, converter->from)) {
      failed |= convert_into(converter, path, target);
    }
    free(path);
    free(below);
  }
  closedir(dir);
  return failed;
}

int mluop_convert_main(const mluopConverter *converter, int argc, char **argv) {
  const int help = argc == 2 && !strcmp(argv[1], "--help");
  if (argc != 3) {
    fprintf(help ? stdout : stderr,
            "Turns %s files into %s files.\n"
            "Usage: %s SOURCE_FILE TARGET_FILE | SOURCE_FILE TARGET_FOLDER | SOURCE_FOLDER "
            "TARGET_FOLDER\n",
            converter->from, converter->to, converter->name);
    return help ? 0 : 2;
  }
  if (mluop_path_is_folder(argv[1])) {
    return convert_folder(converter, argv[1], argv[2]);
  }
  return mluop_path_is_folder(argv[2]) ? convert_into(converter, argv[1], argv[2])
                                       : convert_one(converter, argv[1], argv[2]);
}
