/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/base/formats.h"
#include "src/base/json_values.h"
#include "src/commands.h"
#include "src/file/model/mechanism.h"
#include "src/file/sections/external.h"
#include "src/file/sections/identification.h"
#include "src/file/sections/motion_plan.h"
#include "src/file/sections/saved_control.h"
#include "src/file/sections/understood.h"
#include "src/process/process.h"
#include "src/results/trajectory.h"
#include "src/run/lower_bound.h"
#include "src/study/robust_plan.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS_MAX = 4096 }; /* longest list of numbers that is printed in full */

/* Prints that the matrices of a large model are sparse. For dense matrices with few nonzero entries, prints that sparse
 * storage is faster. */
static void print_storage(const Problem *problem) {
  enum {
    LARGE = 100,
    FEW = 10
  }; /* LARGE: number of degrees of freedom from which a model counts as large. FEW: maximum mean number of nonzero
      * entries of a row of a sparse matrix */
  const SimProblem *p = &problem->sim;
  if (problem->storage != MODEL_DENSE && strcmp(problem_kind_name(problem), "friction") == 0)
    printf("matrices   sparse: the entries that are not 0 (model.matrices: dense holds all)\n");
  if (problem->storage != MODEL_DENSE || p->kind != SIM_FRICTION || p->d < LARGE) return;
  const double *const matrices[] = {p->system.mass, p->system.stiffness, p->system.damping};
  long entries = 0, all = 3L * p->d * p->d;
  for (long k = 0; k < all; k++) entries += matrices[k / (all / 3)][k % (all / 3)] != 0;
  if (entries > (long)FEW * p->d) return;
  printf(
      "matrices   dense: %ld entries, %ld of them not 0 (model.matrices: sparse is quicker, where it takes the rest)\n",
      all, entries);
}

/* Prints the bounds of the eigenvalues of the matrices or, for a mechanism, its state at the start. */
static void print_matrices(const Problem *problem) {
  const SimProblem *p = &problem->sim;
  const SimBounds *b = &problem->sim.bounds;
  bool sparse = b->estimated;
  if (problem->mechanism) {
    mechanism_print(problem);
    return;
  }
  if (p->kind == SIM_CHAIN && !(b->mass_max > 0))
    printf("mass       none\n");
  else
    printf("mass       eigenvalues %s%.6g to %.6g kg\n", sparse ? "within " : "", b->mass_min, b->mass_max);
  const char *bound = sparse ? "at most " : "";
  printf("stiffness  largest eigenvalue %s%.6g N/m; of M^-1 A: nu %s%.6g 1/s^2", bound, b->stiffness_max,
         sparse ? bound : "= ", b->frequency_squared);
  if (b->frequency_squared > 0)
    printf(" (shortest period %s%.4g s)", sparse ? "at least " : "", understood_period(problem));
  printf("\n");
}

static void print_model(const Problem *problem) {
  const SimProblem *p = &problem->sim;
  printf("model      %s%s, %d degree%s of freedom, %d control%s\n", problem_kind_name(problem),
         p->bounds.estimated ? ", sparse matrices" : "", p->d, p->d == 1 ? "" : "s", p->n_control,
         p->n_control == 1 ? "" : "s");
  print_storage(problem);
  print_matrices(problem);
  if (problem->plan && motion_plan_varies_end(problem->plan))
    printf("time       T is found; steps of %.6g s at most\n", problem->plan->step);
  else
    printf("time       %ld steps of %.6g s to T = %.6g s\n", p->steps, p->step, p->end);
}

static void print_scheme(const Problem *problem) {
  const SimProblem *p = &problem->sim;
  const SimBounds *b = &problem->sim.bounds;
  const char *multiplier = sim_problem_word(p, "multiplier");
  printf("scheme     %s", sim_scheme_name(p->scheme));
  if (multiplier) printf(", %s multiplier, %s solver", multiplier, sim_problem_word(p, "solver"));
  printf("\n");
  if (!sim_kind_has_multiplier(p->kind)) return;
  if (sim_scheme_takes(p->scheme, "friction_substeps")) {
    double first = sim_force_time(p, 1);
    printf("substeps   friction %.6g s", first);
    if (sim_problem_get(p, "elastic") != 0)
      printf(", elastic exact\n");
    else
      printf(", elastic %.6g s\n", p->step / sim_problem_get(p, "elastic_substeps"));
  }
  if (isfinite(b->step_limit))
    printf("stability  step < %.6g s: margin %.3g\n", b->step_limit, b->step_limit / p->step);
  else if (p->kind == SIM_CHAIN && b->frequency_squared > 0)
    printf("stability  explicit springs: what no friction damps grows, by %.3g until T at most\n",
           understood_growth(problem));
  else
    printf("stability  unconditional\n");
  if (understood_seconds(problem) > 0)
    printf(
        "work       about %.2g segments, %.2g s a motion, for the fastest decay or oscillation (--max-segments %.2g)\n",
        sim_problem_segments(p), understood_seconds(problem), understood_work(problem));
  if (isfinite(b->friction_limit))
    printf("table      step < %.6g s: friction does not overshoot in a step: margin %.3g\n", b->friction_limit,
           b->friction_limit / p->step);
  if (isfinite(b->spring_limit))
    printf("springs    step < %.6g s: a step has one solution: margin %.3g\n", b->spring_limit,
           b->spring_limit / p->step);
  if (!sim_scheme_takes(p->scheme, "r")) return;
  if (b->delta > 0)
    printf("friction   delta = %.6g, r = %.6g (fixed point: 0 < r < %.6g)\n", b->delta, sim_problem_get(p, "r"),
           4 / (b->delta * p->step));
  else
    printf("friction   none\n");
  if (sim_problem_get(p, "multiplier") == SIM_REGULARIZED) printf("epsilon    %.6g s\n", sim_problem_get(p, "epsilon"));
}

/* Prints the schemes that can compute this model, whichever scheme the file selects. */
static void print_schemes(const Problem *problem) {
  char list[128];
  understood_schemes(problem, list, sizeof list);
  printf("schemes    that take all of this: %s\n", list);
}

static void print_search(const Problem *problem) {
  const CtlProblem *c = &problem->control;
  char reason[200];
  if (c->signal != SIM_CONSTANT)
    printf("control    %s, %d segments of %.6g s: %d variables\n", signal_name(c->signal), c->segments,
           c->end / c->segments, c->n);
  int method = ctl_problem_method(c);
  printf("search     %s, ", stiction_method_name(method));
  understood_reason(problem, reason, sizeof reason);
  if (method != c->method) printf("%s, ", reason);
  if (!ctl_problem_needs_derivatives(c)) /* this line is left out for methods that use derivatives, as they have no
                                          * penalty */
    printf("penalty %s, rho %g %s, ", c->penalty == CTL_PENALTY_P ? "P" : "Pi", c->rho,
           c->rho_update == CTL_RHO_DYNAMIC ? "dynamic" : "constant");
  if (ctl_method_has_simplexes(method)) printf("%ld points a simplex, ", ctl_problem_scheme_size(c));
  printf("%d variable%s\n", c->n, c->n == 1 ? "" : "s");
}

/* Prints the costs, variables and conditions of a motion plan. */
static void print_plan(const Problem *problem) {
  const MotionPlan *plan = problem->plan;
  const CtlProblem *c = &problem->control;
  printf("plan       %s\n", plan->sentence);
  printf("search     %s, %d variables (u: %d), %d quantities\n", stiction_method_name(c->method),
         c->n + plan->variables, c->n, plan->quantities);
}

static void print_identification(const Identification *id) {
  printf("identify   %d number%s from %ld measured in %s, %ld start%s\n", id->n, id->n == 1 ? "" : "s", id->data,
         id->file, id->starts, id->starts == 1 ? "" : "s");
}

static void print_scenarios(const Scenarios *s) {
  printf("scenarios  %ld, in which %d number%s on %s own\n", s->count, s->n, s->n == 1 ? " varies" : "s vary",
         s->n == 1 ? "its" : "their");
}

static void print_warnings(const Problem *problem) {
  Diagnostics found = {0};
  understood_warn(problem, &found);
  trajectory_warn_of_size(problem, &found);
  for (size_t k = 0; k < found.count; k++) printf("warning    %s\n", found.list[k].text);
  diagnostics_clear(&found);
}

static size_t count_numbers(const json_t *value) {
  size_t n = 0, i;
  const json_t *entry;
  if (!json_is_array(value)) return 1;
  json_array_foreach(value, i, entry) n += count_numbers(entry);
  return n;
}

/* Prints each key with its value on a line of its own. Omits lists that are too long to read. */
static void print_echo(const json_t *value, int indent) {
  const char *key, *before = "{";
  json_t *part;
  if (json_is_object(value)) {
    json_object_foreach((json_t *)value, key, part) {
      printf("%s\n%*s\"%s\": ", before, indent + 2, "", key);
      print_echo(part, indent + 2);
      before = ",";
    }
    if (*before == '{')
      printf("{}");
    else
      printf("\n%*s}", indent, "");
  } else if (count_numbers(value) > NUMBERS_MAX) {
    printf("\"%zu numbers\"", count_numbers(value));
  } else {
    char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(17));
    printf("%s", text ? text : "");
    free(text);
  }
}

/* Checks that all scenarios are valid, and that their plans go together. If one is not, clears the problem. */
static int check_scenarios(Problem *problem, Diagnostics *diagnostics) {
  ScenarioSet set;
  RobustPlan robust = {0};
  int code = scenario_set_open(&set, problem, NULL, false, diagnostics);
  if (!code && problem->plan) code = robust_plan_open(&set, NULL, diagnostics, &robust);
  robust_plan_close(&robust);
  scenario_set_close(&set);
  if (code) problem_clear(problem);
  return code;
}

static void print_echo_of(const Problem *problem) {
  json_t *echo = problem_echo(problem);
  printf("as understood, every default filled in:\n");
  print_echo(echo, 0);
  printf("\n");
  json_decref(echo);
}

/* Prints the external program that evaluates the problem. */
static void print_external(const Problem *problem) {
  const External *external = problem->external;
  printf("program    %s, %d value%s, in %s\n", external->program, external->m, external->m == 1 ? "" : "s",
         external->directory);
  print_search(problem);
  print_warnings(problem);
}

static void print_problem(const char *file, const Problem *problem) {
  printf("%s: valid\n", file);
  if (problem->external) {
    print_external(problem);
  } else {
    print_model(problem);
    print_scheme(problem);
    print_schemes(problem);
    if (problem->plan)
      print_plan(problem);
    else if (problem->has_control)
      print_search(problem);
    if (problem->has_control && !problem->plan) lower_bound_print_prospect(problem);
    if (problem->identification) print_identification(problem->identification);
    if (problem->scenarios) print_scenarios(problem->scenarios);
    print_warnings(problem);
  }
  print_echo_of(problem);
}

int check_read(const Options *options, bool need_control, Diagnostics *diagnostics, Problem *problem) {
  if (problem_file_has_evaluator(options->argument, options->settings, options->n_settings))
    return problem_evaluator_read(options->argument, options->settings, options->n_settings, &options->limits,
                                  diagnostics, problem);
  const ModelRanks ranks = {
      .copies = 1, .limits = options->limits, .by_pattern = true, .progress_line = options->progress_line};
  int code = problem_read(options, need_control, &ranks, diagnostics, problem);
  return !code && problem->scenarios ? check_scenarios(problem, diagnostics) : code;
}

/* Makes all checks that the commands make before they compute. */
static int check_all(const Options *options, Diagnostics *diagnostics, Problem *problem) {
  int code = check_read(options, false, diagnostics, problem);
  if (!code && (code = identification_check(problem->identification, diagnostics)) != 0) problem_clear(problem);
  return code;
}

/* Prints the result of all checks as one JSON document, for --json. */
static int run_json(const Options *options, Diagnostics *diagnostics) {
  Problem problem;
  Diagnostics found = {.origin = diagnostics->origin};
  int code = check_all(options, &found, &problem);
  if (!code) understood_warn(&problem, &found);
  if (!code) trajectory_warn_of_size(&problem, &found);
  json_t *root = json_object();
  bool good = json_object_set_new(root, "format", json_integer(FORMAT_CHECK)) == 0 &&
              json_object_set_new(root, "file", json_text(options->argument)) == 0 &&
              json_object_set_new(root, "valid", json_boolean(code == 0)) == 0 &&
              json_object_set_new(root, "mistakes", diagnostics_json(&found, false)) == 0 &&
              json_object_set_new(root, "mistakes_left_out", json_integer((json_int_t)found.dropped)) == 0 &&
              json_object_set_new(root, "warnings", diagnostics_json(&found, true)) == 0 &&
              (code || understood_put(&problem, root));
  if (good) good = json_dumpf(root, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(17)) == 0;
  if (good) printf("\n");
  json_decref(root);
  diagnostics_clear(&found);
  if (!code) problem_clear(&problem);
  return good ? code : diagnostics_no_memory(diagnostics);
}

static int run(const Options *options, Diagnostics *diagnostics) {
  if (process_rank() != 0) return EXIT_DONE;
  if (options->json) return run_json(options, diagnostics);
  Problem problem;
  int code = check_all(options, diagnostics, &problem);
  if (code) return code;
  if (!options->quiet) print_problem(options->argument, &problem);
  problem_clear(&problem);
  return EXIT_DONE;
}

const Command command_check = {
    .name = "check",
    .summary = "validate a problem file and print the resolved problem",
    .argument = "FILE",
    .help = "usage: stiction check FILE [options]\n\n"
            "Reports every error in a problem file with its line and column (exit code 2), or prints the\n"
            "resolved problem: sizes, eigenvalue bounds, r, epsilon, stability margin, all defaults.\n"
            "--json prints either as JSON on standard output.\n",
    .run = run,
};
