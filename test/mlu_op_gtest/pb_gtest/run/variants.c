/* SPDX-License-Identifier: MIT */
#include "run/variants.h"

#include <pthread.h>
#include <stdio.h>

#include "core/variant.h"
#include "run/case_content.h"
#include "run/case_judge.h"
#include "run/case_launch.h"
#include "run/case_outputs.h"
#include "run/onchip_fill.h"

enum { MAX_TABLES = 64, MAX_FORMS = 16 };

static struct {
  pthread_mutex_t lock;
  int n;
  struct {
    const mluopVariantTable *table;
    int cases[MAX_FORMS];
  } of[MAX_TABLES];
} reached = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void count_case(const mluopVariantTable *table, int form) {
  pthread_mutex_lock(&reached.lock);
  int i = 0;
  while (i < reached.n && reached.of[i].table != table) {
    ++i;
  }
  if (i < MAX_TABLES && form < MAX_FORMS) {
    reached.of[i].table = table;
    ++reached.of[i].cases[form];
    reached.n = i < reached.n ? reached.n : i + 1;
  }
  pthread_mutex_unlock(&reached.lock);
}

int mluop_variants_print_reached(void) {
  int missed = 0;
  pthread_mutex_lock(&reached.lock);
  printf("[ VARIANTS ]\n");
  for (int i = 0; i < reached.n; ++i) {
    const mluopVariantTable *table = reached.of[i].table;
    for (int form = 0; form < table->count; ++form) {
      const int cases = reached.of[i].cases[form];
      printf("  %-44s %-16s %5d case%s%s\n", table->op, table->variants[form].name, cases,
             cases == 1 ? "" : "s", cases ? "" : "  NOT REACHED");
      missed += !cases;
    }
  }
  fflush(stdout);
  pthread_mutex_unlock(&reached.lock);
  return missed;
}

/* One more call by the form that the handle forces. Returns -1 when the case cannot go on. */
static int run_form(mluopCaseState *state, const mluopVariantTable *table, int form) {
  const char *name = table->variants[form].name;
  mluOpHandle_t handle = state->session->handle;
  mluOpStatus_t status;
  mluopLaunchTime time;
  if (mluop_content_restore(state, false) || mluop_device_buffer_fill(&state->workspace)) {
    return -1;
  }
  mluop_onchip_fill(state->options, state->seed + 2 + (uint64_t)form, state->session->queue);
  if (mluop_case_launch(state, &status, &time)) {
    mluop_case_fail(state, "variant %s: the call above failed", name);
    return -1;
  }
  if (handle->variant.ran != form) {
    return 0; /* it cannot do this call */
  }
  count_case(table, form);
  if (status != MLUOP_STATUS_SUCCESS) {
    mluop_case_fail(state, "variant %s: the operator returned %s", name,
                    mluOpGetErrorString(status));
    return -1;
  }
  mluop_case_forget_outputs(state);
  if (mluop_case_read_back_strided(state) || mluop_case_take_outputs(state)) {
    return -1;
  }
  mluop_case_judge_bounds(state);
  mluop_case_judge_accuracy(state);
  if (state->result->bounds == MLUOP_VERDICT_FAIL ||
      state->result->accuracy == MLUOP_VERDICT_FAIL) {
    mluop_case_fail(state, "variant %s: it is the one that failed", name);
    return -1;
  }
  return 0;
}

void mluop_case_run_variants(mluopCaseState *state) {
  mluOpHandle_t handle = state->session->handle;
  const mluopVariantTable *table = handle->variant.table;
  const int usual = handle->variant.ran;
  if (!table || !mluop_result_passed(state->result)) {
    return;
  }
  mluop_phase_enter(state->result, MLUOP_PHASE_REPEAT);
  count_case(table, usual);
  for (int form = 0; form < table->count; ++form) {
    handle->variant.forced = form + 1;
    if (form != usual && run_form(state, table, form)) {
      break;
    }
  }
  handle->variant.forced = 0;
}
