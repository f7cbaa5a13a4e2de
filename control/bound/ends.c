/* SPDX-License-Identifier: BSD-2-Clause */
/* Conditions on V at the final time and at its jumps. At the final time, top - V >= 0 must hold for all targets, with a
 * variable `top`; the program maximises -top. V may jump in time where a subproblem has cuts. There V+ - V- >= 0 must
 * hold for all states of the subproblem; V- is V just before the jump and V+ just after it. */
#include "control/bound/forms.h"

#include <math.h>
#include <stdlib.h>

bool bound_form_is_free(const BoundMotion *motion) {
  for (int k = 0; k < 2 * motion->d; k++)
    if (isnan(motion->to[k])) return true;
  return false;
}

/* Returns a constant as a factor of a product: the number times row 0 of the matrix, the row that stands for 1. */
static BoundFactor constant_factor(double value) { return (BoundFactor){.row = 0, .size = value}; }

/* The function calculates the coefficients from the terms of a 1 x 1 matrix that contains -V. */
SimStatus bound_add_given(const BoundForm *form, const double *at, double by, double *out) {
  const BoundMotion *motion = form->motion;
  int d = motion->d, signs[BOUND_DOFS];
  BoundFactor z[2 * BOUND_DOFS + 1] = {{.size = 1}};
  BoundLmi lmi;
  const BoundInto into = {&lmi, -1, 0, form->node_size};
  bound_lmi_init(&lmi, 1);
  for (int k = 0; k < 2 * d; k++) z[1 + k] = constant_factor(at[k]);
  for (int i = 0; i < d; i++) signs[i] = (at[d + i] > 0) - (at[d + i] < 0);
  bound_add_square(form, &into, z);
  if (form->patterns) bound_add_signs(form, &into, z, signs);
  for (int i = 0, k = form->signs; i < d; i++) {
    if (motion->contact[i] < 0) continue;
    if (!form->patterns) bound_add_part(&into, k++, signs[i], &z[0], &z[1 + d + i]);
    if (!form->knots[i]) continue;
    BoundFactor above[BOUND_KNOTS] = {{.row = 0}};
    for (int n = 0; n < form->knots[i]; n++) above[n] = constant_factor(at[i] - form->knot[i][n]);
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

enum { TRANSFERS = 6 /* number of entries of a transfer, a symmetric matrix on (1, x_i, v_i) */ };

/* The matrices of the final time or of a jump of V in time. Their local variables are `top` (at the final time only)
 * and the transfers. A transfer is a symmetric matrix of free numbers that is added to one matrix and subtracted from
 * another. A dof has a transfer if it has cells and its x or v is free. */
typedef struct Edge {
  const BoundForm *form;
  BoundKind *kind;
  const double *at;          /* [2d] given entries of the state (x, v); NAN: the entry is free */
  const BoundCut *cut;       /* [cuts] cuts (restrictions of some x_i) at the jump of V */
  int cuts;                  /* number of cuts; 0: the matrices are those of the final time */
  int used, size;            /* used: number of matrices so far; size: size of the vector (1, entries of x and v that
                              * are not given) */
  int entry[2 * BOUND_DOFS]; /* index of each entry of (x, v) in the vector (1, entries of x and v that are not
                              * given); 0: the entry is given */
  int transfer[BOUND_DOFS];
} Edge;

static bool is_free(const Edge *edge, int i) {
  return isnan(edge->at[i]) || isnan(edge->at[edge->form->motion->d + i]);
}

/* Returns where terms of V are added in a matrix, and the variables to which they belong. At the final time the matrix
 * contains -V, at a jump the difference V+ - V-. */
static BoundInto edge_into(const Edge *edge, BoundLmi *lmi) {
  int first = edge->kind->local;
  return (BoundInto){lmi, edge->cuts ? first : -1, first + edge->form->node_size, edge->form->node_size};
}

/* Adds the rows x_i - lower and upper - x_i of the limits of x_i, from the cuts at a jump of V. x: index of the row of
 * x_i. Writes the indices of the new rows to `row` and returns their number. */
static int add_limits(const Edge *edge, BoundLmi *lmi, int i, int x, int *row) {
  int count = 0;
  for (int k = 0; k < edge->cuts; k++) {
    const BoundCut *cut = &edge->cut[k];
    if (cut->dof != i) continue;
    if (cut->lower > -INFINITY) row[count++] = bound_add_row(edge->form, lmi, -cut->lower, x, 1);
    if (cut->upper < INFINITY) row[count++] = bound_add_row(edge->form, lmi, cut->upper, x, -1);
  }
  return count;
}

static void add_products(BoundLmi *lmi, int count, const int *row) {
  for (int a = 0; a < count; a++)
    for (int b = 0; b < a; b++) bound_lmi_product(lmi, row[a], row[b]);
}

static void add_transfer(const Edge *edge, BoundLmi *lmi, int i, double by, const BoundFactor z[3]) {
  for (int a = 0, at = edge->transfer[i]; a < 3; a++)
    for (int b = a; b < 3; b++, at++) {
      if (z[a].size * z[b].size == 0) continue;
      bound_lmi_column(lmi, at);
      bound_lmi_term(lmi, z[a].row, z[b].row, (a == b ? by : 2 * by) * z[a].size * z[b].size);
    }
}

/* Builds the matrix of top - V at the final time, or of the difference V+ - V- after and before a jump of V, with all
 * terms of V except some of the cells of x_i. For a dof with a free x or v, a transfer is subtracted in place of the
 * terms of its cells. signs: signs of v. */
static void add_whole(Edge *edge, const int *signs) {
  const BoundForm *form = edge->form;
  const BoundMotion *motion = form->motion;
  int d = motion->d;
  BoundLmi *lmi = &edge->kind->lmi[edge->used++];
  BoundFactor z[2 * BOUND_DOFS + 1] = {{.size = 1}};
  const BoundInto into = edge_into(edge, lmi);
  bound_lmi_init(lmi, edge->size);
  if (!edge->cuts) {
    bound_lmi_column(lmi, 0);
    bound_lmi_term(lmi, 0, 0, 1);
  }
  for (int k = 0; k < 2 * d; k++)
    z[1 + k] = edge->entry[k] ? (BoundFactor){.row = edge->entry[k], .size = 1} : constant_factor(edge->at[k]);
  bound_add_square(form, &into, z);
  if (form->patterns) bound_add_signs(form, &into, z, signs);
  for (int i = 0, k = form->signs; i < d; i++) {
    if (motion->contact[i] < 0) continue;
    int variable = k++;
    if (!form->patterns && !edge->entry[d + i]) bound_add_part(&into, variable, signs[i], &z[0], &z[1 + d + i]);
    if (!form->knots[i]) continue;
    const BoundFactor own[3] = {z[0], z[1 + i], z[1 + d + i]};
    if (is_free(edge, i)) {
      add_transfer(edge, lmi, i, -1, own);
      continue;
    }
    BoundFactor above[BOUND_KNOTS] = {{.row = 0}};
    for (int n = 0; n < form->knots[i]; n++) above[n] = constant_factor(edge->at[i] - form->knot[i][n]);
    bound_add_cell(form, &into, i, bound_cell_of(form, i, edge->at[i]), signs[i], own, above);
  }
  for (int k = 0; k < form->pairs; k++) bound_add_pair_value(form, &into, k, signs, z);
  int row[1 + 3 * BOUND_DOFS] = {0}, count = 1;
  for (int i = 0; i < d; i++) {
    count += add_limits(edge, lmi, i, edge->entry[i], row + count);
    if (form->patterns && edge->entry[d + i] && motion->contact[i] >= 0)
      row[count++] = bound_add_row(form, lmi, 0, edge->entry[d + i], signs[i]);
  }
  add_products(lmi, count, row);
  bound_lmi_finish(lmi);
}

/* Builds the matrix of dof i for one cell and one sign of v_i: the transfer plus the cell terms of -V, or of V+ - V- at
 * a jump. A given x_i or v_i enters as a number. */
static void add_edge_cell(Edge *edge, int i, int cell, int sign) {
  const BoundForm *form = edge->form;
  BoundLmi *lmi = &edge->kind->lmi[edge->used++];
  const BoundInto into = edge_into(edge, lmi);
  double at_x = edge->at[i], at_v = edge->at[form->motion->d + i];
  bool free_x = isnan(at_x), free_v = isnan(at_v);
  int positive[6] = {0}, count = 1;
  bound_lmi_init(lmi, 1 + free_x + free_v);
  const BoundFactor x = free_x ? (BoundFactor){.row = 1, .size = 1} : constant_factor(at_x),
                    v = free_v ? (BoundFactor){.row = 1 + free_x, .size = 1} : constant_factor(at_v);
  const BoundFactor z[3] = {{.size = 1}, x, v};
  BoundFactor above[BOUND_KNOTS] = {{.row = 0}};
  for (int k = 0; k < form->knots[i]; k++)
    above[k] = free_x ? (BoundFactor){.row = bound_add_row(form, lmi, -form->knot[i][k], 1, 1), .size = 1}
                      : constant_factor(at_x - form->knot[i][k]);
  add_transfer(edge, lmi, i, 1, z);
  bound_add_cell(form, &into, i, cell, sign, z, above);
  if (free_x && cell > 0) positive[count++] = above[cell - 1].row;
  if (free_x && cell < form->knots[i]) positive[count++] = bound_add_row(form, lmi, form->knot[i][cell], 1, -1);
  if (free_v) positive[count++] = bound_add_row(form, lmi, 0, v.row, sign);
  count += add_limits(edge, lmi, i, 1, positive + count);
  add_products(lmi, count, positive);
  bound_lmi_finish(lmi);
}

/* Whether the position x_i can be in a cell, given the cuts at a jump of V. */
static bool can_reach_cell(const Edge *edge, int i, int cell) {
  const BoundForm *form = edge->form;
  for (int k = 0; k < edge->cuts; k++) {
    const BoundCut *cut = &edge->cut[k];
    if (cut->dof != i) continue;
    if (cell > 0 && cut->upper < form->knot[i][cell - 1]) return false;
    if (cell < form->knots[i] && cut->lower > form->knot[i][cell]) return false;
  }
  return true;
}

static void add_edge_cells(Edge *edge, int i) {
  double x = edge->at[i], v = edge->at[edge->form->motion->d + i];
  for (int cell = 0; cell <= edge->form->knots[i]; cell++)
    for (int sign = -1; sign <= 1; sign++) {
      if (isnan(x) ? !can_reach_cell(edge, i, cell) : cell != bound_cell_of(edge->form, i, x)) continue;
      if (isnan(v) ? sign == 0 : sign != (v > 0) - (v < 0)) continue;
      add_edge_cell(edge, i, cell, sign);
    }
}

/* Adds a condition on the coefficient p_i of |v_i| in V: p_i <= 0 at the final time, or, at a jump of V, p_i after the
 * jump >= p_i before the jump. The condition is needed if the velocity v_i is free at that time. */
static void add_slope(Edge *edge, int variable) {
  BoundLmi *lmi = &edge->kind->lmi[edge->used++];
  const BoundInto into = edge_into(edge, lmi);
  const BoundFactor one = {.size = 1};
  bound_lmi_init(lmi, 1);
  bound_add_part(&into, variable, 1, &one, &one);
  bound_lmi_finish(lmi);
}

static SimStatus add_edge(Edge *edge) {
  const BoundForm *form = edge->form;
  const BoundMotion *motion = form->motion;
  int d = motion->d, signs[BOUND_DOFS], patterns = 1, room = 0, local = !edge->cuts;
  edge->size = 1;
  for (int k = 0; k < 2 * d; k++) edge->entry[k] = isnan(edge->at[k]) ? edge->size++ : 0;
  for (int i = 0; i < d; i++) {
    bool rubs = edge->entry[d + i] && motion->contact[i] >= 0;
    if (rubs && form->patterns) patterns *= 2;
    room += rubs && !form->patterns;
    room += form->knots[i] ? 2 * (form->knots[i] + 1) : 0;
    edge->transfer[i] = local;
    local += form->knots[i] && is_free(edge, i) ? TRANSFERS : 0;
  }
  SimStatus status = bound_kind_init(edge->kind, patterns + room, local);
  if (status != SIM_OK) return status;
  if (!edge->cuts) edge->kind->gain[0] = -1;
  for (int k = 0; k < patterns; k++) {
    for (int i = 0, bits = k; i < d; i++) {
      double v = edge->at[d + i];
      signs[i] = (v > 0) - (v < 0);
      if (!isnan(v) || motion->contact[i] < 0) continue;
      signs[i] = bits % 2 ? 1 : -1;
      bits /= 2;
    }
    add_whole(edge, signs);
  }
  for (int i = 0, k = form->signs; i < d; i++) {
    if (motion->contact[i] < 0) continue;
    if (edge->entry[d + i] && !form->patterns) add_slope(edge, k);
    k++;
    if (form->knots[i] && is_free(edge, i)) add_edge_cells(edge, i);
  }
  edge->kind->lmis = edge->used;
  return SIM_OK;
}

SimStatus bound_add_ends(const BoundForm *form, BoundProgram *program) {
  SimStatus status = bound_add_given(form, form->motion->from, 1, program->first);
  Edge end = {.form = form, .kind = &program->kind[program->kinds - 1], .at = form->motion->to};
  if (status == SIM_OK && bound_form_is_free(form->motion)) return add_edge(&end);
  return status == SIM_OK ? bound_add_given(form, form->motion->to, -1, program->last) : status;
}

SimStatus bound_add_jump(const BoundForm *form, const BoundCut *cut, int cuts, BoundKind *kind) {
  double anywhere[2 * BOUND_DOFS];
  for (int k = 0; k < 2 * form->motion->d; k++) anywhere[k] = NAN;
  Edge jump = {.form = form, .kind = kind, .at = anywhere, .cut = cut, .cuts = cuts};
  return add_edge(&jump);
}
