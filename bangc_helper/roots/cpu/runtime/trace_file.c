/* SPDX-License-Identifier: MIT */
#include "trace_file.h"

#include <inttypes.h>

/* A launch is a process of the trace, and a task is four of its threads: the core's work, and the
 * copies in flight by kind. */
enum { TRACK_CORE, TRACK_LOAD, TRACK_STORE, TRACK_MOVE, TRACKS };

static const struct {
  const char *name;
  int track;
} kinds[] = {
    [RT_TRACE_TASK] = {"task", TRACK_CORE}, [RT_TRACE_COMPUTE] = {"compute", TRACK_CORE},
    [RT_TRACE_WAIT] = {"wait", TRACK_CORE}, [RT_TRACE_BARRIER] = {"barrier", TRACK_CORE},
    [RT_TRACE_LOAD] = {"load", TRACK_LOAD}, [RT_TRACE_STORE] = {"store", TRACK_STORE},
    [RT_TRACE_MOVE] = {"move", TRACK_MOVE},
};

static void write_name(FILE *file, const char *text) {
  for (; *text != '\0'; ++text) {
    if (*text == '"' || *text == '\\') {
      fputc('\\', file);
    }
    fputc((unsigned char)*text < ' ' ? ' ' : *text, file);
  }
}

static long thread_of(const struct rt_trace_event *event) {
  return (long)event->track * TRACKS + kinds[event->kind].track;
}

static void write_thread_names(FILE *file, uint32_t launch, int track) {
  static const char *const suffixes[TRACKS] = {"", ", loads", ", stores", ", moves"};
  const char *core = track % 2 != 0 ? " (memory core)" : "";
  for (int i = 0; i < TRACKS; ++i) {
    const long thread = (long)track * TRACKS + i;
    fprintf(file,
            ",\n{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":%u,\"tid\":%ld,\"args\":{\"name\":"
            "\"task %d%s%s\"}}"
            ",\n{\"ph\":\"M\",\"name\":\"thread_sort_index\",\"pid\":%u,\"tid\":%ld,\"args\":{"
            "\"sort_index\":%ld}}",
            launch, thread, track / 2, core, suffixes[i], launch, thread, thread);
  }
}

void rt_trace_file_begin(FILE *file, const struct rt_trace_launch_name *names, size_t count) {
  fprintf(file,
          "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n{\"ph\":\"M\",\"name\":"
          "\"trace\",\"pid\":0,\"args\":{}}");
  for (size_t i = 0; i < count; ++i) {
    fprintf(file, ",\n{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%u,\"args\":{\"name\":\"",
            names[i].launch);
    write_name(file, names[i].kernel);
    fprintf(file, "<<<{%u, %u, %u}, ", names[i].dim.x, names[i].dim.y, names[i].dim.z);
    if (names[i].union_clusters != 0) {
      fprintf(file, "Union%u>>>\"}}", names[i].union_clusters);
    } else {
      fprintf(file, "Block>>>\"}}");
    }
  }
}

/* Microseconds; %f would take the decimal comma of the program's locale. */
static void write_time(FILE *file, const char *name, uint64_t ns) {
  fprintf(file, ",\"%s\":%" PRIu64 ".%03" PRIu64, name, ns / 1000, ns % 1000);
}

void rt_trace_file_events(FILE *file, const struct rt_trace_event *events, size_t count,
                          uint64_t origin_ns) {
  for (size_t i = 0; i < count; ++i) {
    const struct rt_trace_event *event = &events[i];
    if (event->kind == RT_TRACE_TASK) {
      write_thread_names(file, event->launch, event->track);
    }
    fprintf(file, ",\n{\"ph\":\"X\",\"name\":\"%s\",\"pid\":%u,\"tid\":%ld",
            kinds[event->kind].name, event->launch, thread_of(event));
    write_time(file, "ts", event->begin_ns - origin_ns);
    write_time(file, "dur", event->end_ns - event->begin_ns);
    if (event->count != 0) {
      fprintf(file, ",\"args\":{\"bytes\":%llu,\"copies\":%llu}", (unsigned long long)event->bytes,
              (unsigned long long)event->count);
    }
    fputc('}', file);
  }
}

void rt_trace_file_end(FILE *file, size_t dropped) {
  fprintf(file, "\n],\"otherData\":{\"dropped_events\":%zu}}\n", dropped);
}
