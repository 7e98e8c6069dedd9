// SPDX-License-Identifier: MIT
#include "schema/sweep.h"

#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/text_format.h>

#include <algorithm>
#include <cctype>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "mlu_op_test.pb.h"
#include "schema/collector.h"

namespace {

namespace pb = google::protobuf;
using pb::io::Tokenizer;

// Errors in the text of a case are reported when it is parsed as one.
class NoCollector : public pb::io::ErrorCollector {
 public:
  void AddError(int, int, const std::string &) override {}
  void AddWarning(int, int, const std::string &) override {}
};

struct Reference {
  size_t begin, end;  // position of "$name" in the text
  int line, column;
  std::string name;
};

struct Member {
  std::string name;
  std::vector<std::string> values;  // one per variable
};

class Sweep {
 public:
  Sweep(const char *name, const char *text, size_t size, mluopTestText *errors)
      : name_(name), text_(text, size), errors_(errors) {}

  // Finds the block and the references, and checks that they match.
  bool Read() {
    FindLines();
    return FindTokens() && (!found_ || (ReadBlock() && CheckMembers() && CheckReferences()));
  }
  bool found() const { return found_; }
  const std::vector<Member> &members() const { return members_; }

  const Member *Find(const std::string &name) const {
    const auto place = std::find_if(members_.begin(), members_.end(),
                                    [&](const Member &member) { return member.name == name; });
    return place == members_.end() ? nullptr : &*place;
  }

  std::string Expand(const Member &member) const {
    std::string text = text_, out;
    for (size_t i = block_begin_; i < block_end_; ++i) {
      text[i] = text[i] == '\n' ? '\n' : ' ';
    }
    size_t from = 0;
    for (const Reference &reference : references_) {
      out.append(text, from, reference.begin - from);
      out += member.values[Index(reference.name)];
      from = reference.end;
    }
    return out.append(text, from, std::string::npos);
  }

 private:
  bool Fail(const std::string &message) {
    mluop_text_add(errors_, "%s: %s\n", name_, message.c_str());
    return false;
  }
  bool FailAt(int line, int column, const std::string &message) {
    mluop_text_add(errors_, "%s:%d:%d: %s\n", name_, line + 1, column + 1, message.c_str());
    return false;
  }

  void FindLines() {
    lines_.push_back(0);
    for (size_t i = 0; i < text_.size(); ++i) {
      if (text_[i] == '\n') {
        lines_.push_back(i + 1);
      }
    }
  }

  // The tokenizer counts columns, and a tab advances to the next multiple of 8.
  size_t Offset(int line, int column) const {
    size_t at = lines_[static_cast<size_t>(line)];
    for (int i = 0; i < column; ++at) {
      i += text_[at] == '\t' ? 8 - i % 8 : 1;
    }
    return at;
  }

  bool FindTokens() {
    pb::io::ArrayInputStream stream(text_.data(), static_cast<int>(text_.size()));
    NoCollector collector;
    Tokenizer tokenizer(&stream, &collector);
    tokenizer.set_comment_style(Tokenizer::SH_COMMENT_STYLE);
    tokenizer.set_require_space_after_number(false);
    tokenizer.set_allow_multiline_strings(true);
    int depth = 0;
    bool at_sweep = false, inside = false;  // between the word and its brace; inside its block
    while (tokenizer.Next()) {
      const Tokenizer::Token &token = tokenizer.current();
      const Tokenizer::Token &before = tokenizer.previous();
      if (token.text == "{" || token.text == "<") {
        if (at_sweep) {
          at_sweep = false;
          inside = true;
          fields_begin_ = Offset(token.line, token.end_column);
        }
        ++depth;
      } else if (token.text == "}" || token.text == ">") {
        --depth;
        if (inside && depth == 0) {
          inside = false;
          fields_end_ = Offset(token.line, token.column);
          block_end_ = Offset(token.line, token.end_column);
        }
      } else if (depth == 0 && token.text == "sweep") {
        if (found_) {
          return FailAt(token.line, token.column, "a second sweep");
        }
        found_ = at_sweep = true;
        block_begin_ = Offset(token.line, token.column);
      } else if (!inside && token.type == Tokenizer::TYPE_IDENTIFIER && before.text == "$" &&
                 before.line == token.line && before.end_column == token.column) {
        references_.push_back({Offset(before.line, before.column),
                               Offset(token.line, token.end_column), before.line, before.column,
                               token.text});
      }
    }
    return !found_ || block_end_ ? true : Fail("the sweep has no end");
  }

  // Keeps only the fields, at their positions, so that messages name the right line.
  bool ReadBlock() {
    std::string fields = text_;
    for (size_t i = 0; i < fields.size(); ++i) {
      if ((i < fields_begin_ || i >= fields_end_) && fields[i] != '\n' && fields[i] != '\t') {
        fields[i] = ' ';
      }
    }
    mluoptest_text::Collector collector(name_, errors_, errors_);
    pb::TextFormat::Parser parser;
    parser.RecordErrorsTo(&collector);
    if (!parser.ParseFromString(fields, &sweep_)) {
      return false;
    }
    if (sweep_.value_size() && (sweep_.member_size() || sweep_.variable_size() != 1)) {
      return Fail("the sweep has values, which go with one variable and no members");
    }
    for (const pb::int64 value : sweep_.value()) {
      const std::string word = std::to_string(value);
      members_.push_back({sweep_.variable(0) + "_" + word, {word}});
      std::replace(members_.back().name.begin(), members_.back().name.end(), '-', 'm');
    }
    for (const mluoptest::SweepMember &member : sweep_.member()) {
      members_.push_back({member.name(), {member.value().begin(), member.value().end()}});
    }
    return !members_.empty() || Fail("the sweep has no members");
  }

  bool CheckMembers() {
    std::set<std::string> names;
    for (const Member &member : members_) {
      const bool is_word =
          !member.name.empty() &&
          std::all_of(member.name.begin(), member.name.end(), [](unsigned char letter) {
            return letter == '_' || (letter < 128 && std::isalnum(letter));
          });
      if (!is_word) {
        return Fail("sweep: member \"" + member.name + "\": letters, digits and _ are wanted");
      }
      if (!names.insert(member.name).second) {
        return Fail("sweep: member \"" + member.name + "\" is there twice");
      }
      if (member.values.size() != static_cast<size_t>(sweep_.variable_size())) {
        return Fail("sweep: member \"" + member.name + "\" has " +
                    std::to_string(member.values.size()) + " values, " +
                    std::to_string(sweep_.variable_size()) + " variables are there");
      }
      for (const std::string &value : member.values) {
        if (value.find('\n') != std::string::npos) {
          return Fail("sweep: member \"" + member.name + "\" has a value of several lines");
        }
      }
    }
    return true;
  }

  bool CheckReferences() {
    std::set<std::string> used;
    for (const Reference &reference : references_) {
      used.insert(reference.name);
      if (Index(reference.name) == NotThere()) {
        return FailAt(reference.line, reference.column,
                      "$" + reference.name + " is no variable of the sweep");
      }
    }
    for (const std::string &variable : sweep_.variable()) {
      if (!used.count(variable)) {
        return Fail("sweep: $" + variable + " is used nowhere");
      }
    }
    return true;
  }

  static size_t NotThere() { return static_cast<size_t>(-1); }
  size_t Index(const std::string &variable) const {
    for (int i = 0; i < sweep_.variable_size(); ++i) {
      if (sweep_.variable(i) == variable) {
        return static_cast<size_t>(i);
      }
    }
    return NotThere();
  }

  const char *name_;
  const std::string text_;
  mluopTestText *errors_;
  std::vector<size_t> lines_;
  std::vector<Reference> references_;
  bool found_ = false;
  size_t block_begin_ = 0, fields_begin_ = 0, fields_end_ = 0, block_end_ = 0;
  mluoptest::Sweep sweep_;
  std::vector<Member> members_;
};

// Most texts have no sweep, and some are long.
bool MayHaveSweep(const char *text, size_t size) {
  return size <= INT_MAX && memmem(text, size, "sweep", 5);
}

char *Copy(const std::string &text) {
  char *copy = static_cast<char *>(std::malloc(text.size() + 1));
  return copy ? static_cast<char *>(std::memcpy(copy, text.c_str(), text.size() + 1)) : nullptr;
}

}  // namespace

extern "C" int mluop_sweep_members(const char *name, const char *text, size_t size,
                                   mluopSweepMembers *members, mluopTestText *errors) {
  *members = mluopSweepMembers{};
  if (!MayHaveSweep(text, size)) {
    return 0;
  }
  Sweep sweep(name, text, size, errors);
  if (!sweep.Read()) {
    return -1;
  }
  members->names =
      static_cast<char **>(std::calloc(sweep.members().size() + 1, sizeof(*members->names)));
  for (const Member &member : sweep.members()) {
    char *copy = members->names ? Copy(member.name) : nullptr;
    if (!copy) {
      mluop_sweep_members_free(members);
      mluop_text_add(errors, "%s: out of memory\n", name);
      return -1;
    }
    members->names[members->n++] = copy;
  }
  return 0;
}

extern "C" void mluop_sweep_members_free(mluopSweepMembers *members) {
  for (size_t i = 0; i < members->n; ++i) {
    std::free(members->names[i]);
  }
  std::free(members->names);
  *members = mluopSweepMembers{};
}

extern "C" mluopSweepResult mluop_sweep_expand(const char *name, const char *text, size_t size,
                                               const char *member, char **expanded,
                                               size_t *expanded_size, mluopTestText *errors) {
  if (!member && !MayHaveSweep(text, size)) {
    return MLUOP_SWEEP_NONE;
  }
  Sweep sweep(name, text, size, errors);
  if (size > INT_MAX || !sweep.Read()) {
    return MLUOP_SWEEP_FAILED;
  }
  if (!sweep.found() && !member) {
    return MLUOP_SWEEP_NONE;
  }
  const Member *found = member ? sweep.Find(member) : nullptr;
  if (!found) {
    mluop_text_add(errors, "%s: %s%s%s", name, member ? "no member " : "a sweep of",
                   member ? member : "", member ? " in a sweep of" : "");
    for (const Member &item : sweep.members()) {
      mluop_text_add(errors, " %s", item.name.c_str());
    }
    mluop_text_add(errors, "%s\n", member ? "" : "; FILE#MEMBER names one of them");
    return MLUOP_SWEEP_FAILED;
  }
  const std::string out = sweep.Expand(*found);
  *expanded = Copy(out);
  *expanded_size = out.size();
  if (!*expanded) {
    mluop_text_add(errors, "%s: out of memory\n", name);
    return MLUOP_SWEEP_FAILED;
  }
  return MLUOP_SWEEP_EXPANDED;
}
