/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests that a search that is saved and loaded at any moment ends like one that is not. Any bytes are either loaded or
 * refused. */
#define _GNU_SOURCE /* memmem */
#include "tests/control/search/drive.h"

#include "control/search/internal.h"
#include "sim/group.h"

#include <errno.h>
#include <pthread.h>

static CtlSearch *again(const CtlProblem *p, CtlSearch *search) {
  CtlSearch *loaded;
  size_t size = stiction_asktell_saved_size(search);
  char *bytes = malloc(size), *twice = malloc(size);
  assert_true(bytes && twice);
  stiction_asktell_save(search, bytes);
  stiction_asktell_destroy(search);
  assert_int_equal(stiction_asktell_load(p, bytes, size, NULL, &loaded), CTL_OK);
  assert_int_equal(stiction_asktell_saved_size(loaded), size);
  stiction_asktell_save(loaded, twice);
  assert_memory_equal(bytes, twice, size);
  free(bytes);
  free(twice);
  return loaded;
}

/* Asks for up to `batch` points. Each time after `every` outcomes, answers only the last point of a batch, and saves
 * and loads the search. */
static void run_with_breaks(const CtlProblem *p, Model *model, int batch, long every) {
  CtlSearch *search;
  double controls[BATCH_MAX * N_MAX], x[2][N_MAX];
  long tickets[BATCH_MAX], outcomes = 0, simplexes = 0;
  run(p, model, 17, 0, 0);
  assert_int_equal(stiction_asktell_create(p, &search), CTL_OK);
  for (int count; (count = stiction_asktell_ask(search, batch, tickets, controls, NULL)) > 0;) {
    int from = outcomes % every == every - 1 ? count - 1 : 0; /* the other outcomes are lost */
    for (int k = from; k < count; k++, outcomes++) {
      CtlOutcome outcome = {.x = x[0], .v = x[1], .iterations = tickets[k]};
      outcome.status = model(p->n, controls + k * p->n, x[0], x[1]);
      bool ended = stiction_asktell_tell(search, tickets[k], &outcome, 0);
      if (outcomes % every == every - 1) search = again(p, search);
      for (CtlState state; ended; ended = stiction_asktell_advance(search)) {
        stiction_asktell_state(search, &state);
        assert_same_state(&state, &drive.states[simplexes++]);
        if (simplexes % 3 == 0) search = again(p, search);
      }
      if (outcomes % every == every - 1) break;
    }
    if (outcomes % every == every - 1) outcomes++;
  }
  CtlState last;
  stiction_asktell_state(search, &last);
  assert_same_state(&last, &drive.last);
  assert_memory_equal(last.control, drive.u, (size_t)p->n * sizeof(double));
  stiction_asktell_destroy(again(p, search));
}

static void breaks_change_nothing(void **state) {
  (void)state;
  static Model *const models[] = {linear,      fails_on_the_left,      rosenbrock,       always_fails,
                                  unreachable, far_ones_take_too_long, all_take_too_long};
  for (size_t m = 0; m < sizeof models / sizeof *models; m++)
    for (CtlPenaltyKind kind = CTL_PENALTY_P; kind <= CTL_PENALTY_PI; kind++)
      for (long every = 7; every < 100; every = 4 * every + 3) {
        CtlProblem p = plain_problem(2);
        p.penalty = kind;
        p.scheme_size = 9;
        p.rho_update = kind == CTL_PENALTY_P ? CTL_RHO_DYNAMIC : CTL_RHO_CONSTANT;
        p.rho = 1e3;
        if (m >= 2) p.max_simplexes = 20;
        if (models[m] == unreachable) p.tolerance = 0.1;
        run_with_breaks(&p, models[m], 5, every);
        assert_true(models[m] != unreachable || drive.last.scheme_size > 9); /* a restart has widened the scheme */
        ctl_problem_clear(&p);
      }
  CtlProblem p = plain_problem(1);
  p.upper[0] = 2;
  run_with_breaks(&p, linear, 3, 5);
  run_with_breaks(&p, linear, 1, 1);
  run_with_breaks(&p, two_valleys, 3, 5);
  ctl_problem_clear(&p);
}

static void breaks_change_nothing_of_local_methods(void **state) {
  (void)state;
  for (int method = ctl_method_find("pds") + 1; stiction_method_name(method); method++)
    for (long every = 1; every < 30; every = 4 * every + 3) {
      CtlProblem p = plain_problem(2);
      p.method = method;
      p.local_starts = 4;
      if (p.method == ctl_method_find("hybrid")) { /* its second part is PDS, which was tested before */
        p.scheme_size = 9;
        p.tolerance = 1e-2;
      }
      p.max_evaluations = p.method == ctl_method_find("hybrid") ? 600 : 150;
      run_with_breaks(&p, rosenbrock, 5, every);
      run_with_breaks(&p, unreachable, 5, every); /* this search restarts on its way */
      ctl_problem_clear(&p);
    }
}

/* An objective with constraints; some points fail. */
static SimStatus corner_of_half(int n, const double *u, double *y, double *v) {
  corner(n, u, y, v);
  return u[1] < -0.3 ? SIM_NOT_CONVERGED : SIM_OK;
}

static void breaks_change_nothing_of_values(void **state) {
  (void)state;
  static const char *const methods[] = {"pds", "hybrid", "nlopt:cobyla", "tao:pounders"};
  for (int m = 0; m < 4; m++)
    for (long every = 1; every < 30; every = 4 * every + 3) {
      CtlProblem p = values_problem(methods[m], 2, 3, CTL_ROLE_AT_MOST);
      stiction_control_set_role(&p, 0, CTL_ROLE_RESIDUAL, 0, 0);
      stiction_control_set_role(&p, 2, CTL_ROLE_EQUAL, 2, 1e-6);
      p.penalty = m % 2 ? CTL_PENALTY_PI : CTL_PENALTY_P;
      p.scheme_size = 9;
      p.max_evaluations = 300;
      run_with_breaks(&p, corner_of_half, 5, every);
      ctl_problem_clear(&p);
    }
}

static void seconds_go_on(void **state) {
  (void)state;
  CtlProblem p = plain_problem(1);
  CtlSearch *search;
  CtlState s;
  double u, x = 1, v = 0;
  long ticket;
  assert_int_equal(stiction_asktell_create(&p, &search), CTL_OK);
  for (int k = 0; k < 3; k++) {
    assert_int_equal(stiction_asktell_ask(search, 1, &ticket, &u, NULL), 1);
    stiction_asktell_tell(search, ticket, &(CtlOutcome){.x = &x, .v = &v}, 2);
    search = again(&p, search);
  }
  stiction_asktell_state(search, &s);
  assert_true(s.seconds == 6);
  stiction_asktell_destroy(search);
  ctl_problem_clear(&p);
}

/* Loads arbitrary bytes. If they are accepted, the search must be able to continue. Returns whether they are. */
static bool is_taken(const CtlProblem *p, const char *bytes, size_t size) {
  CtlSearch *search;
  double controls[BATCH_MAX * N_MAX], x[2][N_MAX];
  long tickets[BATCH_MAX];
  CtlStatus status = stiction_asktell_load(p, bytes, size, NULL, &search);
  if (status != CTL_OK) {
    assert_true((status == CTL_BAD_PROBLEM || status == CTL_NO_MEMORY) && !search);
    return false;
  }
  for (int round = 0, count; round < 4; round++) {
    count = stiction_asktell_ask(search, BATCH_MAX, tickets, controls, NULL);
    for (int k = 0; k < count; k++) {
      CtlOutcome outcome = {.x = x[0], .v = x[1]};
      outcome.status = linear(p->n, controls + k * p->n, x[0], x[1]);
      stiction_asktell_tell(search, tickets[k], &outcome, 0);
    }
    stiction_asktell_advance(search);
  }
  stiction_asktell_destroy(search);
  return true;
}

static void any_bytes_are_safe_of(const char *method) {
  CtlProblem p = plain_problem(2);
  p.scheme_size = 4;
  p.method = ctl_method_find(method);
  p.local_starts = CTL_STARTS_MAX;
  CtlSearch *search;
  double controls[2 * 13], x[2][N_MAX];
  long tickets[13];
  uint64_t seed = 3;
  assert_int_equal(stiction_asktell_create(&p, &search), CTL_OK);
  for (int k = 0; k < 13; k++) {
    assert_int_equal(stiction_asktell_ask(search, 1, tickets, controls, NULL), 1);
    CtlOutcome outcome = {.x = x[0], .v = x[1], .status = linear(2, controls, x[0], x[1])};
    stiction_asktell_tell(search, tickets[0], &outcome, 0);
  }
  size_t size = stiction_asktell_saved_size(search), refused = 0;
  char *bytes = malloc(size), *spoilt = malloc(size + 8);
  assert_true(bytes && spoilt);
  stiction_asktell_save(search, bytes);
  stiction_asktell_destroy(search);
  assert_true(is_taken(&p, bytes, size));
  for (size_t cut = 0; cut < size; cut += 1 + cut % 5) {
    memcpy(spoilt, bytes, cut);
    memcpy(spoilt, &(int64_t){(int64_t)cut}, cut < 8 ? cut : 8); /* a size field that equals the number of bytes left */
    assert_false(is_taken(&p, spoilt, cut));
  }
  memcpy(spoilt, bytes, size);
  memset(spoilt + size, 0, 8);
  assert_false(is_taken(&p, spoilt, size + 8));
  static const unsigned char values[] = {0x00, 0xff, 0x7f, 0x80};
  for (size_t at = 0; at < size; at += 1 + at % 3) {
    memcpy(spoilt, bytes, size);
    spoilt[at] = (char)values[at % 4];
    refused += !is_taken(&p, spoilt, size);
  }
  assert_true(refused > size / 16); /* numbers in the file may have any value, but changed counts, kinds and labels
                                     * must be refused */
  for (int k = 0; k < 200; k++) {
    memcpy(spoilt, bytes, size);
    for (int i = 0; i < 8; i++) {
      size_t at = 8 + (size_t)(fabs(fixture_random(&seed)) * (double)(size - 16));
      double value = k % 3 == 0 ? INFINITY : k % 3 == 1 ? NAN : 1e300 * fixture_random(&seed);
      memcpy(spoilt + at / 8 * 8, &value, 8);
    }
    is_taken(&p, spoilt, size);
  }
  free(bytes);
  free(spoilt);
  ctl_problem_clear(&p);
}

static void any_bytes_are_safe(void **state) {
  (void)state;
  any_bytes_are_safe_of("pds");
  any_bytes_are_safe_of("nlopt:cobyla");
  any_bytes_are_safe_of("hybrid");
}

static void another_problem_is_refused(void **state) {
  (void)state;
  CtlProblem p = plain_problem(2), q = plain_problem(3);
  CtlSearch *search, *loaded;
  assert_int_equal(stiction_asktell_create(&p, &search), CTL_OK);
  size_t size = stiction_asktell_saved_size(search);
  char *bytes = malloc(size);
  assert_non_null(bytes);
  stiction_asktell_save(search, bytes);
  assert_int_equal(stiction_asktell_load(&q, bytes, size, NULL, &loaded), CTL_BAD_PROBLEM);
  assert_null(loaded);
  free(bytes);
  stiction_asktell_destroy(search);
  ctl_problem_clear(&p);
  ctl_problem_clear(&q);
}

static long threads_left = -1; /* number of threads that can still be created; -1: no limit */
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*body)(void *), void *context);
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*body)(void *), void *context);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*body)(void *), void *context) {
  return threads_left >= 0 && threads_left-- == 0 ? EAGAIN : __real_pthread_create(thread, how, body, context);
}

/* A method that lacks memory or a thread when it continues is not reported as an error of the file. */
static void no_memory_is_reported_as_such(void **state) {
  (void)state;
  CtlProblem p = plain_problem(2);
  CtlSearch *search, *loaded;
  double control[2], x[2], v[2];
  long ticket;
  p.method = ctl_method_find("nlopt:cobyla");
  assert_int_equal(stiction_asktell_create(&p, &search), CTL_OK);
  assert_int_equal(stiction_asktell_ask(search, 1, &ticket, control, NULL), 1);
  CtlOutcome outcome = {.x = x, .v = v, .status = linear(2, control, x, v)};
  stiction_asktell_tell(search, ticket, &outcome, 0);
  size_t size = stiction_asktell_saved_size(search);
  char *bytes = malloc(size);
  assert_non_null(bytes);
  stiction_asktell_save(search, bytes);
  /* First no thread can start, for the search or its saved run. Then only the first one can. */
  for (long there = 0; there < 2; there++) {
    threads_left = there;
    assert_int_equal(stiction_asktell_load(&p, bytes, size, NULL, &loaded), CTL_NO_MEMORY);
    assert_null(loaded);
  }
  threads_left = -1;
  assert_int_equal(stiction_asktell_load(&p, bytes, size, NULL, &loaded), CTL_OK);
  stiction_asktell_destroy(loaded);
  stiction_asktell_destroy(search);
  free(bytes);
  ctl_problem_clear(&p);
}

static char message[256];

static void keep(void *context, const char *key, const char *text) {
  (void)context;
  snprintf(message, sizeof message, "%s: %s", key, text);
}

/* Replaces the first occurrence of `old` by `new`, which has the same length. */
static void replace(char *bytes, size_t size, const void *old, const void *new, size_t length) {
  char *at = memmem(bytes, size, old, length);
  assert_non_null(at);
  memcpy(at, new, length);
}

static void assert_refused(const CtlProblem *p, const char *bytes, size_t size, const char *why) {
  const SimReport report = {NULL, keep};
  CtlSearch *loaded;
  message[0] = '\0';
  assert_int_equal(stiction_asktell_load(p, bytes, size, &report, &loaded), CTL_BAD_PROBLEM);
  assert_null(loaded);
  if (!strstr(message, why)) fail_msg("%s does not say: %s", message, why);
}

/* A saved search is not loaded where it might continue differently. The reason is reported. */
static void another_build_method_or_format_is_refused(void **state) {
  (void)state;
  CtlProblem p = plain_problem(2);
  CtlSearch *search;
  const char *sources = ctl_source_hash();
  char other[17] = "0123456789abcdef", *bytes, *spoilt;
  assert_int_equal(strlen(sources), 16);
  assert_int_equal(stiction_asktell_create(&p, &search), CTL_OK);
  size_t size = stiction_asktell_saved_size(search);
  bytes = malloc(size);
  spoilt = malloc(size);
  assert_true(bytes && spoilt);
  stiction_asktell_save(search, bytes);
  stiction_asktell_destroy(search);
  memcpy(spoilt, bytes, size);
  replace(spoilt, size, sources, other, 16);
  assert_refused(&p, spoilt, size, "saved by a build from other sources (0123456789abcdef; ");
  memcpy(spoilt, bytes, size);
  replace(spoilt, size, "pds", "abc", 3);
  assert_refused(&p, spoilt, size, "search: saved by a method that this build does not have: abc");
  memcpy(spoilt, bytes, size);
  spoilt[8]++;
  assert_refused(&p, spoilt, size, "search: a saved search of format ");
  p.method = ctl_method_find("hybrid");
  assert_refused(&p, bytes, size, "search: saved by the method pds (expected hybrid)");
  memset(spoilt, 1, size);
  assert_refused(&p, spoilt, size, "search: incomplete saved search");
  free(bytes);
  free(spoilt);
  ctl_problem_clear(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_teardown(breaks_change_nothing, drive_end),
      cmocka_unit_test_teardown(breaks_change_nothing_of_local_methods, drive_end),
      cmocka_unit_test_teardown(breaks_change_nothing_of_values, drive_end),
      cmocka_unit_test(seconds_go_on),
      cmocka_unit_test(any_bytes_are_safe),
      cmocka_unit_test(another_problem_is_refused),
      cmocka_unit_test(no_memory_is_reported_as_such),
      cmocka_unit_test(another_build_method_or_format_is_refused),
  };
  /* Some tests do not work with shared libraries, which do not use the pthread_create of this program. */
  cmocka_set_skip_filter(getenv("STICTION_SKIP"));
  if (stiction_petsc_start(NULL) != SIM_OK) return 1;
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  stiction_petsc_stop();
  return failed;
}
