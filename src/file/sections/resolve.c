/* SPDX-License-Identifier: BSD-2-Clause */
/* Derives values that depend on all keys of a problem: the force over time, and the bounds of the model's eigenvalues.
 * Checks the problem as a whole. */
#include "src/file/sections/resolve.h"

#include "control/certify.h"
#include "src/file/model/model.h"
#include "src/file/sections/motion_plan_read.h"
#include "src/file/sections/variant.h"
#include "src/file/values/parameter.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Limit of the size of a table of the force, GiB. Up to four such tables exist while a model is built. */
#define TABLES_GIB    4
#define TABLES_COPIES 4

/* Estimates of work. ENTRY_SECONDS: time to fill one entry of a table, in s. RATE_EVALUATIONS: number of evaluations of
 * a force for one value of its rate. */
#define ENTRY_SECONDS    1e-9
#define RATE_EVALUATIONS 50

/* Returns the number of entries of a vector that a value in the file sets. Each number of a list sets one entry in
 * every segment; a single number sets all entries. */
static size_t entries_written(const Node *node) {
  size_t most = 0;
  if (!node) return 0;
  if (node->kind == NODE_SCALAR) return 1;
  if (node->kind == NODE_SEQUENCE) return node->first && node->first->kind == NODE_SEQUENCE ? SIZE_MAX : node->n;
  /* the section may have keys such as `lower` and `upper` of bounds */
  for (const Node *child = node->first; child; child = child->next) {
    size_t n = entries_written(child);
    if (n > most) most = n;
  }
  return most;
}

/* Returns whether a diagnostic about an entry repeats one about the number or list in the file from which the entry was
 * read. */
static bool is_repeated(const Checking *checking, const char *key, const char *text) {
  const Diagnostics *diagnostics = checking->reader->diagnostics;
  int entry;
  if (sscanf(text, "entry %d", &entry) != 1) return false;
  if ((size_t)entry <= entries_written(document_find(checking->reader->document, key))) return false;
  for (size_t i = checking->before; i < diagnostics->count; i++)
    if (strcmp(diagnostics->list[i].key, key) == 0) return true;
  return false;
}

/* Returns whether an error about the number of segments only follows from an invalid time, because this number is
 * compared with the number of steps. */
static bool is_of_time(const Checking *checking, const char *key) {
  return strcmp(key, "control.signal.segments") == 0 && is_wrong(checking->reader, "time");
}

void take_diagnostic(void *context, const char *key, const char *text) {
  const Checking *checking = context;
  Reader *reader = checking->reader;
  if (diagnostics_concern(reader->diagnostics, checking->before, key) || is_repeated(checking, key, text) ||
      is_of_time(checking, key))
    return;
  key_error(reader, key, "%s", text);
}

#define FORCES(problem)                                                                                                \
  {                                                                                                                    \
    (problem)->force, (problem)->force_rate, (problem)->end, (problem)->end_rate, (problem)->surface,                  \
        (problem)->course[0], (problem)->course[1]                                                                     \
  }

/* Returns whether the estimated time for tabulating the force is within the limit; reports an error if not. numbers:
 * number of entries of the tables. */
static bool may_tabulate(Reader *reader, double numbers) {
  const Problem *problem = reader->problem;
  const Force *forces[] = FORCES(problem);
  char what[64];
  double once = 0, times = (double)sim_force_count(&problem->sim);
  for (size_t i = 0; i < sizeof forces / sizeof *forces; i++)
    if (forces[i] && forces[i] != problem->surface && forces[i] != problem->course[0] &&
        forces[i] != problem->course[1])
      once += force_seconds(forces[i]) * (sim_force_rate_wanted(&problem->sim) ? RATE_EVALUATIONS : 1);
  snprintf(what, sizeof what, "the force at %.0f times", times);
  return work_allowed(reader, "model.force", what, times * once + numbers * ENTRY_SECONDS, 0);
}

static bool forces_cover(Reader *reader) {
  const Problem *problem = reader->problem;
  const Force *forces[] = FORCES(problem);
  bool good = true;
  for (size_t i = 0; i < sizeof forces / sizeof *forces; i++)
    good = (!forces[i] || force_covers(forces[i], reader, &problem->sim)) && good;
  return good;
}

void fill_force(Reader *reader) {
  Problem *problem = reader->problem;
  SimProblem *sim = &problem->sim;
  if (is_wrong(reader, "time") || !reader->d) return;
  if (!forces_cover(reader)) return;
  if (problem->surface) force_make_surface(problem->surface, reader, sim);
  if (problem->course[0]) {
    double along = problem->spacing > 0 ? problem->spacing : 1; /* the thresholds of a string are given per length, in
                                                                 * N/m, and are multiplied by its spacing */
    force_make_thresholds(problem->course[0], problem->course[1], along, reader, sim);
  }
  if (problem->rise.law) make_friction_rise(reader);
  bool pieces = sim_force_in_pieces(sim);
  /* the force is evaluated whenever it is needed, without a table */
  if (problem->storage && !(pieces && problem->force)) {
    set_load(reader);
    return;
  }
  if (pieces) force_make_pieces(problem->force, problem->end, end_share(sim), reader, sim);
  bool tabulated = !pieces || (sim->pieces && problem->end);
  double columns = pieces ? 1 : (double)sim->d * (sim_force_rate_wanted(sim) ? 2 : 1);
  double numbers = (double)sim_force_count(sim) * columns;
  double gib = numbers * sizeof(double) / (1 << 30);
  double most = fmin(TABLES_GIB, work_most_bytes(&reader->work, TABLES_COPIES * numbers * sizeof(double)) / (1 << 30) /
                                     TABLES_COPIES);
  if (tabulated && gib > most) {
    bool split = sim_problem_get(sim, "friction_substeps") > 1;
    key_error(reader, split ? "scheme.friction_substeps" : "time.step",
              "%ld steps of %d degrees of freedom%s: a table of %ld times, %.3g GiB (expected at most %.3g GiB here)",
              sim->steps, sim->d, split ? " in these substeps" : "", sim_force_count(sim), gib, most);
    return;
  }
  if (tabulated && !may_tabulate(reader, numbers)) return;
  SimStatus status = tabulated ? sim_problem_alloc_force(sim) : SIM_OK;
  note_memory(reader, status);
  if (status != SIM_OK) return;
  if (!pieces) force_tabulate(problem->force, reader, sim);
  if (problem->kind->finish) problem->kind->finish(reader);
}

/* Returns whether all values are valid from which the bounds, the stability and the parameter r of the scheme are
 * computed. */
static bool bounds_are_true(const Reader *reader) {
  char path[NODE_PATH_SIZE];
  if (!reader->diagnostics->count) return true;
  if (is_wrong(reader, "model.kind") || is_wrong(reader, "time") || is_wrong(reader, "scheme")) return false;
  for (const SimParameter *row = model_keys(reader->problem->kind); row->key; row++) {
    bool start = row->size && (row->offset == offsetof(SimProblem, x0) || row->offset == offsetof(SimProblem, v0));
    snprintf(path, sizeof path, "model.%s", row->key);
    if (!start && row->forms != SIM_FORM_FORCE && is_wrong(reader, path)) return false;
  }
  return true;
}

/* Changes alpha, or the masses of a chain, so that the model is stable. After errors in the file, invalid values have
 * been replaced, and the model might wrongly be reported as unstable. */
static void stabilise(SimProblem *sim) {
  if (sim_problem_get(sim, "alpha") < 0.25) sim_problem_set(sim, "alpha", 0.25);
  for (int i = 0; sim->kind == SIM_CHAIN && i < sim->d; i++)
    if (sim->chain.node_mass[i] > 0) sim->chain.node_mass[i] = 1e300;
}

static SimStatus finalize(const Reader *reader, const SimReport *report) {
  SimProblem *sim = &reader->problem->sim;
  const SimProblem *known = readings_known(reader->problem);
  return known ? sim_problem_finalize_like(sim, known, report) : stiction_problem_finalize(sim, report);
}

void check_model(Reader *reader) {
  SimProblem *sim = &reader->problem->sim;
  const SimGroup *group = reader->ranks.group;
  bool wrong = reader->diagnostics->errors || reader->diagnostics->no_memory;
  if (group && sim_group_agree(group, wrong)) return;
  if (!work_allowed(reader, "model", "eigenvalues of dense matrices", sim_problem_check_seconds(sim), 0)) return;
  Checking checking = {.reader = reader, .before = reader->diagnostics->count};
  SimReport report = {.context = &checking, .complain = take_diagnostic};
  bool bounded = bounds_are_true(reader);
  if (!bounded) stabilise(sim);
  if (bounded && !constants_wait(reader->problem, NULL)) {
    note_memory(reader, finalize(reader, &report));
    return;
  }
  SimStatus status = sim_problem_check(sim, &report, &sim->bounds);
  note_memory(reader, status);
  if (!bounded || status != SIM_OK) return;
  constants_evaluate(reader); /* formulas may contain delta, a bound of the eigenvalues that is known only now */
  checking.before = reader->diagnostics->count;
  note_memory(reader, finalize(reader, &report));
}

/* Returns whether the model and the scheme have no errors, so that it is known which derivatives are available. Unknown
 * keys count as errors, although they are reported later. */
static bool derivatives_are_known(const Reader *reader) {
  static const char *const sections[] = {"model", "scheme"};
  bool known = true;
  for (int k = 0; k < 2; k++) {
    const Node *section = document_find(reader->document, sections[k]);
    known = known && !is_wrong(reader, sections[k]) && !(section && node_has_unknown(section));
  }
  return known;
}

/* Passes on all diagnostics except those about search.method, since the choice of the method depends on derivatives. */
static void take_but_method(void *context, const char *key, const char *text) {
  if (strcmp(key, "search.method") != 0) take_diagnostic(context, key, text);
}

void check_control(Reader *reader, bool needed) {
  Problem *problem = reader->problem;
  Checking checking = {.reader = reader, .before = reader->diagnostics->count};
  SimReport report = {.context = &checking, .complain = take_diagnostic};
  if (needed && !problem->has_control && !is_wrong(reader, "control"))
    key_error(reader, "control", "missing (expected what to control, and a target)");
  if (!derivatives_are_known(reader)) report.complain = take_but_method;
  ctl_problem_note_motion(&problem->control, &problem->sim);
  if (problem->plan) {
    planned_check(reader, &report);
    return;
  }
  if (problem->has_control && !is_wrong(reader, "model") && !is_wrong(reader, "control.target"))
    check_contradictions(reader);
  if (problem->has_control) note_memory(reader, (SimStatus)stiction_control_check(&problem->control, &report));
  answer_checks(reader, &report);
  bool whole = problem->has_control && !is_wrong(reader, "model") && !is_wrong(reader, "control");
  problem->control.convex = whole && ctl_targets_are_convex(&problem->control, &problem->sim);
  problem->control.scheme_size = ctl_problem_scheme_size(&problem->control);
}
