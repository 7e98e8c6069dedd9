/* SPDX-License-Identifier: MIT */
#include "internal/child.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <filesystem>

#include "util/log_capture.h"

namespace fs = std::filesystem;

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
