/* SPDX-License-Identifier: MIT
 *
 * The only interface to protobuf's C++ library: text and JSON become wire bytes, which the rest of
 * the framework reads with protobuf-c. */
#ifndef MLUOP_TEST_SCHEMA_TEXT_FORMAT_H_
#define MLUOP_TEST_SCHEMA_TEXT_FORMAT_H_

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of a serialised message; release with mluop_wire_free. */
typedef struct mluopWire {
  uint8_t *data;
  size_t size;
} mluopWire;

/* Parses the text of one mluoptest.Node. Errors and warnings are appended as "name:line:column:
 * text" lines. Unknown fields are skipped with a warning. Returns 0, or -1 with `wire` empty.
 */
int mluop_node_text_to_wire(const char *name, const char *text, size_t size, mluopWire *wire,
                            mluopTestText *errors, mluopTestText *warnings);

/* Prints a Node as text; unknown fields are printed by number, so nothing is lost. */
int mluop_node_wire_to_text(const char *name, const uint8_t *data, size_t size, mluopTestText *text,
                            mluopTestText *errors);

/* Explains why bytes are not a complete Node. */
void mluop_node_wire_explain(const char *name, const uint8_t *data, size_t size,
                             mluopTestText *errors);

/* Reads the JSON list of performance thresholds as a mluoptest.ThresholdList. */
int mluop_threshold_json_to_wire(const char *name, const char *text, size_t size, mluopWire *wire,
                                 mluopTestText *errors);

/* A mluoptest.PerfReport from and to JSON. Fields added by other tools are skipped. */
int mluop_perf_json_to_wire(const char *name, const char *text, size_t size, mluopWire *wire,
                            mluopTestText *errors);
int mluop_perf_wire_to_json(const uint8_t *data, size_t size, mluopTestText *json);

/* A mluoptest.PerfRun from and to a line of JSON, without the newline. */
int mluop_perf_run_json_to_wire(const char *name, const char *text, size_t size, mluopWire *wire,
                                mluopTestText *errors);
int mluop_perf_run_wire_to_json(const uint8_t *data, size_t size, mluopTestText *json);

void mluop_wire_free(mluopWire *wire);

#ifdef __cplusplus
}
#endif
#endif /* MLUOP_TEST_SCHEMA_TEXT_FORMAT_H_ */
