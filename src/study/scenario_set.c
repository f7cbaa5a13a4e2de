/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/study/scenario_set.h"

#include "sim/group.h"
#include "src/base/path.h"
#include "src/file/sections/motion_plan.h"
#include "src/file/sections/variant.h"
#include "src/process/stop_signal.h"
#include "src/study/scenario_motions.h"
#include "src/study/sobol.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)SCENARIO_DIMENSIONS_MAX <= (int)SOBOL_DIMENSIONS, "a dimension of the sequence for each");
_Static_assert((int)SCENARIO_DIMENSIONS_MAX <= (int)FIT_PARAMETERS_MAX, "a parameter for each");

/* Normal distributions are cut off at this number of standard deviations on both sides. */
static const double NORMAL_END = 3;

/* returns the probability that a standard normal variable is below z */
static double normal_part(double z) { return 0.5 * erfc(-z * M_SQRT1_2); }

/* Returns the value z of a random variable that belongs to a coordinate in (0, 1), by inverting its distribution
 * function. */
static double spread(ScenarioDistribution distribution, double coordinate) {
  if (distribution == SCENARIO_UNIFORM) return 2 * coordinate - 1;
  double low = -NORMAL_END, high = NORMAL_END, least = normal_part(low), most = normal_part(high);
  double part = least + coordinate * (most - least);
  for (int halving = 0; halving < 60; halving++) { /* 60 halvings determine z to its last bit */
    double middle = 0.5 * (low + high);
    *(normal_part(middle) < part ? &low : &high) = middle;
  }
  return 0.5 * (low + high);
}

static void place(ScenarioSet *set) {
  const Scenarios *s = set->scenarios;
  for (int i = 0; i < s->n; i++) {
    const SobolDimension dimension = sobol_dimension(i, (uint64_t)s->seed);
    for (long k = 0; k < s->count; k++)
      set->z[k * s->n + i] = spread(s->distribution, sobol_coordinate(&dimension, (uint32_t)k));
  }
}

double scenario_set_value(const ScenarioSet *set, long k, int i) {
  const VariedDimension *dimension = &set->scenarios->dimensions[i];
  return dimension->value + dimension->width * set->z[k * set->scenarios->n + i];
}

/* Prepares the computation of derivatives of the final state. It is done as for a fit: the dimensions are the
 * parameters, and x(T), v(T) are the residuals. */
static bool ask_for_ends(ScenarioSet *set) {
  Identification *ends = &set->ends;
  const Scenarios *s = set->scenarios;
  int d = set->problem->sim.d;
  double end = s->distribution == SCENARIO_NORMAL ? NORMAL_END : 1;
  ends->n = s->n;
  for (int i = 0; i < s->n; i++) ends->parameters[i] = (FitParameter){.lower = -end, .upper = end};
  ends->m = ends->data = 2 * (long)d;
  ends->measured = calloc(2 * (size_t)d, sizeof *ends->measured);
  for (int k = 0; k < 2 * d && ends->measured; k++)
    ends->measured[k] =
        (Measured){.t = set->problem->sim.end, .dof = k % d, .velocity = k >= d, .deviation = 1, .cell = -1};
  return ends->measured;
}

/* Sets section.key of the document to a value. */
static int write_key(ScenarioSet *set, const char *section, const char *key, const json_t *value,
                     Diagnostics *diagnostics) {
  char *text = json_dumps(value, JSON_COMPACT | JSON_REAL_PRECISION(17));
  char *setting = text ? document_setting(section, key, text) : NULL;
  if (setting) document_set(set->evaluation.document, setting, 0, diagnostics);
  bool good = setting;
  free(text);
  free(setting);
  return good ? 0 : diagnostics_no_memory(diagnostics);
}

/* In the document, replaces each number that stands for several entries by a list. */
static int write_lists(ScenarioSet *set, Diagnostics *diagnostics) {
  const char *key;
  json_t *list;
  int code = 0;
  json_object_foreach(set->scenarios->lists, key, list) if (!code) code =
      write_key(set, "model.", key, list, diagnostics);
  return code;
}

/* Writes the bounds of a variable T into the document. If the file does not give them, they are derived from the model,
 * and each scenario would have other bounds. The T that the search found could exceed them, and the force as a function
 * of t would be unknown there. */
static int write_end(ScenarioSet *set, Diagnostics *diagnostics) {
  const MotionPlan *plan = set->problem->plan;
  if (!plan || !motion_plan_varies_end(plan)) return 0;
  json_t *time = echo_time(set->problem);
  int code = time ? write_key(set, "time.", "end", json_object_get(time, "end"), diagnostics)
                  : diagnostics_no_memory(diagnostics);
  json_decref(time);
  return code;
}

/* Writes the u of effort 0 into the document. The word `hold` stands for forces that depend on the model, and each
 * scenario would have other ones, but the effort of a control is the same number in all of them. */
static int write_around(ScenarioSet *set, Diagnostics *diagnostics) {
  const Problem *problem = set->problem;
  json_t *list = problem->plan && problem->plan->around ? json_array() : NULL;
  if (!list) return 0;
  for (int j = 0; j < problem->sim.n_control; j++) json_array_append_new(list, json_real(problem->plan->around[j]));
  int code = write_key(set, "control.minimize.", "around", list, diagnostics);
  json_decref(list);
  return code;
}

static int open_evaluation(ScenarioSet *set, Diagnostics *diagnostics) {
  const Scenarios *s = set->scenarios;
  Evaluation *e = &set->evaluation;
  int code = evaluation_open(e, &set->ends, set->problem, diagnostics);
  e->near_zero = 1; /* The dimensions have the size 1. The step for finite differences is therefore computed from 1
                     * instead of from their values. */
  if (!code) code = write_lists(set, diagnostics);
  if (!code) code = write_end(set, diagnostics);
  if (!code) code = write_around(set, diagnostics);
  for (int k = 0; k < s->numbers && !code; k++) {
    const VariedNumber *number = &s->number[k];
    code = evaluation_add(e, number->path, number->dimension, number->value, number->width, diagnostics);
  }
  return code;
}

static bool has_force_of(const SimProblem *problem, const SimProblem *file) {
  long numbers = sim_force_count(problem) * problem->d;
  return problem->force && file->force && file->d == problem->d && sim_force_count(file) * file->d == numbers &&
         memcmp(problem->force, file->force, (size_t)numbers * sizeof *file->force) == 0;
}

/* Copies the problem of scenario k. If its force equals that of the file, the copy gets no force, as forces would take
 * most of the memory. If set->whole, the copy always gets its force. */
static bool copy_one(ScenarioSet *set, const SimProblem *problem, long k) {
  SimProblem own = *problem;
  if (!set->whole && has_force_of(problem, &set->problem->sim)) own.force = NULL;
  free(set->rooms[k]);
  set->rooms[k] = malloc(sim_problem_room(&own) + 1);
  if (set->rooms[k]) sim_problem_copy_into(set->rooms[k], &own, &set->problems[k]);
  return set->rooms[k];
}

/* Makes the problem of scenario k. Returns 0 or an exit code after reporting an error. */
static int make_one(ScenarioSet *set, long k, Diagnostics *diagnostics) {
  Diagnostics found = {0};
  int code = 0;
  const double *z = set->z + k * set->scenarios->n;
  const SimProblem *problem = evaluation_variant(&set->evaluation, VARIANT_AT, z, &found);
  if (problem) {
    if (!copy_one(set, problem, k)) code = diagnostics_no_memory(diagnostics);
  } else if (set->evaluation.no_memory)
    code = diagnostics_no_memory(diagnostics);
  else {
    const Diagnostic *first = found.count ? &found.list[0] : NULL;
    document_error(set->evaluation.document, diagnostics, "scenarios.vary", "scenario %ld of %ld cannot be: %s: %s",
                   k + 1, set->scenarios->count, first && first->key ? first->key : "?", first ? first->text : "?");
    code = EXIT_USAGE;
  }
  diagnostics_clear(&found);
  return code;
}

/* Scenarios that differ only in thresholds ------------------------------------------------------------------------- */

/* Returns the degree of freedom, from 0, if a number is its threshold; -1 if it is another number. */
static int dof_of(const ScenarioSet *set, const VariedNumber *number) {
  static const char friction[] = "model.friction[";
  PathStep step;
  if (strncmp(number->path, friction, sizeof friction - 1) != 0) return -1;
  const char *rest = path_step(number->path + sizeof friction - 2, &step);
  return !*rest && step.entry >= 1 && step.entry <= (size_t)set->problem->sim.d ? (int)step.entry - 1 : -1;
}

/* If only thresholds vary and nothing else depends on them, prepares to make further scenarios from their thresholds
 * alone. like: the problem of a scenario, which is the variant VARIANT_AT of the evaluation. */
static void prepare_thresholds(ScenarioSet *set, const SimProblem *like) {
  Problem *variant = &set->evaluation.variants[VARIANT_AT];
  const Scenarios *s = set->scenarios;
  bool alone = !set->whole && !like->force && sim_thresholds_apart(like);
  for (int k = 0; k < s->numbers && alone; k++)
    alone = dof_of(set, &s->number[k]) >= 0 && problem_can_set(variant, s->number[k].path);
  if (!alone || !problem_as_given(variant, &set->given)) return;
  set->stores = malloc((size_t)s->count * sim_thresholds_size(like));
  set->thresholds = set->stores ? calloc((size_t)s->count, sizeof *set->thresholds) : NULL;
}

/* Makes scenario k from its thresholds. Returns false if this is not possible. */
static bool make_thresholds(ScenarioSet *set, long k) {
  const Scenarios *s = set->scenarios;
  if (!set->thresholds) return false;
  for (int i = 0; i < s->numbers; i++) {
    const VariedNumber *number = &s->number[i];
    set->given.friction[dof_of(set, number)] = number->value + number->width * set->z[k * s->n + number->dimension];
  }
  void *store = set->stores + (size_t)k * sim_thresholds_size(&set->given);
  bool good = sim_thresholds_settle(&set->given, set->given.friction, store);
  if (good) set->thresholds[k] = store;
  return good;
}

/* Makes the problems of the scenarios of this rank. If scenarios are invalid, the first of them is reported, which does
 * not depend on the number of ranks. */
static int make_own(ScenarioSet *set, Diagnostics *diagnostics) {
  const SimGroup *group = set->group;
  long count = set->scenarios->count, k = stiction_group_rank(group);
  double before = 0; /* count minus the number of the first invalid scenario; 0: all are valid */
  Diagnostics found = {0};
  int code = 0;
  for (long first = k; k < count && !code; k += stiction_group_size(group)) {
    if (make_thresholds(set, k)) continue;
    code = make_one(set, k, &found);
    if (code == EXIT_USAGE) before = (double)(count - k);
    if (!code && k == first) prepare_thresholds(set, &set->problems[k]);
  }
  diagnostics_clear(&found);
  code = sim_group_agree(group, code);
  sim_group_max(group, &before, 1);
  if (code == EXIT_USAGE && stiction_group_rank(group) == 0) make_one(set, count - (long)before, diagnostics);
  return code == EXIT_INTERNAL ? diagnostics_no_memory(diagnostics) : code;
}

int scenario_set_open(ScenarioSet *set, const Problem *problem, const SimGroup *group, bool whole,
                      Diagnostics *diagnostics) {
  const Scenarios *s = problem->scenarios;
  size_t count = (size_t)s->count;
  *set = (ScenarioSet){.problem = problem, .scenarios = s, .group = group, .whole = whole};
  set->z = calloc(count * (size_t)s->n, sizeof *set->z);
  set->problems = calloc(count, sizeof *set->problems);
  set->rooms = calloc(count, sizeof *set->rooms);
  int code = set->z && set->problems && set->rooms && ask_for_ends(set) ? 0 : diagnostics_no_memory(diagnostics);
  if (!code) code = open_evaluation(set, diagnostics);
  if (!code) place(set);
  code = sim_group_agree(group, code);
  return code ? code : make_own(set, diagnostics);
}

void scenario_set_close(ScenarioSet *set) {
  for (long k = 0; set->rooms && k < set->scenarios->count; k++) free(set->rooms[k]);
  free(set->rooms);
  if (set->given.scheme) sim_problem_clear(&set->given);
  free(set->thresholds);
  free(set->stores);
  free(set->problems);
  free(set->z);
  free(set->ends.measured);
  evaluation_close(&set->evaluation);
  *set = (ScenarioSet){0};
}

int scenario_set_run(const ScenarioSet *set, const double *control, Progress *progress, double *states) {
  size_t row = 2 * (size_t)set->problem->sim.d;
  long count = set->scenarios->count, size = stiction_group_size(set->group), rank = stiction_group_rank(set->group);
  ScenarioMotions motions = {.problems = set->problems, .base = &set->problem->sim, .thresholds = set->thresholds};
  int code = 0;
  memset(states, 0, (size_t)count * row * sizeof *states);
  long own = rank < count ? (count - rank + size - 1) / size : 0, together = 1;
  if (own > 0) motions.like = &set->problems[rank];
  if (own > 0) together = scenario_motions_together(motions.like, motions.base);
  for (long done = 0; done < own && !code;) {
    long k = rank + done * size, n = own - done < together ? own - done : together;
    if (scenario_motions(&motions, k, (int)n, size, control, states + (size_t)k * row)) code = EXIT_INTERNAL;
    if (stop_signal_seen()) code = EXIT_STOPPED;
    done += n;
    progress_draw(progress, "scenario %ld of %ld", rank + (done - 1) * size + 1, count);
  }
  scenario_motions_close(&motions);
  progress_clear(progress);
  code = sim_group_agree(set->group, code);
  if (code) return code;
  size_t all = (size_t)count * row, piece = INT_MAX / 2;
  for (size_t from = 0; from < all; from += piece)
    sim_group_sum(set->group, states + from, (int)(all - from < piece ? all - from : piece));
  return 0;
}

int scenario_set_derivatives(ScenarioSet *set, const double *control, double *state, double *rates) {
  static const double middle[SCENARIO_DIMENSIONS_MAX];
  set->evaluation.control = control;
  const CtlFit fit = evaluation_fit(&set->evaluation);
  bool good = fit.evaluate(&set->evaluation, middle, state, NULL);
  for (int i = 0; i < fit.m && !good; i++) state[i] = NAN;
  good = good && fit.evaluate(&set->evaluation, middle, state, rates);
  set->evaluation.control = NULL;
  if (set->evaluation.no_memory) return EXIT_INTERNAL;
  return good ? 0 : EXIT_UNSOLVED;
}
