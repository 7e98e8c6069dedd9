/* SPDX-License-Identifier: MIT */
#ifndef API_GTEST_UTIL_TEMPORARY_FOLDER_H_
#define API_GTEST_UTIL_TEMPORARY_FOLDER_H_

#include <string>
#include <vector>

/* A temporary folder, deleted with its contents. */
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  const std::string &path() const { return path_; }
  /* All files in it, relative to the folder, sorted. */
  std::vector<std::string> files() const;
  std::string read(const std::string &file) const;

 private:
  std::string path_;
};

#endif /* API_GTEST_UTIL_TEMPORARY_FOLDER_H_ */
