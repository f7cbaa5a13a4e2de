/* SPDX-License-Identifier: BSD-2-Clause */
/* Targets that load saved states of a search, a proof and a rollout. Bytes of a valid state are replaced, since few
 * arbitrary bytes pass the first checks. Another target reads checkpoints, complete or truncated. */
#include "tests/fuzz/fuzz.h"

#include "control/base/checkpoint.h"
#include "control/certify.h"
#include "control/internal.h"
#include "src/file/sections/file.h"

#include <string.h>
#include <sys/stat.h>

static Problem problem;
static SimModel *model;
static SimWorkspace *work;
static uint8_t *good, *spoilt; /* [good_size] good: a valid state; spoilt: a changed one */
static size_t good_size;

static void read_problem(void) {
  static char *const settings[] = {"time.step=0.25", "search.scheme_size=9"};
  Diagnostics reported = {.report = diagnostic_print, .to = stderr};
  FUZZ_HOLDS(problem_file_read(STICTION_ROOT "/jobs/problems/tp1.yaml", settings, 2, true, &reported, &problem) == 0);
  FUZZ_HOLDS(stiction_model_create(&problem.sim, NULL, &model) == SIM_OK);
  FUZZ_HOLDS(stiction_workspace_create(model, &work) == SIM_OK);
}

static void make_room(size_t size) {
  good_size = size;
  good = malloc(size);
  spoilt = malloc(size + 1);
  FUZZ_HOLDS(good && spoilt);
}

/* Replaces bytes of the valid state. Three given bytes are two for the position and one for the value. One or two bytes
 * that are left give the number of bytes to cut off. Returns the size. */
static size_t spoil(const uint8_t *bytes, size_t size) {
  memcpy(spoilt, good, good_size);
  for (; size >= 3; bytes += 3, size -= 3) spoilt[((size_t)bytes[0] << 8 | bytes[1]) % good_size] = bytes[2];
  return size ? good_size - bytes[0] % good_size : good_size;
}

/* Answers the points of a few rounds of a search. */
static void go_on(CtlSearch *search, int rounds) {
  enum { MOST = 16 };
  long tickets[MOST];
  double controls[MOST * 64], x[64] = {0}, v[64] = {0};
  for (int round = 0; round < rounds; round++) {
    int n = stiction_asktell_ask(search, MOST, tickets, controls, NULL);
    for (int k = 0; k < n; k++) {
      const CtlOutcome outcome = {.x = x, .v = v, .status = SIM_OK};
      if (stiction_asktell_tell(search, tickets[k], &outcome, 0)) stiction_asktell_advance(search);
    }
    if (!n) return;
  }
}

static void begin_search(void) {
  CtlSearch *search;
  read_problem();
  FUZZ_HOLDS(problem.control.n <= 64 && problem.sim.d <= 64);
  FUZZ_HOLDS(stiction_asktell_create(&problem.control, &search) == CTL_OK);
  go_on(search, 3);
  make_room(stiction_asktell_saved_size(search));
  stiction_asktell_save(search, good);
  stiction_asktell_destroy(search);
}

static void take_search(const uint8_t *bytes, size_t size) {
  CtlSearch *search;
  CtlState state;
  size_t cut = spoil(bytes, size);
  CtlStatus status = stiction_asktell_load(&problem.control, spoilt, cut, NULL, &search);
  FUZZ_HOLDS(size || status == CTL_OK);
  FUZZ_HOLDS((status == CTL_OK) == (search != NULL));
  if (!search) return;
  stiction_asktell_state(search, &state);
  go_on(search, 2);
  uint8_t *again = malloc(stiction_asktell_saved_size(search));
  FUZZ_HOLDS(again);
  stiction_asktell_save(search, again);
  free(again);
  stiction_asktell_destroy(search);
}

static void begin_rollout(void) {
  read_problem();
  make_room(sim_workspace_saved_size(model));
  sim_rollout_begin(model, work, NULL, NULL);
  FUZZ_HOLDS(sim_rollout_run_to(model, work, NULL, 3) == SIM_OK);
  sim_workspace_save(model, work, good);
}

static void take_rollout(const uint8_t *bytes, size_t size) {
  size_t cut = spoil(bytes, size);
  SimStatus status = sim_workspace_load(model, work, spoilt, cut);
  FUZZ_HOLDS(size || status == SIM_OK);
  if (status != SIM_OK) return;
  long n = sim_rollout_position(work);
  FUZZ_HOLDS(n >= 0 && n <= problem.sim.steps);
  double x[64], v[64];
  SimFinal final = {.x = x, .v = v};
  sim_rollout_run_to(model, work, NULL, problem.sim.steps);
  sim_rollout_end(model, work, &final);
}

static CtlSimulation motions;
static CtlBound *bound;
static CtlProver *prover;
static const double claimed = 500, gap = 0.01; /* claimed: effort J that the proof gets as the least one; a cheaper
                                                * control exists. gap: relative gap of the proof */

/* Runs up to `most` tasks of a proof, and at most as many rounds. */
static void prove(CtlProof *proof, long most) {
  const CtlEvaluator evaluator = ctl_prover_evaluator(prover);
  CtlTasks *tasks = ctl_proof_tasks(proof);
  size_t n = (size_t)evaluator.n, d = (size_t)evaluator.d;
  double *numbers = calloc(n + 2 * d, sizeof *numbers);
  FUZZ_HOLDS(numbers);
  for (; most > 0 && tasks->undone; most--) {
    long k = 0;
    while (tasks->done[k]) k++;
    SimFinal final = {.x = numbers + n, .v = numbers + n + d};
    tasks->ask(tasks->context, k, numbers);
    evaluator.evaluate(evaluator.context, (CtlWant){0}, 1, numbers, &final, NULL);
    const CtlOutcome outcome = {.x = final.x, .v = final.v, .status = final.status};
    FUZZ_HOLDS(tasks->tell(tasks->context, k, &outcome) == 1);
    tasks->done[k] = true;
    if (--tasks->undone == 0) tasks->ended(tasks->context);
  }
  free(numbers);
}

/* Begins a proof and saves it in the middle of a round. */
static void begin_proof(void) {
  static char *const settings[] = {"scheme={name: event, tolerance: 1e-12}"};
  CtlProof *proof;
  Diagnostics reported = {.report = diagnostic_print, .to = stderr};
  FUZZ_HOLDS(problem_file_read(STICTION_ROOT "/jobs/problems/tp1.yaml", settings, 1, true, &reported, &problem) == 0);
  FUZZ_HOLDS(stiction_model_create(&problem.sim, NULL, &model) == SIM_OK);
  FUZZ_HOLDS(stiction_workspace_create(model, &work) == SIM_OK);
  motions = (CtlSimulation){.model = model, .work = work, .problem = &problem.sim};
  const CtlEvaluator evaluator = ctl_simulator(&motions);
  FUZZ_HOLDS(ctl_bound_create(&problem.control, &problem.sim, claimed, &bound) == SIM_OK);
  FUZZ_HOLDS(ctl_prover_create(bound, &evaluator, &prover) == SIM_OK);
  FUZZ_HOLDS(ctl_proof_create(bound, claimed, gap, &proof) == SIM_OK);
  prove(proof, 40);
  make_room(ctl_proof_saved_size(proof));
  ctl_proof_save(proof, good);
  ctl_proof_destroy(proof);
}

static void take_proof(const uint8_t *bytes, size_t size) {
  CtlProof *proof;
  size_t cut = spoil(bytes, size);
  SimStatus status = ctl_proof_load(bound, claimed, gap, spoilt, cut, NULL, &proof);
  FUZZ_HOLDS(size || status == SIM_OK);
  FUZZ_HOLDS((status == SIM_OK) == (proof != NULL));
  if (!proof) return;
  prove(proof, 8);
  uint8_t *again = malloc(ctl_proof_saved_size(proof));
  FUZZ_HOLDS(again);
  ctl_proof_save(proof, again);
  free(again);
  ctl_proof_destroy(proof);
}

static void begin_checkpoint(void) {
  char path[FUZZ_PATH_SIZE];
  FUZZ_HOLDS(mkdir(fuzz_path("checkpoint", path), 0700) == 0);
}

/* Reads the two files of a checkpoint. If one of them is accepted as intact, it is exactly what was written, since
 * random bytes do not pass the check. */
static void take_checkpoint(const uint8_t *bytes, size_t size) {
  static const char *const names[] = {"checkpoint/state.0", "checkpoint/state.1"};
  CtlCheckpoint checkpoint = {0};
  char path[FUZZ_PATH_SIZE], other[FUZZ_PATH_SIZE];
  void *state;
  size_t state_size, half = size / 2;
  remove(fuzz_path(names[0], path));
  remove(fuzz_path(names[1], other));
  FUZZ_HOLDS(ctl_checkpoint_open(&checkpoint, fuzz_path("checkpoint", path), 1, 0, 0) == 0);
  if (half % 2) FUZZ_HOLDS(ctl_checkpoint_write(&checkpoint, bytes, half, 0) == 0);
  fuzz_write(names[checkpoint.next], bytes + half, size - half);
  FUZZ_HOLDS(ctl_checkpoint_open(&checkpoint, path, 1, 0, 0) == 0);
  int found = ctl_checkpoint_read(&checkpoint, &state, &state_size);
  FUZZ_HOLDS(half % 2 ? found == 1 : found != 1);
  if (found == 1) FUZZ_HOLDS(state_size == half && memcmp(state, bytes, half) == 0);
  if (found == 1) free(state);
}

const FuzzTarget fuzz_search = {.name = "search", .begin = begin_search, .take = take_search};
const FuzzTarget fuzz_proof = {.name = "proof", .begin = begin_proof, .take = take_proof};
const FuzzTarget fuzz_rollout = {.name = "rollout", .begin = begin_rollout, .take = take_rollout};
const FuzzTarget fuzz_checkpoint = {.name = "checkpoint", .begin = begin_checkpoint, .take = take_checkpoint};
