#include "control/bound/setting.h"
#include "control/bound/verify.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static const double MISSED = 2e-3; /* of sqrt(effort): what lines may leave of a force */
enum { HALVED = 8, DEGREE = 3, LINES = 2 /* the degree that a force wants at least */ };

/* Lines that meet the force well: where they miss most, the interval is halved, up to three times as many as there were. */
static SimStatus fit_force(const CtlProblem *problem, const SimProblem *sim, BoundSetting *setting) {
  BoundMesh *mesh = &setting->mesh;
  BoundForce *force = &setting->force;
  int most = 3 * mesh->intervals + HALVED;
  SimStatus status = bound_force_create(problem, sim, mesh, force);
  while (status == SIM_OK && force->varies && force->rest > MISSED * sqrt(setting->effort) && mesh->intervals < most) {
    int worst = 0;
    for (int k = 1; k < mesh->intervals; k++)
      if (force->missed[k] > force->missed[worst]) worst = k;
    bound_force_clear(force);
    status = bound_mesh_halve(mesh, worst);
    if (status == SIM_OK) status = bound_force_create(problem, sim, mesh, force);
  }
  return status;
}

SimStatus bound_setting_create(const CtlProblem *problem, const SimProblem *sim, const CtlLowerBoundOptions *options,
                               BoundSetting *setting) {
  int degree = options->degree ? options->degree : DEGREE;
  if (!bound_force_is_constant(sim, NULL) && degree < LINES) degree = LINES;
  *setting = (BoundSetting){.effort = options->effort, .x = options->x, .v = options->v};
  SimStatus status = bound_mesh_create(options->intervals, degree, &setting->mesh);
  if (status == SIM_OK) status = fit_force(problem, sim, setting);
  if (status == SIM_OK)
    status = bound_motion_create(problem, sim, &setting->force, options->effort, bound_mesh_brief(&setting->mesh),
                                 &setting->motion);
  if (status == SIM_OK)
    status = bound_form_init(&setting->motion, &setting->mesh, &setting->force, options->patterns, options->knots,
                             options->pairs, &setting->form);
  return status;
}

void bound_setting_clear(BoundSetting *setting) {
  bound_form_clear(&setting->form);
  bound_motion_clear(&setting->motion);
  bound_force_clear(&setting->force);
  bound_mesh_clear(&setting->mesh);
}

/* (4) of force.h, rounded down. */
static double with_force(const BoundForce *force, double J) {
  double root = sqrt(fmax(0, J)) * (1 - 2 * DBL_EPSILON) - force->rest;
  return force->varies ? (root > 0 ? root * root * (1 - 2 * DBL_EPSILON) : 0) : J;
}

/* J from a program's value. */
static double effort_of(const BoundSetting *setting, double value) {
  return with_force(&setting->force, value * setting->effort * (1 - 2 * DBL_EPSILON));
}

/* The same V at the end that is known, in place of the target. */
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
  known.places -= bound_form_is_free(motion); /* without that of a target that is partly free, which is the last */
  known.last = calloc((size_t)program->node_size, sizeof *known.last);
  SimStatus status = known.last ? bound_add_given(&setting->form, at, -1, known.last) : SIM_NO_MEMORY;
  if (status == SIM_OK) status = bound_verify(&known, values, &value, NULL);
  if (status == SIM_OK) *J = effort_of(setting, value);
  free(known.last);
  return status;
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
