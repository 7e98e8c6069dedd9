/* SPDX-License-Identifier: MIT */
#ifndef CNMON_JSON_H_
#define CNMON_JSON_H_

#include <stdio.h>

#include "state.h"

/* What `cnmon info -j` writes: {"CnmonInfo": [...]}, with the names that programs look for. What a
 * device does not know is left out. */
void cnmon_write_json(FILE *file, const char *driver, const struct cnmon_device *devices,
                      int count);

#endif /* CNMON_JSON_H_ */
