/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/study/sweep_plan.h"

#include "control/base/checkpoint.h"
#include "src/process/stop_signal.h"
#include "src/run/given_control.h"
#include "src/run/plan_replay.h"

#include <stdlib.h>
#include <string.h>

/* Maximum number of values of a range that are checked; they are spread over the range. If an axis is a list, all
 * values are checked. */
enum { RANGE_CHECKED_MAX = 1000 };

/* Maximum number of errors that are reported for an axis. For each invalid value, values of other axes are tried with
 * which it may be valid. */
enum { MISTAKES_MAX = 20 };

/* Checks that the given control can be used for the simulations of the sweep. */
static int read_applied(const Options *options, Problem *problem, Diagnostics *diagnostics) {
  given_control_segments(options, problem);
  int replayed = plan_replay(options, problem, diagnostics);
  if (replayed) return replayed;
  double *control =
      diagnostics_calloc(diagnostics, (size_t)stiction_problem_variables(&problem->sim) + 1, sizeof *control);
  int code = control ? given_control(options, problem, NULL, control, diagnostics) : EXIT_INTERNAL;
  free(control);
  return code;
}

static int read(const SweepPlan *plan, const long *index, Problem *problem, Diagnostics *diagnostics) {
  const Options options = {.argument = plan->path, .control = plan->applied};
  Diagnostics found = {.origin = diagnostics ? diagnostics->origin : NULL};
  if (stop_signal_seen()) return EXIT_STOPPED; /* checking many values takes time, so a signal can stop it */
  int code = sweep_plan_problem(plan, plan->path, index, false, &found, problem);
  if (!code && plan->applied && (code = read_applied(&options, problem, &found)) != 0) problem_clear(problem);
  bool no_memory = found.no_memory;
  diagnostics_pass(&found, diagnostics);
  return no_memory ? diagnostics_no_memory(diagnostics) : code;
}

/* Checks that the problem with these values can be read. */
static int attempt(const SweepPlan *plan, const long *index, Diagnostics *diagnostics) {
  Problem problem;
  int code = read(plan, index, &problem, diagnostics);
  if (!code) problem_clear(&problem);
  return code;
}

/* Removes keys that only affect the files of a run, as these files are not kept. */
static void leave_out_files(json_t *echo) {
  static const char verify[] = "verify"; /* this key stays, as it adds columns to the table of the sweep */
  json_t *output = json_object_get(echo, "output"), *verified = json_incref(json_object_get(output, verify));
  json_object_clear(output);
  if (verified) json_object_set_new(output, verify, verified);
}

/* Removes keys that do not affect the result of any run. */
static void leave_out(const SweepPlan *plan, json_t *echo) {
  /* only searches depend on these sections */
  static const char *const of_control[] = {"control", "search", "scenarios"}, *const of_search[] = {"bounds",
                                                                                                    "objective",
                                                                                                    "effort_at_most"};
  json_t *control = json_object_get(echo, "control");
  json_object_del(echo, "title");
  json_object_del(echo, "checkpoint");
  if (!plan->keep) leave_out_files(echo);
  for (size_t k = plan->applied != NULL; !plan->control && k < sizeof of_control / sizeof *of_control; k++)
    json_object_del(echo, of_control[k]);
  if (!plan->applied) return;
  for (size_t k = 0; k < sizeof of_search / sizeof *of_search; k++) json_object_del(control, of_search[k]);
  if (!given_control_is_start(plan->applied)) json_object_del(control, "start");
}

/* Returns a hash of everything that affects the result of a run; 0: no memory. */
static uint64_t identity_of(const SweepPlan *plan, const Problem *problem) {
  json_t *echo = problem_echo(problem);
  leave_out(plan, echo);
  char *text = echo ? json_dumps(echo, JSON_SORT_KEYS | JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
  uint64_t identity = text ? ctl_checkpoint_identity(text, strlen(text)) : 0;
  free(text);
  json_decref(echo);
  return identity;
}

/* Returns whether the problem with these values differs from the problem with the hash `identity`, or cannot be
 * read. */
static bool is_another(const SweepPlan *plan, const long *index, uint64_t identity) {
  Problem problem;
  if (read(plan, index, &problem, NULL)) return true;
  bool another = identity_of(plan, &problem) != identity;
  problem_clear(&problem);
  return another;
}

/* looks_at returns how many values of an axis are checked. The next function returns the number of the j-th of these
 * values. */
static long looks_at(const Axis *axis) {
  return axis->range && axis->count > RANGE_CHECKED_MAX ? RANGE_CHECKED_MAX : axis->count;
}

static long look(const Axis *axis, long j) {
  long last = looks_at(axis) - 1;
  return last > 0 ? j * (axis->count - 1) / last : 0;
}

/* Sets index to the values of `from`, except that axis k gets value number i; if axes are zipped, all axes get it. */
static void put(const Axes *axes, const long *from, int k, long i, long *index) {
  for (int j = 0; j < axes->n; j++) index[j] = axes->zip || j == k ? i : from[j];
}

/* Finds the first combination of values with which the problem can be read. The first values of all axes are tried,
 * then other values of one axis with the first values of the others. If axes are zipped, all have the same number. */
static int find_base(const SweepPlan *plan, long *base, Problem *problem, Diagnostics *diagnostics) {
  static const long zeros[SWEEP_AXES_MAX] = {0};
  const Axes *axes = &plan->axes;
  Diagnostics first = {.origin = diagnostics->origin};
  memset(base, 0, sizeof *base * (size_t)axes->n);
  int code = read(plan, base, problem, &first);
  for (int k = 0; k < axes->n && code == EXIT_USAGE; k++)
    for (long j = 1; j < looks_at(&axes->axes[k]) && code == EXIT_USAGE; j++) {
      put(axes, zeros, k, look(&axes->axes[k], j), base);
      code = read(plan, base, problem, NULL);
    }
  if (code && code != EXIT_STOPPED)
    diagnostics_pass(&first, diagnostics);
  else
    diagnostics_clear(&first);
  return code;
}

/* Returns whether a value that is invalid in combination with the base is valid with another value of some other axis.
 * If so, only the combination is invalid. */
static bool reads_beside_others(const SweepPlan *plan, const long *index, int k) {
  const Axes *axes = &plan->axes;
  for (int j = 0; j < axes->n && !axes->zip; j++)
    for (long i = 0; i < looks_at(&axes->axes[j]) && j != k; i++) {
      long beside[SWEEP_AXES_MAX];
      put(axes, index, j, look(&axes->axes[j], i), beside);
      if (attempt(plan, beside, NULL) == 0) return true;
    }
  return false;
}

/* Reports an invalid value. If the errors are about other keys, adds the value that has caused them. */
static void report_value(Diagnostics *found, const char *setting, Diagnostics *diagnostics) {
  static const char of_values[] = "--vary ";
  bool named = found->count == 0;
  for (size_t k = 0; k < found->count; k++)
    named = named || strncmp(found->list[k].place.name, of_values, strlen(of_values)) == 0;
  diagnostics_pass(found, diagnostics);
  if (!named)
    diagnostics_error(diagnostics, EXIT_USAGE, "--vary %s: with this value the problem cannot be read", setting);
}

/* Reports the first values of an axis with which the problem cannot be read; only one if the axis is a range. If axes
 * are zipped, a value stands for the values of all axes. */
static int check_values(const SweepPlan *plan, const long *base, int k, Diagnostics *diagnostics) {
  const Axis *axis = &plan->axes.axes[k];
  int code = 0, most = axis->range ? 1 : MISTAKES_MAX;
  for (long j = 0, reported = 0; j < looks_at(axis) && code < EXIT_INTERNAL && reported < most; j++) {
    long index[SWEEP_AXES_MAX];
    Diagnostics found = {.origin = diagnostics->origin};
    put(&plan->axes, base, k, look(axis, j), index);
    int one = attempt(plan, index, &found);
    if (one == EXIT_USAGE && reads_beside_others(plan, index, k)) one = 0;
    if (one >= EXIT_INTERNAL)
      diagnostics_pass(&found, diagnostics);
    else if (one)
      report_value(&found, axis->settings[index[k]], diagnostics);
    reported += one != 0;
    if (one > code) code = one;
    diagnostics_clear(&found);
  }
  return code;
}

/* Reports an axis if all of its values give the same problem. */
static int check_effect(const SweepPlan *plan, const long *base, int k, uint64_t identity, Diagnostics *diagnostics) {
  const Axis *axis = &plan->axes.axes[k];
  long index[SWEEP_AXES_MAX];
  memcpy(index, base, sizeof index);
  for (long j = 0; j < looks_at(axis); j++) {
    index[k] = look(axis, j);
    if (index[k] != base[k] && is_another(plan, index, identity)) return 0;
  }
  return diagnostics_error(diagnostics, EXIT_USAGE, "--vary %s: the problem is the same for all its %ld values",
                           axis->key, axis->count);
}

int sweep_check(const SweepPlan *plan, long *base, Problem *problem, Diagnostics *diagnostics) {
  const Axes *axes = &plan->axes;
  int code = find_base(plan, base, problem, diagnostics);
  if (!code) {
    uint64_t identity = identity_of(plan, problem);
    for (int k = 0; k < (axes->zip ? 1 : axes->n) && code < EXIT_INTERNAL; k++) {
      int one = check_values(plan, base, k, diagnostics);
      if (one > code) code = one;
    }
    for (int k = 0; k < axes->n && !code; k++) code = check_effect(plan, base, k, identity, diagnostics);
    if (code) problem_clear(problem);
  }
  return code == EXIT_STOPPED ? diagnostics_error(diagnostics, code, "stopped on a signal, before the first run")
                              : code;
}
