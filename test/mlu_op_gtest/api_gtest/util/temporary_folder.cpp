/* SPDX-License-Identifier: MIT */
#include "util/temporary_folder.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder() {
  std::string name = (fs::temp_directory_path() / "mluop_gtest_XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) ADD_FAILURE() << "cannot make " << name;
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::vector<std::string> TemporaryFolder::files() const {
  std::vector<std::string> files;
  for (const auto &entry : fs::recursive_directory_iterator(path_)) {
    if (entry.is_regular_file()) files.push_back(fs::relative(entry.path(), path_).string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string TemporaryFolder::read(const std::string &file) const {
  std::ifstream stream(fs::path(path_) / file, std::ios::binary);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}
