#include "src/sweep/check.h"

#include "control/base/checkpoint.h"
#include "src/base/exit_code.h"
#include "src/document/document.h"

#include <stdlib.h>
#include <string.h>

static int read(const SweepPlan *plan, const long *index, Problem *problem, Diagnostics *diagnostics) {
  const ModelRanks alone = {.copies = 1, .limits = plan->limits};
  Options options = {.argument = plan->path};
  Diagnostics found = {0};
  int code = EXIT_USAGE;
  options.document = sweep_plan_document(plan, plan->path, index, &found);
  if (options.document && !found.errors) code = problem_read(&options, plan->control, &alone, &found, problem);
  document_destroy(options.document);
  diagnostics_pass(&found, diagnostics);
  return code;
}

/* All that a run depends on; 0: no memory. */
static uint64_t identity_of(const SweepPlan *plan, const Problem *problem) {
  json_t *echo = problem_echo(problem);
  json_object_del(echo, "title");
  json_object_del(echo, "checkpoint");
  static const char *const of_control[] = {"control", "search", "scenarios"}; /* a simulation has none */
  for (size_t k = 0; !plan->control && k < sizeof of_control / sizeof *of_control; k++)
    json_object_del(echo, of_control[k]);
  char *text = echo ? json_dumps(echo, JSON_SORT_KEYS | JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
  uint64_t identity = text ? ctl_checkpoint_identity(text, strlen(text)) : 0;
  free(text);
  json_decref(echo);
  return identity;
}

/* Whether the problem with these values can be read, and is another. */
static bool is_another(const SweepPlan *plan, const long *index, uint64_t identity) {
  Problem problem;
  if (read(plan, index, &problem, NULL)) return true;
  bool another = identity_of(plan, &problem) != identity;
  problem_clear(&problem);
  return another;
}

/* The first values with which the problem can be read: the first of all, else the first but for one axis, or, zipped, the first of all at
 * once. */
static int find_base(const SweepPlan *plan, long *base, Problem *problem, Diagnostics *diagnostics) {
  const Axes *axes = &plan->axes;
  Diagnostics first = {0};
  memset(base, 0, sizeof *base * (size_t)axes->n);
  int code = read(plan, base, problem, &first);
  for (int k = 0; k < axes->n && code == EXIT_USAGE; k++)
    for (long i = 1; i < axes->axes[k].count && code == EXIT_USAGE; i++) {
      for (int j = 0; j < axes->n; j++) base[j] = axes->zip || j == k ? i : 0;
      code = read(plan, base, problem, NULL);
    }
  if (code)
    diagnostics_pass(&first, diagnostics);
  else
    diagnostics_clear(&first);
  return code;
}

int sweep_check(const SweepPlan *plan, long *base, Problem *problem, Diagnostics *diagnostics) {
  const Axes *axes = &plan->axes;
  int code = find_base(plan, base, problem, diagnostics);
  if (code) return code;
  uint64_t identity = identity_of(plan, problem);
  for (int k = 0; k < axes->n; k++) {
    long index[SWEEP_AXES_MAX], i = 0;
    bool another = false;
    memcpy(index, base, sizeof index);
    for (; i < axes->axes[k].count && !another; i++) {
      index[k] = i;
      another = i != base[k] && is_another(plan, index, identity);
    }
    if (!another)
      code = diagnostics_error(diagnostics, EXIT_USAGE, "--vary %s: the problem is the same for all its %ld values",
                               axes->axes[k].key, axes->axes[k].count);
  }
  if (code) problem_clear(problem);
  return code;
}
