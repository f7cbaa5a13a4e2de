/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks that a motion that begins later is the same motion. A system at rest without load stays at rest until its
 * forces begin. */
#ifndef TESTS_RANDOM_SHIFT_H
#define TESTS_RANDOM_SHIFT_H

#include "tests/random/units.h"

/* A load that is 0 up to the time `begins`, s, and then the original load from its time 0 on. */
typedef struct LateLoad {
  SimLoad load;
  double begins;
  int count;
} LateLoad;

static inline void late_load_at(void *context, double t, double *f) {
  const LateLoad *late = context;
  double passed = t - late->begins;
  if (passed > 1e-12 * t)
    late->load.at(late->load.context, passed, f);
  else
    units_scale(0, (size_t)late->count, f);
}

/* Makes a trial begin at rest without load, and sets `load` to the part that begins after 0. Returns whether this is
 * possible. It is not with moving surfaces, the load of a gear box, or dofs without mass if force and control jump at
 * the same time, as round-off may separate their jumps. */
static inline bool trial_rest(Trial *t, LateLoad *load) {
  SimProblem *p = &t->problem.sim;
  size_t rows = (size_t)p->count;
  bool steers = (p->kind == SIM_FRICTION && strcmp(t->shape.scheme, "centered") != 0) || p->kind == SIM_DASHPOT;
  bool slides_first = p->by_direction && t->shape.kind != KIND_CHAIN && sim_problem_word(p, "start") &&
                      /* with this start lambda = 0 is not a state of rest */
                      !strcmp(sim_problem_word(p, "start"), "paper");
  bool rounds =
      p->by_direction && sim_problem_get(p, "multiplier") == SIM_REGULARIZED; /* lambda at rest then has round-off */
  bool parts_jumps = t->shape.light && stiction_problem_variables(p) > 0;
  if (p->surface_pieces || p->system.gearbox.present || slides_first || parts_jumps || rounds) return false;
  if (!steers) /* otherwise the initial value of the smoothed control is its mean over half a step at 0, which is not
                * 0 */
    units_scale(0, (size_t)stiction_problem_variables(p), t->control);
  units_scale(0, rows, p->x0);
  units_scale(0, rows, p->v0);
  units_scale(0, rows, p->force);
  units_scale(0, rows, p->chain.force_rate);
  units_scale(0, 1, p->chain.end_value);
  if (p->load.at) {
    *load = (LateLoad){p->load, 0, p->count};
    p->load = (SimLoad){.context = load, .at = late_load_at};
  }
  return stiction_problem_finalize(p, NULL) == SIM_OK;
}

/* Inserts zero rows before the rows [n][width]. */
static inline double *late_rows(double *rows, size_t zeros, size_t n, size_t width) {
  if (!rows) return NULL;
  double *late = calloc((zeros + n) * width, sizeof *late);
  memcpy(late + zeros * width, rows, n * width * sizeof *late);
  free(rows);
  return late;
}

/* Inserts a constant piece of this length before pieces of time. Its value is their initial value, or 0. */
static inline void late_pieces(double until, bool begun, int d, double **rows, long *pieces) {
  size_t size = sim_piece_size(d);
  if (!*rows) return;
  double *late = *rows = late_rows(*rows, 1, (size_t)*pieces, size);
  if (begun) memcpy(late + SIM_PIECE_HEAD, late + size + SIM_PIECE_HEAD, (size_t)d * sizeof *late);
  for (long k = 1; k <= *pieces; k++) late[(size_t)k * size] += until;
  ++*pieces;
}

/* Delays all loads of a trial at rest by its original duration, so that the motion begins later. */
static inline bool trial_delay(Trial *t, LateLoad *load) {
  SimProblem *p = &t->problem.sim;
  double until = p->end;
  size_t before = (size_t)sim_force_count(p), variables = (size_t)stiction_problem_variables(p);
  bool steered = false;
  for (size_t i = 0; i < variables; i++) steered = steered || t->control[i] != 0;
  if (steered && p->signal == SIM_CONSTANT) p->signal = SIM_PIECEWISE_CONSTANT;
  if (p->signal != SIM_CONSTANT) {
    p->segments *= 2;
    t->control = late_rows(t->control, variables, variables, 1);
  }
  p->steps *= 2;
  p->end *= 2;
  size_t zeros = (size_t)sim_force_count(p) - before, rows = (size_t)p->count;
  p->force = late_rows(p->force, zeros, before, rows);
  p->chain.force_rate = late_rows(p->chain.force_rate, zeros, before, rows);
  p->chain.end_value = late_rows(p->chain.end_value, zeros, before, 1);
  late_pieces(until, false, p->d, &p->pieces, &p->piece_count);
  late_pieces(until, true, sim_threshold_courses(p), &p->thresholds, &p->threshold_pieces);
  if (p->load.at) load->begins = until;
  t->shape.end *= 2;
  return stiction_problem_finalize(p, NULL) == SIM_OK;
}

/* Compares two trials of the same problem up to round-off, as check_units does. */
static inline Wrong check_shift(Trial *now, Trial *late) {
  LateLoad loads[2];
  ScaledLoad load;
  /* the fixed point is exact only up to its tolerance */
  bool iterates = sim_problem_get(&now->problem.sim, "solver") == SIM_FIXED_POINT;
  if (iterates || !trial_rest(now, &loads[0]) || !trial_rest(late, &loads[1])) return NULL;
  if (!trial_delay(late, &loads[1])) return "a problem that begins later is refused";
  Units are = {1, 1, 1};
  Motion first = motion_run(now), second = motion_run(late);
  Wrong wrong = first.wrong ? first.wrong : second.wrong;
  double apart = motion_apart(&first, &second, are);
  motion_clear(&second);
  if (!wrong && first.final.status == SIM_OK && apart > 1e-9 &&
      apart > 1000 * motion_unsteadiness(&first, now, &are, &load))
    wrong = "begun later it moves otherwise";
  motion_clear(&first);
  return wrong;
}

#endif
