/* SPDX-License-Identifier: MIT
 *
 * Which variant of a kernel takes a call (core/variant.h), and the device facts that decide.
 */
#include "core/variant.h"

#include "internal/child.h"
#include "util/log_capture.h"

namespace {
/* The probe has the variants evens (even numbers only), tables and reference. It calls them with 0
 * and 1 where scalar access is fast, with 2 and 3 where it is slow. */
std::vector<std::string> run(const std::string &environment) {
  TemporaryFolder folder;
  const ChildResult result = runProbe(folder, environment, "variants");
  EXPECT_EQ(result.status, 0);
  return result.lines;
}
using Lines = std::vector<std::string>;
const Lines kUsual = {"0 by 0", "1 by 1", "2 by 2", "3 by 2"};
}  // namespace

TEST(Variant, FactsAndShapesDecide) {
  EXPECT_EQ(run(""), kUsual);
}

TEST(Variant, ForcedUnlessItCannot) {
  EXPECT_EQ(run("MLUOP_VARIANT=reference"), (Lines{"0 by 2", "1 by 2", "2 by 2", "3 by 2"}));
  EXPECT_EQ(run("MLUOP_VARIANT=evens"), (Lines{"0 by 0", "1 by 1", "2 by 0", "3 by 2"}));
  EXPECT_EQ(run("MLUOP_VARIANT=other:evens,probe:tables"),
            (Lines{"0 by 1", "1 by 1", "2 by 1", "3 by 1"}));
  for (const char *other : {"other:evens", "even", "evens2", "probe2:evens", "''"}) {
    EXPECT_EQ(run("MLUOP_VARIANT=" + std::string(other)), kUsual) << other;
  }
}

TEST(Variant, UnknownNameOfOwnOperatorIsTold) {
  const Lines lines = run("MLUOP_VARIANT=probe:event");
  ASSERT_EQ(lines.size(), 5u); /* once, not per call */
  EXPECT_EQ(logMessage(lines[0], "WARNING"),
            "environment variable MLUOP_VARIANT: probe has no variant \"event\"; it has evens, "
            "tables, reference.");
}

TEST(Variant, VerboseSaysWhatRanAndWhy) {
  const Lines lines = run("MLUOP_VERBOSE=other,dispatch MLUOP_VARIANT=evens");
  ASSERT_EQ(lines.size(), 9u);
  EXPECT_NE(lines[0].find("[mluOpCreate] MLU590-CPU: CPU; scalar step over NRAM 1 cycles"),
            std::string::npos);
  EXPECT_NE(lines[0].find("where such rows are added up."), std::string::npos) << "cut short";
  EXPECT_EQ(logMessage(lines[1], "VLOG"), "[probe] variant evens (forced).");
  EXPECT_EQ(logMessage(lines[3], "VLOG"), "[probe] variant tables; evens: the number is odd.");
  EXPECT_EQ(logMessage(lines[5], "VLOG"),
            "[probe] variant evens (forced); tables: scalar access is slow.");
  EXPECT_EQ(logMessage(lines[7], "VLOG"),
            "[probe] variant reference; evens: the number is odd; tables: scalar access is slow.");
}

TEST(DeviceFacts, ChangedForAMeasurement) {
  const Lines lines = run(
      "MLUOP_VERBOSE=dispatch MLUOP_DEVICE_FACTS=tile_bytes=4711,,tile_byte=1,tasks_per_core=3");
  EXPECT_EQ(
      logMessage(lines[0], "WARNING"),
      "environment variable MLUOP_DEVICE_FACTS: wanted name=number with a number above 0, got "
      "\"\".");
  EXPECT_NE(lines[1].find("3 small tasks per core"), std::string::npos) << lines[1];
  EXPECT_NE(lines[1].find("tiles of 4711 bytes"), std::string::npos);
  mluopDeviceFacts changed = *mluop_device_facts_of("MLU370-X4");
  mluop_device_facts_change(&changed, "scattered_tile_bytes=4712,summed_tile_bytes=4713");
  EXPECT_EQ(changed.scattered_tile_bytes, 4712);
  EXPECT_EQ(changed.summed_tile_bytes, 4713);
  for (const char *wrong : {"tile_bytes", "tile_bytes=", "tile_bytes=0", "tile_bytes=-8",
                            "tile_bytes=8k", "tile_bytes=99999999999", "kind=1"}) {
    mluopDeviceFacts facts = *mluop_device_facts_of("MLU370-X4");
    mluop_device_facts_change(&facts, wrong);
    EXPECT_EQ(facts.tile_bytes, 32 * 1024) << wrong;
  }
}

TEST(DeviceFacts, ByName) {
  const mluopDeviceFacts *cpu = mluop_device_facts_of("MLU590-CPU");
  EXPECT_TRUE(mluop_scalar_is_fast(cpu) && !mluop_small_tasks_overlap(cpu));
  EXPECT_FALSE(cpu->copies_beside_compute || cpu->copies_in_order);
  const mluopDeviceFacts *gpu = mluop_device_facts_of("NVIDIA H200");
  EXPECT_TRUE(!mluop_scalar_is_fast(gpu) && mluop_small_tasks_overlap(gpu));
  for (const char *name : {"MLU370-X4", "MLU590-M9", "MLU999", ""}) {
    const mluopDeviceFacts *card = mluop_device_facts_of(name);
    EXPECT_TRUE(!mluop_scalar_is_fast(card) && !mluop_small_tasks_overlap(card)) << name;
    EXPECT_TRUE(card->copies_beside_compute && !card->copies_in_order);
  }
}
