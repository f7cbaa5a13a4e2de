/* SPDX-License-Identifier: BSD-2-Clause */
/* Matrix of a time point for one pattern of signs of v. If dof i moves, its friction lambda_i is the sign of v_i. If
 * dof i rests, v_i = 0 and v_i' = 0, and lambda_i follows from the equation of motion. */
#include "control/bound/forms.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A pattern of signs: the vector of n variables (1, x, v of the moving dofs, u), and the other quantities as linear
 * functions of this vector. */
typedef struct Pattern {
  int sign[BOUND_DOFS]; /* sign of v for each dof with friction, 0 at rest; 1 for other dof, which count as moving */
  int v[BOUND_DOFS];    /* index of v_i in the vector for each moving dof i */
  int u, n;
  /* [d][n] each: coefficients of v' of the moving dofs and of lambda of the resting dofs, with error bounds */
  double *rate, *rate_off, *lambda, *lambda_off;
} Pattern;

static SimStatus lay_out(const BoundForm *form, int pattern, Pattern *p) {
  const BoundMotion *motion = form->motion;
  int d = motion->d;
  p->n = 1 + d;
  for (int i = 0; i < d; i++) {
    p->sign[i] = 1;
    if (motion->contact[i] >= 0) {
      p->sign[i] = pattern % 3 - 1;
      pattern /= 3;
    }
    if (p->sign[i]) p->v[i] = p->n++;
  }
  p->u = p->n;
  p->n += motion->m;
  size_t size = (size_t)(d * p->n);
  p->rate = calloc(4 * size, sizeof *p->rate);
  if (!p->rate) return SIM_NO_MEMORY;
  p->rate_off = p->rate + size;
  p->lambda = p->rate_off + size;
  p->lambda_off = p->lambda + size;
  return bound_motion_pattern(motion, p->sign, p->n, p->rate, p->rate_off, p->lambda, p->lambda_off);
}

/* Subtracts from a matrix, for any two of the following quantities, which are nonnegative for all motions, a multiplier
 * >= 0 times their product: sign v_i, 1 - lambda_i, 1 + lambda_i, upper - u, u - lower, and 1. */
static void add_products(const BoundForm *form, BoundLmi *lmi, const Pattern *p, const int *lambda) {
  const BoundMotion *motion = form->motion;
  int row[4 * BOUND_DOFS], count = 1;
  row[0] = 0;
  for (int i = 0; i < motion->d && !lmi->no_memory; i++) {
    if (motion->contact[i] < 0) continue;
    if (p->sign[i]) {
      row[count++] = bound_add_row(form, lmi, 0, p->v[i], p->sign[i]);
      continue;
    }
    for (int by = -1; by <= 1; by += 2) {
      double *sum = form->room, *off = sum + motion->y;
      for (int c = 0; c < lmi->n; c++) {
        sum[c] = (c == 0) + by * lmi->row[lambda[i] * lmi->n + c];
        off[c] = lmi->off[lambda[i] * lmi->n + c] * (1 + 4 * DBL_EPSILON) + (c == 0) * DBL_EPSILON * (1 + fabs(sum[c]));
      }
      row[count++] = bound_lmi_row(lmi, sum, off);
    }
  }
  for (int j = 0; j < motion->m; j++) {
    if (isfinite(motion->upper[j])) row[count++] = bound_add_row(form, lmi, motion->upper[j], p->u + j, -1);
    if (isfinite(motion->lower[j])) row[count++] = bound_add_row(form, lmi, -motion->lower[j], p->u + j, 1);
  }
  for (int a = 0; a < count; a++)
    for (int b = 0; b < a; b++) bound_lmi_product(lmi, row[a], row[b]);
}

static void add_rows(const BoundForm *form, BoundLmi *lmi, const Pattern *p) {
  const BoundMotion *motion = form->motion;
  int d = motion->d, lambda[BOUND_DOFS] = {0}, rate[BOUND_DOFS] = {0};
  BoundFactor z[2 * BOUND_DOFS + 1] = {{.size = 1}};
  const BoundInto into = bound_into(form, lmi);
  bound_lmi_init(lmi, p->n);
  for (int i = 0; i < d; i++) {
    z[1 + i] = (BoundFactor){.row = 1 + i, .size = 1};
    if (p->sign[i]) {
      rate[i] = bound_lmi_row(lmi, p->rate + i * p->n, p->rate_off + i * p->n);
      z[1 + i] = bound_factor(1 + i, p->v[i], 1, bound_pace(motion, i));
      z[1 + d + i] = bound_factor(p->v[i], rate[i], 1, 1);
    } else
      lambda[i] = bound_lmi_row(lmi, p->lambda + i * p->n, p->lambda_off + i * p->n);
  }
  bound_add_square(form, &into, z);
  bound_add_signs(form, &into, z, p->sign);
  for (int i = 0; i < d; i++) {
    if (!form->knots[i]) continue;
    const BoundFactor e[5] = {z[0], z[1 + i], z[1 + d + i],
                              bound_factor(rate[i], 0, p->sign[i] ? 1 / form->fastest[i] : 0, 0),
                              bound_factor(lambda[i], 0, 1, 0)};
    bound_add_transfer(form, lmi, i, p->sign[i], 1, e);
  }
  add_products(form, lmi, p, lambda);
  bound_add_effort(motion, lmi, p->u);
  bound_lmi_finish(lmi);
}

SimStatus bound_add_pattern(const BoundForm *form, int pattern, BoundLmi *lmi) {
  Pattern p = {.n = 0};
  SimStatus status = lay_out(form, pattern, &p);
  if (status == SIM_OK) add_rows(form, lmi, &p);
  free(p.rate);
  return status;
}
