/* SPDX-License-Identifier: MIT
 *
 * The comment above every function of the public headers: its sections, their order, and one @param
 * per parameter.
 */
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "util/log_capture.h"

extern "C" int useTheHeaderFromC(void);

namespace {
struct Function {
  std::string name, comment;
  std::vector<std::string> parameters;
};

std::string readHeader() {
  std::stringstream text;
  for (const char *name : {MLUOP_HEADER_FILE, MLUOP_COMM_HEADER_FILE}) {
    std::ifstream file(name);
    text << file.rdbuf();
  }
  return text.str();
}

/* "int dims[]" -> "dims" */
std::string parameterName(const std::string &text) {
  static const std::regex form(R"(([A-Za-z_]\w*)\s*(\[\w*\])?\s*$)");
  std::smatch match;
  return std::regex_search(text, match, form) ? match[1].str() : "";
}

std::vector<Function> readFunctions(const std::string &header) {
  static const std::regex declaration(R"(^[\s\S]*?(mluOp\w+)\(([^;]*)\)\s*$)");
  std::vector<Function> functions;
  for (size_t at = 0; (at = header.find("// Group: ", at)) != std::string::npos;) {
    const size_t open = header.find("/*!", at), close = header.find("*/", at);
    const size_t end = header.find(';', close);
    const std::string code = header.substr(close + 2, end - close - 2);
    std::smatch match;
    if (!std::regex_match(code, match, declaration)) {
      ADD_FAILURE() << "no declaration after a comment: " << code;
      break;
    }
    Function function = {match[1], header.substr(open, close - open), {}};
    std::istringstream list(match[2]);
    for (std::string part; std::getline(list, part, ',');) {
      if (part != "void") function.parameters.push_back(parameterName(part));
    }
    functions.push_back(function);
    at = end;
  }
  return functions;
}
}  // namespace

TEST(Header, IsC) {
  EXPECT_EQ(useTheHeaderFromC(), 6);
}

TEST(Header, EveryFunctionHasItsComment) {
  const std::string header = readHeader();
  const std::vector<Function> functions = readFunctions(header);
  std::set<std::string> described;
  for (const Function &function : functions) described.insert(function.name);
  const std::regex declared(R"(\n(?:[A-Za-z][^\n*/]*\*?[^\n*/]*)?\b(mluOp\w+)\()");
  size_t count = 0;
  for (std::sregex_iterator i(header.begin(), header.end(), declared), end; i != end; ++i) {
    EXPECT_EQ(described.count((*i)[1]), 1u) << (*i)[1];
    ++count;
  }
  EXPECT_GE(count, 65u);
  EXPECT_EQ(count, functions.size());
}

TEST(Header, SectionsInTheirOrder) {
  const std::vector<std::string> order = {"Return",           "Data Type",      "Data Layout",
                                          "Scale Limitation", "API Dependency", "Note",
                                          "Example",          "Reference"};
  const std::set<std::string> extra = {"Deprecated", "Formula", "Performance Optimization",
                                       "Requirements"};
  const std::regex section(R"(@par ([A-Za-z ]+)\n)");
  for (const Function &function : readFunctions(readHeader())) {
    EXPECT_NE(function.comment.find("@brief "), std::string::npos) << function.name;
    std::vector<std::string> found;
    for (std::sregex_iterator i(function.comment.begin(), function.comment.end(), section), end;
         i != end; ++i) {
      if (extra.count((*i)[1]) == 0) found.push_back((*i)[1]);
    }
    EXPECT_EQ(found, order) << function.name;
  }
}

TEST(Header, OneParamPerParameter) {
  const std::regex param(R"(@param\[(?:in|out|in,out)\] (\w+)\n)");
  for (const Function &function : readFunctions(readHeader())) {
    std::vector<std::string> found;
    for (std::sregex_iterator i(function.comment.begin(), function.comment.end(), param), end;
         i != end; ++i) {
      found.push_back((*i)[1]);
    }
    EXPECT_EQ(found, function.parameters) << function.name;
  }
}
