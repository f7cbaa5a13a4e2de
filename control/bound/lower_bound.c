#include "control/base/argument.h"
#include "control/bound.h"
#include "control/bound/forms.h"
#include "control/bound/newton.h"
#include "control/bound/verify.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static const double MISSED = 2e-3; /* of sqrt(effort): what lines may leave of a force */
static const double LEFT =
    5e-5; /* of effort: what the method leaves to be gained; with less round-off is in its way where masses are stiff */
enum {
  HALVED = 8,
  DEGREE = 3,
  LINES = 2 /* the degree that a force wants at least */,
  STEPS = 30 /* of the method, about */
};

/* What V is; the name. */
typedef struct Relaxation {
  const char *name;
  bool patterns;
  int knots;
  bool pairs;
} Relaxation;

/* From cheap to dear, each tighter than those before; those with cells by patterns, too, where there may be, which makes pairs needless. */
static const struct {
  int intervals, knots;
  bool pairs;
} ladder[] = {{4, 0, false}, {10, 0, false}, {10, 3, false}, {20, 5, false}, {20, 9, false}, {20, 9, true}};
enum { LADDER = sizeof ladder / sizeof *ladder };

/* What is to be bounded. */
typedef struct Task {
  const CtlProblem *problem;
  const SimProblem *sim;
  const CtlLowerBoundOptions *options;
  double enough; /* of effort */
  int degree;
} Task;

/* (4) of force.h, rounded down. */
static double with_force(const BoundForce *force, double J) {
  double root = sqrt(fmax(0, J)) * (1 - 2 * DBL_EPSILON) - force->rest;
  return force->varies ? (root > 0 ? root * root * (1 - 2 * DBL_EPSILON) : 0) : J;
}

/* J from a program's value. */
static double effort_of(const BoundForm *form, double value) {
  return with_force(form->force, value * form->motion->effort * (1 - 2 * DBL_EPSILON));
}

/* The same V at the end that is known, in place of the target. */
static SimStatus compare_known(const Task *task, const BoundForm *form, const BoundProgram *program,
                               const BoundValues *values, CtlLowerBound *bound) {
  const BoundMotion *motion = form->motion;
  const CtlLowerBoundOptions *options = task->options;
  int d = motion->d;
  double at[2 * BOUND_DOFS], value;
  if (!options->x || !options->v) return SIM_OK;
  for (int i = 0; i < d; i++) {
    at[i] = options->x[i] / motion->X[i];
    at[d + i] = options->v[i] / motion->V[i];
  }
  BoundProgram known = *program;
  known.places = form->mesh->intervals * (form->mesh->degree + 1); /* without that of a target that is partly free */
  known.last = calloc((size_t)program->node_size, sizeof *known.last);
  SimStatus status = known.last ? bound_add_given(form, at, -1, known.last) : SIM_NO_MEMORY;
  if (status == SIM_OK) status = bound_verify(&known, values, &value, NULL);
  if (status == SIM_OK) bound->known = fmax(bound->known, effort_of(form, value));
  free(known.last);
  return status;
}

/* One program, solved and verified; what is better than all before stays. */
static SimStatus solve(const Task *task, const Relaxation *relaxation, const BoundForm *form,
                       const BoundProgram *program, CtlLowerBound *bound) {
  const BoundForce *force = form->force;
  const BoundStop stop = {task->options->stopped, task->options->context};
  BoundValues values;
  double value = 0, effort = task->options->effort, enough = task->enough * (1 + LEFT);
  long raised = 0;
  int steps = 0;
  if (force->varies) enough = pow(sqrt(enough) + force->rest / sqrt(effort), 2);
  SimStatus status = bound_values_init(program, &values);
  if (status == SIM_OK) status = bound_solve(program, LEFT, enough, &stop, &values, &steps);
  if (status == SIM_OK) status = bound_verify(program, &values, &value, &raised);
  if (status == SIM_OK) status = compare_known(task, form, program, &values, bound);
  bound->operations += steps * bound_step_operations(program);
  bound->steps += steps;
  double J = fmin(effort, effort_of(form, value));
  if (status == SIM_OK && J > bound->J) {
    bound->J = J;
    bound->places = program->places;
    bound->raised = raised;
    bound->relaxation = relaxation->name;
  }
  bound_values_clear(&values);
  return status;
}

static SimStatus bound_by(const Task *task, const Relaxation *relaxation, const BoundMesh *mesh,
                          const BoundForce *force, const BoundMotion *motion, CtlLowerBound *bound) {
  const CtlLowerBoundOptions *options = task->options;
  BoundForm form = {0};
  BoundProgram program = {0};
  SimStatus status =
      bound_form_init(motion, mesh, force, relaxation->patterns, relaxation->knots, relaxation->pairs, &form);
  if (status == SIM_OK) status = bound_form_program(&form, &program);
  if (status == SIM_OK && options->tries && !options->tries(options->context, STEPS * bound_step_operations(&program)))
    bound->left_out++;
  else if (status == SIM_OK)
    status = solve(task, relaxation, &form, &program, bound);
  bound_program_clear(&program);
  bound_form_clear(&form);
  return status;
}

/* Lines that meet the force well: where they miss most, the interval is halved, up to three times as many as there were. */
static SimStatus fit_force(const Task *task, BoundMesh *mesh, BoundForce *force) {
  int most = 3 * mesh->intervals + HALVED;
  SimStatus status = bound_force_create(task->problem, task->sim, mesh, force);
  while (status == SIM_OK && force->varies && force->rest > MISSED * sqrt(task->options->effort) &&
         mesh->intervals < most) {
    int worst = 0;
    for (int k = 1; k < mesh->intervals; k++)
      if (force->missed[k] > force->missed[worst]) worst = k;
    bound_force_clear(force);
    status = bound_mesh_halve(mesh, worst);
    if (status == SIM_OK) status = bound_force_create(task->problem, task->sim, mesh, force);
  }
  return status;
}

static SimStatus run(const Task *task, int intervals, Relaxation relaxation, CtlLowerBound *bound) {
  const char *const names[2][2] = {{"R1", "R3"}, {"R2", "R4"}};
  relaxation.name = relaxation.pairs ? "R5" : names[relaxation.patterns][relaxation.knots > 0];
  BoundMesh mesh = {0};
  BoundForce force = {0};
  BoundMotion motion = {0};
  SimStatus status = bound_mesh_create(intervals, task->degree, &mesh);
  if (status == SIM_OK) status = fit_force(task, &mesh, &force);
  if (status == SIM_OK)
    status =
        bound_motion_create(task->problem, task->sim, &force, task->options->effort, bound_mesh_brief(&mesh), &motion);
  if (status == SIM_OK) status = bound_by(task, &relaxation, &mesh, &force, &motion, bound);
  bound_motion_clear(&motion);
  bound_force_clear(&force);
  bound_mesh_clear(&mesh);
  return status;
}

/* Patterns are of few dof whose friction does not change with speed. */
static bool has_patterns(const SimProblem *sim) {
  int count = 0;
  for (int i = 0; i < sim->d; i++) count += sim->friction[i] > 0;
  return count <= BOUND_PATTERN_DOFS && sim->system.stribeck == SIM_STRIBECK_NONE;
}

SimStatus ctl_lower_bound(const CtlProblem *problem, const SimProblem *sim, const CtlLowerBoundOptions *options,
                          CtlLowerBound *bound) {
  ARGUMENT_PROBLEM(problem);
  ARGUMENT_THERE(sim);
  ARGUMENT_THERE(options);
  ARGUMENT_THERE(bound);
  ARGUMENT(options->effort > 0 && options->effort < INFINITY, "effort", "is not above 0");
  ARGUMENT(options->gap >= 0 && options->gap < 1, "gap", "is not in 0..1");
  ARGUMENT(options->intervals >= 0 && options->intervals <= CTL_BOUND_INTERVALS, "intervals", "is out of its range");
  ARGUMENT(options->degree >= 0 && options->degree <= CTL_BOUND_DEGREE, "degree", "is out of its range");
  ARGUMENT(!(options->pairs && options->patterns), "pairs", "are not with patterns");
  ARGUMENT(options->knots >= 0 && options->knots <= BOUND_KNOTS, "knots", "is out of its range");
  *bound = (CtlLowerBound){.relaxation = "none", .known = -INFINITY};
  if (ctl_lower_bound_check(problem, sim, NULL) || !sim_force_in_pieces(sim)) return SIM_BAD_PROBLEM;
  Task task = {problem, sim, options, 1 - options->gap, options->degree ? options->degree : DEGREE};
  if (!bound_force_is_constant(sim, NULL) && task.degree < LINES) task.degree = LINES;
  if (options->gap == 0) task.enough = 2;
  bool patterns = has_patterns(sim);
  if (options->patterns && !patterns) return SIM_BAD_PROBLEM;
  const Relaxation given = {.patterns = options->patterns, .knots = options->knots, .pairs = options->pairs};
  if (options->intervals) return run(&task, options->intervals, given, bound);
  SimStatus status = SIM_OK;
  for (int k = 0; k < LADDER && status == SIM_OK && bound->J < task.enough * options->effort; k++) {
    const Relaxation next = {
        .patterns = patterns && ladder[k].knots, .knots = ladder[k].knots, .pairs = ladder[k].pairs};
    if (!(patterns && next.pairs)) status = run(&task, ladder[k].intervals, next, bound);
  }
  return status;
}
