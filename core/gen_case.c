/* SPDX-License-Identifier: MIT */
#include "core/gen_case.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "core/context.h"
#include "core/env.h"
#include "core/gen_case_value.h"
#include "core/logging.h"
#include "core/tensor.h"
#include "core/tool.h"

/* Each tensor of a call gets its own seed, so that an operator that confuses tensors fails. The
 * step is large, because the reader's generator gives nearly equal first values for adjacent seeds.
 */
enum { OUTPUT_MAX = 16, RANDOM_SEED = 233, RANDOM_SEED_STEP = 1000003 };

/* Parts of a case file; every part but the first is one block. */
typedef enum Section {
  SECTION_TENSORS,
  SECTION_PARAM,
  SECTION_HANDLE,
  SECTION_TEST,
  SECTION_WRITTEN,
} Section;

struct mluopGenCaseRecord {
  mluopGenCaseConfig config;
  mluOpHandle_t handle;
  const char *op_name;
  Section section;
  bool is_synced; /* the queue's earlier work is complete, so tensors can be read */
  FILE *file;     /* the case file, or the text that mode 3 prints */
  char *base;     /* path of the case file without its ending; NULL in mode 3 */
  char *text;     /* what mode 3 prints */
  size_t text_size;
  int tensor_num;
  int output_num;
  struct {
    mluOpTensorDescriptor_t desc;
    const void *data;
    int position;
  } outputs[OUTPUT_MAX];
};
typedef struct mluopGenCaseRecord Record;

/* Depth of nested operator calls of this thread: by default, an operator called by an operator is
 * not recorded. */
static _Thread_local int nesting;

/* ---- files ---- */

/* Makes every folder of a path that ends in '/'. */
static bool make_folders(char *path) {
  for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    const bool is_there = mkdir(path, 0777) == 0 || errno == EEXIST;
    *slash = '/';
    if (!is_there) return false;
  }
  return true;
}

/* <root>/gen_case/<op>/<op>_<time>_tid<thread>_device<number> */
static char *make_base(mluOpHandle_t handle, const char *op_name) {
  struct timespec now;
  struct tm fields;
  char date[32] = "";
  clock_gettime(CLOCK_REALTIME, &now);
  if (localtime_r(&now.tv_sec, &fields) != NULL) {
    strftime(date, sizeof(date), "%Y%m%d_%H_%M_%S", &fields);
  }
  char *root = mluop_gen_case_root((int)handle->device);
  if (root == NULL) return NULL;
  const size_t size = strlen(root) + 2 * strlen(op_name) + 128;
  char *base = (char *)malloc(size);
  if (base != NULL) {
    snprintf(base, size, "%s/gen_case/%s/%s_%s_%06ld_tid%ld_device%d", root, op_name, op_name, date,
             now.tv_nsec / 1000, (long)syscall(SYS_gettid), (int)handle->device);
  }
  free(root);
  return base;
}

/* The path of the case or of a file next to it. */
static char *path_with(const char *base, const char *ending) {
  const size_t size = strlen(base) + strlen(ending) + 1;
  char *path = (char *)malloc(size);
  if (path != NULL) snprintf(path, size, "%s%s", base, ending);
  return path;
}

static void data_ending(char *ending, size_t size, int position, bool is_input) {
  snprintf(ending, size, "_data%d_%s", position, is_input ? "input" : "output");
}

static FILE *create_file(const char *base, const char *ending) {
  char *path = path_with(base, ending);
  FILE *file = path != NULL ? fopen(path, "wxe") : NULL;
  if (file == NULL) LOG_WARNING("[gen_case] cannot write %s%s: %s.", base, ending, strerror(errno));
  free(path);
  return file;
}

/* Closes a file; false if not everything was written. */
static bool close_file(FILE *file) {
  const bool is_good = ferror(file) == 0;
  return fclose(file) == 0 && is_good;
}

/* ---- data ---- */

/* Waits for the queue. A queue sync would clear an error that the caller has not seen yet. */
static bool wait_for_queue(cnrtQueue_t queue) {
  cnrtNotifier_t notifier = NULL;
  if (cnrtNotifierCreate(&notifier) != cnrtSuccess) return false;
  const bool is_done = cnrtPlaceNotifier(notifier, queue) == cnrtSuccess &&
                       cnrtWaitNotifier(notifier) == cnrtSuccess;
  (void)cnrtNotifierDestroy(notifier);
  return is_done;
}

/* A copy invalidates the captures of other queues unless the thread's capture mode allows it. */
static bool read_device(void *copy, const void *data, size_t bytes) {
  cnrtQueueCaptureMode_t mode = cnrtQueueCaptureModeRelaxed;
  if (cnrtThreadExchangeQueueCaptureMode(&mode) != cnrtSuccess) return false;
  const bool is_read = cnrtMemcpy(copy, (void *)data, bytes, cnrtMemcpyDevToHost) == cnrtSuccess;
  (void)cnrtThreadExchangeQueueCaptureMode(&mode);
  return is_read;
}

/* A host copy of a tensor's memory; NULL (with a warning) when it cannot be read. */
static void *copy_data(Record *record, mluOpTensorDescriptor_t desc, const void *data) {
  const size_t bytes = mluop_tensor_bytes(desc);
  void *copy = data != NULL ? malloc(bytes) : NULL;
  bool is_copied = copy != NULL;
  if (is_copied && desc->pointer_mode == MLUOP_POINTER_MODE_HOST) {
    memcpy(copy, data, bytes);
  } else if (is_copied) {
    if (!record->is_synced) record->is_synced = wait_for_queue(record->handle->queue);
    is_copied = record->is_synced && read_device(copy, data, bytes);
  }
  if (!is_copied) {
    LOG_WARNING("[gen_case] cannot read %zu bytes of a tensor of %s.", bytes, record->op_name);
    free(copy);
    return NULL;
  }
  return copy;
}

/* Writes a tensor's memory to its file next to the case. */
static bool write_data_file(Record *record, mluOpTensorDescriptor_t desc, const void *host_data,
                            int position, bool is_input) {
  char ending[48];
  data_ending(ending, sizeof(ending), position, is_input);
  FILE *file = create_file(record->base, ending);
  if (file == NULL) return false;
  const size_t bytes = mluop_tensor_bytes(desc);
  const bool is_complete = fwrite(host_data, 1, bytes, file) == bytes;
  if (close_file(file) && is_complete) return true;
  LOG_WARNING("[gen_case] cannot write %s%s completely.", record->base, ending);
  return false;
}

/* ---- text ---- */

static const char *base_name(const char *path) {
  return strrchr(path, '/') + 1; /* a base always has folders */
}

static void write_path(Record *record, int position, bool is_input) {
  char ending[48];
  data_ending(ending, sizeof(ending), position, is_input);
  fprintf(record->file, "  path: \"%s%s\"\n", base_name(record->base), ending);
}

static void write_real(FILE *file, const char *field, double value) {
  char text[MLUOP_REAL_TEXT_SIZE];
  fprintf(file, "%s%s\n", field, mluop_real_text(text, value));
}

static void write_random(FILE *file, mluOpDataType_t dtype, mluopGenCaseRandom random,
                         int position) {
  fprintf(file, "  random_data {\n    seed: %d\n", RANDOM_SEED + position * RANDOM_SEED_STEP);
  if (random.distribution == MLUOP_GEN_CASE_GAUSSIAN) {
    write_real(file, "    mu: ", random.a);
    write_real(file, "    sigma: ", random.b);
    fputs("    distribution: GAUSSIAN\n", file);
  } else {
    /* The reader never draws the upper bound itself, and it rounds integers down. */
    write_real(file, "    upper_bound: ", random.b + (mluop_dtype_is_integer(dtype) ? 1 : 0));
    write_real(file, "    lower_bound: ", random.a);
    fputs("    distribution: UNIFORM\n", file);
  }
  fputs("  }\n", file);
}

/* Writes the values, the path of their file, or their distribution. */
static void write_input_data(Record *record, mluOpTensorDescriptor_t desc, const void *data,
                             mluopGenCaseRandom random, int position) {
  const mluopGenCaseConfig *config = &record->config;
  const bool is_kept =
      config->is_data_kept || (random.is_real && config->mode == MLUOP_GEN_CASE_DATA);
  void *copy = is_kept && desc->total_num > 0 ? copy_data(record, desc, data) : NULL;
  if (copy == NULL) {
    write_random(record->file, desc->dtype, random, position);
  } else if (!config->is_in_file) {
    mluop_gen_case_write_values(record->file, desc->dtype, copy, mluop_tensor_extent(desc),
                                config->is_hex);
  } else if (write_data_file(record, desc, copy, position, true)) {
    write_path(record, position, true);
  } else {
    write_random(record->file, desc->dtype, random, position);
  }
  free(copy);
}

static void write_sizes(FILE *file, const char *field, int count, const int64_t *sizes) {
  for (int i = 0; i < count; ++i) fprintf(file, "    %s: %" PRId64 "\n", field, sizes[i]);
}

/* Writes a tensor from the opening brace to the quantization parameters. */
static void write_tensor_head(FILE *file, const char *role, const char *id,
                              mluOpTensorDescriptor_t desc) {
  fprintf(file, "%s {\n  id: \"%s\"\n  shape {\n", role, id);
  write_sizes(file, "dims", desc->dim, desc->dims);
  if (mluop_tensor_is_strided(desc)) write_sizes(file, "dim_stride", desc->dim, desc->strides);
  fprintf(file, "  }\n  layout: %s\n  dtype: %s\n", mluOpGetNameOfTensorLayout(desc->layout),
          mluOpGetNameOfDataType(desc->dtype));
  if (desc->pointer_mode == MLUOP_POINTER_MODE_HOST) {
    fputs("  pointer_mode: POINTER_MODE_HOST\n  is_cpu_scalar: true\n", file);
  }
  if (desc->onchip_dtype != MLUOP_DTYPE_INVALID) {
    fprintf(file, "  onchip_dtype: %s\n", mluOpGetNameOfDataType(desc->onchip_dtype));
  }
  if (desc->position != 0) fprintf(file, "  position: %d\n", desc->position);
  if (desc->scale != 1.0f) write_real(file, "  scale: ", (double)desc->scale);
  if (desc->offset != 0) fprintf(file, "  offset: %d\n", desc->offset);
}

/* Mode 3: "input gates [4] DTYPE_FLOAT LAYOUT_ARRAY" */
static void print_tensor(FILE *file, const char *role, const char *id,
                         mluOpTensorDescriptor_t desc) {
  fprintf(file, " %s %s ", role, id);
  if (desc == NULL) {
    fputs("NULL;", file);
    return;
  }
  for (int i = 0; i < desc->dim; ++i) {
    fprintf(file, "%s%" PRId64, i == 0 ? "[" : ", ", desc->dims[i]);
  }
  fprintf(file, "%s %s %s;", desc->dim == 0 ? "[]" : "]", mluOpGetNameOfDataType(desc->dtype),
          mluOpGetNameOfTensorLayout(desc->layout));
}

/* Closes the current block of the file and opens that of `section`. */
static void enter(Record *record, Section section) {
  if (record->section == section) return;
  if (record->section != SECTION_TENSORS) fputs("}\n", record->file);
  record->section = section;
  if (section == SECTION_PARAM) fprintf(record->file, "%s_param {\n", record->op_name);
  if (section == SECTION_HANDLE) fputs("handle_param {\n", record->file);
  if (section == SECTION_TEST) fputs("test_param {\n", record->file);
}

/* ---- recording ---- */

static void discard(Record *record) {
  if (record->file != NULL) {
    (void)fclose(record->file);
    char *part = record->base != NULL ? path_with(record->base, ".part") : NULL;
    if (part != NULL) (void)unlink(part);
    free(part);
  }
  free(record->base);
  free(record->text);
  free(record);
}

static bool open_record(Record *record) {
  if (record->config.mode == MLUOP_GEN_CASE_PRINT) {
    record->file = open_memstream(&record->text, &record->text_size);
    return record->file != NULL;
  }
  record->base = make_base(record->handle, record->op_name);
  if (record->base == NULL) return false;
  if (!make_folders(record->base)) {
    LOG_WARNING("[gen_case] cannot make the folders of %s: %s.", record->base, strerror(errno));
    return false;
  }
  record->file = create_file(record->base, ".part");
  return record->file != NULL;
}

/* The work of a queue under capture has not run: its tensors have no data yet, and waiting would
 * invalidate the capture. */
static void leave_out_captured_data(Record *record) {
  mluopGenCaseConfig *config = &record->config;
  const bool has_data = config->mode == MLUOP_GEN_CASE_DATA || config->is_output_kept;
  cnrtQueueCaptureStatus_t status = cnrtQueueCaptureStatusNone;
  if (!has_data || cnrtQueueIsCapturing(record->handle->queue, &status) != cnrtSuccess ||
      status == cnrtQueueCaptureStatusNone) {
    return;
  }
  LOG_WARNING("[gen_case] %s is captured: its case has random data, and no outputs.",
              record->op_name);
  *config = (mluopGenCaseConfig){.mode = MLUOP_GEN_CASE_FILE};
}

mluopGenCase mluop_gen_case_start(mluOpHandle_t handle, const char *op_name, const char *op_type) {
  mluopGenCase gen_case = {NULL, true};
  const bool is_inner = nesting++ > 0;
  if (is_inner && !mluop_env_bool(MLUOP_ENV_GEN_CASE_DUMP_INTERNAL)) return gen_case;
  const mluopGenCaseConfig config = mluop_gen_case_config(op_name);
  if (config.mode == MLUOP_GEN_CASE_OFF) return gen_case;
  Record *record = (Record *)calloc(1, sizeof(*record));
  if (record == NULL) return gen_case;
  record->config = config;
  record->handle = handle;
  record->op_name = op_name;
  if (!open_record(record)) {
    discard(record);
    return gen_case;
  }
  if (config.mode != MLUOP_GEN_CASE_PRINT) {
    leave_out_captured_data(record);
    fprintf(record->file, "op_name: \"%s\"\n", op_name);
    if (op_type != NULL) fprintf(record->file, "op_type: %s\n", op_type);
  }
  gen_case.record = record;
  return gen_case;
}

static void record_tensor(Record *record, const char *role, const char *id,
                          mluOpTensorDescriptor_t desc, const void *data,
                          const mluopGenCaseRandom *random) {
  const int position = record->tensor_num++;
  if (record->config.mode == MLUOP_GEN_CASE_PRINT) {
    print_tensor(record->file, role, id, desc);
    return;
  }
  if (desc == NULL) { /* the reader treats a tensor with NULL in its id as absent */
    fprintf(record->file,
            "%s {\n  id: \"%s_NULL\"\n  shape {\n  }\n  layout: LAYOUT_ARRAY\n"
            "  dtype: DTYPE_FLOAT\n}\n",
            role, id);
    return;
  }
  write_tensor_head(record->file, role, id, desc);
  if (random != NULL) {
    write_input_data(record, desc, data, *random, position);
  } else if (record->config.is_output_kept && desc->total_num > 0 &&
             record->output_num < OUTPUT_MAX) {
    write_path(record, position, false);
    record->outputs[record->output_num].desc = desc;
    record->outputs[record->output_num].data = data;
    record->outputs[record->output_num].position = position;
    ++record->output_num;
  }
  fputs("}\n", record->file);
}

void genCaseInput(mluopGenCase *gen_case, const char *id, mluOpTensorDescriptor_t desc,
                  const void *data, mluopGenCaseRandom random) {
  if (genCaseIsOn(gen_case)) record_tensor(gen_case->record, "input", id, desc, data, &random);
}

void genCaseOutput(mluopGenCase *gen_case, const char *id, mluOpTensorDescriptor_t desc,
                   const void *data) {
  if (genCaseIsOn(gen_case)) record_tensor(gen_case->record, "output", id, desc, data, NULL);
}

static void record_param(mluopGenCase *gen_case, const char *name, const char *value) {
  if (!genCaseIsOn(gen_case)) return;
  Record *record = gen_case->record;
  if (record->config.mode == MLUOP_GEN_CASE_PRINT) {
    fprintf(record->file, " %s %s;", name, value);
    return;
  }
  enter(record, SECTION_PARAM);
  fprintf(record->file, "  %s: %s\n", name, value);
}

void genCaseParamInt(mluopGenCase *gen_case, const char *name, int64_t value) {
  char text[32];
  snprintf(text, sizeof(text), "%" PRId64, value);
  record_param(gen_case, name, text);
}

void genCaseParamFloat(mluopGenCase *gen_case, const char *name, double value) {
  char text[MLUOP_REAL_TEXT_SIZE];
  record_param(gen_case, name, mluop_real_text(text, value));
}

void genCaseParamName(mluopGenCase *gen_case, const char *name, const char *value) {
  record_param(gen_case, name, value);
}

void genCaseHandleParam(mluopGenCase *gen_case) {
  static const char *const names[] = {[MLUOP_ROUND_HALF_TO_EVEN] = "ROUND_TO_EVEN",
                                      [MLUOP_ROUND_HALF_UP] = "ROUND_HALF_UP",
                                      [MLUOP_ROUND_HALF_OFF_ZERO] = "ROUND_OFF_ZERO"};
  if (!genCaseIsOn(gen_case) || gen_case->record->config.mode == MLUOP_GEN_CASE_PRINT) return;
  Record *record = gen_case->record;
  enter(record, SECTION_HANDLE);
  fprintf(record->file, "  round_mode: %s\n", names[record->handle->round_mode]);
}

void genCaseTestParam(mluopGenCase *gen_case, const char *criterion, double threshold) {
  if (!genCaseIsOn(gen_case) || gen_case->record->config.mode == MLUOP_GEN_CASE_PRINT) return;
  enter(gen_case->record, SECTION_TEST);
  FILE *file = gen_case->record->file;
  fprintf(file, "  error_func: %s\n", criterion);
  write_real(file, "  error_threshold: ", threshold);
}

static void write_case(Record *record) {
  enter(record, SECTION_TEST);
  fputs("  baseline_device: CPU\n", record->file);
  enter(record, SECTION_WRITTEN);
  char *part = path_with(record->base, ".part");
  char *path = path_with(record->base, ".prototxt");
  const bool is_complete = close_file(record->file);
  record->file = NULL;
  if (is_complete && part != NULL && path != NULL && rename(part, path) == 0) {
    LOG_INFO("[gen_case] Generate %s", path);
  } else {
    LOG_WARNING("[gen_case] cannot write %s.prototxt: %s.", record->base, strerror(errno));
    if (part != NULL) (void)unlink(part);
  }
  free(part);
  free(path);
}

static void print_case(Record *record) {
  (void)fclose(record->file);
  record->file = NULL;
  LOG_INFO("[gen_case] %s:%s", record->op_name, record->text);
}

void genCaseWrite(mluopGenCase *gen_case) {
  if (!genCaseIsOn(gen_case) || gen_case->record->file == NULL) return;
  if (gen_case->record->config.mode == MLUOP_GEN_CASE_PRINT) {
    print_case(gen_case->record);
  } else {
    write_case(gen_case->record);
  }
}

static void keep_outputs(Record *record) {
  record->is_synced = false; /* the operator has queued its own work since */
  for (int i = 0; i < record->output_num; ++i) {
    void *copy = copy_data(record, record->outputs[i].desc, record->outputs[i].data);
    if (copy == NULL) continue;
    (void)write_data_file(record, record->outputs[i].desc, copy, record->outputs[i].position,
                          false);
    free(copy);
  }
}

void mluop_gen_case_end(mluopGenCase *gen_case) {
  --nesting;
  Record *record = gen_case->record;
  gen_case->is_entered = false;
  gen_case->record = NULL;
  if (record == NULL) return;
  if (record->section == SECTION_WRITTEN) keep_outputs(record);
  discard(record);
}
