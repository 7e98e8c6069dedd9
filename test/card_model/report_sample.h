/* SPDX-License-Identifier: MIT
 *
 * Read by the test of reports: a constant that another file defines.
 */
#ifndef TEST_CARD_MODEL_REPORT_SAMPLE_H_
#define TEST_CARD_MODEL_REPORT_SAMPLE_H_

#define STORED_ROWS 64 /* of a tile */

#endif /* TEST_CARD_MODEL_REPORT_SAMPLE_H_ */
