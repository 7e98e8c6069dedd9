/* SPDX-License-Identifier: MIT
 *
 * The column of the support table that says where an overload is publicly known from.
 */
#ifndef TEST_BANGC_HELPER_BANG_SUPPORT_EVIDENCE_H_
#define TEST_BANGC_HELPER_BANG_SUPPORT_EVIDENCE_H_

/* What a line of the table is about: any overload of the name, or those of one shape. */
typedef enum EvidenceShape {
  EVIDENCE_ANY,
  EVIDENCE_UNARY,  /* three operands */
  EVIDENCE_BINARY, /* four, the third a pointer */
  EVIDENCE_SCALAR, /* four, the third a number */
  EVIDENCE_CYCLE,  /* five */
} EvidenceShape;

/* Prints the types with their letters, and the operands where they are not the line's own. */
void print_evidence(const char *name, EvidenceShape shape);

/* Prints the letters of a name, whatever its operands; returns whether there are some. */
int print_letters(const char *before, const char *name);

/* Prints the overloads that are known and not there. */
void print_absent(void);

#endif /* TEST_BANGC_HELPER_BANG_SUPPORT_EVIDENCE_H_ */
