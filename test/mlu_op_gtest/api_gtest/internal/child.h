/* SPDX-License-Identifier: MIT
 *
 * A child process with its own environment and working directory.
 */
#ifndef API_GTEST_INTERNAL_CHILD_H_
#define API_GTEST_INTERNAL_CHILD_H_

#include <string>
#include <vector>

#include "util/temporary_folder.h"

struct ChildResult {
  int status; /* exit status, -1 if it was killed */
  std::vector<std::string> lines;
};

/* Runs mluop_core_probe, which is in the same folder as this program, in a working folder.
 * environment: "A=1 B=2", quoted as in a shell. */
ChildResult runProbe(const TemporaryFolder &folder, const std::string &environment,
                     const std::string &action);

#endif /* API_GTEST_INTERNAL_CHILD_H_ */
