/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/methods/plateau.h"

#include "bench/tools/list.h"
#include "src/run/rollout_context.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_SIZE = 1024, TRIES = 100 };
static const double DISPLACEMENT_MIN = 0.02; /* each joint must move at least this far, m */

double plateau_random(uint64_t *seed) {
  for (int turn = 0; turn < 4; turn++) { /* this is the generator xorshift64 */
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
  }
  return ldexp((double)(*seed >> 11), -53);
}

static double random_between(uint64_t *seed, double low, double high) {
  return low + (high - low) * plateau_random(seed);
}

/* Writes a random model. With a random vector w: M = diag(1..5) + w w'/2. A has springs of up to 3 N/m between
 * neighbours and up to 2 N/m to the ground, so that |A|_inf <= 14. Thresholds c are 2..10 N, and |x0| <= 1/8 m, so that
 * friction holds the springs. */
static void write_model(int d, uint64_t *seed, char text[TEXT_SIZE]) {
  double w[PLATEAU_DOFS_MAX] = {0}, row[PLATEAU_DOFS_MAX] = {0}, links[PLATEAU_DOFS_MAX] = {0};
  double anchors[PLATEAU_DOFS_MAX] = {0}, friction[PLATEAU_DOFS_MAX] = {0}, x0[PLATEAU_DOFS_MAX] = {0};
  for (int i = 0; i < d; i++) {
    w[i] = random_between(seed, -1, 1);
    links[i] = random_between(seed, 0, 3);
    anchors[i] = random_between(seed, 0, 2);
    friction[i] = random_between(seed, 2, 10);
    x0[i] = random_between(seed, -1, 1) / 8;
  }
  snprintf(text, TEXT_SIZE, "model={kind: friction, mass: [");
  for (int i = 0; i < d; i++) {
    for (int j = 0; j < d; j++) row[j] = 0.5 * w[i] * w[j] + (i == j ? random_between(seed, 1, 5) : 0);
    bench_append(text, TEXT_SIZE, i ? ", " : "", d, row, "");
  }
  bench_append(text, TEXT_SIZE, "], friction: ", d, friction, "");
  bench_append(text, TEXT_SIZE, ", x0: ", d, x0, "");
  bench_append(text, TEXT_SIZE, d > 1 ? ", stiffness: {anchors: " : ", stiffness: ", d, anchors, d > 1 ? "" : "}");
  if (d > 1) bench_append(text, TEXT_SIZE, ", links: ", d - 1, links, "}}");
}

/* Makes the final state of the motion under u the target. Returns whether every joint has moved under u, and whether
 * without control no bit of the state changes. */
static bool plant_target(Problem *problem, RolloutContext *rollout, bool velocity, const double *u) {
  CtlProblem *control = &problem->control;
  double x[PLATEAU_DOFS_MAX], v[PLATEAU_DOFS_MAX];
  SimFinal final = {.x = x, .v = v};
  bool moved = stiction_rollout(rollout->model, rollout->work, u, NULL, &final) == SIM_OK;
  for (int i = 0; i < control->d; i++) {
    control->position[i] = x[i];
    control->velocity[i] = velocity ? v[i] : NAN;
    moved = moved && fabs(x[i] - problem->sim.x0[i]) > DISPLACEMENT_MIN;
  }
  bool sticks = stiction_rollout(rollout->model, rollout->work, control->start, NULL, &final) == SIM_OK;
  for (int i = 0; i < control->d; i++) sticks = sticks && x[i] == problem->sim.x0[i] && v[i] == 0;
  return moved && sticks;
}

int plateau_make(int number, Diagnostics *diagnostics, Problem *problem, double planted[PLATEAU_VARIABLES_MAX]) {
  /* a template; its model is replaced completely */
  static const char file[] = STICTION_ROOT "/jobs/problems/signal-2x8.yaml";
  int d = 1 + number % PLATEAU_DOFS_MAX, segments = number / 4 % 2 ? PLATEAU_SEGMENTS_MAX : 1;
  uint64_t seed = UINT64_C(0x9E3779B97F4A7C15) * (uint64_t)(number + 1);
  char model[TEXT_SIZE], time[] = "time={end: 2, steps: 400}", control[TEXT_SIZE];
  char *settings[] = {model, time, control};
  write_model(d, &seed, model);
  snprintf(control, sizeof control, "control={target: {position: 0}, signal: {kind: %s}}",
           segments > 1 ? "piecewise_constant, segments: 4" : "constant");
  int code = problem_file_read(file, settings, 3, true, diagnostics, problem);
  if (code) return code;
  RolloutContext rollout;
  code = rollout_context_prepare(&rollout, &problem->sim, diagnostics);
  for (int try = 0; !code; try++) {
    for (int k = 0; k < problem->control.n; k++) {
      double size = random_between(&seed, 0.3, 3) * problem->sim.friction[k % d];
      planted[k] = plateau_random(&seed) < 0.5 ? -size : size;
    }
    if (plant_target(problem, &rollout, number / 8 % 2, planted)) break;
    if (try == TRIES) code = diagnostics_error(diagnostics, EXIT_INTERNAL, "plateau %d: nothing moves it", number);
  }
  rollout_context_release(&rollout);
  if (code) problem_clear(problem);
  return code;
}
