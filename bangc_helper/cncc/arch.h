/* SPDX-License-Identifier: MIT
 *
 * The MLU architectures a command line may name, and what the language predefines for them.
 */
#ifndef CNCC_ARCH_H_
#define CNCC_ARCH_H_

typedef struct Arch {
  const char *name;
  int number; /* __BANG_ARCH__ */
  int nram_kb;
  int wram_kb;
  int sram_kb;
} Arch;

/* Upper bound of the numbers. */
#define CNCC_MAX_ARCHS 16

/* By --bang-mlu-arch value (mtp_592, tp_322, MLU270, ...), by --bang-arch value (compute_50); NULL:
 * unknown. */
const Arch *arch_by_name(const char *name);
const Arch *arch_by_compute(const char *compute);

/* All names, separated by ", ", for messages; the caller frees. */
char *arch_names(void);

#endif /* CNCC_ARCH_H_ */
