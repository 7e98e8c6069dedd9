/* SPDX-License-Identifier: MIT
 *
 * Temporary files live in one private folder that is removed on success, on failure and on a
 * signal, together with outputs that are incomplete.
 */
#ifndef CNCC_TEMPS_H_
#define CNCC_TEMPS_H_

/* Installs the signal handlers, and makes fatal errors clean up too. */
void temps_init(void);

/* A fresh path "<folder>/<stem>-<n><suffix>"; the caller frees the string. */
char *temps_path(const char *stem, const char *suffix);

/* Marks an output that a command is about to write: it is removed at the end unless
 * temps_keep_output is called for it. */
void temps_guard_output(const char *path);
void temps_keep_output(const char *path);

void temps_remove_all(void);

#endif /* CNCC_TEMPS_H_ */
