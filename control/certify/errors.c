/* SPDX-License-Identifier: BSD-2-Clause */
/* Error bounds of simulations by the scheme `event`. Its polynomials satisfy the equation of motion with an additional
 * load of at most the tolerance times the largest load. By (2) and (3) of README.md such a load changes x(T) and v(T)
 * by at most these bounds. */
#include "control/certify/forms.h"
#include "sim/base/curve.h"

#include <math.h>
#include <stdlib.h>

/* Returns an upper bound of the norm sqrt(g'a g), for entries of g with any signs: sqrt(sum |a_ij| |g_i| |g_j|). */
static double norm_above(int d, const double *a, const double *g) {
  double sum = 0;
  for (int i = 0; i < d; i++)
    for (int j = 0; j < d; j++) sum += fabs(a[i * d + j]) * g[i] * g[j];
  return sqrt(sum);
}

/* Returns an upper bound of |f_i| over time, in N. */
static double force_above(const SimProblem *sim, int i) {
  double most = 0;
  for (long k = 0; sim->pieces && k < sim->piece_count; k++) {
    const double *c = sim->pieces + (size_t)k * sim_piece_size(sim->d) + SIM_PIECE_HEAD;
    double sum = 0;
    for (int order = 0; order <= SIM_PIECE_ORDER; order++) sum += fabs(c[order * sim->d + i]);
    most = fmax(most, sum);
  }
  return most;
}

/* Returns an upper bound of |(B u)_i| over all controls with J <= effort, in N. */
static double control_above(const CtlBound *bound, const SimProblem *sim, int i, double effort) {
  int p = sim->n_control;
  double most = 0;
  for (int segment = 0; segment < bound->n / p; segment++) {
    double row[BOUND_N] = {0};
    for (int j = 0; j < p; j++) row[segment * p + j] = sim->control_matrix[i * p + j];
    forms_row(bound, row);
    most = fmax(most, sqrt(effort * dense_dot(bound->n, row, row)));
  }
  return most;
}

/* Returns the largest friction of a dof at any speed, relative to its threshold. It exceeds 1 if a table of friction
 * rises with speed. */
static double rise_of(const SimSystem *system, int i) {
  const SimFrictionTable *table = &system->table;
  if (system->stribeck != SIM_STRIBECK_TABLE) return 1;
  const double *first = table->rows + (size_t)((table->columns > 1 ? i : 0) * table->points) * SIM_TABLE_ROW;
  return first[(table->points - 1) * SIM_TABLE_ROW + SIM_TABLE_FRICTION] / first[SIM_TABLE_FRICTION];
}

/* Upper bounds of the displacement W_i, velocity w_i and acceleration w_i' of moving surfaces. */
typedef struct SurfaceAbove {
  double way, speed, slope;
} SurfaceAbove;

static SurfaceAbove surface_above(const SimProblem *sim, int i) {
  SurfaceAbove most = {0, 0, 0};
  int columns = sim->surface_columns, column = columns == 1 ? 0 : i;
  for (long piece = 0; piece < sim->surface_pieces; piece++) {
    const double *row = sim->surface + (size_t)piece * sim_curve_size(columns), width = row[1],
                 *c = curve_coefficients(row, columns);
    double way = fabs(curve_integrals(row)[column]), speed = 0, slope = 0;
    for (int k = 0; k <= (int)row[2]; k++) {
      double one = fabs(c[k * columns + column]);
      way += one * width / (k + 1);
      speed += one;
      slope += one * k / width;
    }
    most = (SurfaceAbove){fmax(most.way, way), fmax(most.speed, speed), fmax(most.slope, slope)};
  }
  return most;
}

/* Adds the loads due to moving surfaces, for the motion x - W relative to the surfaces. This relative motion has the
 * additional loads M w', D w and A W, and its initial velocity is v0 - w(0). */
static void add_surfaces(const SimProblem *sim, double *load, double *v0) {
  const SimSystem *system = &sim->system;
  for (int j = 0; j < sim->d; j++) {
    const SurfaceAbove above = surface_above(sim, j);
    v0[j] += above.speed;
    for (int i = 0; i < sim->d; i++) {
      int at = i * sim->d + j;
      load[i] += fabs(system->mass[at]) * above.slope + fabs(system->damping[at]) * above.speed +
                 fabs(system->stiffness[at]) * above.way;
    }
  }
}

/* Returns an upper bound of the largest load, in N. load: workspace [d]. The bound follows from the energy: sqrt(2
 * energy) is at most its initial value plus T times the norm of all driving loads. */
static double load_above(const CtlBound *bound, const SimProblem *sim, const double *inverse, double effort,
                         double *load) {
  const double *M = sim->system.mass, *A = sim->system.stiffness, *D = sim->system.damping;
  int d = sim->d;
  double most = 0, v0[BOUND_D] = {0};
  for (int i = 0; i < d; i++) {
    v0[i] = fabs(sim->v0[i]);
    load[i] = force_above(sim, i) + control_above(bound, sim, i, effort) +
              rise_of(&sim->system, i) * (sim->friction[i] + (sim->by_direction ? fabs(sim->friction_bias[i]) : 0));
  }
  add_surfaces(sim, load, v0);
  double moving = norm_above(d, M, v0), start = sqrt(moving * moving + fmax(0, dense_form(d, sim->x0, A, sim->x0)));
  double energy = start + sim->end * norm_above(d, inverse, load); /* upper bound of sqrt(2 energy) of the motion */
  for (int i = 0; i < d; i++) {
    double own = load[i] + sqrt(fmax(0, A[i * d + i])) * energy;
    for (int j = 0; j < d; j++) own += fabs(D[i * d + j]) * sqrt(inverse[j * d + j]) * energy;
    most = fmax(most, own);
  }
  return most;
}

SimStatus forms_errors(CtlBound *bound, const SimProblem *sim, double effort) {
  int d = sim->d;
  size_t size = (size_t)d * (size_t)d;
  double *inverse = malloc((size + (size_t)d) * sizeof *inverse), T = sim->end;
  SimStatus status = inverse ? dense_invert(d, sim->system.mass, inverse) : SIM_NO_MEMORY;
  if (status == SIM_OK) {
    double *load = inverse + size;
    double left = sim_problem_get(sim, "tolerance") * load_above(bound, sim, inverse, effort, load);
    for (int i = 0; i < d; i++) load[i] = left;
    double norm = norm_above(d, inverse, load);
    for (int i = 0; i < d; i++) {
      bound->errors[i] = sqrt(inverse[i * d + i]) * T * T / 2 * norm;
      bound->errors[d + i] = sqrt(inverse[i * d + i]) * T * norm;
    }
  }
  free(inverse);
  return status;
}
