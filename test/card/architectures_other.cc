// SPDX-License-Identifier: MIT
// A file without kernels, compiled by the host compiler.
#include "architectures.h"

Parcel added_by_other(int number, Parcel parcel) {
  return add(number, parcel);
}

int constructed_for_other() {
  return constructed;
}

Parcel (*add_for_other())(int, Parcel) {
  return add;
}
