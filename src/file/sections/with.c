/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/file/sections/with.h"

#include "sim/group.h"
#include "src/file/model/model.h"
#include "src/file/sections/file.h"
#include "src/file/sections/resolve.h"
#include "src/file/values/force.h"
#include "src/file/values/parameter.h"

#include <stdlib.h>
#include <string.h>

bool problem_takes_event(const Problem *problem) {
  const SimProblem *sim = &problem->sim;
  const SimScheme *scheme = sim_scheme_for(sim->kind, "event");
  return scheme && sim_scheme_serves(scheme, sim) &&
         sim->system.storage == SIM_DENSE; /* the condition does not depend on the number of ranks, since the storage
                                            * does not */
}

/* Copying a problem ------------------------------------------------------------------------------------------------ */

/* Copies a problem, but not its grid, its identification, its scenarios and the options of its control that concern
 * scenarios. Returns false if there is no memory; the copy must be cleared in either case. */
static bool copy_problem(const Problem *problem, int segments, Problem *copy) {
  *copy = (Problem){.limits = problem->limits,
                    .kind = problem->kind,
                    .force = force_share(problem->force),
                    .gear_k = expression_share(problem->gear_k),
                    .force_rate = force_share(problem->force_rate),
                    .end = force_share(problem->end),
                    .end_rate = force_share(problem->end_rate),
                    .surface = force_share(problem->surface),
                    .rise = problem->rise,
                    .rise_of = problem->rise_of,
                    .rise_by_force = problem->rise_by_force,
                    .as_written = json_incref(problem->as_written),
                    .mechanism = mechanism_share(problem->mechanism),
                    .course = {force_share(problem->course[0]), force_share(problem->course[1])},
                    .storage = problem->storage,
                    .spacing = problem->spacing,
                    .line_force = expression_share(problem->line_force),
                    .written = json_incref(problem->written),
                    /* of a motion plan only the model and its motion are copied, without the control */
                    .fits = problem->fits,
                    .has_control = problem->has_control && !problem->plan,
                    .refine_to = problem->refine_to,
                    .output_every = problem->output_every,
                    .output_format = problem->output_format,
                    .output_verify = problem->output_verify,
                    .output_peaks_from = problem->output_peaks_from,
                    .ranks_per_evaluation = problem->ranks_per_evaluation,
                    .checkpoint_seconds = problem->checkpoint_seconds,
                    .checkpoint_grace = problem->checkpoint_grace};
  expression_share(copy->rise.law);
  for (SimSpringPlace place = 0; place < SIM_SPRING_PLACES; place++) {
    copy->springs[place] = problem->springs[place];
    expression_share(copy->springs[place].law);
  }
  bool good = labels_copy(&problem->labels, &copy->labels);
  copy->title = problem->title ? strdup(problem->title) : NULL;
  good = good && !copy->title == !problem->title;
  good = good && sim_problem_copy(&problem->sim, &copy->sim) == SIM_OK;
  good = good && stiction_problem_set_force(&copy->sim, NULL, NULL) == SIM_OK;
  good = good && ctl_problem_copy(&problem->control, segments, 1, &copy->control) == SIM_OK;
  copy->control.statistic = CTL_NOMINAL;
  copy->control.effort_at_most = 0;
  if (ctl_method_of_scenarios(copy->control.method)) copy->control.method = ctl_method_find("auto");
  return good;
}

/* Changing the copy ------------------------------------------------------------------------------------------------ */

/* Resets keys of the scheme to their defaults, which may depend on other values. */
static void set_defaults(SimProblem *sim, const char *const *keys, int n) {
  for (int k = 0; k < n; k++) {
    const SimParameter *row = sim_parameter_find(sim_scheme_parameters(sim->scheme), keys[k]);
    if (row) sim_parameter_set(row, sim->parameters, row->derive ? 0 : row->preset);
  }
}

/* Sets a scheme by its name, with default constants. If this is the scheme of the problem already, it gets the
 * constants `given`; if given is NULL, its constants are kept. */
static void name_scheme(Reader *reader, const char *name, const GivenConstants *given) {
  Problem *problem = reader->problem;
  SimProblem *sim = &problem->sim;
  bool own = strcmp(name, sim_scheme_name(sim->scheme)) == 0;
  const SimScheme *scheme = sim_scheme_for(sim->kind, name);
  if (own)
    problem->given = constants_share(given);
  else if (!scheme || !sim_scheme_serves(scheme, sim))
    document_error(reader->document, reader->diagnostics, "scheme.name", "the scheme %s does not take the model", name);
  else if (sim_problem_set_scheme(sim, name) != SIM_OK)
    reader->diagnostics->no_memory = true;
  if (own && given && !problem->given) reader->diagnostics->no_memory = true;
}

static void change_scheme(Reader *reader, const ProblemChanges *changes, const GivenConstants *given) {
  static const char *const keys[] = {"solver", "tolerance", "r", "epsilon", "eta"};
  enum { OF_SOLVER = 2, ALL = sizeof keys / sizeof *keys };
  SimProblem *sim = &reader->problem->sim;
  ProblemScheme scheme = changes->scheme;
  if (scheme == SCHEME_EVENT) name_scheme(reader, "event", NULL);
  if (scheme == SCHEME_NAMED) name_scheme(reader, changes->name ? changes->name : sim_scheme_name(sim->scheme), given);
  if (scheme == SCHEME_LAW || scheme == SCHEME_SOLVED) set_defaults(sim, keys, scheme == SCHEME_LAW ? ALL : OF_SOLVER);
  if (scheme == SCHEME_LAW) sim_problem_choose(sim, "multiplier", "unregularized");
}

static void change_time(Reader *reader, const ProblemChanges *changes) {
  char number[SIM_NUMBER_SIZE], expected[SIM_EXPECTED_SIZE];
  Problem *problem = reader->problem;
  SimProblem *sim = &problem->sim;
  const SimParameter *row = sim_parameter_find(time_parameters, "steps");
  long finer = changes->finer > 0 ? changes->finer : 1;
  if (changes->steps > 0) sim->steps = changes->steps;
  sim->steps *= finer;
  problem->output_every *= finer;
  if (changes->end > 0) sim->end = changes->end;
  problem->control.end = sim->end;
  sim->step = sim->end / (double)sim->steps;
  if (!sim_parameter_allows(row, (double)sim->steps))
    document_error(reader->document, reader->diagnostics, "time.steps", "%s (expected %s)",
                   sim_number((double)sim->steps, number), sim_parameter_expected(row, expected));
}

static void change_segments(Reader *reader, int segments) {
  Problem *problem = reader->problem;
  CtlProblem *control = &problem->control;
  int most = reader->ranks.limits.variables;
  if (!segments) return;
  problem->sim.segments = problem->refine_to = segments;
  control->method = ctl_method_find("sqp");
  control->simplex = (CtlSimplexKind)sim_parameter_find(ctl_search_parameters, "simplex")->preset;
  control->scheme_size = 0;
  if (control->n > CTL_CONTROLS_MAX)
    document_error(reader->document, reader->diagnostics, "control.signal.segments",
                   "%d segments are %d variables (expected at most %d)", segments, control->n, CTL_CONTROLS_MAX);
  else if (most && control->n > most)
    document_error(reader->document, reader->diagnostics, "control",
                   "%d variables (expected at most %d, --max-variables)", control->n, most);
}

static void change(Reader *reader, const ProblemChanges *changes, const GivenConstants *given) {
  work_begin(reader);
  change_scheme(reader, changes, given);
  change_time(reader, changes);
  /* constants that are formulas are evaluated again, as they may depend on the step */
  if (reader->problem->given) constants_restore(reader);
  change_segments(reader, changes->segments);
  if (sim_group_agree(reader->ranks.group, reader->diagnostics->errors || reader->diagnostics->no_memory)) return;
  fill_force(reader);
  check_model(reader);
  check_control(reader, false);
}

int problem_with(const Problem *problem, ProblemChanges changes, Diagnostics *found, Problem *variant) {
  static const char nothing[] = "{}";
  const SimProblem *sim = &problem->sim;
  Diagnostics own = {0};
  SimGroup *group = sim_problem_rows(sim).group;
  Document *document = document_create("the problem", nothing, strlen(nothing), &own);
  int segments = changes.segments ? changes.segments : problem->control.segments;
  if (!copy_problem(problem, segments, variant) || !document) own.no_memory = true;
  Reader reader = {.document = document,
                   .diagnostics = &own,
                   .problem = variant,
                   .d = sim->d,
                   .p = problem->control.p,
                   .control_keys = control_parameters,
                   .ranks = {.group = group, .copies = 1, .limits = problem->limits}};
  if (!sim_group_agree(group, own.no_memory)) change(&reader, &changes, problem->given);
  progress_clear(&reader.work.progress);
  int code = sim_group_agree(group, own.no_memory ? EXIT_INTERNAL : own.errors ? EXIT_USAGE : 0);
  diagnostics_pass(&own, found);
  document_destroy(document);
  if (code) problem_clear(variant);
  return code;
}
