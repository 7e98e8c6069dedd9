/* SPDX-License-Identifier: MIT
 *
 * PCI addresses as text: "domain:bus:device.function" in hexadecimal digits; a domain or a function
 * of 0 may be left out.
 */
#ifndef RUNTIME_PCI_H_
#define RUNTIME_PCI_H_

#include "root.h"

struct rt_pci_address {
  unsigned domain;
  unsigned bus;
  unsigned device;
  unsigned function;
};

bool rt_pci_parse(const char *text, struct rt_pci_address *address);

#endif /* RUNTIME_PCI_H_ */
