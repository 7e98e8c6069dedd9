// SPDX-License-Identifier: MIT
#include "schema/text_format.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor.pb.h>
#include <google/protobuf/dynamic_message.h>
#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/text_format.h>
#include <google/protobuf/util/json_util.h>

#include <climits>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "mlu_op_test.pb.h"
#include "perf_report.pb.h"
#include "schema/collector.h"
#include "threshold.pb.h"

namespace {

namespace pb = google::protobuf;

// A case nests messages four deep; the limit stops text made to exhaust the stack.
constexpr int kRecursionLimit = 64;

void AddMissingFields(const char *name, const pb::Message &message, mluopTestText *errors) {
  std::vector<std::string> fields;
  message.FindInitializationErrors(&fields);
  for (const std::string &field : fields) {
    mluop_text_add(errors, "%s: missing required field '%s'\n", name, field.c_str());
  }
}

// protobuf logs its own problems to stderr; ours go through the collector.
void Quiet() {
  static const bool once = [] {
    pb::SetLogHandler(nullptr);
    return true;
  }();
  static_cast<void>(once);
}

bool ParseText(const char *text, size_t size, mluoptest_text::Collector *collector,
               pb::Message *message) {
  pb::io::ArrayInputStream stream(text, static_cast<int>(size));
  pb::TextFormat::Parser parser;
  parser.RecordErrorsTo(collector);
  parser.AllowUnknownField(true);
  parser.AllowUnknownExtension(true);
  parser.AllowFieldNumber(true);
  parser.AllowPartialMessage(true);
  parser.SetRecursionLimit(kRecursionLimit);
  return parser.Parse(&stream, message);
}

int Serialize(const char *name, const pb::Message &message, mluopWire *wire,
              mluopTestText *errors) {
  const size_t size = message.ByteSizeLong();
  if (size > INT_MAX) {
    mluop_text_add(errors, "%s: larger than 2 GiB once read\n", name);
    return -1;
  }
  wire->data = static_cast<uint8_t *>(std::malloc(size ? size : 1));
  if (!wire->data) {
    mluop_text_add(errors, "%s: out of memory (%zu bytes)\n", name, size);
    return -1;
  }
  wire->size = size;
  message.SerializePartialToArray(wire->data, static_cast<int>(size));
  return 0;
}

// op_type is informative, and its enumerators are the operators of other libraries: an unknown name
// must not break the file. The text reader cannot skip an unknown enumerator, but it skips an
// unknown field.
std::unique_ptr<pb::Message> ParseWithoutOpType(const char *text, size_t size,
                                                mluoptest_text::Collector *collector,
                                                pb::DescriptorPool *pool,
                                                pb::DynamicMessageFactory *factory) {
  pb::FileDescriptorProto file;
  mluoptest::Node::descriptor()->file()->CopyTo(&file);
  for (auto &type : *file.mutable_message_type()) {
    if (type.name() != "Node") {
      continue;
    }
    auto *fields = type.mutable_field();
    for (int i = fields->size() - 1; i >= 0; --i) {
      if (fields->Get(i).name() == "op_type") {
        fields->DeleteSubrange(i, 1);
      }
    }
  }
  const pb::FileDescriptor *built = pool->BuildFile(file);
  const pb::Descriptor *node = built ? built->FindMessageTypeByName("Node") : nullptr;
  if (!node) {
    return nullptr;
  }
  std::unique_ptr<pb::Message> message(factory->GetPrototype(node)->New());
  return ParseText(text, size, collector, message.get()) ? std::move(message) : nullptr;
}

}  // namespace

extern "C" int mluop_node_text_to_wire(const char *name, const char *text, size_t size,
                                       mluopWire *wire, mluopTestText *errors,
                                       mluopTestText *warnings) {
  Quiet();
  *wire = mluopWire{};
  if (size > INT_MAX) {
    mluop_text_add(errors, "%s: text larger than 2 GiB\n", name);
    return -1;
  }
  mluopTestText first_errors = {}, first_warnings = {};
  mluoptest_text::Collector first(name, &first_errors, &first_warnings);
  mluoptest::Node node;
  const pb::Message *message = &node;

  pb::DescriptorPool pool;
  pb::DynamicMessageFactory factory(&pool);
  std::unique_ptr<pb::Message> reduced;
  bool ok = ParseText(text, size, &first, &node);
  if (!ok && first.saw_unknown_op_type()) {
    mluop_text_free(&first_errors);
    mluop_text_free(&first_warnings);
    mluoptest_text::Collector second(name, &first_errors, &first_warnings);
    reduced = ParseWithoutOpType(text, size, &second, &pool, &factory);
    ok = reduced != nullptr;
    message = reduced.get();
  }
  mluop_text_add_bytes(errors, mluop_text_get(&first_errors), first_errors.length);
  mluop_text_add_bytes(warnings, mluop_text_get(&first_warnings), first_warnings.length);
  mluop_text_free(&first_errors);
  mluop_text_free(&first_warnings);
  if (!ok) {
    return -1;
  }
  if (!message->IsInitialized()) {
    AddMissingFields(name, *message, errors);
    return -1;
  }
  return Serialize(name, *message, wire, errors);
}

extern "C" int mluop_node_wire_to_text(const char *name, const uint8_t *data, size_t size,
                                       mluopTestText *text, mluopTestText *errors) {
  Quiet();
  mluoptest::Node node;
  if (size > INT_MAX || !node.ParseFromArray(data, static_cast<int>(size))) {
    mluop_node_wire_explain(name, data, size, errors);
    return -1;
  }
  std::string out;
  if (!pb::TextFormat::PrintToString(node, &out)) {
    mluop_text_add(errors, "%s: cannot be printed as text\n", name);
    return -1;
  }
  mluop_text_add_bytes(text, out.data(), out.size());
  return 0;
}

extern "C" void mluop_node_wire_explain(const char *name, const uint8_t *data, size_t size,
                                        mluopTestText *errors) {
  Quiet();
  mluoptest::Node node;
  if (size > INT_MAX) {
    mluop_text_add(errors, "%s: larger than 2 GiB\n", name);
  } else if (!node.ParsePartialFromArray(data, static_cast<int>(size))) {
    mluop_text_add(errors, "%s: not a serialised mluoptest.Node\n", name);
  } else {
    AddMissingFields(name, node, errors);
  }
}

namespace {

int JsonToWire(const char *name, const std::string &json, pb::Message *message, mluopWire *wire,
               mluopTestText *errors) {
  Quiet();
  *wire = mluopWire{};
  pb::util::JsonParseOptions options;
  options.ignore_unknown_fields = true;
  const auto status = pb::util::JsonStringToMessage(json, message, options);
  if (!status.ok()) {
    mluop_text_add(errors, "%s: %s\n", name, std::string(status.message()).c_str());
    return -1;
  }
  return Serialize(name, *message, wire, errors);
}

}  // namespace

extern "C" int mluop_threshold_json_to_wire(const char *name, const char *text, size_t size,
                                            mluopWire *wire, mluopTestText *errors) {
  // The file is a bare list; in a message it needs a field name.
  mluoptest::ThresholdList list;
  return JsonToWire(name, "{\"entry\":" + std::string(text, size) + "}", &list, wire, errors);
}

extern "C" int mluop_perf_json_to_wire(const char *name, const char *text, size_t size,
                                       mluopWire *wire, mluopTestText *errors) {
  mluoptest::PerfReport report;
  return JsonToWire(name, std::string(text, size), &report, wire, errors);
}

extern "C" int mluop_perf_run_json_to_wire(const char *name, const char *text, size_t size,
                                           mluopWire *wire, mluopTestText *errors) {
  mluoptest::PerfRun run;
  return JsonToWire(name, std::string(text, size), &run, wire, errors);
}

namespace {

int WireToJson(const uint8_t *data, size_t size, bool spaced, pb::Message *message,
               mluopTestText *json) {
  pb::util::JsonPrintOptions options;
  options.add_whitespace = spaced;
  options.preserve_proto_field_names = true;
  std::string out;
  if (size > INT_MAX || !message->ParseFromArray(data, static_cast<int>(size)) ||
      !pb::util::MessageToJsonString(*message, &out, options).ok()) {
    return -1;
  }
  mluop_text_add_bytes(json, out.data(), out.size());
  return 0;
}

}  // namespace

extern "C" int mluop_perf_wire_to_json(const uint8_t *data, size_t size, mluopTestText *json) {
  mluoptest::PerfReport report;
  return WireToJson(data, size, true, &report, json);
}

extern "C" int mluop_perf_run_wire_to_json(const uint8_t *data, size_t size, mluopTestText *json) {
  mluoptest::PerfRun run;
  return WireToJson(data, size, false, &run, json);
}

extern "C" void mluop_wire_free(mluopWire *wire) {
  std::free(wire->data);
  *wire = mluopWire{};
}
