/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/bound/motion.h"

#include "control/bound/inverse.h"
#include "sim/base/pieces.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double ROUND_OFF_MARGIN = 1 + 1e-9; /* factor on sums of positive numbers that makes up for their
                                                  * round-off */

/* Returns a power of two that is at least a; 1 if a is 0. */
static double power_above(double a) { return a > 0 ? ldexp(1, ilogb(a) + 1) : 1; }

/* Returns sqrt(sum |a_ij| |x_i| |x_j|), an upper bound of the norm sqrt(x'a x) for any signs of the entries of x. */
static double norm_above(int d, const double *a, const double *x) {
  double sum = 0;
  for (int i = 0; i < d; i++)
    for (int j = 0; j < d; j++) sum += fabs(a[i * d + j] * x[i] * x[j]);
  return sqrt(sum);
}

/* Returns an upper bound of the integral over time of the norm sqrt(f'M^-1 f) of the force f. */
static double impulse_above(const SimProblem *sim, const double *inverse, double *room) {
  double sum = 0;
  for (long k = 0; k < sim->piece_count && sim->pieces; k++) {
    const double *c = piece_coefficients(sim, k);
    for (int i = 0; i < sim->d; i++) {
      room[i] = 0;
      for (int order = 0; order <= piece_order(sim, k); order++) room[i] += fabs(c[order * sim->d + i]);
    }
    sum += (piece_start(sim, k + 1) - piece_start(sim, k)) * norm_above(sim->d, inverse, room);
  }
  return sum;
}

/* Sets the scales X, V, U of position, velocity and control by (3) of motion.h. inverse, weight_inverse: absolute
 * values of the entries of M^-1 and N^-1, increased by their error bounds. */
static void set_scales(BoundMotion *motion, const CtlProblem *problem, const SimProblem *sim, const double *inverse,
                       const double *weight_inverse, const BoundForce *force, double brief, double *room) {
  int d = motion->d, m = motion->m;
  double kappa = 0;
  for (int j = 0; j < m; j++)
    for (int k = 0; k < m; k++)
      for (int i = 0; i < d; i++)
        for (int l = 0; l < d; l++)
          kappa += fabs(weight_inverse[j * m + k] * sim->control_matrix[i * m + k] * inverse[i * d + l] *
                        sim->control_matrix[l * m + j]);
  double energy = norm_above(d, sim->system.mass, sim->v0) + norm_above(d, sim->system.stiffness, sim->x0) +
                  impulse_above(sim, inverse, room) + sqrt(problem->end * kappa * motion->effort);
  for (int i = 0; i < d; i++) {
    double speed = energy * sqrt(inverse[i * d + i]) * ROUND_OFF_MARGIN;
    motion->V[i] = power_above(speed);
    motion->X[i] = power_above((fabs(sim->x0[i]) + problem->end * speed) * ROUND_OFF_MARGIN);
  }
  double dear = sqrt(motion->effort) + force->norm; /* bound for the control w = u + B^-1 f (force.h): the integral of
                                                     * w_j^2 over time is at most (N^-1)_jj dear^2 */
  for (int j = 0; j < m; j++)
    motion->U[j] = power_above(sqrt(weight_inverse[j * m + j] / (problem->end * brief)) * dear * ROUND_OFF_MARGIN);
}

/* Sets the rows that give the scaled accelerations v' = M^-1 (f + B u - D v - A x - C (lambda - g)), where g = gamma(v)
 * is the drop of friction with speed. inverse_off: [d] error bound of the entries in each row of M^-1. */
static void set_rates(BoundMotion *motion, const SimProblem *sim, const long double *inverse,
                      const double *inverse_off) {
  int d = motion->d, m = motion->m;
  for (int i = 0; i < d; i++)
    for (int c = 0; c < motion->y; c++) {
      long double sum = 0;
      double size = 0, reach = 0, scale;
      for (int k = 0; k < d; k++) {
        double entry;
        if (c == 0) {
          entry = motion->force[k];
          scale = 1;
        } else if (c <= d) {
          entry = -sim->system.stiffness[k * d + c - 1];
          scale = motion->X[c - 1];
        } else if (c <= 2 * d) {
          entry = -sim->system.damping[k * d + c - 1 - d];
          scale = motion->V[c - 1 - d];
        } else if (c <= 2 * d + m) {
          entry = sim->control_matrix[k * m + c - 1 - 2 * d];
          scale = motion->U[c - 1 - 2 * d];
        } else {
          int own = c - 1 - 2 * d - m;
          entry = own >= motion->rubbing ? (motion->drop[k] == own - motion->rubbing ? sim->friction[k] : 0)
                                         : (motion->contact[k] == own ? -sim->friction[k] : 0);
          scale = 1;
        }
        sum += inverse[i * d + k] * entry * scale;
        size += fabs((double)inverse[i * d + k] * entry * scale);
        reach += fabs(entry * scale);
      }
      double by = motion->end / motion->V[i];
      double *rate = motion->rate + i * motion->y + c;
      *rate = (double)(sum * by);
      motion->rate_off[i * motion->y + c] =
          ((inverse_off[i] * reach + (d + 4) * (double)LDBL_EPSILON * size) * by + DBL_EPSILON * fabs(*rate)) *
          ROUND_OFF_MARGIN;
    }
}

static void set_ends(BoundMotion *motion, const CtlProblem *problem, const SimProblem *sim, const BoundForce *force) {
  int d = motion->d, m = motion->m;
  for (int i = 0; i < d; i++) {
    motion->from[i] = sim->x0[i] / motion->X[i];
    motion->from[d + i] = sim->v0[i] / motion->V[i];
    motion->to[i] = problem->position[i] / motion->X[i];
    motion->to[d + i] = problem->velocity[i] / motion->V[i];
  }
  for (int j = 0; j < m; j++) {
    motion->lower[j] = INFINITY;
    motion->upper[j] = -INFINITY;
    for (int k = j; k < problem->n; k += m) {
      motion->lower[j] = fmin(motion->lower[j], problem->lower[k] / motion->U[j]);
      motion->upper[j] = fmax(motion->upper[j], problem->upper[k] / motion->U[j]);
    }
    if (force->varies) { /* the control is w = u + B^-1 f (force.h); its bounds follow from those of u */
      motion->lower[j] += force->least[j] / motion->U[j] - DBL_EPSILON * fabs(motion->lower[j]);
      motion->upper[j] += force->most[j] / motion->U[j] + DBL_EPSILON * fabs(motion->upper[j]);
    }
  }
  for (int j = 0; j < m; j++)
    for (int k = 0; k < m; k++)
      motion->weight[j * m + k] =
          problem->weight[j * m + k] * motion->U[j] * motion->U[k] * motion->end / motion->effort;
}

static SimStatus allocate_motion(BoundMotion *motion, const SimProblem *sim) {
  size_t d = (size_t)sim->d, m = (size_t)sim->n_control;
  motion->contact = malloc(2 * d * sizeof *motion->contact);
  if (!motion->contact) return SIM_NO_MEMORY;
  for (int i = 0; i < sim->d; i++) motion->contact[i] = sim->friction[i] > 0 ? motion->rubbing++ : -1;
  motion->drop = motion->contact + d;
  for (int i = 0; i < sim->d; i++)
    motion->drop[i] = sim->system.stribeck != SIM_STRIBECK_NONE && motion->contact[i] >= 0 ? motion->dropping++ : -1;
  motion->y = 1 + 2 * motion->d + motion->m + motion->rubbing + motion->dropping;
  size_t row = (size_t)motion->y;
  motion->X = calloc(7 * d + 3 * m + m * m + 2 * d * row, sizeof *motion->X);
  if (!motion->X) return SIM_NO_MEMORY;
  motion->V = motion->X + d;
  motion->from = motion->V + d;
  motion->to = motion->from + 2 * d;
  motion->force = motion->to + 2 * d;
  motion->U = motion->force + d;
  motion->lower = motion->U + m;
  motion->upper = motion->lower + m;
  motion->weight = motion->upper + m;
  motion->rate = motion->weight + m * m;
  motion->rate_off = motion->rate + d * row;
  return SIM_OK;
}

SimStatus bound_motion_create(const CtlProblem *problem, const SimProblem *sim, const BoundForce *force, double effort,
                              double brief, BoundMotion *motion) {
  int d = sim->d, m = sim->n_control;
  size_t dd = (size_t)(d * d), mm = (size_t)(m * m);
  *motion = (BoundMotion){.sim = sim, .d = d, .m = m, .end = problem->end, .effort = effort};
  size_t exact = dd > mm ? dd : mm;
  long double *inverse =
      malloc((exact + mm) * sizeof *inverse + (dd + mm + 2 * (size_t)d + (size_t)m) * sizeof(double));
  SimStatus status = inverse ? allocate_motion(motion, sim) : SIM_NO_MEMORY;
  if (status == SIM_OK) {
    long double *of_weight = inverse + exact;
    double *above = (void *)(of_weight + mm), *weight = above + dd, *off = weight + mm, *weight_off = off + d,
           *room = weight_off + m;
    status = bound_invert(d, sim->system.mass, inverse, off);
    if (status == SIM_OK) status = bound_invert(m, problem->weight, of_weight, weight_off);
    for (int i = 0; i < d * d && status == SIM_OK; i++)
      above[i] = (fabs((double)inverse[i]) + off[i / d]) * ROUND_OFF_MARGIN;
    for (int i = 0; i < m * m && status == SIM_OK; i++)
      weight[i] = (fabs((double)of_weight[i]) + weight_off[i / m]) * ROUND_OFF_MARGIN;
    if (status == SIM_OK) {
      if (!bound_force_is_constant(sim, motion->force)) memset(motion->force, 0, (size_t)d * sizeof *motion->force);
      set_scales(motion, problem, sim, above, weight, force, brief, room);
      set_rates(motion, sim, inverse, off);
      set_ends(motion, problem, sim, force);
    }
  }
  free(inverse);
  return status;
}

/* Computes the force on dof k as a linear function of the vector (1, x, v of the moving dofs, u), with one coefficient
 * per entry. If dof k moves, the force includes the friction. */
static void force_row(const BoundMotion *motion, const int *sign, int k, int n, double *row) {
  const SimProblem *sim = motion->sim;
  int d = motion->d, at = 1 + d;
  memset(row, 0, (size_t)n * sizeof *row);
  row[0] = motion->force[k] - (motion->contact[k] >= 0 ? sim->friction[k] * sign[k] : 0);
  for (int j = 0; j < d; j++) row[1 + j] = -sim->system.stiffness[k * d + j] * motion->X[j];
  for (int j = 0; j < d; j++)
    if (sign[j]) row[at++] = -sim->system.damping[k * d + j] * motion->V[j];
  for (int j = 0; j < motion->m; j++) row[at + j] = sim->control_matrix[k * motion->m + j] * motion->U[j];
}

/* Computes the sum over k of by_k times row k, for rows [count][n]. Also computes the error bound of the sum if each
 * by_k has an error of at most `by_off`. */
static void combine_rows(int count, int n, const long double *by, double by_off, const double *rows, double *sum,
                         double *off) {
  for (int c = 0; c < n; c++) {
    double size = 0, reach = 0;
    sum[c] = 0;
    for (int k = 0; k < count; k++) {
      sum[c] += (double)(by[k] * rows[k * n + c]);
      size += fabs((double)by[k] * rows[k * n + c]);
      reach += fabs(rows[k * n + c]);
    }
    off[c] = (by_off * reach + (count + 4) * DBL_EPSILON * size) * ROUND_OFF_MARGIN;
  }
}

SimStatus bound_motion_pattern(const BoundMotion *motion, const int *sign, int n, double *rate, double *rate_off,
                               double *lambda, double *lambda_off) {
  int d = motion->d, moving = 0, which[64];
  const double *M = motion->sim->system.mass;
  size_t dd = (size_t)(d * d);
  long double *inverse = malloc(dd * sizeof *inverse + (dd + 2 * (size_t)d + (size_t)(d * n + n)) * sizeof(double));
  if (!inverse) return SIM_NO_MEMORY;
  double *part = (void *)(inverse + dd), *inverse_off = part + dd, *force = inverse_off + 2 * d, *own = force + d * n;
  for (int i = 0; i < d; i++)
    if (sign[i]) which[moving++] = i;
  for (int a = 0; a < moving; a++) {
    for (int b = 0; b < moving; b++) part[a * moving + b] = M[which[a] * d + which[b]];
    force_row(motion, sign, which[a], n, force + a * n);
  }
  SimStatus status = moving ? bound_invert(moving, part, inverse, inverse_off) : SIM_OK;
  for (int a = 0; a < moving && status == SIM_OK; a++) {
    int i = which[a];
    combine_rows(moving, n, inverse + a * moving, inverse_off[a], force, rate + i * n, rate_off + i * n);
  }
  for (int i = 0; i < d && status == SIM_OK; i++) { /* friction of a resting dof i: c_i lambda_i = force_i - sum M_im
                                                     * v_m' over the moving dofs m */
    if (sign[i]) continue;
    force_row(motion, sign, i, n, own);
    for (int c = 0; c < n; c++) {
      double sum = own[c], size = fabs(own[c]), off = 0;
      for (int a = 0; a < moving; a++) {
        double by = M[i * d + which[a]];
        sum -= by * rate[which[a] * n + c];
        size += fabs(by * rate[which[a] * n + c]);
        off += fabs(by) * rate_off[which[a] * n + c];
      }
      lambda[i * n + c] = sum / motion->sim->friction[i];
      lambda_off[i * n + c] = (off + (moving + 4) * DBL_EPSILON * size) / motion->sim->friction[i] * ROUND_OFF_MARGIN;
    }
  }
  for (int a = 0; a < moving && status == SIM_OK; a++)
    for (int c = 0; c < n; c++) {
      double by = motion->end / motion->V[which[a]], *entry = rate + which[a] * n + c;
      rate_off[which[a] * n + c] =
          (rate_off[which[a] * n + c] * by + 4 * DBL_EPSILON * fabs(*entry * by)) * ROUND_OFF_MARGIN;
      *entry *= by;
    }
  free(inverse);
  return status;
}

void bound_motion_clear(BoundMotion *motion) {
  free(motion->contact);
  free(motion->X);
  *motion = (BoundMotion){0};
}
