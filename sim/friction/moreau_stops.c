/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/friction/moreau_stops.h"

#include "sim/joint/stops.h"
#include "sim/law/friction_force.h"
#include "sim/operator/dense.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* Rounding error of a velocity or an impulse, relative to its terms. */
static const double ROUND_OFF = 64 * DBL_EPSILON;
/* Threshold that makes a held dof stick in the solver, as a multiple of E_ii: no impulse exceeds it. */
static const double HOLDS = 1e100;

/* State of a dof at its stops in a step. The symbols g (the rebound velocity) and v_c, v_f (the velocities at the stop
 * and without it) are those of moreau_stops.h. */
typedef struct StopDof {
  int side;     /* the stop that the dof meets: -1 the lower, 1 the upper; 0: none */
  bool held;    /* whether the stop determines v+ = speed */
  double free;  /* s of moreau_stops.h: fraction of the step before the contact with the stop */
  double speed; /* rebound velocity g of moreau_stops.h, in m/s, with the sign of v */
  double meets; /* side v_c, at least 0: speed at which the dof reaches the stop, in m/s */
  double rest;  /* side v_f, at least 0: speed after the step if there were no stop, in m/s */
  int pressed;  /* the elastic stop that pushes the dof: -1 lower, 1 upper; 0: none */
} StopDof;

struct MoreauStops {
  StopsStep step;     /* the current step; its pointers are borrowed */
  DenseSolver solver; /* copy of the step's solver with changed rows: held dofs stick, and elastic stops are springs */
  StopDof *dof;       /* [d] data of each dof; owned, like b and target */
  double *b, *target; /* [d] right side of the friction problem that is currently solved; [d] velocities of held dofs */
  StopsTrace trace;
};

void moreau_stops_destroy(void *own) {
  MoreauStops *s = own;
  if (!s) return;
  free(s->dof);
  free(s->b);
  free(s->trace.branch);
  free(s->trace.v);
  free(s->trace.matters);
  free(s->trace.met);
  free(s);
}

static bool equip_trace(size_t d, StopsTrace *t) {
  t->branch = calloc((d + 1) * d, sizeof *t->branch);
  t->v = calloc(2 * (d + 1) * d, sizeof *t->v);
  t->matters = calloc(d + 1, sizeof *t->matters);
  t->met = calloc(d, sizeof *t->met);
  t->lambda = t->v ? t->v + (d + 1) * d : NULL;
  return t->branch && t->v && t->matters && t->met;
}

const StopsTrace *moreau_stops_trace(const MoreauStops *stops) { return &stops->trace; }

SimStatus moreau_stops_create(const DenseSolver *plain, MoreauStops **stops) {
  size_t d = (size_t)plain->d;
  MoreauStops *s = *stops = calloc(1, sizeof *s);
  if (!s) return SIM_NO_MEMORY;
  s->dof = calloc(d, sizeof *s->dof);
  double *next = s->b = calloc(7 * d + 2 * d * d, sizeof *next);
  if (!s->dof || !next || !equip_trace(d, &s->trace)) return SIM_NO_MEMORY;
  s->target = next += d;
  s->solver = *plain;
  double **const own[] = {&s->solver.threshold, &s->solver.scale, &s->solver.stick_slope, &s->solver.slip_slope,
                          &s->solver.limit};
  for (int k = 0; k < 5; k++) *own[k] = memcpy(next += d, *own[k], d * sizeof *next);
  s->solver.rows = memcpy(next += d, plain->rows, d * d * sizeof *next);
  s->solver.matrix = memcpy(next + d * d, plain->matrix, d * d * sizeof *next);
  return SIM_OK;
}

/* Sets row i of the solver: the row of the step's solver, changed for a dof that is held or pushed. */
static void set_row(MoreauStops *s, const SimModel *model, SimWorkspace *work, int i) {
  const DenseSolver *plain = s->step.solver;
  DenseSolver *own = &s->solver;
  int d = plain->d;
  double k = stops_slope(&model->problem.stops, i, s->dof[i].pressed);
  memcpy(own->matrix + i * d, plain->matrix + i * d, (size_t)d * sizeof *own->matrix);
  double e = own->matrix[i * d + i] += k * (s->step.ahead * s->step.ahead);
  double q = own->threshold[i] = s->dof[i].held ? HOLDS * e : plain->threshold[i];
  own->limit[i] = q > 0;
  own->slip_slope[i] = q > 0 ? q / e : 1;
  own->scale[i] = 1 / (q > 0 ? q : e);
  for (int j = 0; j < d; j++) own->rows[i * d + j] = own->scale[i] * own->matrix[i * d + j];
  work->step.dense.factored = NULL;
}

/* Appends the current solve to the trace. The branches (sticking or sliding) of all dofs must be correct. */
static void trace_solve(MoreauStops *s, const SimWorkspace *work) {
  const DenseSolver *plain = s->step.solver;
  StopsTrace *t = &s->trace;
  size_t d = (size_t)plain->d, first = (size_t)t->solves * d;
  memcpy(t->v + first, work->v, d * sizeof *t->v);
  memcpy(t->lambda + first, work->lambda, d * sizeof *t->lambda);
  t->matters[t->solves++] = false;
  for (size_t i = 0; i < d; i++) {
    bool sticks = !s->dof[i].held && work->slip[i] == 0 && plain->threshold[i] > 0;
    t->branch[first + i] =
        (unsigned char)(sticks * STOPS_STICKS + s->dof[i].held * STOPS_HELD + (s->dof[i].pressed != 0) * STOPS_PRESSED);
  }
}

/* The contact of a dof with a rigid stop in a solve. Symbols of moreau_stops.h: s, the fraction of the step before the
 * contact; g, the rebound velocity; x_f and v_f, the state after the step without the stop; v_c, the velocity at the
 * contact. */
typedef struct Met {
  int side;
  double way, free, change; /* numbers of moreau_stops.h: way = x_f - x (displacement without the stop), free = s
                             * (fraction of the step before contact), change = v_f - v (change of velocity without the
                             * stop) */
  double meets;             /* side v_c, at least 0, in m/s */
  double forth;             /* decrease of the rebound velocity g per unit of 1 - s, the fraction of the step after the
                             * impact, in m/s */
  double back;              /* speed -side g of the rebound away from the stop, in m/s; negative: no rebound */
} Met;

static Met meeting(const MoreauStops *s, const SimModel *model, const SimWorkspace *work, int i, int side) {
  const SimStops *stops = &model->problem.stops;
  const DenseSolver *plain = s->step.solver;
  const double *x = s->step.x, *v = s->step.v;
  double rub = plain->threshold[i] * plain->mobility[i];
  Met met = {.side = side, .way = work->x[i] - x[i], .change = work->v[i] - v[i]};
  met.free = (stops_end(stops, i, side) - x[i]) / met.way;
  met.meets = fmax(0, side * (v[i] + met.free * met.change));
  met.forth = side * (met.change + rub * work->lambda[i]) + rub;
  met.back = stops->restitution[i] * met.meets - (1 - met.free) * met.forth;
  return met;
}

/* Records the derivatives of s (time of the contact) and g (rebound velocity), with respect to the last traced
 * solve. */
static void trace_meeting(MoreauStops *s, const SimModel *model, const SimWorkspace *work, int i, const Met *at) {
  const DenseSolver *plain = s->step.solver;
  StopsTrace *t = &s->trace;
  StopsMeeting *met = &t->met[t->meetings++];
  double dt = model->problem.step, left = 1 - at->free,
         bounce = at->meets > 0 ? model->problem.stops.restitution[i] : 0;
  double by_part = -(bounce * at->change + at->side * at->forth), mobility = plain->mobility[i];
  double lambda = work->lambda[i], q = plain->threshold[i];
  bool sticks = t->branch[(t->solves - 1) * plain->d + i] & STOPS_STICKS;
  *met = (StopsMeeting){.dof = i, .solve = t->solves - 1};
  met->part[0] = -1 / at->way;
  met->part[1] = -at->free * s->step.behind / at->way;
  met->part[2] = -at->free * s->step.ahead / at->way;
  if (!(at->back > 0)) return;
  t->matters[t->solves - 1] = true;
  for (int k = 0; k < 3; k++) met->speed[k] = by_part * met->part[k];
  met->speed[1] -= (1 + bounce) * left;
  met->speed[2] += left - bounce * at->free;
  met->friction = sticks ? left * mobility : 0;
  met->own[SIM_ON_FRICTION] = left * mobility * dt * (at->side + lambda);
  met->own[SIM_ON_MASS] = -left * mobility * mobility * q * (at->side + lambda);
  met->own[SIM_ON_DAMPING] = dt * met->own[SIM_ON_MASS];
}

/* Activates each rigid stop that work->x passes for the first time in this step. Returns whether there was one. traced:
 * whether to record the contact's derivatives. */
static bool meet(MoreauStops *s, const SimModel *model, SimWorkspace *work, bool traced) {
  const SimStops *stops = &model->problem.stops;
  bool any = false;
  for (int i = 0; i < model->problem.d; i++) {
    int side = s->dof[i].side ? 0 : stops_passed(stops, i, work->x[i]);
    if (!side || !stops_rigid(stops, i)) continue;
    const Met met = meeting(s, model, work, i, side);
    if (traced && !any) trace_solve(s, work);
    if (traced) trace_meeting(s, model, work, i, &met);
    s->dof[i] = (StopDof){.side = side,
                          .held = true,
                          .free = met.free,
                          .speed = -side * fmax(0, met.back) + 0.0 /* no -0 */,
                          .meets = met.meets,
                          .rest = side * work->v[i]};
    any = true;
  }
  for (int i = 0; i < model->problem.d && any; i++)
    if (s->dof[i].held) set_row(s, model, work, i);
  return any;
}

/* Solves the friction problem of the dofs that are not held, with given velocities of held dofs: computes v+, lambda
 * and slip, and x+ of all dofs. */
static SimStatus solve(MoreauStops *s, const SimModel *model, SimWorkspace *work) {
  const SimStops *stops = &model->problem.stops;
  const StopsStep *at = &s->step;
  int d = model->problem.d;
  for (int i = 0; i < d; i++) s->target[i] = s->dof[i].held ? s->dof[i].speed : 0;
  for (int i = 0; i < d; i++) {
    const StopDof *dof = &s->dof[i];
    s->b[i] = at->b[i] - dense_dot(d, at->solver->matrix + i * d, s->target);
    if (dof->held) work->v[i] = 0;
    if (dof->pressed)
      s->b[i] += model->problem.step * stops_slope(stops, i, dof->pressed) *
                 (stops_end(stops, i, dof->pressed) - (at->x[i] + at->theta * (at->behind * at->v[i])));
  }
  SimStatus status =
      step_solve(&s->solver, &work->step.dense, s->b, NULL, work->v, work->lambda, work->slip, &work->tally);
  for (int i = 0; i < d; i++) {
    const StopDof *dof = &s->dof[i];
    work->v[i] += s->target[i];
    work->x[i] = dof->side ? stops_end(stops, i, dof->side) + (1 - dof->free) * model->problem.step * work->v[i]
                           : at->x[i] + (at->ahead * work->v[i] + at->behind * at->v[i]);
  }
  return status;
}

/* Returns the impulse in kg m/s by which the equation of dof i is not satisfied, entry i of b - E v+. It must be
 * supplied by friction and the stop. b is the right side, E the effective mass matrix and v+ the velocity after the
 * step. *doubt: rounding error of the impulse. */
static double impulse(const MoreauStops *s, const SimWorkspace *work, int i, double *doubt) {
  const DenseSolver *plain = s->step.solver;
  const double *row = plain->matrix + i * plain->d;
  double left = s->step.b[i], terms = fabs(left) + plain->threshold[i];
  for (int j = 0; j < plain->d; j++) {
    left -= row[j] * work->v[j];
    terms += fabs(row[j] * work->v[j]);
  }
  *doubt = ROUND_OFF * terms;
  return left;
}

static double middle_of(const MoreauStops *s, const SimWorkspace *work, int i) {
  return moreau_stops_middle(s->step.theta, s->step.x[i], work->x[i]);
}

/* Checks whether the stop of dof i is correctly treated as acting or not, and changes this if it is wrong. It is wrong
 * in three cases: a stop that holds the dof would have to pull it, the dof is beyond a stop that does not hold it, or
 * an elastic stop pushes a dof that has not reached it. Returns whether it was wrong. */
static bool turn_dof(MoreauStops *s, const SimModel *model, SimWorkspace *work, int i) {
  const SimStops *stops = &model->problem.stops;
  const DenseSolver *plain = s->step.solver;
  StopDof *dof = &s->dof[i];
  double doubt;
  if (!stops_rigid(stops, i)) {
    int pressed = stops_pressed(stops, i, middle_of(s, work, i));
    if (pressed == dof->pressed) return false;
    dof->pressed = pressed;
  } else {
    if (!dof->side) return false;
    double pull = -dof->side * impulse(s, work, i, &doubt);
    double passes = dof->side * (work->v[i] - dof->speed) * plain->matrix[i * plain->d + i];
    if (!stops_wrong(dof->held, pull, plain->threshold[i], passes, doubt)) return false;
    dof->held = !dof->held;
  }
  set_row(s, model, work, i);
  return true;
}

/* Corrects whether stops act, for all dofs, or only for the first wrong one, because changing all at once may cycle.
 * Changing only the first terminates: the problem with the first i stops has one solution, in which the reaction r_i of
 * stop i decreases with the velocity v+_i after the step. Returns whether a stop was wrong. */
static bool turn(MoreauStops *s, const SimModel *model, SimWorkspace *work, bool all) {
  bool any = false;
  for (int i = 0; i < model->problem.d && (all || !any); i++) any = turn_dof(s, model, work, i) || any;
  return any;
}

/* Computes the reactions of the stops, and lambda and slip of held dofs. */
static void find_reactions(const MoreauStops *s, const SimModel *model, SimWorkspace *work) {
  const SimStops *stops = &model->problem.stops;
  const DenseSolver *plain = s->step.solver;
  for (int i = 0; i < plain->d; i++) {
    double doubt, q = plain->threshold[i];
    if (s->dof[i].pressed) work->reaction[i] = stops_push_of(stops, i, s->dof[i].pressed, middle_of(s, work, i));
    if (!s->dof[i].held) continue;
    double left = impulse(s, work, i, &doubt);
    double sign = friction_sign(work->v[i]);
    work->slip[i] = (signed char)sign;
    work->lambda[i] = !(q > 0) ? 0 : sign != 0 ? sign : friction_project(left / q);
    work->reaction[i] = stops_reaction(s->dof[i].side, q * work->lambda[i] - left) / model->problem.step;
  }
}

/* Moves a dof to its stop if it has rebounded from the opposite stop and has passed this one. */
static void stay_between(const SimModel *model, SimWorkspace *work) {
  const SimStops *stops = &model->problem.stops;
  for (int i = 0; i < model->problem.d; i++) {
    int side = stops_passed(stops, i, work->x[i]);
    if (side && stops_rigid(stops, i)) work->x[i] = stops_end(stops, i, side);
  }
}

void moreau_stops_count(const MoreauStops *s, const SimModel *model, SimWorkspace *work) {
  for (int i = 0; i < model->problem.d; i++) {
    const StopDof *dof = &s->dof[i];
    if (!dof->held || !(dof->meets > 0)) continue;
    work->tally.impacts++;
    work->tally.settled += model->problem.stops.restitution[i] > 0 && dof->speed == 0;
  }
}

/* Whether derivatives exist. They do not if a dof without friction rests at a rigid stop that does not push it. */
static bool is_smooth(const MoreauStops *s, const SimModel *model, const SimWorkspace *work) {
  const SimStops *stops = &model->problem.stops;
  const DenseSolver *plain = s->step.solver;
  for (int i = 0; i < model->problem.d; i++) {
    int side = stops_touched(stops, i, work->x[i], 0);
    double doubt;
    if (!side || !stops_rigid(stops, i) || work->v[i] != 0 || plain->threshold[i] > 0) continue;
    if (fabs(impulse(s, work, i, &doubt)) <= doubt) return false;
  }
  return true;
}

/* Appends the last solve of a step to the trace, with its effect on x+. */
static void trace_end(MoreauStops *s, const SimModel *model, const SimWorkspace *work) {
  StopsTrace *t = &s->trace;
  bool touched = t->meetings > 0;
  for (int i = 0; i < model->problem.d; i++) touched = touched || s->dof[i].pressed;
  t->smooth = is_smooth(s, model, work);
  if (!touched) return;
  trace_solve(s, work);
  t->matters[t->solves - 1] = true;
  for (int k = 0; k < t->meetings; k++) {
    StopsMeeting *met = &t->met[k];
    const StopDof *dof = &s->dof[met->dof];
    bool through = work->x[met->dof] == stops_end(&model->problem.stops, met->dof, -dof->side);
    met->by_part = through ? 0 : -model->problem.step * work->v[met->dof];
    met->by_speed = through ? 0 : (1 - dof->free) * model->problem.step;
    if (met->by_part != 0) t->matters[met->solve] = true;
  }
}

/* Begins a step, with no stop acting yet. */
static void begin(MoreauStops *s, const SimModel *model, SimWorkspace *work, const StopsStep *step) {
  bool same = !step->varies && s->step.solver == step->solver;
  int d = model->problem.d;
  s->step = *step;
  s->solver.skew = step->solver->skew;
  s->solver.diagonal = step->solver->diagonal;
  s->solver.coupled = step->solver->coupled;
  memset(work->reaction, 0, (size_t)d * sizeof *work->reaction);
  s->trace.solves = s->trace.meetings = 0;
  for (int i = 0; i < d; i++) {
    bool plain = !s->dof[i].held && !s->dof[i].pressed;
    s->dof[i] = (StopDof){0};
    if (!plain || !same) set_row(s, model, work, i);
  }
}

/* Solves repeatedly until it is correct for every stop whether it acts. */
static SimStatus settle(MoreauStops *s, const SimModel *model, SimWorkspace *work, bool traced) {
  /* In the first ROUNDS rounds all dofs with a wrong state are changed at once; in up to MORE later rounds one at a
   * time, which cannot cycle. */
  enum { ROUNDS = 16, MORE = 1000 };
  SimStatus status = SIM_OK;
  for (int k = 0; k < ROUNDS + MORE && status == SIM_OK; k++) {
    bool turned = turn(s, model, work, k < ROUNDS);
    if (!turned && !meet(s, model, work, traced)) {
      find_reactions(s, model, work);
      stay_between(model, work);
      if (traced) trace_end(s, model, work);
      return SIM_OK;
    }
    status = solve(s, model, work);
  }
  return status == SIM_OK ? SIM_NOT_CONVERGED : status;
}

SimStatus moreau_stops_step(MoreauStops *s, const SimModel *model, SimWorkspace *work, const StopsStep *step) {
  begin(s, model, work, step);
  return settle(s, model, work, work->sensitivity || work->adjoint);
}

SimStatus moreau_stops_start(MoreauStops *s, const SimModel *model, SimWorkspace *work, const StopsStep *step) {
  const SimStops *stops = &model->problem.stops;
  begin(s, model, work, step);
  for (int i = 0; i < model->problem.d; i++)
    if (step->v[i] == 0 && stops_rigid(stops, i))
      s->dof[i] = (StopDof){.side = stops_touched(stops, i, step->x[i], 0), .free = 1};
  return settle(s, model, work, false);
}

/* Returns the energy that dof i lost in an impact by the law of impact, in J. The impulse of the impact is only a part
 * of the step's impulse, since the dof also presses on the stop for the rest of the step. This part is the ratio of v_c
 * + v_out to v_f - g, where v_c is the velocity at the contact, v_out the rebound speed, v_f the velocity after a step
 * without the stop, and g that after the step with it. */
double moreau_stops_loss(const MoreauStops *s, const SimModel *model, const SimWorkspace *work, int i) {
  const StopDof *dof = &s->dof[i];
  double out = stops_rebound(dof->speed == 0 ? 0 : model->problem.stops.restitution[i], dof->meets);
  double change = dof->rest - dof->side * dof->speed, own = dof->meets - out;
  double part = own < change ? own / change : 1;
  return stops_loss(model->problem.step * work->reaction[i] * dof->side * part, dof->meets, out);
}
