/* SPDX-License-Identifier: MIT */
#ifndef MLUOP_TEST_BASE_FILE_H_
#define MLUOP_TEST_BASE_FILE_H_

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/* The whole file with a terminating zero that `size` does not count; NULL and a reason when it
 * cannot be read. */
char *mluop_file_read_all(const char *path, size_t *size, mluopTestText *errors);

/* Reads a file of exactly `size` bytes, large ones by several threads
 * (MLUOP_GTEST_FILE_READ_THREAD_NUM). */
int mluop_file_read_into(const char *path, void *data, size_t size, mluopTestText *errors);

/* The same for a zstd frame. */
int mluop_file_read_zst_into(const char *path, void *data, size_t size, mluopTestText *errors);

/* Writes through a temporary file in the same folder, so that a reader never sees half a file. */
int mluop_file_write_all(const char *path, const char *data, size_t size, mluopTestText *errors);

bool mluop_path_is_folder(const char *path);
bool mluop_path_exists(const char *path);
bool mluop_path_ends_with(const char *path, const char *suffix);
/* The part after the last slash. */
const char *mluop_path_base(const char *path);
/* Folder and name joined by one slash; an absolute name stays. NULL when memory is short. */
char *mluop_path_join(const char *folder, const char *name);
/* The folder of a path, "." when it names none. NULL when memory is short. */
char *mluop_path_folder(const char *path);

/* Makes the folder and those above it that are missing. Returns -1 with errno. */
int mluop_path_make_folder(const char *path);

#endif /* MLUOP_TEST_BASE_FILE_H_ */
