/* SPDX-License-Identifier: MIT
 *
 * PCI addresses as text.
 */
#include "pci.h"

#include <stdio.h>
#include <string.h>

#include "root.h"

/* sscanf alone would also accept signs, spaces and prefixes. */
static bool has_only_digits_and_marks(const char *text) {
  return text[strspn(text, "0123456789abcdefABCDEF:.")] == '\0';
}

/* The part of an address from the bus on. */
static bool parse_in_domain(const char *text, struct rt_pci_address *address) {
  int used = 0;
  if (sscanf(text, "%x:%x%n", &address->bus, &address->device, &used) != 2) {
    return false;
  }
  if (text[used] == '.') {
    int more = 0;
    if (sscanf(text + used, ".%x%n", &address->function, &more) != 1) {
      return false;
    }
    used += more;
  }
  return text[used] == '\0';
}

bool rt_pci_parse(const char *text, struct rt_pci_address *address) {
  *address = (struct rt_pci_address){0, 0, 0, 0};
  if (!has_only_digits_and_marks(text)) {
    return false;
  }
  const char *mark = strchr(text, ':');
  if (mark != NULL && strchr(mark + 1, ':') != NULL) {
    return sscanf(text, "%x:", &address->domain) == 1 && parse_in_domain(mark + 1, address);
  }
  return parse_in_domain(text, address);
}
