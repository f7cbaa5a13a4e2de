/* V at both ends. At the end top - V >= 0 on all targets, and -top is to be large. */
#include "control/bound/forms.h"

#include <math.h>
#include <stdlib.h>

bool bound_form_is_free(const BoundMotion *motion) {
  for (int k = 0; k < 2 * motion->d; k++)
    if (isnan(motion->to[k])) return true;
  return false;
}

/* A number as what is multiplied: it, times row 0. */
static BoundFactor number(double value) { return (BoundFactor){.row = 0, .size = value}; }

/* Read from the terms of a matrix of size 1, which has -V. */
SimStatus bound_add_given(const BoundForm *form, const double *at, double by, double *out) {
  const BoundMotion *motion = form->motion;
  int d = motion->d, signs[BOUND_DOFS];
  BoundFactor z[2 * BOUND_DOFS + 1] = {{.size = 1}};
  BoundLmi lmi;
  const BoundInto into = {&lmi, -1, 0};
  bound_lmi_init(&lmi, 1);
  for (int k = 0; k < 2 * d; k++) z[1 + k] = number(at[k]);
  for (int i = 0; i < d; i++) signs[i] = (at[d + i] > 0) - (at[d + i] < 0);
  bound_add_square(form, &into, z);
  if (form->patterns) bound_add_signs(form, &into, z, signs);
  for (int i = 0, k = form->signs; i < d; i++) {
    if (motion->contact[i] < 0) continue;
    if (!form->patterns) bound_add_part(&into, k++, signs[i], &z[0], &z[1 + d + i]);
    if (!form->knots[i]) continue;
    BoundFactor above[BOUND_KNOTS] = {{.row = 0}};
    for (int n = 0; n < form->knots[i]; n++) above[n] = number(at[i] - form->knot[i][n]);
    bound_add_cell(form, &into, i, bound_cell_of(form, i, at[i]), signs[i],
                   (BoundFactor[]){z[0], z[1 + i], z[1 + d + i]}, above);
  }
  for (int k = 0; k < form->pairs; k++) bound_add_pair_value(form, &into, k, signs, z);
  for (int c = 0; c < lmi.columns; c++)
    for (int t = lmi.first[c]; t < lmi.first[c + 1]; t++) out[lmi.variable[c]] -= by * lmi.term[t].weight;
  SimStatus status = lmi.no_memory ? SIM_NO_MEMORY : SIM_OK;
  bound_lmi_clear(&lmi);
  return status;
}

enum { TRANSFERS = 6 /* on (1, x_i, v_i) */ };

/* The end's matrices, and where they begin among its variables: top, transfers of dof with cells that are not wholly given. */
typedef struct End {
  const BoundForm *form;
  BoundKind *kind;
  int used, size;            /* matrices so far; entries of (1, what is free) */
  int entry[2 * BOUND_DOFS]; /* of x, v: which of these, 0: given */
  int transfer[BOUND_DOFS];
} End;

static bool is_free(const BoundForm *form, int i) {
  return isnan(form->motion->to[i]) || isnan(form->motion->to[form->motion->d + i]);
}

static BoundInto end_into(const End *end, BoundLmi *lmi) {
  return (BoundInto){lmi, -1, end->kind->local + end->form->node_size};
}

static void add_transfer(const End *end, BoundLmi *lmi, int i, double by, const BoundFactor z[3]) {
  for (int a = 0, at = end->transfer[i]; a < 3; a++)
    for (int b = a; b < 3; b++, at++) {
      if (z[a].size * z[b].size == 0) continue;
      bound_lmi_column(lmi, at);
      bound_lmi_term(lmi, z[a].row, z[b].row, (a == b ? by : 2 * by) * z[a].size * z[b].size);
    }
}

/* top - V's first and second part - transfers; signs: of v. */
static void add_whole(End *end, const int *signs) {
  const BoundForm *form = end->form;
  const BoundMotion *motion = form->motion;
  int d = motion->d;
  BoundLmi *lmi = &end->kind->lmi[end->used++];
  BoundFactor z[2 * BOUND_DOFS + 1] = {{.size = 1}};
  const BoundInto into = end_into(end, lmi);
  bound_lmi_init(lmi, end->size);
  bound_lmi_column(lmi, 0);
  bound_lmi_term(lmi, 0, 0, 1);
  for (int k = 0; k < 2 * d; k++)
    z[1 + k] = end->entry[k] ? (BoundFactor){.row = end->entry[k], .size = 1} : number(motion->to[k]);
  bound_add_square(form, &into, z);
  if (form->patterns) bound_add_signs(form, &into, z, signs);
  for (int i = 0, k = form->signs; i < d; i++) {
    if (motion->contact[i] < 0) continue;
    int variable = k++;
    if (!form->patterns && !end->entry[d + i]) bound_add_part(&into, variable, signs[i], &z[0], &z[1 + d + i]);
    if (!form->knots[i]) continue;
    const BoundFactor own[3] = {z[0], z[1 + i], z[1 + d + i]};
    if (is_free(form, i)) {
      add_transfer(end, lmi, i, -1, own);
      continue;
    }
    BoundFactor above[BOUND_KNOTS] = {{.row = 0}};
    for (int n = 0; n < form->knots[i]; n++) above[n] = number(motion->to[i] - form->knot[i][n]);
    bound_add_cell(form, &into, i, bound_cell_of(form, i, motion->to[i]), signs[i], own, above);
  }
  for (int k = 0; k < form->pairs; k++) bound_add_pair_value(form, &into, k, signs, z);
  int row[BOUND_DOFS + 1] = {0}, count = 1;
  for (int i = 0; i < d && form->patterns; i++)
    if (end->entry[d + i] && motion->contact[i] >= 0)
      row[count++] = bound_add_row(form, lmi, 0, end->entry[d + i], signs[i]);
  for (int a = 0; a < count; a++)
    for (int b = 0; b < a; b++) bound_lmi_product(lmi, row[a], row[b]);
  bound_lmi_finish(lmi);
}

/* The transfer of dof i less its cells' part of V, in a cell with a sign; or what they are where they are given. */
static void add_end_cell(End *end, int i, int cell, int sign) {
  const BoundForm *form = end->form;
  const BoundMotion *motion = form->motion;
  BoundLmi *lmi = &end->kind->lmi[end->used++];
  const BoundInto into = end_into(end, lmi);
  bool free_x = end->entry[i], free_v = end->entry[motion->d + i];
  int positive[4] = {0}, count = 1;
  bound_lmi_init(lmi, 1 + free_x + free_v);
  const BoundFactor x = free_x ? (BoundFactor){.row = 1, .size = 1} : number(motion->to[i]),
                    v = free_v ? (BoundFactor){.row = 1 + free_x, .size = 1} : number(motion->to[motion->d + i]);
  const BoundFactor z[3] = {{.size = 1}, x, v};
  BoundFactor above[BOUND_KNOTS] = {{.row = 0}};
  for (int k = 0; k < form->knots[i]; k++)
    above[k] = free_x ? (BoundFactor){.row = bound_add_row(form, lmi, -form->knot[i][k], 1, 1), .size = 1}
                      : number(motion->to[i] - form->knot[i][k]);
  add_transfer(end, lmi, i, 1, z);
  bound_add_cell(form, &into, i, cell, sign, z, above);
  if (free_x && cell > 0) positive[count++] = above[cell - 1].row;
  if (free_x && cell < form->knots[i]) positive[count++] = bound_add_row(form, lmi, form->knot[i][cell], 1, -1);
  if (free_v) positive[count++] = bound_add_row(form, lmi, 0, v.row, sign);
  for (int a = 0; a < count; a++)
    for (int b = 0; b < a; b++) bound_lmi_product(lmi, positive[a], positive[b]);
  bound_lmi_finish(lmi);
}

static void add_end_cells(End *end, int i) {
  const BoundForm *form = end->form;
  double x = form->motion->to[i], v = form->motion->to[form->motion->d + i];
  for (int cell = 0; cell <= form->knots[i]; cell++)
    for (int sign = -1; sign <= 1; sign++) {
      if (!isnan(x) && cell != bound_cell_of(form, i, x)) continue;
      if (isnan(v) ? sign == 0 : sign != (v > 0) - (v < 0)) continue;
      add_end_cell(end, i, cell, sign);
    }
}

/* p_i <= 0 where v_i is free. */
static void add_slope(End *end, int variable) {
  BoundLmi *lmi = &end->kind->lmi[end->used++];
  const BoundInto into = end_into(end, lmi);
  const BoundFactor one = {.size = 1};
  bound_lmi_init(lmi, 1);
  bound_add_part(&into, variable, 1, &one, &one);
  bound_lmi_finish(lmi);
}

static SimStatus add_free_end(const BoundForm *form, BoundKind *kind) {
  const BoundMotion *motion = form->motion;
  int d = motion->d, signs[BOUND_DOFS], patterns = 1, room = 0, local = 1;
  End end = {.form = form, .kind = kind, .size = 1};
  for (int k = 0; k < 2 * d; k++) end.entry[k] = isnan(motion->to[k]) ? end.size++ : 0;
  for (int i = 0; i < d; i++) {
    bool rubs = end.entry[d + i] && motion->contact[i] >= 0;
    if (rubs && form->patterns) patterns *= 2;
    room += rubs && !form->patterns;
    room += form->knots[i] ? 2 * (form->knots[i] + 1) : 0;
    end.transfer[i] = local;
    local += form->knots[i] && is_free(form, i) ? TRANSFERS : 0;
  }
  SimStatus status = bound_kind_init(kind, patterns + room, local);
  if (status != SIM_OK) return status;
  kind->gain[0] = -1;
  for (int k = 0; k < patterns; k++) {
    for (int i = 0, bits = k; i < d; i++) {
      double v = motion->to[d + i];
      signs[i] = (v > 0) - (v < 0);
      if (!isnan(v) || motion->contact[i] < 0) continue;
      signs[i] = bits % 2 ? 1 : -1;
      bits /= 2;
    }
    add_whole(&end, signs);
  }
  for (int i = 0, k = form->signs; i < d; i++) {
    if (motion->contact[i] < 0) continue;
    if (end.entry[d + i] && !form->patterns) add_slope(&end, k);
    k++;
    if (form->knots[i] && is_free(form, i)) add_end_cells(&end, i);
  }
  kind->lmis = end.used;
  return SIM_OK;
}

SimStatus bound_add_ends(const BoundForm *form, BoundProgram *program) {
  SimStatus status = bound_add_given(form, form->motion->from, 1, program->first);
  if (status == SIM_OK && bound_form_is_free(form->motion)) return add_free_end(form, program->kind + 1);
  return status == SIM_OK ? bound_add_given(form, form->motion->to, -1, program->last) : status;
}
