/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests the methods sqp and auto on the papers' problems, and on targets that leave freedom. All starts meet them with
 * the same J in few simulations. The bits are the same for any batch size, and after a save at any time. */
#include "control/refine.h"
#include "tests/control/sqp/search_for.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STARTS = 20, MEDIAN_MOST = 20, WORST_MOST = 40, AT_ONCE_MOST = 50, AUTO_MOST = 32 };

static const char by_event[] = "scheme={name: event}", by_moreau[] = "scheme={name: moreau}",
                  by_centered[] = "scheme={name: centered, multiplier: regularized}";

static int compare_counts(const void *a, const void *b) {
  long x = *(const long *)a, y = *(const long *)b;
  return (x > y) - (x < y);
}

/* From random starts in -20..20 N the target is met with the same J. Checks the median and maximum number of
 * simulations with derivatives. */
static void starts_do_not_matter(const char *file, const char *scheme, double J, double accept) {
  const char *settings[] = {scheme, "search={method: sqp, restarts: 4}"};
  uint64_t seed = 11;
  long counts[STARTS];
  Case c;
  open_case(&c, file, 2, settings);
  for (int k = 0; k < STARTS; k++) {
    Answer answer;
    for (int i = 0; i < c.problem.control.n; i++) c.problem.control.start[i] = 20 * fixture_random(&seed);
    search_for(&c, 1, 0, &answer);
    assert_int_equal(answer.state.reason, CTL_REASON_TOLERANCE);
    assert_true(answer.state.E1 <= accept && answer.state.E2 <= accept);
    assert_true(fabs(answer.state.J - J) <= 1e-7 * J);
    counts[k] = answer.state.ivps;
  }
  qsort(counts, STARTS, sizeof *counts, compare_counts);
  assert_true(counts[STARTS / 2] <= MEDIAN_MOST);
  assert_true(counts[STARTS - 1] <= WORST_MOST);
  close_case(&c);
}

static void papers_problems_from_anywhere(void **state) {
  (void)state;
  starts_do_not_matter("tp1", by_event, 474.0676684, 1e-9);
  starts_do_not_matter("tp2", by_event, 8781.569515, 1e-9);
  starts_do_not_matter("tp2-springs", by_event, 19385.68043, 1e-9);
  starts_do_not_matter("tp1", by_moreau, 474.2997454, 1e-7);
  starts_do_not_matter("tp1", by_centered, 468.0668545, 1e-7);
}

/* Two joints stop at the same time, so each affects the row of the other. */
static void stops_at_once(void **state) {
  const char *settings[] = {"search={method: sqp, stop_at: 1e-7}"};
  uint64_t seed = 3;
  Case c;
  (void)state;
  open_case(&c, "signal-2x8", 1, settings);
  for (int k = 0; k < STARTS; k++) {
    Answer answer;
    for (int i = 0; i < c.problem.control.n; i++) c.problem.control.start[i] = 20 * fixture_random(&seed);
    search_for(&c, 1, 0, &answer);
    assert_int_equal(answer.state.reason, CTL_REASON_STOP_AT);
    assert_true(answer.state.ivps <= AT_ONCE_MOST);
  }
  close_case(&c);
}

/* With default settings, from u = 0 and with refinement, one start is enough, or two if the targets leave no
 * freedom. */
static void auto_takes_few(void **state) {
  static const char *const files[] = {"tp1", "tp2", "tp2-springs"}, *const schemes[] = {by_event, by_moreau,
                                                                                        by_centered};
  (void)state;
  for (int k = 0; k < 9; k++) {
    const char *settings[] = {schemes[k / 3], "search={method: auto}"};
    Answer answer;
    CtlRefined refined;
    Case c;
    open_case(&c, files[k % 3], 2, settings);
    search_for(&c, 64, 0, &answer);
    assert_int_equal(answer.state.reason, CTL_REASON_TOLERANCE);
    assert_int_equal(ctl_refine(&c.problem.control, &c.evaluator, answer.u, NULL, NULL, &refined), SIM_OK);
    assert_true(answer.state.ivps + refined.evaluations <= AUTO_MOST);
    assert_true(refined.J <= answer.state.J * (1 + 1e-9));
    ctl_refined_clear(&refined);
    close_case(&c);
  }
}

/* If targets leave freedom, the least J is found, on the file's grid and on the exact motion. No more simulations are
 * made than starts need that may still win. */
static void freedom_is_used(void **state) {
  static const struct {
    const char *file, *settings[3];
    int n;
    double J;
    long most;
  } cases[] = {
      {"tp1", {"search={method: auto}", "control.target={position: [null, 0, null]}"}, 2, 78.551, 1100},
      {"tp1",
       {"search={method: auto}", "control.target={position: [2, null, null], velocity: [0, null, null]}"},
       2,
       620.279,
       2200},
      {"signal-2x8", {"search={method: auto}", by_event}, 2, 64.0605, 800},
      {"signal-2x8", {"search={method: auto, local_starts: 4}"}, 1, 64.0604, 300},
      {"signal-2x8",
       {"model={kind: friction, mass: 1, friction: 1}", "time={end: 2, step: 0.005}",
        "control={target: {position: 1, velocity: 0}, signal: {kind: piecewise_constant, segments: 20}}"},
       3,
       3.5037594,
       460},
  };
  (void)state;
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    Answer answer;
    Case c;
    open_case(&c, cases[k].file, cases[k].n, cases[k].settings);
    search_for(&c, 64, 0, &answer);
    assert_int_equal(answer.state.reason, CTL_REASON_TOLERANCE);
    assert_true(answer.state.J <= 1.001 * cases[k].J);
    assert_true(answer.state.ivps <= cases[k].most);
    close_case(&c);
  }
}

static void assert_same(const Case *c, const Answer *a, const Answer *b) {
  assert_memory_equal(a->u, b->u, (size_t)c->problem.control.n * sizeof *a->u);
  assert_true(a->state.ivps == b->state.ivps && a->state.rounds == b->state.rounds && a->state.J == b->state.J);
}

static void batches_and_saves_do_not_matter(void **state) {
  enum {
    ROUND = 64,
    KINDS = 8
  }; /* ROUND: points of a round, which fits between two saves; KINDS: kinds of results
      * requested of them. */
  static const char *const searches[] = {"search={method: auto, local_starts: 3}",
                                         "search={method: hybrid, local_starts: 3, max_evaluations: 1000}"};
  (void)state;
  for (int k = 0; k < 2; k++) {
    const char *settings[] = {by_event, searches[k]};
    Answer whole, other;
    Case c;
    open_case(&c, "signal-2x8", 2, settings);
    search_for(&c, 64, 0, &whole);
    for (int batch = 1; batch < 8; batch += 3) {
      search_for(&c, batch, 0, &other);
      assert_same(&c, &whole, &other);
      search_for(&c, batch, ROUND / batch + KINDS, &other);
      assert_same(&c, &whole, &other);
    }
    close_case(&c);
  }
}

/* With derivatives, hybrid is PDS followed by SQP from its best points, and its J is the least of these. */
static void hybrid_goes_on_by_derivatives(void **state) {
  const char *settings[] = {"search={method: hybrid, stop_at: 1e-9}"};
  Answer answer;
  Case c;
  (void)state;
  open_case(&c, "signal-2x8", 1, settings);
  search_for(&c, 64, 0, &answer);
  assert_int_equal(answer.state.reason, CTL_REASON_STOP_AT);
  assert_true(answer.state.J <= 66 && answer.state.ivps <= 400);
  close_case(&c);
}

/* Solves string-16 with settings [4] by one run from u; NULL: from 0. */
static void bring_to_rest(const char *const *settings, const double *u, Answer *answer) {
  Case c;
  open_case(&c, "string-16", 4, settings);
  if (u) memcpy(c.problem.control.start, u, (size_t)c.problem.control.n * sizeof *u);
  search_for(&c, 1, 0, answer);
  assert_int_equal(answer->state.reason, CTL_REASON_STOP_AT);
  close_case(&c);
}

/* More nodes have the target velocity 0 than single targets would allow. They are met by least squares. */
static void strings_are_least_squares(void **state) {
  const char *settings[] = {"model.nodes=1040", "model.friction=0", "time.steps=400",
                            "search={method: sqp, restarts: 0, stop_at: 1e-6}"};
  Answer answer;
  (void)state;
  bring_to_rest(settings, NULL, &answer);
  assert_true(answer.state.ivps <= 10);
}

/* Nodes that stick and slip make x(T), v(T) piecewise smooth functions of u with many small pieces. Nevertheless SQP
 * steps near a point that meets the targets succeed, and from a start that nearly meets them a few steps are enough. */
static void strings_come_to_rest(void **state) {
  const char *settings[] = {"model.nodes=89", "time.steps=200",
                            "control.target.position.nodes=[10, 20, 30, 40, 50, 60, 70, 80]",
                            "search={method: sqp, restarts: 1, stop_at: 1e-6}"};
  Answer answer, near;
  (void)state;
  bring_to_rest(settings, NULL, &answer);
  assert_true(answer.state.ivps <= 70);
  assert_true(answer.state.J < 25);
  settings[2] = "control.target.position={nodes: [10, 20, 30, 40, 50, 60, 70, 80], values: [0.01012, 0.01508, 0.00992, "
                "0.00012, -0.00996, -0.015, -0.01016, -0.00508]}";
  settings[3] = "search={method: sqp, restarts: 0, stop_at: 1e-6}";
  bring_to_rest(settings, answer.u, &near);
  assert_true(near.state.ivps <= 6);
}

/* Bounds and rates hold to the last bit, and raise J. */
static void bounds_hold(void **state) {
  const char *settings[] = {by_event, "search={method: auto, local_starts: 8}",
                            "control.bounds={lower: -7, upper: 7, rate: 20}", "control.start=3"};
  Answer answer;
  Case c;
  (void)state;
  open_case(&c, "signal-2x8", 4, settings);
  search_for(&c, 64, 0, &answer);
  const CtlProblem *p = &c.problem.control;
  double largest = 0, steepest = 0;
  assert_int_equal(answer.state.reason, CTL_REASON_TOLERANCE);
  for (int i = 0; i < p->n; i++) {
    assert_true(answer.u[i] >= p->lower[i] && answer.u[i] <= p->upper[i]);
    largest = fmax(largest, fabs(answer.u[i]));
    if (i >= p->p) steepest = fmax(steepest, fabs(answer.u[i] - answer.u[i - p->p]));
  }
  assert_true(steepest <= 20 * 0.25 * (1 + 1e-12));
  assert_true(largest > 7 - 1e-6 && steepest > 5 - 1e-6);
  assert_true(answer.state.J > 64.06);
  close_case(&c);
}

/* If memory runs out for a motion without friction, that is no failed evaluation: the search ends and reports it. */
static void no_memory_for_another_motion(void **state) {
  const char *settings[] = {"search={method: auto, local_starts: 2}"};
  CtlSearch *search;
  CtlState end;
  CtlWant want;
  Case c;
  (void)state;
  open_case(&c, "tp1", 1, settings);
  assert_int_equal(stiction_asktell_create(&c.problem.control, &search), CTL_OK);
  double control[3], states[6], rows[6 * 5];
  long ticket;
  while (stiction_asktell_ask(search, 1, &ticket, control, &want)) {
    SimFinal final = {.x = states, .v = states + 3, .status = SIM_NO_MEMORY};
    if (!want.motion) c.evaluator.evaluate(c.evaluator.context, want, 1, control, &final, rows);
    CtlOutcome outcome = {final.x, final.v, rows, final.iterations, final.status};
    if (stiction_asktell_tell(search, ticket, &outcome, 0))
      while (stiction_asktell_advance(search)) continue;
  }
  stiction_asktell_state(search, &end);
  assert_true(end.no_memory && end.non_finite == 0 && end.rounds == 1);
  stiction_asktell_destroy(search);
  close_case(&c);
}

/* J has no curvature in the direction of a force that costs nothing, so that force alone reaches the target. */
static void a_force_may_be_free(void **state) {
  const char *settings[] = {"control={weight: [1, 1, 0], target: {position: [null, 0, null]}}", "search={method: sqp}"};
  Answer answer;
  Case c;
  (void)state;
  open_case(&c, "tp1", 2, settings);
  search_for(&c, 1, 0, &answer);
  assert_true(answer.state.E1 <= c.problem.control.accept && answer.state.J < 1e-6);
  close_case(&c);
}

/* If a scheme has no derivatives, sqp reports it and auto uses hybrid. */
static void without_derivatives(void **state) {
  Diagnostics diagnostics = {0};
  Problem problem;
  /* elastic stops, with the scheme centered, have no derivatives */
  char ends[] = "model.stops={upper: 1000, stiffness: 1}";
  char *sqp[] = {"scheme={name: centered}", "search={method: sqp}", ends},
       *any[] = {"scheme={name: centered}", "search={method: auto}", ends};
  (void)state;
  assert_int_not_equal(problem_file_read(STICTION_ROOT "/jobs/problems/tp1.yaml", sqp, 3, true, &diagnostics, &problem),
                       0);
  assert_int_equal(diagnostics.count, 1);
  diagnostics_clear(&diagnostics);
  assert_int_equal(problem_file_read(STICTION_ROOT "/jobs/problems/tp1.yaml", any, 3, true, &diagnostics, &problem), 0);
  assert_string_equal(stiction_method_name(ctl_problem_method(&problem.control)), "hybrid");
  problem_clear(&problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(papers_problems_from_anywhere),
                                     cmocka_unit_test(stops_at_once),
                                     cmocka_unit_test(auto_takes_few),
                                     cmocka_unit_test(freedom_is_used),
                                     cmocka_unit_test(batches_and_saves_do_not_matter),
                                     cmocka_unit_test(hybrid_goes_on_by_derivatives),
                                     cmocka_unit_test(strings_are_least_squares),
                                     cmocka_unit_test(strings_come_to_rest),
                                     cmocka_unit_test(bounds_hold),

                                     cmocka_unit_test(no_memory_for_another_motion),
                                     cmocka_unit_test(a_force_may_be_free),
                                     cmocka_unit_test(without_derivatives)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
