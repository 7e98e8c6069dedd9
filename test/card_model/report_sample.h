/* SPDX-License-Identifier: MIT
 *
 * Read by the report test: a constant that is defined in an included file.
 */
#ifndef TEST_CARD_MODEL_REPORT_SAMPLE_H_
#define TEST_CARD_MODEL_REPORT_SAMPLE_H_

#define STORED_ROWS 64 /* of a tile */

#endif /* TEST_CARD_MODEL_REPORT_SAMPLE_H_ */
