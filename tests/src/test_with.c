/* SPDX-License-Identifier: BSD-2-Clause */
/* Changing a problem in memory gives the same bytes as changing its echo and reading that. Tests each problem of the
 * gallery. */
#include "tests/fixture.h"

#include "src/file/sections/file.h"
#include "src/file/sections/with.h"

#include <glob.h>
#include <string.h>

static void *packed(const SimProblem *sim, size_t *size) {
  *size = sim_problem_packed_size(sim);
  void *bytes = calloc(1, *size + 1);
  assert_non_null(bytes);
  sim_problem_pack(sim, bytes);
  return bytes;
}

static void assert_numbers(size_t n, const double *one, const double *other) {
  assert_memory_equal(one, other, n * sizeof *one);
}

static void assert_alike(const Problem *one, const Problem *other) {
  size_t size, size_of_other;
  void *bytes = packed(&one->sim, &size), *others = packed(&other->sim, &size_of_other);
  const CtlProblem *a = &one->control, *b = &other->control;
  size_t n = (size_t)a->n, p = (size_t)a->p, d = (size_t)a->d;
  assert_int_equal(size, size_of_other);
  assert_memory_equal(bytes, others, size);
  assert_true(a->n == b->n && a->p == b->p && a->d == b->d && a->segments == b->segments && a->end == b->end);
  assert_true(a->method == b->method && a->simplex == b->simplex && a->scheme_size == b->scheme_size &&
              a->rho == b->rho);
  assert_true(a->derivatives == b->derivatives && a->convex == b->convex && a->resolution == b->resolution);
  assert_numbers(p * p, a->weight, b->weight);
  assert_numbers(n, a->start, b->start);
  assert_numbers(n, a->lower, b->lower);
  assert_numbers(n, a->upper, b->upper);
  assert_numbers(p, a->rate, b->rate);
  assert_numbers(d, a->position, b->position);
  assert_numbers(d, a->velocity, b->velocity);
  assert_int_equal(one->refine_to, other->refine_to);
  assert_int_equal(one->output_every, other->output_every);
  free(bytes);
  free(others);
}

/* Returns the echo with the same changes, as text. */
static char *changed(const Problem *problem, const ProblemChanges *changes) {
  const SimProblem *sim = &problem->sim;
  json_t *echo = problem_echo(problem), *scheme = json_object_get(echo, "scheme"),
         *control = json_object_get(echo, "control"), *search = json_object_get(echo, "search");
  json_object_del(echo, "scenarios");
  if (changes->scheme == SCHEME_EVENT && strcmp(sim_scheme_name(sim->scheme), "event") != 0)
    json_object_set_new(echo, "scheme", json_pack("{s:s}", "name", "event"));
  if (changes->scheme == SCHEME_LAW || changes->scheme == SCHEME_SOLVED) {
    json_object_del(scheme, "solver");
    json_object_del(scheme, "tolerance");
  }
  if (changes->scheme == SCHEME_LAW) {
    json_object_del(scheme, "r");
    json_object_del(scheme, "epsilon");
    json_object_del(scheme, "eta");
    if (sim_scheme_takes(sim->scheme, "multiplier"))
      json_object_set_new(scheme, "multiplier", json_string("unregularized"));
  }
  json_object_set_new(echo, "time",
                      json_pack("{s:f, s:I}", "end", changes->end > 0 ? changes->end : sim->end, "steps",
                                (json_int_t)(sim->steps * changes->finer)));
  json_object_set_new(echo, "output",
                      json_pack("{s:I}", "every", (json_int_t)(problem->output_every * changes->finer)));
  if (changes->segments) {
    json_t *signal = json_object_get(control, "signal");
    json_object_del(control, "start");
    json_object_del(signal, "refine_to");
    json_object_del(search, "scheme_size");
    json_object_del(search, "simplex");
    json_object_set_new(signal, "segments", json_integer(changes->segments));
    json_object_set_new(search, "method", json_string("sqp"));
  }
  char *text = json_dumps(echo, JSON_REAL_PRECISION(17));
  json_decref(echo);
  assert_non_null(text);
  return text;
}

/* Returns whether the change is possible. */
static bool compare(const Problem *problem, ProblemChanges changes) {
  const ModelRanks alone = {.copies = 1};
  Diagnostics found = {0}, read = {0};
  Problem variant, again;
  char *text = changed(problem, &changes);
  int code = problem_with(problem, changes, &found, &variant),
      expected = problem_text_read("the problem", text, strlen(text), NULL, 0, &alone, &read, &again);
  assert_int_equal(code, expected);
  if (!code) {
    assert_alike(&variant, &again);
    problem_clear(&variant);
    problem_clear(&again);
  }
  diagnostics_clear(&found);
  diagnostics_clear(&read);
  free(text);
  return !code;
}

static int compare_all(const Problem *problem) {
  int n = 0;
  for (ProblemScheme scheme = SCHEME_OWN; scheme <= SCHEME_EVENT; scheme++) {
    if (scheme == SCHEME_EVENT && !problem_takes_event(problem)) continue;
    n += compare(problem, (ProblemChanges){.scheme = scheme, .finer = 1});
    n += compare(problem, (ProblemChanges){.scheme = scheme, .finer = 2});
    n += compare(problem, (ProblemChanges){.scheme = scheme, .finer = 1, .end = 1.25 * problem->sim.end});
    if (problem->has_control && problem->sim.signal != SIM_CONSTANT)
      n += compare(problem, (ProblemChanges){.scheme = scheme, .finer = 2, .segments = 2 * problem->sim.segments});
  }
  return n;
}

/* Compares a problem in which another scheme and number of steps was set in memory with the file read with the same
 * settings, for each scheme of its kind. own: a setting of the file's scheme, or NULL. Returns the number of
 * comparisons. */
static int compare_named(const char *path, char *own, const Problem *problem) {
  const SimScheme *scheme;
  const SimProblem *sim = &problem->sim;
  long steps = 2 * sim->steps;
  int n = 0;
  for (int k = 0; (scheme = sim_scheme_of_kind(sim->kind, k)) != NULL; k++) {
    const char *name = sim_scheme_name(scheme);
    bool other = strcmp(name, sim_scheme_name(sim->scheme)) != 0;
    char time[96], named[64], *settings[3] = {own ? own : time, time, named};
    Diagnostics found = {0}, read = {0};
    Problem variant, again;
    if (!sim_scheme_serves(scheme, sim)) continue;
    snprintf(time, sizeof time, "time={end: %.17g, steps: %ld}", sim->end, steps);
    snprintf(named, sizeof named, "scheme={name: %s}", name);
    int code =
        problem_with(problem, (ProblemChanges){.scheme = SCHEME_NAMED, .name = name, .steps = steps}, &found, &variant);
    assert_int_equal(problem_file_read(path, settings, other ? 3 : 2, false, &read, &again), code);
    if (!code) {
      size_t size, size_of_other;
      void *bytes = packed(&variant.sim, &size), *others = packed(&again.sim, &size_of_other);
      assert_int_equal(size, size_of_other);
      assert_memory_equal(bytes, others, size);
      free(bytes);
      free(others);
      problem_clear(&variant);
      problem_clear(&again);
      n++;
    }
    diagnostics_clear(&found);
    diagnostics_clear(&read);
  }
  return n;
}

/* Formulas of step and delta in a file are evaluated again after a change. */
static void formulas_follow_the_step(void **state) {
  (void)state;
  char *const own[] = {"scheme={name: centered, multiplier: regularized, epsilon: 3*step*delta}",
                       "scheme={name: centered, multiplier: regularized, epsilon: 2*step, r: 0.1/step}",
                       "scheme={name: lie, multiplier: smooth, eta: 5*step}"};
  static const char path[] = STICTION_ROOT "/jobs/problems/tp1.yaml";
  for (size_t k = 0; k < sizeof own / sizeof *own; k++) {
    Diagnostics dropped = {0};
    Problem problem;
    char *settings[] = {own[k]};
    assert_int_equal(problem_file_read(path, settings, 1, false, &dropped, &problem), 0);
    assert_true(compare_named(path, own[k], &problem) > 3);
    problem_clear(&problem);
    diagnostics_clear(&dropped);
  }
}

static void every_problem_of_the_gallery(void **state) {
  (void)state;
  glob_t files;
  int n = 0;
  assert_int_equal(glob(STICTION_ROOT "/jobs/problems/*.yaml", 0, NULL, &files), 0);
  for (size_t k = 0; k < files.gl_pathc; k++) {
    Diagnostics dropped = {0};
    Problem problem;
    if (problem_file_read(files.gl_pathv[k], NULL, 0, false, &dropped, &problem) == 0) {
      if (!problem.storage && !problem.plan && problem.sim.steps <= 20000) {
        n += compare_all(&problem);
        n += compare_named(files.gl_pathv[k], NULL, &problem);
      }
      problem_clear(&problem);
    }
    diagnostics_clear(&dropped);
  }
  globfree(&files);
  assert_true(n > 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_problem_of_the_gallery),
                                     cmocka_unit_test(formulas_follow_the_step)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
