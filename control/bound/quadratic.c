/* SPDX-License-Identifier: BSD-2-Clause */
/* Matrix of all dofs at a time point, without patterns. Since |v_i| = lambda_i v_i and d|v_i|/dt = lambda_i v_i', the
 * rate of the test function V is quadratic in y = (1, x, v, u, lambda). Products that are nonnegative for all motions
 * are subtracted from this rate; they are quadratic, too. */
#include "control/bound/forms.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
  /* maximum number of pairs of joints for which products of their friction are used; there are many such products, and
   * they improve the bound little */
  PAIRS = 6
};

/* Adds the row by_a y_a + by_b y_b, for entries a and b of the matrix's vector y, and returns the index of the row. */
static int sum_of(const BoundForm *form, BoundLmi *lmi, int a, double by_a, int b, double by_b) {
  memset(form->room, 0, (size_t)lmi->n * sizeof *form->room);
  form->room[a] = by_a;
  form->room[b] = by_b;
  return bound_lmi_row(lmi, form->room, NULL);
}

/* Adds the inequalities for a dof with friction that drops with speed by g = gamma(v): 0 <= g <= beta and g <= beta
 * v/epsilon for v >= 0, with the parameters beta and epsilon of the law, and the mirrored ones for v <= 0. */
static void add_drop(const BoundForm *form, BoundLmi *lmi, int i) {
  const BoundMotion *motion = form->motion;
  const SimSystem *system = &motion->sim->system;
  int g = bound_drop(motion, i), lambda = bound_lambda(motion, i), v = bound_v(motion, i);
  double beta = system->stribeck_beta[i], steep = beta * motion->V[i] / system->stribeck_epsilon[i];
  int less = sum_of(form, lmi, lambda, beta, g, -1), under = sum_of(form, lmi, v, steep * (1 + 4 * DBL_EPSILON), g, -1);
  bound_lmi_product(lmi, less, g);
  bound_lmi_product(lmi, less, v);
  bound_lmi_product(lmi, g, v);
  bound_lmi_product(lmi, g, lambda);
  bound_lmi_product(lmi, under, g);
}

/* Adds the products that are nonnegative for all motions: v_i (1 - lambda_i) or v_i (1 + lambda_i), by the sign of v_i;
 * 1 - lambda_i^2; for two joints (lambda_i -+ lambda_j) v_i and (1 +- lambda_i)(1 +- lambda_j); and (upper - u)(u -
 * lower). */
static void add_products(const BoundForm *form, BoundLmi *lmi) {
  const BoundMotion *motion = form->motion;
  int less[BOUND_DOFS], more[BOUND_DOFS]; /* indices of the rows of the matrix for 1 - lambda_i and for 1 + lambda_i */
  for (int i = 0; i < motion->d; i++) {
    if (motion->contact[i] < 0) continue;
    int lambda = bound_lambda(motion, i), v = bound_v(motion, i);
    less[i] = bound_add_row(form, lmi, 1, lambda, -1);
    more[i] = bound_add_row(form, lmi, 1, lambda, 1);
    bound_lmi_product(lmi, bound_add_row(form, lmi, -1, lambda, 1), v);
    bound_lmi_product(lmi, more[i], v);
    bound_lmi_product(lmi, less[i], more[i]);
    if (motion->drop[i] >= 0) add_drop(form, lmi, i);
    for (int j = 0; j < motion->d && motion->rubbing <= PAIRS; j++) {
      if (motion->contact[j] < 0 || j == i) continue;
      bound_lmi_product(lmi, sum_of(form, lmi, lambda, 1, bound_lambda(motion, j), -1), v);
      bound_lmi_product(lmi, sum_of(form, lmi, lambda, 1, bound_lambda(motion, j), 1), v);
      if (j > i) continue;
      bound_lmi_product(lmi, less[i], less[j]);
      bound_lmi_product(lmi, less[i], more[j]);
      bound_lmi_product(lmi, more[i], less[j]);
      bound_lmi_product(lmi, more[i], more[j]);
    }
  }
  for (int j = 0; j < motion->m; j++)
    if (isfinite(motion->lower[j]) && isfinite(motion->upper[j]))
      bound_lmi_product(lmi, bound_add_row(form, lmi, motion->upper[j], bound_u(motion, j), -1),
                        bound_add_row(form, lmi, -motion->lower[j], bound_u(motion, j), 1));
}

SimStatus bound_add_quadratic(const BoundForm *form, BoundLmi *lmi) {
  const BoundMotion *motion = form->motion;
  int d = motion->d, rate;
  BoundFactor z[2 * BOUND_DOFS + 1] = {{.size = 1}};
  const BoundInto into = bound_into(form, lmi);
  bound_lmi_init(lmi, motion->y);
  rate = lmi->rows;
  for (int i = 0; i < d; i++) {
    bound_lmi_row(lmi, motion->rate + i * motion->y, motion->rate_off + i * motion->y);
    z[1 + i] = bound_factor(bound_x(i), bound_v(motion, i), 1, bound_pace(motion, i));
    z[1 + d + i] = (BoundFactor){bound_v(motion, i), rate + i, 1, 1, form->drift->parts ? form->drift->part[i] : 0};
  }
  bound_add_square(form, &into, z);
  for (int i = 0, k = form->signs; i < d; i++) {
    if (motion->contact[i] < 0) continue;
    const BoundFactor lambda = bound_factor(bound_lambda(motion, i), 0, 1, 0);
    bound_add_part(&into, k++, 1, &lambda, &z[1 + d + i]);
    if (!form->knots[i]) continue;
    const BoundFactor e[5] = {z[0], z[1 + i], z[1 + d + i], bound_factor(rate + i, 0, 1 / form->fastest[i], 0), lambda};
    bound_add_transfer(form, lmi, i, 0, 1, e);
  }
  for (int k = 0; k < form->pairs; k++) {
    BoundFactor e[9] = {z[0]};
    for (int side = 0; side < 2; side++) {
      int i = form->pair[k][side];
      e[4 * side + 1] = z[1 + i];
      e[4 * side + 2] = z[1 + d + i];
      e[4 * side + 3] = bound_factor(rate + i, 0, 1 / form->fastest[i], 0);
      e[4 * side + 4] = bound_factor(bound_lambda(motion, i), 0, 1, 0);
    }
    bound_add_pair_transfer(form, lmi, k, 1, e);
  }
  add_products(form, lmi);
  bound_add_effort(motion, lmi, bound_u(motion, 0));
  bound_lmi_finish(lmi);
  return SIM_OK;
}
