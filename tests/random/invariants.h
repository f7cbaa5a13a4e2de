/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks properties of any random problem, in addition to those that a single run shows (motion.h). Each function
 * returns an error text, or NULL. */
#ifndef TESTS_RANDOM_INVARIANTS_H
#define TESTS_RANDOM_INVARIANTS_H

#include "tests/random/motion.h"

/* The mirrored problem has the mirrored motion, bit for bit; except with a support on one side. -------------------- */

typedef struct MirroredLoad {
  SimLoad load;
  int count;
} MirroredLoad;

static inline void mirrored_load_at(void *context, double t, double *f) {
  const MirroredLoad *mirrored = context;
  mirrored->load.at(mirrored->load.context, t, f);
  for (int i = 0; i < mirrored->count; i++) f[i] = -f[i];
}

static inline void negate(double *values, size_t n) {
  for (size_t i = 0; i < n && values; i++) values[i] = -values[i];
}

/* Mirrors the problem; mirroring twice gives the original. load: set to its load, if it has one. */
static inline void mirror(Trial *t, MirroredLoad *load) {
  SimProblem *p = &t->problem.sim;
  size_t d = (size_t)p->count, times = (size_t)sim_force_count(p), controls = (size_t)stiction_problem_variables(p);
  bool gears = p->system.gearbox.present;
  negate(p->x0, d);
  if (p->by_direction) negate(p->friction_bias, d);
  negate(p->v0, d);
  negate(t->control, controls);
  negate(p->force, times * d);
  negate(p->chain.force_rate, times * d);
  negate(p->chain.end_value, times);
  negate(gears ? p->system.gearbox.k : NULL, d);
  negate(gears ? p->system.gearbox.delta : NULL, d);
  for (size_t i = 0; i < d && p->stops.present; i++) {
    double lower = p->stops.lower[i];
    p->stops.lower[i] = -p->stops.upper[i];
    p->stops.upper[i] = -lower;
  }
  for (long k = 0; k < p->piece_count && p->pieces; k++)
    negate(p->pieces + (size_t)k * sim_piece_size(p->d) + SIM_PIECE_HEAD, sim_piece_size(p->d) - SIM_PIECE_HEAD);
  for (long k = 0; k < p->surface_pieces; k++)
    negate(p->surface + (size_t)k * sim_curve_size(p->surface_columns) + SIM_CURVE_HEAD,
           sim_curve_size(p->surface_columns) - SIM_CURVE_HEAD);
  for (long k = 0; k < p->threshold_pieces && p->by_direction; k++) {
    double *c = p->thresholds + (size_t)k * sim_piece_size(2 * p->threshold_columns) + SIM_PIECE_HEAD;
    for (int q = 0; q <= SIM_PIECE_ORDER; q++, c += 2 * p->threshold_columns)
      for (int i = 0; i < p->threshold_columns; i++) {
        double forward = c[i];
        c[i] = c[p->threshold_columns + i];
        c[p->threshold_columns + i] = forward;
      }
  }
  stiction_problem_finalize(p, NULL); /* if this failed, motion_run reports that the problem is not finalized */
  if (!p->load.at) return;
  if (p->load.at == mirrored_load_at) {
    p->load = load->load;
    return;
  }
  *load = (MirroredLoad){p->load, p->count};
  p->load.at = mirrored_load_at;
  p->load.context = load;
}

static inline Wrong check_mirror(Trial *t, const Motion *plain) {
  MirroredLoad load;
  /* these laws of force round differently in the mirrored problem */
  if (t->problem.sim.dashpot.has_support || trial_has_laws(t)) return NULL;
  mirror(t, &load);
  Motion image = motion_run(t);
  Wrong wrong = motion_same(plain, &image, -1) ? NULL : "the mirror image moves otherwise";
  motion_clear(&image);
  mirror(t, &load);
  return wrong;
}

/* A rollout that is saved at any time and continued in another workspace has the same bits. ------------------------ */

static inline Wrong check_resume(const Trial *t, const Motion *plain) {
  Motion m = motion_of(t);
  SimModel *model;
  SimWorkspace *first, *second;
  const SimProblem *p = &t->problem.sim;
  const SimObserver observer = {.context = &m, .step = motion_see};
  Wrong wrong = NULL;
  long until = random_below(t->shape.knobs, "resume", (int)p->steps + 1);
  if (!trial_make(t, &model, &first)) return "no memory";
  sim_rollout_begin(model, first, t->control, &observer);
  SimStatus status = sim_rollout_run_to(model, first, &observer, until);
  size_t size = sim_workspace_saved_size(model);
  void *bytes = malloc(size);
  sim_workspace_save(model, first, bytes);
  stiction_workspace_destroy(first);
  if (stiction_workspace_create(model, &second) != SIM_OK) return "no memory";
  if (status == SIM_OK) {
    if (sim_workspace_load(model, second, bytes, size) != SIM_OK) wrong = "a saved state is refused";
    sim_rollout_run_to(model, second, &observer, p->steps);
    sim_rollout_end(model, second, &m.final);
    bool same = motion_same(plain, &m, 1) && plain->final.iterations == m.final.iterations &&
                memcmp(&plain->energy, &m.energy, sizeof m.energy) == 0;
    if (!same && !wrong) wrong = "a resumed run ends otherwise";
  }
  free(bytes);
  stiction_workspace_destroy(second);
  stiction_model_destroy(model);
  motion_clear(&m);
  return wrong;
}

/* All kernels give the same bits as single rollouts. --------------------------------------------------------------- */

enum { RANDOM_BATCH = 11 };

static inline void run_batch(const SimModel *model, SimWorkspace *work, const double *controls, int d, double *states,
                             SimFinal *finals) {
  for (int i = 0; i < RANDOM_BATCH; i++)
    finals[i] = (SimFinal){.x = states + (size_t)(2 * i * d), .v = states + (size_t)((2 * i + 1) * d)};
  stiction_batch(model, work, RANDOM_BATCH, controls, finals);
}

static inline bool finals_same(const SimFinal *a, const SimFinal *b, size_t d) {
  for (int i = 0; i < RANDOM_BATCH; i++) {
    if (a[i].status != b[i].status) return false;
    if (a[i].status != SIM_OK) continue;
    if (memcmp(a[i].x, b[i].x, d * sizeof(double)) != 0 || memcmp(a[i].v, b[i].v, d * sizeof(double)) != 0)
      return false;
    if (a[i].iterations != b[i].iterations || a[i].residual != b[i].residual) return false;
  }
  return true;
}

static inline Wrong check_kernels(const Trial *t) {
  SimModel *model;
  SimWorkspace *work;
  int d = t->problem.sim.count, variables = stiction_problem_variables(&t->problem.sim);
  size_t size = 2 * RANDOM_BATCH * (size_t)d;
  Wrong wrong = NULL;
  if (!trial_make(t, &model, &work)) return "no memory";
  if (strcmp(sim_batch_kernel(model, work), "ref") != 0) {
    SimFinal finals[2][RANDOM_BATCH];
    double *states = calloc(2 * size, sizeof *states);
    double *controls = calloc((size_t)(RANDOM_BATCH * variables) + 1, sizeof *controls);
    for (int i = 0; i < RANDOM_BATCH * variables; i++)
      controls[i] = t->shape.load * random_sign(t->shape.knobs, "batch", i);
    sim_workspace_set_kernel(work, 0);
    run_batch(model, work, controls, d, states, finals[0]);
    for (int k = 1; sim_kernel_name(k); k++) {
      if (!sim_kernel_runs(k)) continue;
      sim_workspace_set_kernel(work, k);
      run_batch(model, work, controls, d, states + size, finals[1]);
      if (!finals_same(finals[0], finals[1], (size_t)d)) wrong = "a kernel gives other bits";
    }
    free(states);
    free(controls);
  }
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  return wrong;
}

/* Derivatives agree with differences, and adjoint with forward ones. ----------------------------------------------- */

typedef struct Slopes {
  int columns;
  double *rows; /* [3 d][columns] derivatives of x, v, stop; in one block with the next arrays */
  bool smooth;
} Slopes;

/* Returns whether a and b differ by at most `size`, or are both NaN. */
static inline bool near(double a, double b, double size) { return fabs(a - b) <= size || (isnan(a) && isnan(b)); }

/* Returns the largest change of a velocity by friction within a step, m/s; 0 for models without any mass. Round-off is
 * measured relative to it. */
static inline double hardest_kick(const Problem *problem) {
  double most = 0;
  for (int i = 0; i < problem->sim.count; i++) most = fmax(most, sim_problem_threshold(&problem->sim, i));
  double mass = problem->sim.bounds.mass_min;
  return mass > 0 ? most * problem->sim.step / mass : 0;
}

/* Returns whether a derivative agrees with differences of these three values, which are a step apart. Two kinds of
 * motions do not record all their branches: those with thresholds that depend on position by a law with kinks, and
 * those by schemes that split a step. In these the difference may lie across one kink; the derivative is then that of
 * one side. It may also lie across several kinks; these nearly agree on both sides or do not matter. */
static inline bool differs_so(const Trial *t, double low, double middle, double high, double step, double derivative,
                              double slack) {
  bool hides = t->problem.sim.rise.pieces > 0 || !strcmp(t->shape.scheme, "lie") || !strcmp(t->shape.scheme, "strang");
  double right = (high - middle) / step, left = (middle - low) / step, most = fmax(fabs(right), fabs(left));
  if (near((high - low) / (2 * step), derivative, slack)) return true;
  bool torn = fabs(right - left) > 0.1 * most;
  return hides && (torn || near(right, derivative, 10 * slack) || near(left, derivative, 10 * slack));
}

/* Compares derivatives with differences for one number of the control or of x0. torn: set if a derivative is wrong but
 * the differences on its two sides differ much. */
static inline Wrong compare_over(Trial *t, const Slopes *slopes, const Motion *plain, double *number, double step,
                                 int column, bool *torn) {
  bool event = !strcmp(t->shape.scheme, "event");
  double middle = *number;
  int d = t->problem.sim.count;
  Wrong wrong = NULL;
  *torn = false;
  *number = middle - step;
  Motion low = motion_run(t);
  *number = middle + step;
  Motion high = motion_run(t);
  *number = middle;
  double kick = hardest_kick(&t->problem);
  bool same = low.branches == plain->branches && high.branches == plain->branches &&
              low.final.impacts == plain->final.impacts && high.final.impacts == plain->final.impacts;
  for (int block = 0; block < 2 && same && slopes->smooth; block++) {
    double most = 0, dt = t->problem.sim.step;
    double size = block ? plain->fast + 2 * plain->far / dt + kick : plain->far + kick * dt;
    for (int i = block * d; i < (block + 1) * d; i++)
      most = fmax(most, fabs(slopes->rows[i * slopes->columns + column]));
    if (most * step > size) continue; /* the motion is chaotic: two motions that begin close to each other separate */
    double slack = (event ? 1e-3 : 1e-4) * most + (event ? 1e-9 : 1e-12) * size / step;
    for (int i = block * d; i < (block + 1) * d; i++) {
      double derivative = slopes->rows[i * slopes->columns + column];
      double left = plain->state[i] - low.state[i], right = high.state[i] - plain->state[i];
      if (differs_so(t, low.state[i], plain->state[i], high.state[i], step, derivative, slack)) continue;
      *torn = *torn || fabs(right - left) > 0.1 * fmax(fabs(right), fabs(left));
      wrong = "a derivative is no difference";
    }
  }
  motion_clear(&low);
  motion_clear(&high);
  return wrong;
}

/* Compares as above. If the differences on the two sides of a step differ, a step a hundred times smaller decides. */
static inline Wrong compare_difference(Trial *t, const Slopes *slopes, const Motion *plain, double *number,
                                       double scale, int column) {
  double step = scale * (!strcmp(t->shape.scheme, "event") ? 1e-5 : 1e-6);
  bool torn;
  Wrong wrong = compare_over(t, slopes, plain, number, step, column, &torn);
  return torn ? compare_over(t, slopes, plain, number, step / 100, column, &torn) : wrong;
}

/* Returns how far a control of 1 moves a free mass, m. */
static inline double far_by_control(const Problem *problem) {
  const SimProblem *p = &problem->sim;
  double most = 0;
  for (int i = 0; p->control_matrix && i < p->count * p->n_control; i++) most = fmax(most, fabs(p->control_matrix[i]));
  return most * p->end * p->end / problem->sim.bounds.mass_min;
}

/* Compares adjoint with forward derivatives, by a weighted sum of all rows. */
static inline Wrong compare_backwards(const Trial *t, const SimModel *model, SimWorkspace *work, int n,
                                      const SimDependence *on, const Slopes *slopes, SimFinal *final) {
  SimAdjoint *adjoint;
  int rows = 3 * t->problem.sim.count, columns = slopes->columns;
  if (sim_adjoint_create(model, n, on, &adjoint) != SIM_OK) return "there are derivatives forward alone";
  double *weights = calloc((size_t)(rows + columns), sizeof *weights), *gradient = weights + rows;
  Wrong wrong = NULL;
  for (int i = 0; i < rows; i++) weights[i] = random_sign(t->shape.knobs, "weight", i);
  bool swept = sim_rollout_record(model, work, adjoint, t->control, final) == SIM_OK &&
               sim_adjoint_sweep(adjoint, 1, weights, gradient) == SIM_OK;
  if (!swept) wrong = "no way back";
  for (int k = 0; k < columns && swept; k++) {
    double sum = 0, size = 0;
    for (int i = 0; i < rows; i++) {
      sum += weights[i] * slopes->rows[i * columns + k];
      for (int j = 0; j < columns; j++) size = fmax(size, fabs(slopes->rows[i * columns + j]));
    }
    bool position = on[0] == SIM_ON_POSITION && k < t->problem.sim.d;
    /* A stop may have prevented all of the motion, so that only round-off remains. */
    double whole = position ? 1 : far_by_control(&t->problem);
    double slack = 1e-7 * size + 64 * DBL_EPSILON * whole * (1 + 1 / t->problem.sim.step);
    if (!near(sum, gradient[k], slack)) wrong = "backwards is not forwards";
  }
  free(weights);
  sim_adjoint_destroy(adjoint);
  return wrong;
}

/* Returns whether steps are too long for the decrease of friction with speed, which is explicit. Then derivatives grow
 * by orders of magnitude per step. */
static inline bool drops_too_fast(const Problem *problem) {
  const SimProblem *p = &problem->sim;
  double most = 0;
  if (p->system.stribeck == SIM_STRIBECK_TABLE) return !(p->step < problem->sim.bounds.friction_limit);
  for (int i = 0; i < p->count && p->system.stribeck; i++)
    most = fmax(most, p->friction[i] * p->system.stribeck_beta[i] / p->system.stribeck_epsilon[i]);
  most *= fmax(1, p->system.stribeck_exponent);
  return most * p->step > problem->sim.bounds.mass_min;
}

static inline Wrong check_derivatives(Trial *t, const Motion *plain) {
  static const SimDependence on[] = {SIM_ON_POSITION, SIM_ON_CONTROL};
  SimProblem *p = &t->problem.sim;
  SimModel *model;
  SimWorkspace *work;
  SimSensitivity *sensitivity;
  int d = p->count, variables = stiction_problem_variables(p), n = variables > 0 ? 2 : 1, columns = d + variables;
  if (!sim_scheme_differentiates(p->scheme, p) || sim_problem_get(p, "solver") == SIM_FIXED_POINT || d > 12 ||
      drops_too_fast(&t->problem))
    return NULL;
  if (!trial_make(t, &model, &work)) return "no memory";
  Wrong wrong = NULL;
  if (stiction_sensitivity_create(model, n, on, &sensitivity) == SIM_OK) {
    double *rows = calloc(3 * (size_t)d * (size_t)columns + 4 * (size_t)d, sizeof *rows);
    double *rest = rows + 3 * d * columns;
    SimDerivative out = {rows, rows + 2 * d * columns, rest, rest + d, false};
    SimFinal final = {.x = rest + 2 * d, .v = rest + 3 * d};
    SimStatus status = stiction_rollout_sensitivity(model, work, sensitivity, t->control, &final, &out);
    const Slopes slopes = {columns, rows, out.smooth};
    if (status != SIM_OK || memcmp(final.x, plain->state, (size_t)d * sizeof(double)) != 0)
      wrong = "with derivatives it moves otherwise";
    int column = random_below(t->shape.knobs, "column", columns);
    double *number = column < d ? &p->x0[column] : &t->control[column - d];
    if (!wrong)
      wrong = compare_difference(t, &slopes, plain, number, column < d ? t->shape.length : t->shape.load, column);
    if (!wrong && out.smooth) wrong = compare_backwards(t, model, work, n, on, &slopes, &final);
    free(rows);
    stiction_sensitivity_destroy(sensitivity);
  }
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  return wrong;
}

#endif
