/* SPDX-License-Identifier: MIT */
int c_function(int class);
int c_function(int class) {
  return 2 * class;
}
