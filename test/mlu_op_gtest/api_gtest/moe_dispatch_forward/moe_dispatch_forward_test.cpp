/* SPDX-License-Identifier: MIT
 *
 * mluOpMoeDispatchForward: every documented constraint, one wrong argument at a time.
 */
#include <functional>
#include <memory>

#include "core/context.h"
#include "util/api_tensor.h"
#include "util/log_capture.h"

namespace {
constexpr mluOpDataType_t kFloat = MLUOP_DTYPE_FLOAT, kInt = MLUOP_DTYPE_INT32;

struct Shape {
  mluOpDataType_t dtype;
  std::vector<int64_t> dims, strides;
};

/* A call before it is made; rows of the tables below change one thing in it. */
struct Call {
  Shape gates = {kFloat, {12}, {}}, indices = {kInt, {12}, {}}, locations = {kInt, {12}, {}};
  Shape input = {kFloat, {12, 4}, {}}, dispatch = {kFloat, {16, 4}, {}};
  int samples = 12, capacity = 8, hidden = 4, num_experts = 2;
  bool has_handle = true;
  std::string null_desc, null_data; /* names of arguments to leave out */
  std::string named_layout;         /* name of a tensor that gets MLUOP_LAYOUT_NC */
  bool is_in_place = false;         /* dispatch and input are the same memory */
  int64_t overlap_offset = -1;      /* if >= 0, the bytes between input and dispatch */
};

void setDtype(Call &c, mluOpDataType_t dtype) {
  c.gates.dtype = c.input.dtype = c.dispatch.dtype = dtype;
}

class MoeDispatchForward : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(mluOpCreate(&handle_), MLUOP_STATUS_SUCCESS); }
  void TearDown() override { EXPECT_EQ(mluOpDestroy(handle_), MLUOP_STATUS_SUCCESS); }

  static std::unique_ptr<ApiTensor> make(const Shape &shape) {
    return std::make_unique<ApiTensor>(shape.dtype, shape.dims, shape.strides);
  }

  mluOpStatus_t run(const Call &call) {
    const auto gates = make(call.gates), indices = make(call.indices);
    const auto locations = make(call.locations), input = make(call.input);
    dispatch_ = make(call.dispatch);
    const auto desc = [&](const char *name, const std::unique_ptr<ApiTensor> &tensor) {
      if (call.named_layout == name) tensor->setLayout(MLUOP_LAYOUT_NC);
      return call.null_desc == name ? nullptr : tensor->desc();
    };
    const auto data = [&](const char *name, const std::unique_ptr<ApiTensor> &tensor) {
      return call.null_data == name ? nullptr : tensor->data();
    };
    void *dispatch = call.is_in_place ? input->data() : data("dispatch", dispatch_);
    if (call.overlap_offset >= 0) dispatch = (char *)input->data() + call.overlap_offset;
    const mluOpStatus_t status = mluOpMoeDispatchForward(
        call.has_handle ? handle_ : nullptr, desc("gates", gates), data("gates", gates),
        desc("indices", indices), data("indices", indices), desc("locations", locations),
        data("locations", locations), desc("input", input), data("input", input), call.samples,
        call.capacity, call.hidden, call.num_experts, desc("dispatch", dispatch_), dispatch);
    EXPECT_EQ(cnrtQueueSync(nullptr), cnrtSuccess);
    EXPECT_TRUE(gates->isUntouched() && indices->isUntouched() && locations->isUntouched());
    EXPECT_TRUE(input->isUntouched() || (call.is_in_place && status == MLUOP_STATUS_SUCCESS));
    return status;
  }

  struct Row {
    std::function<void(Call &)> change;
    const char *text;
  };
  void expectRefused(mluOpStatus_t wanted, const std::vector<Row> &rows) {
    for (const Row &row : rows) {
      Call call;
      row.change(call);
      EXPECT_ONE_ERROR(wanted, run(call), std::string("[mluOpMoeDispatchForward] ") + row.text);
      EXPECT_TRUE(dispatch_->isUntouched()) << row.text;
    }
  }

  mluOpHandle_t handle_ = nullptr;
  std::unique_ptr<ApiTensor> dispatch_;
};
}  // namespace

TEST_F(MoeDispatchForward, GoodCalls) {
  EXPECT_SUCCESS(run(Call()));
  for (auto dtype : {MLUOP_DTYPE_HALF, MLUOP_DTYPE_BFLOAT16}) {
    Call call;
    setDtype(call, dtype);
    EXPECT_SUCCESS(run(call));
  }
  Call more; /* more samples than slots: capacity factors below 1 */
  more.gates.dims = more.indices.dims = more.locations.dims = {18};
  more.input.dims = {18, 4};
  more.samples = 18;
  EXPECT_SUCCESS(run(more));
}

TEST_F(MoeDispatchForward, ZeroElementsNeedNoData) {
  const std::vector<std::function<void(Call &)>> table = {
      [](Call &c) {
        c.samples = 0;
        c.gates.dims = c.indices.dims = c.locations.dims = {0};
        c.input.dims = {0, 4};
      },
      [](Call &c) {
        c.hidden = 0;
        c.input.dims = {12, 0};
        c.dispatch.dims = {16, 0};
      },
      [](Call &c) {
        c.num_experts = 0;
        c.dispatch.dims = {0, 4};
      },
      [](Call &c) {
        c.capacity = 0;
        c.dispatch.dims = {0, 4};
      },
  };
  for (const auto &change : table) {
    for (const char *missing : {"", "gates", "indices", "locations", "input", "dispatch"}) {
      Call call;
      change(call);
      call.null_data = missing;
      EXPECT_SUCCESS(run(call));
      EXPECT_TRUE(dispatch_->isUntouched());
    }
  }
}

TEST_F(MoeDispatchForward, NullArguments) {
  expectRefused(MLUOP_STATUS_BAD_PARAM,
                {{[](Call &c) { c.has_handle = false; }, "handle: wanted not NULL"},
                 {[](Call &c) { c.null_desc = "gates"; }, "gates_desc: wanted not NULL"},
                 {[](Call &c) { c.null_desc = "indices"; }, "indices_desc: wanted not NULL"},
                 {[](Call &c) { c.null_desc = "locations"; }, "locations_desc: wanted not NULL"},
                 {[](Call &c) { c.null_desc = "input"; }, "input_desc: wanted not NULL"},
                 {[](Call &c) { c.null_desc = "dispatch"; }, "dispatch_desc: wanted not NULL"},
                 {[](Call &c) { c.null_data = "gates"; }, "gates: wanted not NULL"},
                 {[](Call &c) { c.null_data = "indices"; }, "indices: wanted not NULL"},
                 {[](Call &c) { c.null_data = "locations"; }, "locations: wanted not NULL"},
                 {[](Call &c) { c.null_data = "input"; }, "input: wanted not NULL"},
                 {[](Call &c) { c.null_data = "dispatch"; }, "dispatch: wanted not NULL"}});
}

TEST_F(MoeDispatchForward, Ranks) {
  expectRefused(MLUOP_STATUS_BAD_PARAM, {{[](Call &c) {
                                            c.gates.dims = {12, 1};
                                          },
                                          "gates_desc: wanted 1 dimensions, got 2"},
                                         {[](Call &c) {
                                            c.indices.dims = {12, 1};
                                          },
                                          "indices_desc: wanted 1 dimensions, got 2"},
                                         {[](Call &c) {
                                            c.locations.dims = {12, 1};
                                          },
                                          "locations_desc: wanted 1 dimensions, got 2"},
                                         {[](Call &c) {
                                            c.input.dims = {12, 4, 1};
                                          },
                                          "input_desc: wanted 2 dimensions, got 3"},
                                         {[](Call &c) {
                                            c.dispatch.dims = {2, 8, 4};
                                          },
                                          "dispatch_desc: wanted 2 dimensions, got 3"}});
}

TEST_F(MoeDispatchForward, DataTypes) {
  expectRefused(
      MLUOP_STATUS_BAD_PARAM,
      {{[](Call &c) { c.gates.dtype = kInt; }, "gates_desc: wanted data type DTYPE_FLOAT"},
       {[](Call &c) { c.indices.dtype = kFloat; },
        "indices_desc: wanted data type DTYPE_INT32, got DTYPE_FLOAT"},
       {[](Call &c) { c.locations.dtype = MLUOP_DTYPE_INT64; },
        "locations_desc: wanted data type DTYPE_INT32, got DTYPE_INT64"},
       {[](Call &c) { setDtype(c, MLUOP_DTYPE_DOUBLE); }, "input_desc: wanted data type"},
       {[](Call &c) { c.dispatch.dtype = MLUOP_DTYPE_HALF; },
        "dispatch_desc: wanted data type DTYPE_FLOAT as in input_desc, got DTYPE_HALF"}});
}

TEST_F(MoeDispatchForward, Scalars) {
  expectRefused(MLUOP_STATUS_BAD_PARAM,
                {{[](Call &c) { c.samples = -1; }, "samples: wanted 0 or more, got -1"},
                 {[](Call &c) { c.capacity = -1; }, "capacity: wanted 0 or more, got -1"},
                 {[](Call &c) { c.hidden = -1; }, "hidden: wanted 0 or more, got -1"},
                 {[](Call &c) { c.num_experts = -1; }, "num_experts: wanted 0 or more, got -1"}});
}

TEST_F(MoeDispatchForward, Dimensions) {
  expectRefused(
      MLUOP_STATUS_BAD_PARAM,
      {{[](Call &c) { c.gates.dims = {11}; }, "gates_desc: wanted dims[0] 12 (samples), got 11"},
       {[](Call &c) { c.indices.dims = {13}; }, "indices_desc: wanted dims[0] 12"},
       {[](Call &c) { c.locations.dims = {11}; }, "locations_desc: wanted dims[0] 12"},
       {[](Call &c) {
          c.input.dims = {11, 4};
        },
        "input_desc: wanted dims[0] 12"},
       {[](Call &c) {
          c.input.dims = {12, 5};
        },
        "input_desc: wanted dims[1] 4 (hidden), got 5"},
       {[](Call &c) {
          c.dispatch.dims = {15, 4};
        },
        "dispatch_desc: wanted dims[0] 16 (num_experts * capacity), got 15"},
       {[](Call &c) {
          c.dispatch.dims = {16, 3};
        },
        "dispatch_desc: wanted dims[1] 4"},
       {[](Call &c) {
          c.capacity = c.num_experts = 65536; /* 2^32, not 0 */
        },
        "dispatch_desc: wanted dims[0] 4294967296"}});
}

TEST_F(MoeDispatchForward, Strides) {
  expectRefused(
      MLUOP_STATUS_NOT_SUPPORTED,
      {{[](Call &c) { c.gates.strides = {2}; }, "gates_desc: wanted strides[0] 1, got 2"},
       {[](Call &c) { c.indices.strides = {2}; }, "indices_desc: wanted strides[0] 1, got 2"},
       {[](Call &c) { c.locations.strides = {0}; }, "locations_desc: wanted strides[0] 1, got 0"},
       {[](Call &c) {
          c.input.strides = {5, 1};
        },
        "input_desc: wanted strides[0] 4, got 5"},
       {[](Call &c) {
          c.dispatch.strides = {8, 2};
        },
        "dispatch_desc: wanted strides[1] 1, got 2"}});
}

TEST_F(MoeDispatchForward, LargeTensors) {
  expectRefused(MLUOP_STATUS_NOT_SUPPORTED,
                {{[](Call &c) {
                    const int64_t n = 1073741825;
                    c.samples = (int)n;
                    c.gates.dims = c.indices.dims = c.locations.dims = {n};
                    c.input.dims = {n, 4};
                    c.capacity = 536870913;
                    c.dispatch.dims = {1073741826, 4};
                  },
                  "input_desc: wanted at most 2147483647 elements, got 4294967300"},
                 {[](Call &c) {
                    c.capacity = 268435456;
                    c.dispatch.dims = {536870912, 4};
                  },
                  "dispatch_desc: wanted at most 2147483647 elements, got 2147483648"}});
}

TEST_F(MoeDispatchForward, OverlappingMemory) {
  expectRefused(MLUOP_STATUS_BAD_PARAM,
                {{[](Call &c) { c.is_in_place = true; }, "dispatch: wanted memory that does"},
                 {[](Call &c) { /* as many rows as samples, but different ones */
                                c.capacity = 6;
                                c.dispatch.dims = {12, 4};
                                c.overlap_offset = 16;
                  },
                  "dispatch: wanted memory that does"}});
}

/* A few rows of every data type; the test cases check their contents. */
TEST_F(MoeDispatchForward, InPlace) {
  for (auto dtype : {MLUOP_DTYPE_FLOAT, MLUOP_DTYPE_HALF, MLUOP_DTYPE_BFLOAT16}) {
    Call call;
    setDtype(call, dtype);
    call.capacity = 6;
    call.dispatch.dims = {12, 4};
    call.is_in_place = true;
    EXPECT_SUCCESS(run(call));
  }
}

TEST_F(MoeDispatchForward, InPlaceHasALimit) {
  expectRefused(MLUOP_STATUS_BAD_PARAM,
                {{[](Call &c) {
                    c.samples = c.capacity = (1 << 19) + 1;
                    c.num_experts = 1;
                    c.hidden = 1;
                    c.gates.dims = c.indices.dims = c.locations.dims = {c.samples};
                    c.input.dims = c.dispatch.dims = {c.samples, 1};
                    c.is_in_place = true;
                  },
                  "samples: wanted at most 524288 where dispatch is input, got 524289"}});
}

TEST_F(MoeDispatchForward, Layouts) {
  for (const char *name : {"gates", "indices", "locations", "input", "dispatch"}) {
    Call call;
    call.named_layout = name;
    EXPECT_ONE_ERROR(MLUOP_STATUS_BAD_PARAM, run(call),
                     std::string("[mluOpMoeDispatchForward] ") + name +
                         "_desc: wanted layout LAYOUT_ARRAY, got LAYOUT_NC");
    EXPECT_TRUE(dispatch_->isUntouched());
  }
}

TEST_F(MoeDispatchForward, BFloat16OnAnOlderDevice) {
  handle_->arch = MLUOP_MLU370;
  EXPECT_SUCCESS(run(Call()));
  Call call;
  setDtype(call, MLUOP_DTYPE_BFLOAT16);
  EXPECT_ONE_ERROR(MLUOP_STATUS_NOT_SUPPORTED, run(call),
                   std::string("[mluOpMoeDispatchForward] input_desc: wanted another data type "
                               "than DTYPE_BFLOAT16, which ") +
                       handle_->device_name + " does not have");
  EXPECT_TRUE(dispatch_->isUntouched());
}

TEST_F(MoeDispatchForward, OldDevice) {
  handle_->arch = MLUOP_MLU290;
  EXPECT_ONE_ERROR(MLUOP_STATUS_ARCH_MISMATCH, run(Call()), "architecture 372 or newer, got 290");
  EXPECT_TRUE(dispatch_->isUntouched());
}
