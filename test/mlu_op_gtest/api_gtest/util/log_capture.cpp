/* SPDX-License-Identifier: MIT */
#include "util/log_capture.h"

#include <regex>
#include <sstream>

std::vector<std::string> splitLines(const std::string &text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string logMessage(const std::string &line, const std::string &severity) {
  static const std::regex form(
      R"(\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}\]\[MLU-OPS\]\[([A-Z]+)\]\[\d+\]\[Card:-?\d+\]: (.*))");
  std::smatch match;
  if (!std::regex_match(line, match, form) || match[1] != severity) {
    ADD_FAILURE() << "not a log line of severity " << severity << ": " << line;
    return "";
  }
  return match[2];
}

void expectOneError(mluOpStatus_t wanted, mluOpStatus_t status, const std::string &output,
                    const std::string &text, const char *call) {
  EXPECT_EQ(status, wanted) << call;
  const std::vector<std::string> lines = splitLines(output);
  ASSERT_EQ(lines.size(), 1u) << call << " printed: " << output;
  EXPECT_NE(logMessage(lines[0], "ERROR").find(text), std::string::npos)
      << call << ": '" << text << "' is not in: " << lines[0];
}
