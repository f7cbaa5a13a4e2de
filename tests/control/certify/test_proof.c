/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests proofs of a least effort: their results, saving and loading, tasks that fail, and wrong claims. */
#include "control/certify.h"
#include "tests/control/sqp/case.h"

enum { N = 3 };

static const SimReport complains = {NULL, fixture_complain};

static const char by_event[] = "scheme={name: event, tolerance: 1e-12}";

typedef struct Proof {
  Case of;
  double J, gap;
  CtlBound *bound;
  CtlProver *prover;
  CtlProof *proof;
} Proof;

/* Makes the proof's tasks simulate motions with the evaluator of the case. */
static void equip(Proof *proof) {
  ctl_prover_destroy(proof->prover);
  assert_int_equal(ctl_prover_create(proof->bound, &proof->of.evaluator, &proof->prover), SIM_OK);
}

/* Opens the proof that J is the least effort of a problem file. */
static void open_proof(Proof *proof, const char *file, const char *target, double J, double gap) {
  const char *settings[] = {by_event, target};
  *proof = (Proof){.J = J, .gap = gap};
  open_case(&proof->of, file, target ? 2 : 1, settings);
  assert_int_equal(ctl_bound_create(&proof->of.problem.control, &proof->of.problem.sim, J, &proof->bound), SIM_OK);
  equip(proof);
  assert_int_equal(ctl_proof_create(proof->bound, J, gap, &proof->proof), SIM_OK);
}

static void close_proof(Proof *proof) {
  ctl_proof_destroy(proof->proof);
  ctl_prover_destroy(proof->prover);
  ctl_bound_destroy(proof->bound);
  close_case(&proof->of);
}

/* A function that is called after each round. If it returns other than 0, the drive ends. */
typedef struct Watch {
  const Proof *proof;
  int (*look)(const CtlProofState *state, double given);
  double given;
} Watch;

static int at_round(void *context, const CtlState *none, double seconds) {
  const Watch *watch = context;
  CtlProofState state;
  (void)seconds;
  assert_null(none);
  ctl_proof_state(watch->proof->proof, &state);
  return watch->look ? watch->look(&state, watch->given) : 0;
}

/* Drives the proof to its end, or until `look` ends it. */
static CtlProofState drive(const Proof *proof, int (*look)(const CtlProofState *, double), double given) {
  Watch watch = {proof, look, given};
  const CtlListener listener = {.context = &watch, .simplex = at_round};
  const CtlEvaluator evaluator = ctl_prover_evaluator(proof->prover);
  CtlTimes times;
  CtlProofState state;
  int over = ctl_drive_tasks(ctl_proof_tasks(proof->proof), &evaluator, &listener, &times);
  assert_true(over == 0 || look);
  ctl_proof_state(proof->proof, &state);
  return state;
}

static int until(const CtlProofState *state, double rounds) { return (double)state->rounds >= rounds; }

/* The proof confirms least efforts that were found in other ways (reference values). */
static void test_least(void **state) {
  static const struct {
    const char *file, *target;
    double J, gap;
    long most;
  } of[] = {{"tp1", NULL, 474.0676684, 1e-3, 800},
            {"tp2", NULL, 8781.569515, 0.02, 200},
            {"tp2-springs", NULL, 19385.68043, 0.02, 100},
            {"tp1", "control.target.position=[null, 0, null]", 80.99903938, 0.2, 4000}};
  (void)state;
  for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
    Proof proof;
    open_proof(&proof, of[i].file, of[i].target, of[i].J, of[i].gap);
    CtlProofState end = drive(&proof, NULL, 0);
    assert_true(fabs(end.proven - (1 - of[i].gap) * of[i].J) <= 1e-9 * of[i].J);
    assert_in_range(end.motions, 1, of[i].most);
    assert_true(end.boxes >= end.motions);
    close_proof(&proof);
  }
}

/* Even if the claimed effort is above the least one, the proven bound does not exceed the least one. */
static int never_above(const CtlProofState *state, double least) {
  assert_true(state->proven <= least);
  return state->motions > 2500;
}

static void test_not_least(void **state) {
  static const struct {
    const char *file, *target;
    double claimed, least;
  } of[] = {{"tp1", NULL, 500, 474.06767},
            {"tp2", NULL, 9000, 8781.5696},
            {"tp1", "control.target.position=[null, 0, null]", 967.7, 80.9991}};
  (void)state;
  for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
    Proof proof;
    open_proof(&proof, of[i].file, of[i].target, of[i].claimed, 1e-3);
    CtlProofState end = drive(&proof, never_above, of[i].least);
    assert_true(end.proven <= of[i].least);
    assert_true(end.motions > 100);
    close_proof(&proof);
  }
}

/* An evaluator, for which `solves` evaluates, that fails for controls within a slab. */
static CtlEvaluator solves;

static void fail_at(void *context, CtlWant want, int count, const double *controls, SimFinal *final, double *rows) {
  (void)context;
  solves.evaluate(solves.context, want, count, controls, final, rows);
  for (int i = 0; i < count; i++)
    if (fabs(controls[(ptrdiff_t)i * solves.n] - 4) < 0.5) final[i].status = SIM_NOT_CONVERGED;
}

/* Even if it may make no simulations the proof ends, and reports that it is incomplete. */
static void test_unsolved(void **state) {
  Proof proof;
  (void)state;
  open_proof(&proof, "tp1", NULL, 474.0676684, 0.5);
  solves = proof.of.evaluator;
  proof.of.evaluator.evaluate = fail_at;
  equip(&proof);
  CtlProofState end = drive(&proof, NULL, 0);
  assert_in_range(end.unsolved, 1, end.boxes);
  assert_true(end.proven < 0.5 * 474.0676684);
  close_proof(&proof);
}

static void same_end(const CtlProofState *a, const CtlProofState *b) {
  assert_memory_equal(&a->proven, &b->proven, sizeof a->proven);
  assert_int_equal(a->motions, b->motions);
  assert_int_equal(a->boxes, b->boxes);
  assert_int_equal(a->unsolved, b->unsolved);
  assert_int_equal(a->rounds, b->rounds);
  assert_memory_equal(a->nearest, b->nearest, N * sizeof *a->nearest);
}

/* Takes up to this number of tasks, and answers the last one first, as the order of answers does not matter. */
static void answer_backwards(Proof *proof, long most) {
  CtlTasks *tasks = ctl_proof_tasks(proof->proof);
  const CtlEvaluator evaluator = ctl_prover_evaluator(proof->prover);
  double *control = malloc((size_t)evaluator.n * sizeof *control), *end = malloc(2 * (size_t)evaluator.d * sizeof *end);
  for (long k = tasks->count; k-- > 0 && most > 0; most--) {
    SimFinal final = {.x = end, .v = end + evaluator.d};
    tasks->ask(tasks->context, k, control);
    evaluator.evaluate(evaluator.context, (CtlWant){0}, 1, control, &final, NULL);
    const CtlOutcome outcome = {.x = final.x, .v = final.v, .status = final.status};
    assert_int_equal(tasks->tell(tasks->context, k, &outcome), 1);
    tasks->done[k] = true;
  }
  tasks->next = 0;
  ctl_tasks_init(tasks);
  free(control);
  free(end);
}

static char *save(const Proof *proof, size_t *size) {
  *size = ctl_proof_saved_size(proof->proof);
  char *bytes = malloc(*size);
  ctl_proof_save(proof->proof, bytes);
  return bytes;
}

/* A proof is saved in the middle of a round, after its last tasks were answered, and loaded. It ends with the same
 * result. Invalid bytes are refused. */
static void test_saved(void **state) {
  Proof whole, proof;
  size_t size;
  (void)state;
  open_proof(&whole, "tp1", "control.target.position=[null, 0, null]", 80.99903938, 0.2);
  open_proof(&proof, "tp1", "control.target.position=[null, 0, null]", 80.99903938, 0.2);
  CtlProofState expected = drive(&whole, NULL, 0);
  drive(&proof, until, 12);
  assert_true(ctl_proof_tasks(proof.proof)->count > 2);
  answer_backwards(&proof, 2);
  char *bytes = save(&proof, &size);
  ctl_proof_destroy(proof.proof);
  assert_int_equal(ctl_proof_load(proof.bound, proof.J, proof.gap, bytes, size - 1, NULL, &proof.proof),
                   SIM_BAD_PROBLEM);
  assert_null(proof.proof);
  assert_int_equal(ctl_proof_load(proof.bound, proof.J, proof.gap, bytes, size, &complains, &proof.proof), SIM_OK);
  assert_int_equal(ctl_proof_tasks(proof.proof)->count - ctl_proof_tasks(proof.proof)->undone, 2);
  free(bytes);
  CtlProofState end = drive(&proof, NULL, 0);
  same_end(&end, &expected);
  close_proof(&whole);
  close_proof(&proof);
}

/* If no task of a box succeeds, the proof halves the box and still ends. */
static void test_failed_task(void **state) {
  Proof proof;
  (void)state;
  open_proof(&proof, "tp2", NULL, 8781.569515, 0.02);
  CtlTasks *tasks = ctl_proof_tasks(proof.proof);
  assert_int_equal(tasks->count, 1);
  assert_int_equal(tasks->tell(tasks->context, 0, &(CtlOutcome){.status = SIM_NOT_FINISHED}), 1);
  tasks->done[0] = true;
  tasks->ended(tasks->context);
  assert_int_equal(tasks->count, 2);
  CtlProofState end = drive(&proof, NULL, 0);
  assert_true(fabs(end.proven - 0.98 * 8781.569515) <= 1e-5);
  close_proof(&proof);
}

static bool counts_down(void *context) {
  long *left = context;
  return --*left <= 0;
}

/* An interrupted motion does not count as failed. The proof stops there, and continues to the same end. */
static void test_interrupted(void **state) {
  Proof whole, proof;
  int stops = 0;
  (void)state;
  open_proof(&whole, "tp1", "control.target.position=[null, 0, null]", 80.99903938, 0.2);
  open_proof(&proof, "tp1", "control.target.position=[null, 0, null]", 80.99903938, 0.2);
  CtlProofState expected = drive(&whole, NULL, 0);
  const CtlEvaluator evaluator = ctl_prover_evaluator(proof.prover);
  for (int over = CTL_DRIVE_STOPPED; over == CTL_DRIVE_STOPPED; stops++) {
    long left = 3000; /* number of segments that motions may take until the interrupt */
    assert_true(stops < 100);
    stiction_workspace_interrupt(proof.of.rollout.work, &(SimInterrupt){&left, counts_down, 0});
    over = ctl_drive_tasks(ctl_proof_tasks(proof.proof), &evaluator, NULL, NULL);
    assert_true(over == 0 || over == CTL_DRIVE_STOPPED);
    ctl_tasks_init(ctl_proof_tasks(proof.proof));
  }
  assert_true(stops > 2);
  CtlProofState end;
  ctl_proof_state(proof.proof, &end);
  assert_int_equal(end.unsolved, 0);
  same_end(&end, &expected);
  close_proof(&whole);
  close_proof(&proof);
}

/* A bound that was packed for another rank gives the same results for the same motions. */
static void test_packed(void **state) {
  Proof whole, proof;
  (void)state;
  open_proof(&whole, "tp2", NULL, 8781.569515, 0.02);
  open_proof(&proof, "tp2", NULL, 8781.569515, 0.02);
  size_t size = ctl_bound_packed_size(proof.bound);
  char *bytes = malloc(size);
  CtlBound *packed;
  ctl_bound_pack(proof.bound, bytes);
  assert_int_equal(ctl_bound_unpack(bytes, size - 1, &packed), SIM_BAD_PROBLEM);
  assert_int_equal(ctl_bound_unpack(bytes, size, &packed), SIM_OK);
  free(bytes);
  ctl_prover_destroy(proof.prover);
  assert_int_equal(ctl_prover_create(packed, &proof.of.evaluator, &proof.prover), SIM_OK);
  CtlProofState end = drive(&proof, NULL, 0), expected = drive(&whole, NULL, 0);
  same_end(&end, &expected);
  close_proof(&proof);
  close_proof(&whole);
  ctl_bound_destroy(packed);
}

/* If some of the bytes are replaced, they are refused, or the proof continues. */
static void test_spoilt(void **state) {
  enum { TIMES = 300 };
  long taken = 0;
  uint64_t seed = 7;
  size_t size;
  Proof proof;
  (void)state;
  open_proof(&proof, "tp1", NULL, 474.0676684, 1e-2);
  drive(&proof, until, 10);
  answer_backwards(&proof, 2);
  char *good = save(&proof, &size), *bytes = malloc(size);
  ctl_proof_destroy(proof.proof);
  for (int k = 0; k < TIMES; k++) {
    memcpy(bytes, good, size);
    bytes[(size_t)((1 + fixture_random(&seed)) / 2 * (double)(size - 1))] ^= (char)(1 << (k % 8));
    SimStatus status = ctl_proof_load(proof.bound, proof.J, proof.gap, bytes, size, NULL, &proof.proof);
    assert_true(status == SIM_OK || status == SIM_BAD_PROBLEM);
    if (status != SIM_OK) continue;
    taken++;
    drive(&proof, until, 12);
    ctl_proof_destroy(proof.proof);
  }
  assert_in_range(taken, 1, TIMES);
  free(good);
  free(bytes);
  proof.proof = NULL;
  close_proof(&proof);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_least),       cmocka_unit_test(test_not_least),
                                     cmocka_unit_test(test_unsolved),    cmocka_unit_test(test_saved),
                                     cmocka_unit_test(test_failed_task), cmocka_unit_test(test_packed),
                                     cmocka_unit_test(test_interrupted), cmocka_unit_test(test_spoilt)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
