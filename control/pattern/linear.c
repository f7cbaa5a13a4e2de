/* SPDX-License-Identifier: BSD-2-Clause */
/* The linear motion during a piece of time in which the same joints slip (motions.h). */
#include "control/pattern/exponential.h"
#include "control/pattern/motions.h"
#include "sim/operator/dense.h"

#include <stdlib.h>
#include <string.h>

void pattern_linear_destroy(Linear *linear) {
  if (linear) free(linear->over);
  free(linear);
}

/* Computes the inverse mass matrix of the slipping joints, with zeros for the others. Returns false if it is
 * singular. */
static bool invert_slipping(const PatternMotions *m, uint64_t slips, double *inverse) {
  int d = m->d, n = 0, which[PATTERN_D];
  double block[PATTERN_D * PATTERN_D];
  for (int i = 0; i < d; i++)
    if (slips >> i & 1) which[n++] = i;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) block[i * n + j] = m->sim->system.mass[which[i] * d + which[j]];
  memset(inverse, 0, (size_t)(d * d) * sizeof *inverse);
  if (n && dense_factor(n, block)) return false;
  for (int j = 0; j < n; j++) {
    double column[PATTERN_D] = {0};
    column[j] = 1;
    dense_substitute(n, block, column);
    for (int i = 0; i < n; i++) inverse[which[i] * d + which[j]] = column[i];
  }
  return true;
}

/* Fills the matrix [4d][4d] of the linear equation y' = rates y for the vector y = (x, v, force, time derivative of the
 * force). */
static void fill_rates(const PatternMotions *m, const Linear *linear, double time, double *rates) {
  int d = m->d, size = 4 * d;
  const SimSystem *system = &m->sim->system;
  memset(rates, 0, (size_t)(size * size) * sizeof *rates);
  for (int i = 0; i < d; i++) {
    if (linear->slips >> i & 1) rates[i * size + d + i] = 1;
    rates[(2 * d + i) * size + 3 * d + i] = 1 / time;
    for (int j = 0; j < d; j++) {
      rates[(d + i) * size + 2 * d + j] = linear->inverse[i * d + j];
      for (int k = 0; k < d; k++) {
        rates[(d + i) * size + j] -= linear->inverse[i * d + k] * system->stiffness[k * d + j];
        rates[(d + i) * size + d + j] -= linear->inverse[i * d + k] * system->damping[k * d + j];
      }
    }
  }
}

/* Computes the transition matrix of (x, v) over a piece, and the effects of u, from the matrix exponential over the
 * piece. */
static void fill_piece(const PatternMotions *m, Linear *linear, const double *over) {
  int d = m->d, p = m->p, size = 4 * d;
  const double *B = m->sim->control_matrix;
  for (int i = 0; i < 2 * d; i++) {
    const double *row = over + i * size;
    memcpy(linear->over + i * 2 * d, row, 2 * (size_t)d * sizeof *row);
    for (int l = 0; l < p; l++)
      for (int j = 0; j < d; j++) {
        linear->there[i * p + l] += row[2 * d + j] * B[j * p + l];
        linear->rise[i * p + l] += row[3 * d + j] * B[j * p + l];
      }
  }
}

static Linear *linear_create(PatternMotions *m, uint64_t slips) {
  size_t d = (size_t)m->d, p = (size_t)m->p, dd = d * d;
  Linear *linear = calloc(1, sizeof *linear);
  double *rates = malloc(2 * 16 * dd * sizeof *rates), *over = rates ? rates + 16 * dd : NULL;
  if (linear) linear->over = calloc(4 * dd + 4 * d * p + 4 * dd + 4 * dd + dd, sizeof *linear->over);
  if (!rates || !linear || !linear->over) {
    free(rates);
    pattern_linear_destroy(linear);
    m->status = SIM_NO_MEMORY;
    return NULL;
  }
  linear->slips = slips;
  linear->there = linear->over + 4 * dd;
  linear->rise = linear->there + 2 * d * p;
  linear->state = linear->rise + 2 * d * p;
  linear->forced = linear->state + 4 * dd;
  linear->inverse = linear->forced + 4 * dd;
  bool good = invert_slipping(m, slips, linear->inverse);
  double step = m->h / SUBSTEPS;
  fill_rates(m, linear, m->h, rates);
  bool memory = exponential(4 * m->d, m->h, rates, over);
  fill_piece(m, linear, over);
  fill_rates(m, linear, step, rates);
  memory = exponential(4 * m->d, step, rates, over) && memory;
  if (!memory) m->status = SIM_NO_MEMORY;
  for (size_t i = 0; i < 2 * d; i++)
    for (size_t j = 0; j < d; j++) {
      linear->state[i * 2 * d + j] = over[i * 4 * d + j];
      linear->state[i * 2 * d + d + j] = over[i * 4 * d + d + j];
      linear->forced[i * d + j] = over[i * 4 * d + 2 * d + j];
      linear->forced[2 * dd + i * d + j] = over[i * 4 * d + 3 * d + j];
    }
  free(rates);
  if (good && memory) return linear;
  pattern_linear_destroy(linear);
  return NULL;
}

const Linear *pattern_linear(PatternMotions *m, uint64_t slips) {
  for (int k = 0; k < m->n_linear; k++)
    if (m->linear[k]->slips == slips) return m->linear[k];
  Linear **more = realloc(m->linear, (size_t)(m->n_linear + 1) * sizeof *more);
  if (!more) m->status = SIM_NO_MEMORY;
  if (!more) return NULL;
  m->linear = more;
  Linear *linear = linear_create(m, slips);
  if (linear) m->linear[m->n_linear++] = linear;
  return linear;
}
