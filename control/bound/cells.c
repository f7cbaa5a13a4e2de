/* SPDX-License-Identifier: BSD-2-Clause */
/* Matrices of the cells of one dof i. Cells are the intervals between the knots of its position x_i. The terms of the
 * test function V for this dof (forms.h) have a rate dV/dt that depends on few quantities: on (1, x_i, v_i, v_i') while
 * the dof moves, and on (1, x_i, lambda_i), with the friction lambda_i, while it is at rest. At a knot both
 * neighbouring cells apply; if x_i stays on a knot, v_i = 0 at almost all times, and their formulas agree. */
#include "control/bound/forms.h"

void bound_add_cells(const BoundForm *form, int i, int cell, int sign, BoundLmi *lmi) {
  const BoundInto into = bound_into(form, lmi);
  int positive[4], count = 1;
  bound_lmi_init(lmi, sign ? 4 : 3);
  const BoundFactor x = bound_factor(1, 2, 1, sign ? bound_pace(form->motion, i) : 0),
                    v = bound_factor(2, 3, sign != 0, sign ? form->fastest[i] : 0);
  const BoundFactor z[3] = {{.size = 1}, x, v};
  const BoundFactor e[5] = {z[0], x, bound_factor(2, 0, sign != 0, 0), bound_factor(3, 0, sign != 0, 0),
                            bound_factor(sign ? 0 : 2, 0, sign ? sign : 1, 0)};
  BoundFactor above[BOUND_KNOTS] = {{.row = 0}};
  positive[0] = 0;
  for (int k = 0; k < form->knots[i]; k++) {
    above[k] = x;
    above[k].row = bound_add_row(form, lmi, -form->knot[i][k], 1, 1);
  }
  bound_add_cell(form, &into, i, cell, sign, z, above);
  bound_add_transfer(form, lmi, i, sign, -1, e);
  if (cell > 0) positive[count++] = above[cell - 1].row;
  if (cell < form->knots[i]) positive[count++] = bound_add_row(form, lmi, form->knot[i][cell], 1, -1);
  if (sign)
    positive[count++] = bound_add_row(form, lmi, 0, 2, sign);
  else {
    int less = bound_add_row(form, lmi, 1, 2, -1), more = bound_add_row(form, lmi, 1, 2, 1);
    for (int a = 0; a < count; a++) {
      bound_lmi_product(lmi, positive[a], less);
      bound_lmi_product(lmi, positive[a], more);
    }
    bound_lmi_product(lmi, less, more);
  }
  for (int a = 0; a < count; a++)
    for (int b = 0; b < a; b++) bound_lmi_product(lmi, positive[a], positive[b]);
  bound_lmi_finish(lmi);
}
