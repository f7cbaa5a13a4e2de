/* SPDX-License-Identifier: BSD-2-Clause */
/* Matrices of pairs. A pair is two neighbouring dofs i, j with friction. The terms of the test function V for a pair
 * have a rate that depends only on (1, x, v, v', lambda) of these dofs. Each dof moves forward, moves backward or
 * rests, which gives 9 combinations. Each combination has a matrix on (1, x_i, v_i, v_i' or lambda_i, x_j, v_j, v_j' or
 * lambda_j). The vector contains v and v' of a dof that moves, and lambda of a dof that rests. */
#include "control/bound/forms.h"

#include <math.h>

/* VALUES: number of entries per dof in the vector e = (1, x, v, v', lambda) of a pair. SIDE: how many of these entries
 * a matrix of the pair contains per dof. ENTRIES: number of entries of a transfer (forms.h). */
enum { VALUES = 5, SIDE = 4, ENTRIES = 45 };

/* Whether a dof may belong to a pair. A dof with a free final velocity may not, since pairs would then require further
 * conditions on V at the final time. */
static bool is_paired(const BoundMotion *motion, int i) {
  return motion->contact[i] >= 0 && !isnan(motion->to[motion->d + i]);
}

static bool are_neighbours(const BoundMotion *motion, int i, int j) {
  const SimSystem *system = &motion->sim->system;
  int at = i * motion->d + j, back = j * motion->d + i;
  return system->mass[at] != 0 || system->stiffness[at] != 0 || system->damping[at] != 0 || system->damping[back] != 0;
}

void bound_form_pairs(BoundForm *form) {
  const BoundMotion *motion = form->motion;
  for (int i = 0; i < motion->d; i++)
    for (int j = 0; j < i && form->pairs < BOUND_PAIRS; j++) {
      if (!is_paired(motion, i) || !is_paired(motion, j) || !are_neighbours(motion, i, j)) continue;
      form->pair[form->pairs][0] = j;
      form->pair[form->pairs++][1] = i;
    }
  form->pair_values = form->node_size;
  form->pair_transfers = form->local;
  form->node_size += VALUES * form->pairs;
  form->local += ENTRIES * form->pairs;
}

/* Adds the terms |v_i| (a x_j + b v_j), |v_j| (a x_i + b v_i) and |v_i| r |v_j| of V for the signs of both
 * velocities. */
static void add_values(const BoundInto *into, int at, const int sign[2], const BoundFactor *const x[2],
                       const BoundFactor *const v[2]) {
  for (int side = 0; side < 2; side++, at += 2) {
    bound_add_part(into, at, sign[side], v[side], x[1 - side]);
    bound_add_part(into, at + 1, sign[side], v[side], v[1 - side]);
  }
  bound_add_part(into, at, sign[0] * sign[1], v[0], v[1]);
}

void bound_add_pair_value(const BoundForm *form, const BoundInto *into, int pair, const int *signs,
                          const BoundFactor *z) {
  int d = form->motion->d, i = form->pair[pair][0], j = form->pair[pair][1];
  add_values(into, form->pair_values + VALUES * pair, (const int[]){signs[i], signs[j]},
             (const BoundFactor *const[]){&z[1 + i], &z[1 + j]},
             (const BoundFactor *const[]){&z[1 + d + i], &z[1 + d + j]});
}

void bound_add_pair_transfer(const BoundForm *form, BoundLmi *lmi, int pair, double by, const BoundFactor e[9]) {
  for (int a = 0, at = form->pair_transfers + ENTRIES * pair; a < 9; a++)
    for (int b = a; b < 9; b++, at++) {
      if (e[a].size * e[b].size == 0) continue;
      bound_lmi_column(lmi, at);
      bound_lmi_term(lmi, e[a].row, e[b].row, (a == b ? by : 2 * by) * e[a].size * e[b].size);
    }
}

void bound_add_pair(const BoundForm *form, int pair, int first, int second, BoundLmi *lmi) {
  const BoundInto into = bound_into(form, lmi);
  const int sign[2] = {first, second};
  BoundFactor e[9] = {{.size = 1}}, x[2], v[2];
  int n = 1, positive[5] = {0}, count = 1;
  bound_lmi_init(lmi, 1 + (first ? 3 : 2) + (second ? 3 : 2));
  for (int side = 0; side < 2; side++, n += sign[side - 1] ? 3 : 2) {
    int i = form->pair[pair][side], moves = sign[side] != 0;
    BoundFactor *own = e + SIDE * side;
    x[side] = bound_factor(n, n + 1, 1, moves ? bound_pace(form->motion, i) : 0);
    v[side] = bound_factor(n + 1, n + 2, moves, moves ? form->fastest[i] : 0);
    own[1] = bound_factor(n, 0, 1, 0);
    own[2] = bound_factor(n + 1, 0, moves, 0);
    own[3] = bound_factor(n + 2, 0, moves, 0);
    own[4] = bound_factor(moves ? 0 : n + 1, 0, moves ? sign[side] : 1, 0);
    if (moves)
      positive[count++] = bound_add_row(form, lmi, 0, n + 1, sign[side]);
    else
      for (int by = -1; by <= 1; by += 2) positive[count++] = bound_add_row(form, lmi, 1, n + 1, by);
  }
  add_values(&into, form->pair_values + VALUES * pair, sign, (const BoundFactor *const[]){x, x + 1},
             (const BoundFactor *const[]){v, v + 1});
  bound_add_pair_transfer(form, lmi, pair, -1, e);
  for (int a = 0; a < count; a++)
    for (int b = 0; b < a; b++) bound_lmi_product(lmi, positive[a], positive[b]);
  bound_lmi_finish(lmi);
}
