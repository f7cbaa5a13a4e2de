/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests a series of bounds that is stopped and continued from saved bytes. It gives the same bits, and no work is
 * repeated. Invalid bytes are refused. */
#include "control/bound/saved.h"
#include "tests/control/bound/problems.h"

/* One call of a bound: its limits, and its saved bytes. */
typedef struct Slot {
  long steps, most;       /* steps: number of steps so far; most: number after which the series is stopped, 0: never */
  double left, left_kept; /* number of operations that may still be begun, now (left) and at the last save
                           * (left_kept) */
  long first;             /* ticket of the first of the last tasks */
  int kept;
  void *bytes; /* [size]; owned */
  size_t size;
} Slot;

static bool stops(void *context) {
  Slot *slot = context;
  return slot->most && ++slot->steps > slot->most;
}

static bool affords(void *context, double operations) {
  Slot *slot = context;
  if (operations > slot->left) return false;
  slot->left -= operations;
  return true;
}

static void keep(void *context, void *bytes, size_t size) {
  Slot *slot = context;
  free(slot->bytes);
  slot->bytes = bytes;
  slot->size = size;
  slot->left_kept = slot->left;
  slot->kept++;
}

/* Carries out tasks, and checks that no ticket is issued twice. */
static int drive(void *context, const CtlLowerBoundOptions *cases, CtlTasks *tasks, const CtlEvaluator *evaluator) {
  Slot *slot = context;
  const CtlListener listener = {.context = slot, .stopped = cases->stopped};
  CtlTimes times;
  assert_true(tasks->first >= slot->first);
  int over = ctl_drive_tasks(tasks, evaluator, &listener, &times);
  if (over == 0) slot->first = tasks->first + tasks->count;
  return over;
}

static CtlLowerBoundOptions options_of(Slot *slot, double effort, double gap) {
  return (CtlLowerBoundOptions){.effort = effort,
                                .gap = gap,
                                .tries = affords,
                                .stopped = stops,
                                .drive = drive,
                                .keep = keep,
                                .saved = slot->bytes,
                                .saved_size = slot->size,
                                .context = slot};
}

/* Continues from a copy of the saved bytes, as from a checkpoint, so that the next save does not overwrite them. */
static SimStatus go_on(const CtlProblem *c, const SimProblem *p, Slot *slot, CtlLowerBoundOptions options,
                       CtlLowerBound *bound) {
  void *saved = slot->bytes;
  slot->bytes = NULL;
  slot->steps = slot->kept = 0;
  slot->left = slot->left_kept;
  options.saved = saved;
  options.saved_size = slot->size;
  SimStatus status = ctl_lower_bound(c, p, &options, bound);
  if (slot->bytes)
    free(saved);
  else
    slot->bytes = saved;
  return status;
}

static void assert_same(const CtlLowerBound *a, const CtlLowerBound *b) {
  assert_memory_equal(&a->J, &b->J, sizeof a->J);
  assert_memory_equal(&a->known, &b->known, sizeof a->known);
  assert_memory_equal(&a->operations, &b->operations, sizeof a->operations);
  assert_string_equal(a->relaxation, b->relaxation);
  assert_int_equal(a->places, b->places);
  assert_int_equal(a->raised, b->raised);
  assert_int_equal(a->cases, b->cases);
  assert_int_equal(a->steps, b->steps);
  assert_int_equal(a->left_out, b->left_out);
}

/* Stops a series after a number of steps and continues it, until its end. The number is doubled whenever it was too
 * small for progress. */
static void stop_and_go_on(const CtlProblem *c, const SimProblem *p, double effort, double gap, const double *end,
                           double operations, long most, int least_stops) {
  Slot whole = {.left = operations, .most = 1L << 40}, slot = {.left_kept = operations, .most = most};
  CtlLowerBoundOptions options = options_of(&whole, effort, gap);
  CtlLowerBound expected, bound;
  double mean[2][2] = {{0}};
  signed char ways[2][2] = {{0}};
  CtlBoundMean of[2] = {{mean[0], ways[0]}, {mean[1], ways[1]}};
  options.mean = &of[0];
  options.x = end, options.v = end ? end + p->d : NULL;
  assert_int_equal(ctl_lower_bound(c, p, &options, &expected), SIM_OK);
  options.context = &slot;
  options.mean = &of[1];
  int count = 0;
  SimStatus status;
  while ((status = go_on(c, p, &slot, options, &bound)) == SIM_NOT_FINISHED) {
    assert_true(bound.J <= expected.J && ++count < 1000);
    memset(mean[1], 0, sizeof mean[1]); /* in another process this memory is zero at first */
    slot.most = slot.kept ? most : 2 * slot.most;
  }
  assert_int_equal(status, SIM_OK);
  assert_same(&bound, &expected);
  assert_true(mean[0][0] != 0);
  assert_memory_equal(mean[0], mean[1], sizeof mean[0]);
  assert_memory_equal(ways[0], ways[1], sizeof ways[0]);
  assert_in_range(count, least_stops, 1000);
  assert_true(3 * slot.steps < 2 * whole.steps);
  /* Nothing is solved again after the end. */
  assert_int_equal(go_on(c, p, &slot, options, &bound), SIM_OK);
  assert_same(&bound, &expected);
  assert_int_equal(slot.steps, 0);
  free(whole.bytes);
  free(slot.bytes);
}

/* Saves and loads each proven number, including those that are 0 in all series here. */
static void test_proven(void **state) {
  const CtlLowerBound bound = {.J = 1,
                               .relaxation = "R1",
                               .places = 2,
                               .raised = 3,
                               .cases = 4,
                               .steps = 5,
                               .operations = 6,
                               .left_out = 7,
                               .known = 8};
  unsigned char room[256];
  CtlLowerBound written = bound, read = {.relaxation = "R1"};
  CtlBytes bytes = {.to = room};
  (void)state;
  bound_saved_proven(&bytes, 2, &written);
  assert_in_range(bytes.done, 1, sizeof room);
  bytes = (CtlBytes){.from = room, .left = bytes.done};
  bound_saved_proven(&bytes, 2, &read);
  assert_false(bytes.bad);
  assert_int_equal(bytes.left, 0);
  assert_same(&read, &bound);
  bytes = (CtlBytes){.from = room, .left = bytes.done};
  bound_saved_proven(&bytes, 0.5, &read); /* above the largest possible value */
  assert_true(bytes.bad);
}

/* Series: R1 and its cases; R1 to R4 with cases in between (the relaxations of control/bound/README.md); series that
 * end when no more operations may begin, or not even the first case. */
static void test_stopped(void **state) {
  static const double end[] = {1.001, 0};
  SimProblem p;
  CtlProblem c;
  (void)state;
  open_arm(&p, &c);
  stop_and_go_on(&c, &p, ARM, 0.03, NULL, INFINITY, 40, 5);
  close_problem(&p, &c);
  open_block(&p, &c);
  p.end = c.end = 10; /* with this time cells have the largest effect */
  stop_and_go_on(&c, &p, 3.2693, 0.2, NULL, INFINITY, 30, 10);
  stop_and_go_on(&c, &p, 3.2693, 0.2, end, 1e8, 30, 3);
  stop_and_go_on(&c, &p, 3.2693, 0.2, end, 3e7, 12, 3);
  close_problem(&p, &c);
}

static void count_complaint(void *context, const char *key, const char *text) {
  assert_string_equal(key, "bound");
  assert_non_null(strstr(text, "bound"));
  ++*(int *)context;
}

static void assert_refused(const CtlProblem *c, const SimProblem *p, CtlLowerBoundOptions options) {
  int complaints = 0;
  const SimReport report = {&complaints, count_complaint};
  CtlLowerBound bound;
  options.report = &report;
  assert_int_equal(ctl_lower_bound(c, p, &options, &bound), SIM_BAD_PROBLEM);
  assert_int_equal(complaints, 1);
  assert_true(bound.J == 0);
  assert_string_equal(bound.relaxation, "none");
}

/* Begins a series, and stops it in the middle of its cases. */
static void begin(const CtlProblem *c, const SimProblem *p, Slot *slot) {
  CtlLowerBound bound;
  *slot = (Slot){.left = INFINITY, .most = 150};
  const CtlLowerBoundOptions options = options_of(slot, ARM, 0.03);
  assert_int_equal(ctl_lower_bound(c, p, &options, &bound), SIM_NOT_FINISHED);
  assert_true(bound.cases > 1);
  slot->most = 1;
}

/* Bytes saved for another problem, and truncated bytes, are refused, and no part of them is used. */
static void test_refused(void **state) {
  static const double x[2] = {1, 0.5}, v[2] = {0};
  SimProblem p;
  CtlProblem c;
  Slot slot;
  (void)state;
  open_arm(&p, &c);
  begin(&c, &p, &slot);
  CtlLowerBoundOptions fits = options_of(&slot, ARM, 0.03), other = fits;
  fits.keep = NULL;
  other.effort = ARM * (1 + 1e-12);
  assert_refused(&c, &p, other);
  other = fits, other.gap = 0.02;
  assert_refused(&c, &p, other);
  other = fits, other.degree = 4;
  assert_refused(&c, &p, other);
  other = fits, other.x = x, other.v = v;
  assert_refused(&c, &p, other);
  other = fits, other.saved_size--;
  assert_refused(&c, &p, other);
  other = fits, other.saved_size = 3;
  assert_refused(&c, &p, other);
  char *longer = calloc(slot.size + 1, 1);
  memcpy(longer, slot.bytes, slot.size);
  other = fits, other.saved = longer, other.saved_size++;
  assert_refused(&c, &p, other);
  free(longer);
  free(slot.bytes);
  close_problem(&p, &c);
}

/* If some of the bytes are replaced, they are refused, or the series continues. */
static void test_spoilt(void **state) {
  enum { TIMES = 400 };
  uint64_t seed = 7;
  int taken = 0;
  SimProblem p;
  CtlProblem c;
  Slot slot;
  (void)state;
  open_arm(&p, &c);
  begin(&c, &p, &slot);
  unsigned char *bytes = malloc(slot.size);
  CtlLowerBoundOptions options = options_of(&slot, ARM, 0.03);
  options.saved = bytes;
  options.keep = NULL;
  for (int k = 0; k < TIMES; k++) {
    CtlLowerBound bound;
    memcpy(bytes, slot.bytes, slot.size);
    bytes[(size_t)((1 + fixture_random(&seed)) / 2 * (double)(slot.size - 1))] ^= (unsigned char)(1 << (k % 8));
    slot.steps = slot.first = 0;
    SimStatus status = ctl_lower_bound(&c, &p, &options, &bound);
    assert_true(status == SIM_OK || status == SIM_NOT_FINISHED || status == SIM_BAD_PROBLEM);
    taken += status != SIM_BAD_PROBLEM;
  }
  assert_in_range(taken, 1, TIMES - 1);
  free(bytes);
  free(slot.bytes);
  close_problem(&p, &c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_proven),
      cmocka_unit_test(test_stopped),
      cmocka_unit_test(test_refused),
      cmocka_unit_test(test_spoilt),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
