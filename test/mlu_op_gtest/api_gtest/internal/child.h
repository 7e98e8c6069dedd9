/* SPDX-License-Identifier: MIT
 *
 * A child process with its own environment and working directory.
 */
#ifndef API_GTEST_INTERNAL_CHILD_H_
#define API_GTEST_INTERNAL_CHILD_H_

#include <string>
#include <vector>

/* A folder that is removed with everything in it. */
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  const std::string &path() const { return path_; }
  /* All files below, relative to the folder, sorted. */
  std::vector<std::string> files() const;
  std::string read(const std::string &file) const;

 private:
  std::string path_;
};

struct ChildResult {
  int status; /* exit status, -1 when it was killed */
  std::vector<std::string> lines;
};

/* Runs mluop_core_probe, which lies beside this program, in a folder. environment: "A=1 B=2",
 * quoted as in a shell. */
ChildResult runProbe(const TemporaryFolder &folder, const std::string &environment,
                     const std::string &action);

#endif /* API_GTEST_INTERNAL_CHILD_H_ */
