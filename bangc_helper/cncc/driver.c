/* SPDX-License-Identifier: MIT */
#include "driver.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "job.h"
#include "kernel_compile.h"
#include "preprocess_flags.h"

char *neuware_root(void) {
  char path[PATH_MAX];
  ssize_t n = readlink("/proc/self/exe", path, sizeof path);
  if (n <= 0 || (size_t)n >= sizeof path) fatal("cannot find out where this program is installed");
  size_t length = (size_t)n;
  for (int levels = 0; levels < 2; ++levels) {
    while (length > 0 && path[length - 1] != '/') --length;
    if (length > 1) --length;
  }
  return xstrndup(path, length);
}

static const char *final_suffix(const Options *o) {
  return o->output_kind == OUTPUT_ASSEMBLY ? ".s" : ".o";
}

static int compile_host(const Job *job, const Input *input, const char *output,
                        const char *target) {
  static const char *const modes[] = {[OUTPUT_EXECUTABLE] = "-c",
                                      [OUTPUT_OBJECT] = "-c",
                                      [OUTPUT_ASSEMBLY] = "-S",
                                      [OUTPUT_PREPROCESSED] = "-E",
                                      [OUTPUT_NOTHING] = "-fsyntax-only"};
  const Options *o = job->options;
  bool c = input->language == LANGUAGE_C;
  StrList command = {0};
  strlist_add_all(&command, c ? &job->host->c : &job->host->cxx);
  bool fits = o->standard && (strstr(o->standard, "++") != NULL) != c;
  if (fits) strlist_take(&command, xasprintf("-std=%s", o->standard));
  if (!c) host_add_half_flags(job->host, &command);
  add_preprocess_flags(job, true, &command, &command);
  host_add_flags(job->host, &o->compile, &command);
  if (!o->no_neuware_include) strlist_add2(&command, "-isystem", job->include);
  if (o->output_kind != OUTPUT_DEPENDENCIES) {
    strlist_add(&command, modes[o->output_kind]);
    add_depend_flags(job, target, &command);
  } else {
    add_only_depend_flags(job, &command);
  }
  if (input->forced) strlist_add2(&command, "-x", input->forced);
  strlist_add(&command, input->text);
  if (output) strlist_add2(&command, "-o", output);
  return job_execute_writing(job, &command, output);
}

static bool goes_to_stdout(const Options *o) {
  return o->output_kind == OUTPUT_PREPROCESSED || o->output_kind == OUTPUT_DEPENDENCIES;
}

static bool can_be_read(const Input *input) {
  if (input->text[0] == '-' || access(input->text, R_OK) == 0) return true;
  fprintf(stderr, "cncc: error: %s: '%s'\n", strerror(errno), input->text);
  return false;
}

static int compile_input(const Job *job, const Input *input, const char *output) {
  if (!can_be_read(input)) return 1;
  const char *target = output ? output : "a.o"; /* in lists of dependencies */
  int status;
  if (input->language != LANGUAGE_BANG) {
    status = compile_host(job, input, output, target);
  } else if (goes_to_stdout(job->options)) {
    status = preprocess_kernel(job, input);
  } else {
    status = compile_kernel(job, input, output, target);
  }
  return status == 0 ? 0 : 1;
}

/* The output file of an input when nothing is linked; NULL if it has none. The caller frees it. */
static char *output_of(const Options *o, const Input *input) {
  if (o->output_kind == OUTPUT_NOTHING || input->language == LANGUAGE_LINK) return NULL;
  if (o->output) return xstrdup(o->output);
  if (goes_to_stdout(o)) return NULL;
  char *stem = input_stem(input);
  char *output = xasprintf("%s%s", stem, final_suffix(o));
  free(stem);
  return output;
}

/* Input and output may be the same device: "-c /dev/null -o /dev/null" tests whether a flag is
 * known. */
static bool is_same_file(const char *a, const char *b) {
  struct stat x, y;
  return stat(a, &x) == 0 && stat(b, &y) == 0 && S_ISREG(x.st_mode) && x.st_dev == y.st_dev &&
         x.st_ino == y.st_ino;
}

static void refuse_to_overwrite_inputs(const Options *o, const char *output) {
  for (size_t i = 0; i < o->input_count; ++i) {
    const char *input = o->inputs[i].text;
    if (input[0] != '-' && is_same_file(input, output)) {
      fatal("the output '%s' would overwrite the input '%s'", output, input);
    }
  }
}

static int compile_each(const Job *job) {
  const Options *o = job->options;
  int status = 0;
  for (size_t i = 0; i < o->input_count; ++i) {
    const Input *input = &o->inputs[i];
    if (input->language == LANGUAGE_LINK) {
      if (input->text[0] != '-') warning("'%s' is for the linker; not used here", input->text);
      continue;
    }
    char *output = output_of(o, input);
    status |= compile_input(job, input, output);
    free(output);
  }
  return status;
}

static const char *linked_output(const Options *o) {
  return o->output ? o->output : "a.out";
}

static int link_all(const Job *job) {
  const Options *o = job->options;
  StrList command = {0};
  strlist_add_all(&command, &job->host->cxx);
  host_add_flags(job->host, &o->compile, &command);
  strlist_add_all(&command, &o->link);
  int status = 0;
  for (size_t i = 0; i < o->input_count; ++i) {
    const Input *input = &o->inputs[i];
    if (input->language == LANGUAGE_LINK) {
      if (!can_be_read(input)) status = 1;
      strlist_add(&command, input->text);
      continue;
    }
    char *stem = input_stem(input);
    char *object = job_intermediate(job, stem, ".o");
    status |= compile_input(job, input, object);
    strlist_add(&command, object);
    free(object);
    free(stem);
  }
  const char *output = linked_output(o);
  strlist_add2(&command, "-o", output);
  if (!o->no_neuware_lib) {
    strlist_take(&command, xasprintf("-L%s/lib64", job->root));
    strlist_add(&command, "-lcnrt");
    if (job->target->add_link_flags) job->target->add_link_flags(job, &command);
    strlist_add(&command, "-Xlinker");
    strlist_add(&command, "-rpath");
    strlist_add(&command, "-Xlinker");
    strlist_take(&command, xasprintf("%s/lib64", job->root));
  }
  strlist_add(&command, "-lm");
  strlist_add(&command, "-lpthread");
  if (status == 0) {
    status = job_execute_writing(job, &command, output) == 0 ? 0 : 1;
  } else {
    strlist_free(&command);
  }
  return status;
}

static void check_outputs(const Options *o) {
  if (o->depend_file) refuse_to_overwrite_inputs(o, o->depend_file);
  if (o->output_kind == OUTPUT_EXECUTABLE) {
    refuse_to_overwrite_inputs(o, linked_output(o));
    return;
  }
  for (size_t i = 0; i < o->input_count; ++i) {
    char *output = output_of(o, &o->inputs[i]);
    if (output) refuse_to_overwrite_inputs(o, output);
    free(output);
  }
}

int drive(const Options *options, const Target *target, const Host *host, const char *root) {
  check_outputs(options);
  Job job = {.options = options, .target = target, .host = host, .root = root};
  job.include = xasprintf("%s/include", root);
  int status = options->output_kind == OUTPUT_EXECUTABLE ? link_all(&job) : compile_each(&job);
  free(job.include);
  return status;
}
