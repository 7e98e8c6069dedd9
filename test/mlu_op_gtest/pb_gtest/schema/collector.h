// SPDX-License-Identifier: MIT
//
// C++ only: messages of protobuf's text reader as "name:line:column: text" lines.
#ifndef MLUOP_TEST_SCHEMA_COLLECTOR_H_
#define MLUOP_TEST_SCHEMA_COLLECTOR_H_

#include <google/protobuf/io/tokenizer.h>

#include <string>

#include "base/text.h"

namespace mluoptest_text {

class Collector : public google::protobuf::io::ErrorCollector {
 public:
  Collector(const char *name, mluopTestText *errors, mluopTestText *warnings)
      : name_(name), errors_(errors), warnings_(warnings) {}

  void AddError(int line, int column, const std::string &message) override {
    saw_unknown_op_type_ |= message.find("for field \"op_type\"") != std::string::npos;
    Add(errors_, line, column, message);
  }
  void AddWarning(int line, int column, const std::string &message) override {
    Add(warnings_, line, column, message);
  }
  bool saw_unknown_op_type() const { return saw_unknown_op_type_; }

 private:
  void Add(mluopTestText *text, int line, int column, const std::string &message) {
    if (line >= 0) {
      mluop_text_add(text, "%s:%d:%d: %s\n", name_, line + 1, column + 1, message.c_str());
    } else {
      mluop_text_add(text, "%s: %s\n", name_, message.c_str());
    }
  }

  const char *name_;
  mluopTestText *errors_;
  mluopTestText *warnings_;
  bool saw_unknown_op_type_ = false;
};

}  // namespace mluoptest_text

#endif  // MLUOP_TEST_SCHEMA_COLLECTOR_H_
