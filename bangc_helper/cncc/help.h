/* SPDX-License-Identifier: MIT
 *
 * The text of --help.
 */
#ifndef CNCC_HELP_H_
#define CNCC_HELP_H_

void print_help(void);

#endif /* CNCC_HELP_H_ */
