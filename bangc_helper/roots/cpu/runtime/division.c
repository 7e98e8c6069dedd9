/* SPDX-License-Identifier: MIT */
#include "division.h"

#include <stdint.h>
#include <ucontext.h>

#if defined(__x86_64__)

/* A division instruction: `div` and `idiv` of 1, 2, 4 or 8 bytes. */
struct division {
  unsigned length; /* of the instruction */
  unsigned bytes;  /* of the divisor */
  bool is_signed;
};

/* Bytes of an operand that begins with the ModRM byte. */
static unsigned operand_length(const uint8_t *modrm) {
  const unsigned mode = modrm[0] >> 6;
  const unsigned base = modrm[0] & 7;
  if (mode == 3) {
    return 1; /* a register */
  }
  const bool has_sib = base == 4;
  unsigned length = has_sib ? 2 : 1;
  if (mode == 1) {
    length += 1;
  } else if (mode == 2 || base == 5 || (has_sib && (modrm[1] & 7) == 5)) {
    length += 4;
  }
  return length;
}

static bool decode(const uint8_t *code, struct division *division) {
  const uint8_t *p = code;
  bool is_short = false;
  for (; *p == 0x66 || *p == 0xf2 || *p == 0xf3; ++p) {
    is_short = is_short || *p == 0x66;
  }
  const unsigned rex = (*p & 0xf0) == 0x40 ? *p++ : 0;
  const unsigned opcode = *p++;
  const unsigned which = *p >> 3 & 7;
  if ((opcode != 0xf6 && opcode != 0xf7) || which < 6) {
    return false;
  }
  division->is_signed = which == 7;
  division->bytes = opcode == 0xf6 ? 1 : (rex & 8) != 0 ? 8 : is_short ? 2 : 4;
  division->length = (unsigned)(p - code) + operand_length(p);
  return true;
}

/* Writes a part of a register as the CPU does: 4 bytes clear the upper half, fewer keep the rest.
 */
static void set_register(greg_t *reg, uint64_t value, unsigned bytes) {
  const uint64_t mask = bytes == 8 ? UINT64_MAX : (UINT64_C(1) << bytes * 8) - 1;
  const uint64_t kept = bytes >= 4 ? 0 : (uint64_t)*reg & ~mask;
  *reg = (greg_t)(kept | (value & mask));
}

bool rt_division_continue(void *context) {
  greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
  struct division division;
  if (!decode((const uint8_t *)(uintptr_t)registers[REG_RIP], &division)) {
    return false;
  }
  const uint64_t dividend = (uint64_t)registers[REG_RAX];
  const unsigned bits = division.bytes * 8;
  const uint64_t smallest = UINT64_C(1) << (bits - 1);
  const uint64_t mask = smallest | (smallest - 1);
  /* Compilers sign-extend the dividend, so only this case can overflow. */
  const bool overflows = division.is_signed && (dividend & mask) == smallest;
  const uint64_t quotient = overflows ? smallest : UINT64_MAX;
  const uint64_t remainder = overflows ? 0 : dividend & mask;
  if (division.bytes == 1) {
    set_register(&registers[REG_RAX], (quotient & 0xff) | remainder << 8, 2);
  } else {
    set_register(&registers[REG_RAX], quotient, division.bytes);
    set_register(&registers[REG_RDX], remainder, division.bytes);
  }
  registers[REG_RIP] += division.length;
  return true;
}

#else

bool rt_division_continue(void *context) {
  (void)context;
  return false; /* these CPUs define every division */
}

#endif
