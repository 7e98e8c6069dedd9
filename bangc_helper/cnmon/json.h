/* SPDX-License-Identifier: MIT */
#ifndef CNMON_JSON_H_
#define CNMON_JSON_H_

#include <stdio.h>

#include "state.h"

/* Writes the output of `cnmon info -j`: {"CnmonInfo": [...]}, with the keys that programs look for.
 * Values that a device does not know are omitted. */
void cnmon_write_json(FILE *file, const char *driver, const struct cnmon_device *devices,
                      int count);

#endif /* CNMON_JSON_H_ */
