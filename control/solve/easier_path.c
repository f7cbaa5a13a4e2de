/* SPDX-License-Identifier: BSD-2-Clause */
/* An initial point of a plan without a search: the forces that move a mechanism along a smooth path to its targets. */
#include "control/solve/easier_problems.h"
#include "sim/inverse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 4 /* number of times in a segment of the control; u is the mean of the forces at these times */ };

/* Ends of the path: positions x0, x1 and velocities v0, v1 of each dof at t = 0 and t = T, arrays [d]. */
typedef struct Ends {
  double *x0, *v0, *x1, *v1;
} Ends;

/* Sets the ends of the path. At T they are the targets of single dofs. A dof without a target ends at rest at its
 * initial position. *moves: whether any dof moves. */
static SimStatus find_ends(const CtlPlan *plan, const double *point, Ends *ends, bool *moves) {
  const SimProblem *p = &plan->problem;
  memcpy(ends->x0, p->x0, (size_t)p->d * sizeof(double));
  memcpy(ends->v0, p->v0, (size_t)p->d * sizeof(double));
  for (int k = 0; k < plan->variables; k++) {
    const CtlVariable *v = &plan->variable[k];
    if (v->what == CTL_VARY_POSITION) ends->x0[v->entry] = point[plan->controls + k];
    if (v->what == CTL_VARY_VELOCITY) ends->v0[v->entry] = point[plan->controls + k];
  }
  SimStatus status = easier_targets(plan, ends->x0, ends->x1);
  for (int i = 0; i < p->d; i++) {
    if (isnan(ends->x1[i])) ends->x1[i] = ends->x0[i];
    if (isnan(ends->v1[i])) ends->v1[i] = 0;
    *moves = *moves || ends->x1[i] != ends->x0[i];
  }
  return status;
}

/* Sets q, q', q'' and t in `row` at the fraction s of the time T. The path is the polynomial of fifth order with the
 * given ends and with accelerations 0 there. At s = 1 the ends are copied: a round-off velocity would cause friction of
 * a dof at rest. */
static void set_state(int d, const Ends *ends, double T, double s, double *row) {
  for (int i = 0; i < d; i++) {
    double v0 = ends->v0[i] * T, v1 = ends->v1[i] * T, way = ends->x1[i] - ends->x0[i] - v0, turn = v1 - v0;
    double a = 10 * way - 4 * turn, b = 7 * turn - 15 * way, c = 6 * way - 3 * turn;
    row[i] = ends->x0[i] + s * (v0 + s * s * (a + s * (b + s * c)));
    row[d + i] = (v0 + s * s * (3 * a + s * (4 * b + s * 5 * c))) / T;
    row[2 * d + i] = s * (6 * a + s * (12 * b + s * 20 * c)) / (T * T);
    if (s < 1) continue;
    row[i] = ends->x1[i];
    row[d + i] = ends->v1[i];
    row[2 * d + i] = 0;
  }
  row[3 * d] = s * T;
}

/* Returns the control that acts on dof i and on no other dof; -1 if there is none. */
static int control_on(const SimProblem *p, int i) {
  for (int j = 0; j < p->n_control; j++) {
    bool alone = p->control_matrix[i * p->n_control + j] != 0;
    for (int k = 0; k < p->d && alone; k++) alone = k == i || p->control_matrix[k * p->n_control + j] == 0;
    if (alone) return j;
  }
  return -1;
}

/* Sets u to the mean in each segment of the forces [segments][SAMPLES][d]. */
static void set_controls(const CtlPlan *plan, const double *forces, double *u) {
  const SimProblem *p = &plan->problem;
  for (int i = 0; i < p->d; i++) {
    int j = control_on(p, i);
    for (int k = 0; k < p->segments && j >= 0; k++) {
      double sum = 0;
      int at = k * p->n_control + j;
      for (int s = 0; s < SAMPLES; s++) sum += forces[(k * SAMPLES + s) * p->d + i] / SAMPLES;
      u[at] =
          fmin(fmax(sum / p->control_matrix[i * p->n_control + j], plan_bound(plan, 0)[at]), plan_bound(plan, 1)[at]);
    }
  }
}

SimStatus easier_path(Easier *e, const double *from) {
  CtlPlan *plan = e->plan;
  const SimProblem *p = &plan->problem;
  int d = p->d, row = 3 * d + 1, n = p->segments * SAMPLES;
  double *point = e->points + (size_t)e->count * (size_t)plan->n, T = plan_lengths(plan, from), start = 0;
  if (p->kind != SIM_MECHANISM) return SIM_OK;
  for (int i = 0; i < d; i++)
    if (control_on(p, i) < 0) return SIM_OK;
  double *numbers = calloc((size_t)(4 * d) + (size_t)n * (size_t)(row + d), sizeof *numbers);
  if (!numbers) return SIM_NO_MEMORY;
  Ends ends = {numbers, numbers + d, numbers + 2 * d, numbers + 3 * d}; /* x0 and v0 are adjacent, as are x1 and v1,
                                                                         * because easier_targets takes and returns (x,
                                                                         * v) as one array */
  double *states = numbers + 4 * d, *forces = states + (size_t)n * (size_t)row;
  bool moves = false;
  SimStatus status = find_ends(plan, from, &ends, &moves);
  for (int k = 0; k < p->segments; k++) {
    /* in a piecewise linear signal, u_k is the value at the end of segment k, so the mean is taken around that time */
    double shift = p->signal == SIM_PIECEWISE_LINEAR ? 0.5 : 0;
    for (int s = 0; s < SAMPLES; s++) {
      double at = start + ((s + 0.5) / SAMPLES + shift) * plan->lengths_now[k];
      set_state(d, &ends, T, fmin(at / T, 1), states + (size_t)(k * SAMPLES + s) * (size_t)row);
    }
    start += plan->lengths_now[k];
  }
  if (status == SIM_OK) status = moves ? sim_inverse_dynamics(p, n, states, forces) : SIM_NON_FINITE;
  if (status == SIM_OK) {
    memcpy(point, from, (size_t)plan->n * sizeof *point);
    set_controls(plan, forces, point);
    e->count++;
  }
  free(numbers);
  return status == SIM_NON_FINITE ? SIM_OK : status;
}
