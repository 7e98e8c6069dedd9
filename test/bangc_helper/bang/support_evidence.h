/* SPDX-License-Identifier: MIT
 *
 * The column of the support table that names the public sources of an overload, as letters.
 */
#ifndef TEST_BANGC_HELPER_BANG_SUPPORT_EVIDENCE_H_
#define TEST_BANGC_HELPER_BANG_SUPPORT_EVIDENCE_H_

/* The overloads that a line of the table covers: all of the name, or those with one shape. */
typedef enum EvidenceShape {
  EVIDENCE_ANY,
  EVIDENCE_UNARY,  /* three operands */
  EVIDENCE_BINARY, /* four, the third a pointer */
  EVIDENCE_SCALAR, /* four, the third a number */
  EVIDENCE_CYCLE,  /* five */
} EvidenceShape;

/* Prints types and letters, and also the operands where the line itself does not show them. */
void print_evidence(const char *name, EvidenceShape shape);

/* Prints the letters of all overloads of a name; returns non-zero if there are any. */
int print_letters(const char *before, const char *name);

/* Prints the publicly known overloads that the language lacks. */
void print_absent(void);

#endif /* TEST_BANGC_HELPER_BANG_SUPPORT_EVIDENCE_H_ */
