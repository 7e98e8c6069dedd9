/* SPDX-License-Identifier: MIT */
#include "internal/child.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "util/log_capture.h"

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder() {
  std::string name = (fs::temp_directory_path() / "mluop_core_gtest_XXXXXX").string();
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

ChildResult runProbe(const TemporaryFolder &folder, const std::string &environment,
                     const std::string &action) {
  const fs::path probe = fs::read_symlink("/proc/self/exe").parent_path() / "mluop_core_probe";
  const std::string command =
      "cd '" + folder.path() + "' && " + environment + " '" + probe.string() + "' " + action;
  FILE *pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return {-1, {}};
  std::string text;
  char buffer[4096];
  for (size_t size; (size = fread(buffer, 1, sizeof(buffer), pipe)) > 0;) text.append(buffer, size);
  const int status = pclose(pipe);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, splitLines(text)};
}
