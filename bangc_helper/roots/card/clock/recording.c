/* SPDX-License-Identifier: MIT
 *
 * A launch is a line "launch", then "log" for each different log, followed by a line per record,
 * then lines "task" with the number of the log, and "end". A record is a letter and numbers: pipe,
 * flags, then the fields in the order of events.h.
 */
#include "clock/recording.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* ---- Fields of a record ---- */

enum { MAX_FIELDS = 16 };

struct field {
  uint16_t offset;
  uint8_t bytes;
};

#define FIELD(part, name)                                                                \
  {                                                                                      \
    (uint16_t)(offsetof(struct card_record, part) + offsetof(struct card_##part, name)), \
        (uint8_t)sizeof(((struct card_##part *)0)->name)                                 \
  }

static const struct form {
  char letter;
  uint8_t kind;
  struct field fields[MAX_FIELDS];
} forms[] = {
    {'s',
     CARD_SCALAR,
     {FIELD(scalar, cycles), FIELD(scalar, waits), FIELD(scalar, nram), FIELD(scalar, wram),
      FIELD(scalar, sram), FIELD(scalar, ldram), FIELD(scalar, gdram_reads),
      FIELD(scalar, gdram_writes)}},
    {'v',
     CARD_VECTOR,
     {FIELD(vector, function), FIELD(vector, op), FIELD(vector, type_in), FIELD(vector, type_out),
      FIELD(vector, calls), FIELD(vector, elements), FIELD(vector, bytes_in),
      FIELD(vector, bytes_out), FIELD(vector, extra)}},
    {'t',
     CARD_TENSOR,
     {FIELD(tensor, function), FIELD(tensor, type_out), FIELD(tensor, type_in),
      FIELD(tensor, type_weight), FIELD(tensor, m), FIELD(tensor, k), FIELD(tensor, n),
      FIELD(tensor, bytes_in), FIELD(tensor, bytes_out)}},
    {'c',
     CARD_COPY,
     {FIELD(copy, direction), FIELD(copy, source), FIELD(copy, destination),
      FIELD(copy, source_runs), FIELD(copy, destination_runs), FIELD(copy, read_granules),
      FIELD(copy, whole_granules), FIELD(copy, partial_granules), FIELD(copy, bytes)}},
    {'a',
     CARD_ATOMIC,
     {FIELD(atomic, op), FIELD(atomic, type), FIELD(atomic, memory), FIELD(atomic, elements),
      FIELD(atomic, granules), FIELD(atomic, place)}},
    {'y', CARD_SYNC, {FIELD(sync, pipes)}},
    {'b', CARD_BARRIER, {FIELD(barrier, which)}},
    {'l', CARD_LOCK, {FIELD(lock, id)}},
    {'u', CARD_UNLOCK, {FIELD(lock, id)}},
    {'r', CARD_REPEAT, {FIELD(repeat, length), FIELD(repeat, count)}},
};
enum { FORM_COUNT = sizeof forms / sizeof *forms };

static uint64_t get(const struct card_record *record, const struct field *field) {
  const char *place = (const char *)record + field->offset;
  switch (field->bytes) {
    case 1:
      return *(const uint8_t *)place;
    case 2:
      return *(const uint16_t *)place;
    case 4:
      return *(const uint32_t *)place;
    default:
      return *(const uint64_t *)place;
  }
}

static void set(struct card_record *record, const struct field *field, uint64_t value) {
  char *place = (char *)record + field->offset;
  switch (field->bytes) {
    case 1:
      *(uint8_t *)place = (uint8_t)value;
      break;
    case 2:
      *(uint16_t *)place = (uint16_t)value;
      break;
    case 4:
      *(uint32_t *)place = (uint32_t)value;
      break;
    default:
      *(uint64_t *)place = value;
      break;
  }
}

/* ---- Writing ---- */

static void write_record(FILE *file, const struct card_record *record) {
  for (size_t i = 0; i < FORM_COUNT; ++i) {
    if (forms[i].kind != record->kind) continue;
    fprintf(file, "%c %u %u", forms[i].letter, record->pipe, record->flags);
    for (const struct field *field = forms[i].fields; field->bytes != 0; ++field) {
      fprintf(file, " %" PRIu64, get(record, field));
    }
    fputc('\n', file);
  }
}

/* True if both records would be written as the same line. */
static bool is_equal_record(const struct card_record *a, const struct card_record *b) {
  if (a->kind != b->kind || a->pipe != b->pipe || a->flags != b->flags) return false;
  for (size_t i = 0; i < FORM_COUNT; ++i) {
    if (forms[i].kind != a->kind) continue;
    for (const struct field *field = forms[i].fields; field->bytes != 0; ++field) {
      if (get(a, field) != get(b, field)) return false;
    }
  }
  return true;
}

static bool is_equal_log(const struct card_log *a, const struct card_log *b) {
  if (a->count != b->count) return false;
  for (size_t i = 0; i < a->count; ++i) {
    if (!is_equal_record(&a->records[i], &b->records[i])) return false;
  }
  return true;
}

/* The index of the first task with the same log. */
static size_t first_alike(const struct card_launch *launch, size_t task) {
  size_t first = 0;
  while (first < task && !is_equal_log(&launch->tasks[first].log, &launch->tasks[task].log)) {
    ++first;
  }
  return first;
}

void card_log_write(FILE *file, const struct card_launch *launch) {
  fprintf(file, "launch %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32 " %s\n", launch->dim[0],
          launch->dim[1], launch->dim[2], launch->union_clusters, launch->kernel);
  for (size_t i = 0; i < launch->task_count; ++i) {
    const struct card_task *task = &launch->tasks[i];
    const size_t alike = first_alike(launch, i);
    if (alike == i) {
      fprintf(file, "log %zu\n", i);
      for (size_t k = 0; k < task->log.count; ++k) write_record(file, &task->log.records[k]);
    }
    fprintf(file, "task %" PRIu32 " %" PRIu32 " %" PRIu32 " %zu\n", task->group, task->cluster,
            task->core, alike);
  }
  fputs("end\n", file);
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FILE *wanted;

static void open_wanted(void) {
  const char *path = getenv("MLUOP_CARD_LOG");
  if (path == NULL || *path == '\0') return;
  wanted = fopen(path, "w");
  if (wanted == NULL)
    fprintf(stderr, "MLUOP_CARD_LOG: cannot write %s: %s\n", path, strerror(errno));
}

void card_log_note(const struct card_launch *launch) {
  pthread_once(&once, open_wanted);
  if (wanted == NULL) return;
  pthread_mutex_lock(&lock);
  card_log_write(wanted, launch);
  fflush(wanted);
  pthread_mutex_unlock(&lock);
}

/* ---- Reading ---- */

/* Makes room for one more element; the capacity doubles. NULL: out of memory. */
static void *room_for_one(void *list, size_t count, size_t size) {
  if ((count & (count - 1)) != 0) return list;
  return realloc(list, (count > 0 ? 2 * count : 1) * size);
}

static bool read_record(struct card_log *log, const char *line) {
  const struct form *form = forms;
  while (form < forms + FORM_COUNT && form->letter != line[0]) ++form;
  if (form == forms + FORM_COUNT) return false;
  struct card_record record;
  memset(&record, 0, sizeof record);
  record.kind = form->kind;
  char *at = (char *)(uintptr_t)(line + 1);
  record.pipe = (uint8_t)strtoul(at, &at, 10);
  record.flags = (uint16_t)strtoul(at, &at, 10);
  for (const struct field *field = form->fields; field->bytes != 0; ++field) {
    char *end;
    set(&record, field, strtoull(at, &end, 10));
    if (end == at) return false;
    at = end;
  }
  struct card_record *records = room_for_one(log->records, log->count, sizeof record);
  if (records == NULL) return false;
  log->records = records;
  log->records[log->count++] = record;
  return true;
}

static bool add_log(struct card_logged_launch *launch) {
  struct card_log *logs = room_for_one(launch->logs, launch->log_count, sizeof *logs);
  if (logs == NULL) return false;
  launch->logs = logs;
  launch->logs[launch->log_count++] = (struct card_log){0};
  return true;
}

/* `numbers`: for each log, the index of the first task that has it. */
static bool add_task(struct card_logged_launch *launch, const char *line, const size_t *numbers) {
  struct card_task task = {0};
  size_t alike = 0;
  if (sscanf(line, "task %" SCNu32 " %" SCNu32 " %" SCNu32 " %zu", &task.group, &task.cluster,
             &task.core, &alike) != 4) {
    return false;
  }
  size_t log = 0;
  while (log < launch->log_count && numbers[log] != alike) ++log;
  struct card_task *tasks =
      room_for_one(launch->tasks, launch->launch.task_count, sizeof *launch->tasks);
  if (log == launch->log_count || tasks == NULL) return false;
  launch->tasks = tasks;
  task.x = (uint32_t)launch->launch.task_count;
  task.y = (uint32_t)log; /* the log's index, until all logs are read */
  launch->tasks[launch->launch.task_count++] = task;
  return true;
}

static bool read_head(struct card_logged_launch *launch, const char *line) {
  int name = 0;
  if (sscanf(line, "launch %" SCNu32 " %" SCNu32 " %" SCNu32 " %" SCNu32 " %n",
             &launch->launch.dim[0], &launch->launch.dim[1], &launch->launch.dim[2],
             &launch->launch.union_clusters, &name) != 4) {
    return false;
  }
  launch->name = strdup(line + name);
  launch->launch.kernel = launch->name;
  return launch->name != NULL;
}

static bool read_body(FILE *file, struct card_logged_launch *launch, char *line, int size) {
  size_t *numbers = NULL;
  bool is_right = false;
  while (fgets(line, size, file) != NULL) {
    if (strncmp(line, "end", 3) == 0) {
      is_right = true;
      break;
    }
    if (strncmp(line, "log ", 4) == 0) {
      size_t *more = room_for_one(numbers, launch->log_count, sizeof *numbers);
      if (more == NULL || !add_log(launch)) break;
      numbers = more;
      numbers[launch->log_count - 1] = strtoul(line + 4, NULL, 10);
    } else if (strncmp(line, "task ", 5) == 0) {
      if (!add_task(launch, line, numbers)) break;
    } else if (launch->log_count == 0 || !read_record(&launch->logs[launch->log_count - 1], line)) {
      break;
    }
  }
  free(numbers);
  return is_right;
}

enum card_log_result card_log_read(FILE *file, struct card_logged_launch *launch) {
  static const struct card_site no_sites[1] = {{.file = "", .function = "", .line = 0}};
  char line[4096];
  *launch = (struct card_logged_launch){.launch = {.sites = no_sites, .site_count = 1}};
  if (fgets(line, sizeof line, file) == NULL) return CARD_LOG_END;
  line[strcspn(line, "\n")] = '\0';
  if (!read_head(launch, line) || !read_body(file, launch, line, sizeof line)) {
    card_log_free(launch);
    return CARD_LOG_BROKEN;
  }
  for (size_t i = 0; i < launch->launch.task_count; ++i) {
    launch->tasks[i].log = launch->logs[launch->tasks[i].y];
    launch->tasks[i].y = 0;
  }
  launch->launch.tasks = launch->tasks;
  return CARD_LOG_READ;
}

void card_log_free(struct card_logged_launch *launch) {
  for (size_t i = 0; i < launch->log_count; ++i) free(launch->logs[i].records);
  free(launch->logs);
  free(launch->tasks);
  free(launch->name);
  *launch = (struct card_logged_launch){0};
}
