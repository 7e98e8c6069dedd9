/* SPDX-License-Identifier: MIT
 *
 * A locale that writes 1.5 as 1,5, created by the test because few machines have one installed. */
#ifndef TEST_COMMON_COMMA_LOCALE_H_
#define TEST_COMMON_COMMA_LOCALE_H_

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif
/* Defined in a process with a leak checker. */
void __lsan_disable(void) __attribute__((weak));
void __lsan_enable(void) __attribute__((weak));
#ifdef __cplusplus
}
#endif

/* Creates it in an existing folder; (locale_t)0 if localedef is missing or fails. Takes effect with
 * uselocale, for the calling thread. */
static inline locale_t make_comma_locale(const char *folder) {
  char command[1024], text[8];
  /* localedef warns about missing categories; only numbers matter here. */
  snprintf(
      command, sizeof(command),
      "cd '%s' && printf 'LC_NUMERIC\\ndecimal_point \",\"\\nthousands_sep \"\"\\ngrouping -1\\n"
      "END LC_NUMERIC\\n' > comma.src && "
      "localedef -c --no-archive -i comma.src ./comma > localedef.log 2>&1",
      folder);
  (void)!system(command);
  setenv("LOCPATH", folder, 1);
  if (__lsan_disable != NULL) __lsan_disable(); /* the C library keeps a copy of LOCPATH */
  locale_t comma = newlocale(LC_NUMERIC_MASK, "comma", (locale_t)0);
  if (__lsan_enable != NULL) __lsan_enable();
  unsetenv("LOCPATH");
  if (comma == (locale_t)0) return comma;
  const locale_t before = uselocale(comma);
  snprintf(text, sizeof(text), "%.1f", 1.5);
  uselocale(before);
  if (strcmp(text, "1,5") == 0) return comma;
  freelocale(comma);
  return (locale_t)0;
}

#endif /* TEST_COMMON_COMMA_LOCALE_H_ */
