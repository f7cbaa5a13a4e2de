#include "sim/friction/moreau_stops.h"

#include "sim/core/stops.h"
#include "sim/law/friction_force.h"
#include "sim/operator/dense.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* What round-off may do to a velocity or an impulse, as a part of its terms. */
static const double ROUND_OFF = 64 * DBL_EPSILON;
/* A dof is held by a threshold that no impulse reaches, as a multiple of E_ii. */
static const double HOLDS = 1e100;

/* A dof in a step. */
typedef struct StopDof {
  int side;     /* whose end it meets: -1 the lower, 1 the upper; 0: none */
  bool held;    /* v+ = speed */
  double free;  /* s */
  double speed; /* g, m/s, signed */
  int pressed;  /* to an elastic end: -1, 1; 0: to none */
} StopDof;

struct MoreauStops {
  DenseSolver solver; /* the step's, with rows of its own: what is held sticks, elastic ends are springs */
  StopDof *dof;       /* [d]; owned, as the next */
  double *b, *target; /* [d] of a solve */
};

static void free_stops(void *own) {
  MoreauStops *s = own;
  free(s->dof);
  free(s->b);
  free(s);
}

SimStatus moreau_stops_equip(const SimModel *model, SimWorkspace *work) {
  const DenseSolver *plain = &((const MoreauPlan *)model->plan)->solver.dense;
  size_t d = (size_t)plain->d;
  MoreauStops *s = work->own = calloc(1, sizeof *s);
  work->free_own = free_stops;
  if (!s) return SIM_NO_MEMORY;
  s->dof = calloc(d, sizeof *s->dof);
  double *next = s->b = calloc(7 * d + 2 * d * d, sizeof *next);
  if (!s->dof || !next) return SIM_NO_MEMORY;
  s->target = next += d;
  s->solver = *plain;
  double **const own[] = {&s->solver.threshold, &s->solver.scale, &s->solver.stick_slope, &s->solver.slip_slope,
                          &s->solver.limit};
  for (int k = 0; k < 5; k++) *own[k] = memcpy(next += d, *own[k], d * sizeof *next);
  s->solver.rows = memcpy(next += d, plain->rows, d * d * sizeof *next);
  s->solver.matrix = memcpy(next + d * d, plain->matrix, d * d * sizeof *next);
  return SIM_OK;
}

/* Row i of the solver: as the step has it, but of who is held or pressed. */
static void set_row(const SimModel *model, SimWorkspace *work, int i) {
  const MoreauPlan *plan = model->plan;
  const DenseSolver *plain = &plan->solver.dense;
  MoreauStops *s = work->own;
  DenseSolver *own = &s->solver;
  int d = plain->d;
  double k = s->dof[i].pressed ? model->problem.stops.stiffness[i] : 0;
  double e = own->matrix[i * d + i] = plain->matrix[i * d + i] + k * (plan->ahead * plan->ahead);
  double q = own->threshold[i] = s->dof[i].held ? HOLDS * e : plain->threshold[i];
  own->limit[i] = q > 0;
  own->slip_slope[i] = q > 0 ? q / e : 1;
  own->scale[i] = 1 / (q > 0 ? q : e);
  for (int j = 0; j < d; j++) own->rows[i * d + j] = own->scale[i] * own->matrix[i * d + j];
  work->step.dense.factored = NULL;
}

/* Who passes a rigid end in work->x that it has not met so far: meets it. Returns whether there are such. */
static bool meet(const SimModel *model, SimWorkspace *work, const double *x, const double *v) {
  const SimStops *stops = &model->problem.stops;
  const DenseSolver *plain = &((const MoreauPlan *)model->plan)->solver.dense;
  MoreauStops *s = work->own;
  bool any = false;
  for (int i = 0; i < model->problem.d; i++) {
    StopDof *dof = &s->dof[i];
    int side = dof->side ? 0 : stops_passed(stops, i, work->x[i]);
    if (!side || !stops_rigid(stops, i)) continue;
    double end = stops_end(stops, i, side), change = work->v[i] - v[i], free = (end - x[i]) / (work->x[i] - x[i]);
    double rub = plain->threshold[i] * plain->mobility[i], meets = fmax(0, side * (v[i] + free * change));
    double back = stops->restitution[i] * meets - (1 - free) * (side * (change + rub * work->lambda[i]) + rub);
    *dof = (StopDof){.side = side, .held = true, .free = free, .speed = -side * fmax(0, back) + 0.0 /* no -0 */};
    set_row(model, work, i);
    work->tally.impacts += meets > 0;
    work->tally.settled += meets > 0 && stops->restitution[i] > 0 && dof->speed == 0;
    any = true;
  }
  return any;
}

/* v+, lambda, slip of who is not held, with the others at their speeds; x+ of all. */
static SimStatus solve(const SimModel *model, SimWorkspace *work, const double *b, const double *x, const double *v) {
  const MoreauPlan *plan = model->plan;
  const SimStops *stops = &model->problem.stops;
  MoreauStops *s = work->own;
  int d = model->problem.d;
  for (int i = 0; i < d; i++) s->target[i] = s->dof[i].held ? s->dof[i].speed : 0;
  for (int i = 0; i < d; i++) {
    const StopDof *dof = &s->dof[i];
    s->b[i] = b[i] - dense_dot(d, plan->solver.dense.matrix + i * d, s->target);
    if (dof->held) work->v[i] = 0;
    if (dof->pressed)
      s->b[i] += model->problem.step * stops->stiffness[i] *
                 (stops_end(stops, i, dof->pressed) - (x[i] + plan->load.theta * (plan->behind * v[i])));
  }
  SimStatus status =
      step_solve(&s->solver, &work->step.dense, s->b, NULL, work->v, work->lambda, work->slip, &work->tally);
  for (int i = 0; i < d; i++) {
    const StopDof *dof = &s->dof[i];
    work->v[i] += s->target[i];
    work->x[i] = dof->side ? stops_end(stops, i, dof->side) + (1 - dof->free) * model->problem.step * work->v[i]
                           : x[i] + (plan->ahead * work->v[i] + plan->behind * v[i]);
  }
  return status;
}

/* b - E v+ of dof i, kg m/s; *doubt: what round-off may do to it. */
static double impulse(const SimModel *model, const SimWorkspace *work, const double *b, int i, double *doubt) {
  const DenseSolver *plain = &((const MoreauPlan *)model->plan)->solver.dense;
  const double *row = plain->matrix + i * plain->d;
  double left = b[i], terms = fabs(b[i]) + plain->threshold[i];
  for (int j = 0; j < plain->d; j++) {
    left -= row[j] * work->v[j];
    terms += fabs(row[j] * work->v[j]);
  }
  *doubt = ROUND_OFF * terms;
  return left;
}

/* x_theta of dof i, at which an elastic end pushes. */
static double middle_of(const SimModel *model, const SimWorkspace *work, const double *x, int i) {
  return x[i] + ((const MoreauPlan *)model->plan)->load.theta * (work->x[i] - x[i]);
}

/* Whether dof i is on a wrong branch of its ends': held by one that would have to pull, past one that does not hold it, pressed
 * to one that it has not reached; it is put on the other. */
static bool turn_dof(const SimModel *model, SimWorkspace *work, const double *b, const double *x, int i) {
  const SimStops *stops = &model->problem.stops;
  const DenseSolver *plain = &((const MoreauPlan *)model->plan)->solver.dense;
  StopDof *dof = &((MoreauStops *)work->own)->dof[i];
  double doubt;
  if (!stops_rigid(stops, i)) {
    int pressed = stops_passed(stops, i, middle_of(model, work, x, i));
    if (pressed == dof->pressed) return false;
    dof->pressed = pressed;
  } else {
    if (!dof->side) return false;
    double away = -dof->side * impulse(model, work, b, i, &doubt);
    bool passes = dof->side * (work->v[i] - dof->speed) * plain->matrix[i * plain->d + i] > doubt;
    if (dof->held ? away <= plain->threshold[i] + doubt : !passes) return false;
    dof->held = !dof->held;
  }
  set_row(model, work, i);
  return true;
}

/* Puts all dofs on their branches, or, as that may go round in circles, the first alone that is not on its own. This comes to an
 * end: the first i ends have one solution, in which r_i falls with v+_i. Returns whether there was one. */
static bool turn(const SimModel *model, SimWorkspace *work, const double *b, const double *x, bool all) {
  bool any = false;
  for (int i = 0; i < model->problem.d && (all || !any); i++) any = turn_dof(model, work, b, x, i) || any;
  return any;
}

/* Reactions; of who is held lambda and slip, too. */
static void find_reactions(const SimModel *model, SimWorkspace *work, const double *b, const double *x) {
  const SimStops *stops = &model->problem.stops;
  const DenseSolver *plain = &((const MoreauPlan *)model->plan)->solver.dense;
  MoreauStops *s = work->own;
  for (int i = 0; i < plain->d; i++) {
    double doubt, q = plain->threshold[i];
    if (s->dof[i].pressed)
      work->reaction[i] = stops->stiffness[i] * (stops_end(stops, i, s->dof[i].pressed) - middle_of(model, work, x, i));
    if (!s->dof[i].held) continue;
    double left = impulse(model, work, b, i, &doubt);
    double sign = friction_sign(work->v[i]);
    work->slip[i] = (signed char)sign;
    work->lambda[i] = !(q > 0) ? 0 : sign != 0 ? sign : friction_project(left / q);
    work->reaction[i] =
        -s->dof[i].side * fmax(0, -s->dof[i].side * (q * work->lambda[i] - left)) / model->problem.step +
        0.0 /* no -0 */;
  }
}

/* What comes back from one rigid end stays in front of the other. */
static void stay_between(const SimModel *model, SimWorkspace *work) {
  const SimStops *stops = &model->problem.stops;
  for (int i = 0; i < model->problem.d; i++) {
    int side = stops_passed(stops, i, work->x[i]);
    if (side && stops_rigid(stops, i)) work->x[i] = stops_end(stops, i, side);
  }
}

SimStatus moreau_stops_step(const SimModel *model, SimWorkspace *work, const double *b, const double *x,
                            const double *v) {
  enum { ROUNDS = 16, MORE = 1000 };
  MoreauStops *s = work->own;
  int d = model->problem.d;
  SimStatus status = SIM_OK;
  memset(work->reaction, 0, (size_t)d * sizeof *work->reaction);
  for (int i = 0; i < d; i++) {
    bool plain = !s->dof[i].held && !s->dof[i].pressed;
    s->dof[i] = (StopDof){0};
    if (!plain) set_row(model, work, i);
  }
  for (int k = 0; k < ROUNDS + MORE && status == SIM_OK; k++) {
    bool turned = turn(model, work, b, x, k < ROUNDS);
    if (!turned && !meet(model, work, x, v)) {
      find_reactions(model, work, b, x);
      stay_between(model, work);
      return SIM_OK;
    }
    status = solve(model, work, b, x, v);
  }
  return status == SIM_OK ? SIM_NOT_CONVERGED : status;
}

void moreau_stops_watch(const SimModel *model, SimWorkspace *work, const StepForce *f, double *x, const double *v) {
  const MoreauPlan *plan = model->plan;
  double *middle = work->step.spare[0], *pull = work->step.spare[1];
  const SimStops *stops = &model->problem.stops;
  int d = model->problem.d;
  for (int i = 0; i < d; i++) {
    double goes = plan->ahead * work->v[i] + plan->behind * v[i];
    middle[i] = (x[i] + goes + work->x[i]) / 2;
    x[i] = work->x[i] - goes; /* less what an end has moved it on by */
  }
  operator_multiply(plan->stiffness, middle, pull);
  for (int i = 0; i < d; i++) {
    double goes = plan->ahead * work->v[i] + plan->behind * v[i], moved = 2 * (work->x[i] - middle[i]);
    double force = step_force(f, i) + work->control_force[i] + friction_bias(&model->problem, i);
    double done = goes * work->reaction[i];
    if (!stops_rigid(stops, i)) {
      work->energy.numerical -= done + stops_stored(stops, i, work->x[i]) - stops_stored(stops, i, work->x[i] - goes);
      continue;
    }
    work->energy.work += moved * force;
    work->energy.impacts -= done + moved * (pull[i] - force);
  }
}
