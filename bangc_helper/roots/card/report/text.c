/* SPDX-License-Identifier: MIT */
#include "report/text.h"

#include <inttypes.h>

void text_json(FILE *file, const char *text) {
  fputc('"', file);
  for (; *text != '\0'; ++text) {
    const unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\') {
      fprintf(file, "\\%c", c);
    } else if (c < 0x20) {
      fprintf(file, "\\u%04x", c);
    } else {
      fputc(c, file);
    }
  }
  fputc('"', file);
}

void text_html(FILE *file, const char *text) {
  for (; *text != '\0'; ++text) {
    switch (*text) {
      case '<':
        fputs("&lt;", file);
        break;
      case '>':
        fputs("&gt;", file);
        break;
      case '&':
        fputs("&amp;", file);
        break;
      case '"':
        fputs("&quot;", file);
        break;
      default:
        fputc(*text, file);
        break;
    }
  }
}

void text_us(FILE *file, int64_t ps) {
  const int64_t ns = (ps + 500) / 1000;
  fprintf(file, "%" PRId64 ".%03" PRId64, ns / 1000, ns % 1000);
}

void text_us_short(FILE *file, int64_t ps) {
  const int64_t ns = (ps + 500) / 1000;
  if (ns < 10000) {
    fprintf(file, "%" PRId64 ".%02" PRId64, ns / 1000, ns % 1000 / 10);
  } else if (ns < 1000000) {
    fprintf(file, "%" PRId64 ".%" PRId64, ns / 1000, ns % 1000 / 100);
  } else {
    fprintf(file, "%" PRId64, (ns + 500) / 1000);
  }
}

void text_tenths(FILE *file, int64_t value, int64_t unit) {
  const int64_t tenths = unit > 0 ? value * 10 / unit : 0;
  fprintf(file, "%" PRId64 ".%" PRId64, tenths / 10, tenths % 10);
}
