/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/bound/setting.h"
#include "control/bound/course.h"
#include "control/bound/verify.h"
#include "sim/base/pieces.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static const double FORCE_REMAINDER =
                        2e-3, /* largest remainder (force.h) of a force that is approximated by lines, relative to the
                               * square root of effort */
    /* SPLIT_RANGE: largest distance between the time at which an interval is split and the middle of the interval,
     * relative to the length of the interval */
    /* DRIFT_REMAINDER: largest remainder of a drift (drift.h) that is approximated by polynomials: its integral over
     * time, relative to the integral of the drift */
    SPLIT_RANGE = 0.45, DRIFT_REMAINDER = 1e-6;
/* HALVINGS_MAX: intervals are split until their number exceeds three times their initial number by this. DEGREE: degree
 * in time of the test function V if the options give none. FORCE_DEGREE: smallest degree of V if the force varies. */
enum { HALVINGS_MAX = 8, DEGREE = 3, FORCE_DEGREE = 2 };

/* Returns the contribution [intervals] of each interval to the remainder of the force's approximation; NULL if the
 * remainder is small enough. */
static const double *interval_misses(const BoundSetting *setting) {
  const BoundForce *force = &setting->force;
  const BoundDrift *drift = &setting->drift;
  if (force->varies && force->rest > FORCE_REMAINDER * sqrt(setting->effort)) return force->missed;
  if (drift->parts && drift->left > DRIFT_REMAINDER * drift->whole) return drift->missed;
  return NULL;
}

/* Approximates the force, either by lines as a part of the control (force.h) or by polynomials as a part of v'
 * (drift.h). */
static SimStatus approximate_force(const CtlProblem *problem, const SimProblem *sim, BoundSetting *setting) {
  bound_force_clear(&setting->force);
  bound_drift_clear(&setting->drift);
  return setting->mesh.forced ? bound_drift_create(sim, &setting->mesh, &setting->drift)
                              : bound_force_create(problem, sim, &setting->mesh, &setting->force);
}

/* Returns the time, relative to T, at which an interval is split. This is a time well inside the interval at which a
 * piece of the force ends, as the force may jump there. If there is no such time, it is the middle of the interval. */
static double middle_of(const SimProblem *sim, const BoundMesh *mesh, int interval) {
  double from = mesh->time[interval], to = mesh->time[interval + 1], best = (from + to) / 2, least = INFINITY;
  for (long k = bound_piece_at(sim, from * sim->end) + 1; k < sim->piece_count; k++) {
    double at = piece_start(sim, k) / sim->end, far = fabs(at - (from + to) / 2);
    if (far > SPLIT_RANGE * (to - from) || far >= least) continue;
    best = at;
    least = far;
  }
  return best;
}

/* Refines the mesh where the force varies fast. The remainder is the difference between the force and its approximation
 * by lines or polynomials. The interval with the largest remainder is split, repeatedly, until the remainder over all
 * intervals is small enough or there are about three times as many intervals as at the start. */
static SimStatus fit_force(const CtlProblem *problem, const SimProblem *sim, BoundSetting *setting) {
  BoundMesh *mesh = &setting->mesh;
  int most = 3 * mesh->intervals + HALVINGS_MAX;
  const double *of;
  SimStatus status = approximate_force(problem, sim, setting);
  while (status == SIM_OK && (of = interval_misses(setting)) != NULL && mesh->intervals < most) {
    int worst = 0;
    for (int k = 1; k < mesh->intervals; k++)
      if (of[k] > of[worst]) worst = k;
    status = bound_mesh_split(mesh, worst, middle_of(sim, mesh, worst));
    if (status == SIM_OK) status = approximate_force(problem, sim, setting);
  }
  return status;
}

SimStatus bound_setting_create(const CtlProblem *problem, const SimProblem *sim, const CtlLowerBoundOptions *options,
                               BoundSetting *setting) {
  int degree = options->degree ? options->degree : DEGREE;
  int drifts = bound_drift_degree(sim);
  bool varies = drifts || !bound_force_is_constant(sim, NULL);
  if (varies && degree < FORCE_DEGREE) degree = FORCE_DEGREE;
  if (drifts && degree > BOUND_SPAN - 1) degree = BOUND_SPAN - 1;
  *setting = (BoundSetting){.effort = options->effort, .x = options->x, .v = options->v};
  if (drifts && (options->patterns || options->knots || options->pairs)) return SIM_BAD_PROBLEM;
  SimStatus status = bound_mesh_create(options->intervals, degree, &setting->mesh);
  setting->mesh.forced = drifts;
  if (status == SIM_OK) status = fit_force(problem, sim, setting);
  if (status == SIM_OK)
    status = bound_motion_create(problem, sim, &setting->force, options->effort, bound_mesh_brief(&setting->mesh),
                                 &setting->motion);
  for (int i = 0; i < sim->d && setting->drift.parts && status == SIM_OK; i++)
    setting->motion.rate_off[i * setting->motion.y] += setting->drift.still[i] * sim->end / setting->motion.V[i] * 2;
  if (status == SIM_OK)
    status = bound_form_init(&setting->motion, &setting->mesh, &setting->force, &setting->drift, options->patterns,
                             options->knots, options->pairs, &setting->form);
  return status;
}

void bound_setting_clear(BoundSetting *setting) {
  bound_form_clear(&setting->form);
  bound_motion_clear(&setting->motion);
  bound_force_clear(&setting->force);
  bound_drift_clear(&setting->drift);
  bound_mesh_clear(&setting->mesh);
}

/* Converts J, a lower bound of the effort for the approximated force, to a lower bound for the exact force, by (4) of
 * force.h, rounded down. */
static double with_force(const BoundForce *force, double J) {
  double root = sqrt(fmax(0, J)) * (1 - 2 * DBL_EPSILON) - force->rest;
  return force->varies ? (root > 0 ? root * root * (1 - 2 * DBL_EPSILON) : 0) : J;
}

/* Converts the value of a semidefinite program to a lower bound of the effort J. */
static double effort_of(const BoundSetting *setting, double value) {
  return with_force(&setting->force, value * setting->effort * (1 - 2 * DBL_EPSILON));
}

/* Computes the bound for the known final state in place of the target. The solution of the program is not changed, only
 * evaluated at another state. */
static SimStatus compare_known(const BoundSetting *setting, const BoundProgram *program, const BoundValues *values,
                               double *J) {
  const BoundMotion *motion = &setting->motion;
  int d = motion->d;
  double at[2 * BOUND_DOFS], value;
  *J = -INFINITY;
  if (!setting->x || !setting->v) return SIM_OK;
  for (int i = 0; i < d; i++) {
    at[i] = setting->x[i] / motion->X[i];
    at[d + i] = setting->v[i] / motion->V[i];
  }
  BoundProgram known = *program;
  /* if the target is partly free, the last time point of the program has the matrix of the final time, which is omitted
   * here */
  known.places -= bound_form_is_free(motion);
  known.last = calloc((size_t)program->node_size, sizeof *known.last);
  SimStatus status = known.last ? bound_add_given(&setting->form, at, -1, known.last) : SIM_NO_MEMORY;
  if (status == SIM_OK) status = bound_verify(&known, values, &value, NULL);
  if (status == SIM_OK) *J = effort_of(setting, value);
  free(known.last);
  return status;
}

SimStatus bound_moments_init(const BoundMotion *motion, const BoundProgram *program, BoundMoments *moments) {
  *moments = (BoundMoments){.dofs = motion->d, .controls = motion->m};
  moments->of = calloc((size_t)(program->places * bound_moments_size(moments)), sizeof *moments->of);
  return moments->of ? SIM_OK : SIM_NO_MEMORY;
}

SimStatus bound_setting_solve(const BoundSetting *setting, const BoundProgram *program, double precision, double enough,
                              const BoundStop *stop, BoundMoments *moments, BoundSolved *solved) {
  const BoundForce *force = &setting->force;
  BoundValues values;
  double value = 0;
  *solved = (BoundSolved){0};
  enough *= 1 + precision;
  if (force->varies) enough = pow(sqrt(enough) + force->rest / sqrt(setting->effort), 2);
  SimStatus status = bound_values_init(program, &values);
  if (status == SIM_OK) status = bound_solve(program, precision, enough, stop, &values, &solved->steps, moments);
  if (status == SIM_OK) status = bound_verify(program, &values, &value, &solved->raised);
  if (status == SIM_OK) status = compare_known(setting, program, &values, &solved->known);
  solved->operations = solved->steps * bound_step_operations(program);
  if (status == SIM_OK) solved->J = fmin(setting->effort, effort_of(setting, value));
  bound_values_clear(&values);
  return status;
}
