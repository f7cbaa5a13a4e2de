#include "control/base/argument.h"
#include "control/bound.h"
#include "control/bound/forms.h"
#include "control/bound/newton.h"
#include "control/bound/verify.h"

#include <math.h>

static const double LEFT = 1e-7; /* of effort: what the method leaves to be gained */

/* One program, solved and verified. */
static SimStatus bound_by(const BoundMotion *motion, const BoundMesh *mesh, bool patterns, int knots, double enough, CtlLowerBound *bound) {
  BoundForm form = {0};
  BoundProgram program = {0};
  BoundValues values = {0};
  double value = 0;
  SimStatus status = bound_form_init(motion, mesh, patterns, knots, &form);
  if (status == SIM_OK) status = bound_form_program(&form, &program);
  if (status == SIM_OK) status = bound_values_init(&program, &values);
  if (status == SIM_OK) status = bound_solve(&program, LEFT, enough, &values, &bound->steps);
  if (status == SIM_OK) status = bound_verify(&program, &values, &value, &bound->raised);
  if (status == SIM_OK) {
    bound->J = fmax(0, fmin(1, value)) * motion->effort * (1 - 1e-15);
    bound->places = program.places;
    bound->operations = bound->steps * bound_step_operations(&program);
    bound->relaxation = patterns ? knots ? "R4" : "R2" : knots ? "R3" : "R1";
  }
  bound_values_clear(&values);
  bound_program_clear(&program);
  bound_form_clear(&form);
  return status;
}

SimStatus ctl_lower_bound(const CtlProblem *problem, const SimProblem *sim, const CtlLowerBoundOptions *options,
                          CtlLowerBound *bound) {
  BoundMesh mesh = {0};
  BoundMotion motion = {0};
  *bound = (CtlLowerBound){0};
  SimStatus status = bound_mesh_create(options->intervals, options->degree, &mesh);
  if (status == SIM_OK) status = bound_motion_create(problem, sim, options->effort, bound_mesh_brief(&mesh), &motion);
  if (status == SIM_OK) status = bound_by(&motion, &mesh, options->patterns, options->knots, options->gap > 0 ? 1 - options->gap : INFINITY, bound);
  bound_motion_clear(&motion);
  bound_mesh_clear(&mesh);
  return status;
}
