/* SPDX-License-Identifier: BSD-2-Clause */
/* The terms of the test function V and of its rate, and the construction of the whole semidefinite program. */
#include "control/bound/forms.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double power_above(double a) { return a > 0 ? ldexp(1, ilogb(a) + 1) : 1; }

/* Sets the knots of dof i, in ascending order between the start and the target of x_i. The knots are denser near start
 * and target, where V behaves like the square root of the remaining distance. */
static void set_knots(BoundForm *form, int i, int knots) {
  double from = form->motion->from[i], to = form->motion->to[i];
  int count = isnan(to) || to == from ? 1 : knots;
  form->knots[i] = count;
  for (int k = 0; k < count; k++) {
    double part = count == 1 ? 0 : (double)k / (count - 1), way = fmax(from, to) - fmin(from, to);
    form->knot[i][k] =
        count == 1 ? from : fmin(from, to) + way * (part < 0.5 ? 2 * part * part : 1 - 2 * (1 - part) * (1 - part));
  }
  if (count > 1) form->knot[i][count - 1] = fmax(from, to);
}

/* Numbers of entries of the transfer of dof i, a symmetric matrix of free numbers. TRANSFERS: one 5 x 5 matrix for all
 * signs of v_i, if patterns of signs are not used. Otherwise TRANSFERS_MOVING: a 4 x 4 matrix each for forward and
 * backward motion; TRANSFERS_AT_REST: a 3 x 3 matrix for rest. */
enum { TRANSFERS = 15, TRANSFERS_MOVING = 10, TRANSFERS_AT_REST = 6 };

static int count_transfers(const BoundForm *form, int i) {
  if (!form->knots[i]) return 0;
  return form->patterns ? 2 * TRANSFERS_MOVING + TRANSFERS_AT_REST : TRANSFERS;
}

SimStatus bound_form_init(const BoundMotion *motion, const BoundMesh *mesh, const BoundForce *force,
                          const BoundDrift *drift, bool patterns, int knots, bool pairs, BoundForm *form) {
  int d = motion->d, n = 1 + 2 * d, all = motion->rubbing;
  *form = (BoundForm){.motion = motion, .mesh = mesh, .force = force, .drift = drift, .patterns = patterns};
  form->signs = bound_entries(n);
  form->node_size = form->signs + (patterns ? all * n + all * (all - 1) / 2 : all);
  for (int i = 0; i < d; i++) {
    double sum = 0;
    for (int c = 0; c < motion->y; c++)
      sum += fabs(motion->rate[i * motion->y + c]) + motion->rate_off[i * motion->y + c];
    form->fastest[i] = power_above(sum * (1 + 1e-9));
    form->cells[i] = form->node_size;
    if (motion->contact[i] < 0 || !knots) continue;
    set_knots(form, i, knots);
    form->node_size += (patterns ? 0 : 3) + 4 * form->knots[i];
  }
  for (int i = 0; i < d; i++) form->local += count_transfers(form, i);
  if (pairs) bound_form_pairs(form);
  form->room = malloc(2 * (size_t)motion->y * sizeof *form->room);
  return form->room ? SIM_OK : SIM_NO_MEMORY;
}

void bound_form_clear(BoundForm *form) {
  free(form->room);
  *form = (BoundForm){0};
}

/* Adds the terms that the drift causes in the rate of a product of two factors (drift.h). In the rate of a factor the
 * drift multiplies the constant 1, row 0 of the matrix. */
static void add_drift(const BoundInto *into, int variable, double w, const BoundFactor *a, const BoundFactor *b) {
  for (int side = 0; side < 2; side++) {
    const BoundFactor *moved = side ? a : b, *other = side ? b : a;
    if (!moved->drift) continue;
    if (!(side && a->drift == b->drift))
      bound_lmi_column(into->lmi, into->values + moved->drift * into->node_size + variable);
    bound_lmi_term(into->lmi, other->row, 0, w * other->size * moved->pace);
  }
}

void bound_add_part(const BoundInto *into, int variable, double w, const BoundFactor *a, const BoundFactor *b) {
  BoundLmi *lmi = into->lmi;
  if (a->size * b->size == 0) return;
  bound_lmi_column(lmi, (into->rates < 0 ? into->values : into->rates) + variable);
  bound_lmi_term(lmi, a->row, b->row, (into->rates < 0 ? -w : w) * a->size * b->size);
  if (into->rates < 0 || (a->pace == 0 && b->pace == 0)) return;
  bound_lmi_column(lmi, into->values + variable);
  bound_lmi_term(lmi, a->row, b->rate, w * a->size * b->pace);
  bound_lmi_term(lmi, b->row, a->rate, w * b->size * a->pace);
  add_drift(into, variable, w, a, b);
}

void bound_add_square(const BoundForm *form, const BoundInto *into, const BoundFactor *z) {
  int n = 1 + 2 * form->motion->d;
  for (int a = 0; a < n; a++)
    for (int b = a; b < n; b++) bound_add_part(into, bound_entry(n, a, b), a == b ? 1 : 2, &z[a], &z[b]);
}

void bound_add_signs(const BoundForm *form, const BoundInto *into, const BoundFactor *z, const int *signs) {
  const BoundMotion *motion = form->motion;
  int d = motion->d, n = 1 + 2 * d, at = form->signs;
  for (int i = 0; i < d; i++) {
    if (motion->contact[i] < 0) continue;
    for (int a = 0; a < n; a++, at++) bound_add_part(into, at, signs[i], &z[1 + d + i], &z[a]);
  }
  for (int i = 0; i < d; i++)
    for (int j = 0; j < i; j++)
      if (motion->contact[i] >= 0 && motion->contact[j] >= 0)
        bound_add_part(into, at++, signs[i] * signs[j], &z[1 + d + i], &z[1 + d + j]);
}

void bound_add_cell(const BoundForm *form, const BoundInto *into, int i, int cell, int sign, const BoundFactor z[3],
                    const BoundFactor *above) {
  int at = form->cells[i];
  for (int k = 0; k < 3 && !form->patterns; k++, at++) bound_add_part(into, at, sign, &z[2], &z[k]);
  for (int k = 0; k < form->knots[i]; k++, at += 4) {
    if (k >= cell) continue;
    for (int j = 0; j < 3; j++) bound_add_part(into, at + j, 1, &above[k], &z[j]);
    bound_add_part(into, at + 3, sign, &above[k], &z[2]);
  }
}

int bound_cell_of(const BoundForm *form, int i, double x) {
  int cell = 0;
  while (cell < form->knots[i] && x > form->knot[i][cell]) cell++;
  return cell;
}

void bound_add_transfer(const BoundForm *form, BoundLmi *lmi, int i, int sign, double by, const BoundFactor e[5]) {
  static const int moving[4] = {0, 1, 2, 3}, at_rest[3] = {0, 1, 4}, all[5] = {0, 1, 2, 3, 4};
  const int *which = !form->patterns ? all : sign ? moving : at_rest;
  int n = !form->patterns ? 5 : sign ? 4 : 3, at = 0;
  for (int j = 0; j < i; j++) at += count_transfers(form, j);
  if (form->patterns) at += sign > 0 ? 0 : sign < 0 ? TRANSFERS_MOVING : 2 * TRANSFERS_MOVING;
  for (int a = 0; a < n; a++)
    for (int b = a; b < n; b++, at++) {
      const BoundFactor *one = &e[which[a]], *other = &e[which[b]];
      if (one->size * other->size == 0) continue;
      bound_lmi_column(lmi, at);
      bound_lmi_term(lmi, one->row, other->row, (a == b ? by : 2 * by) * one->size * other->size);
    }
}

int bound_add_row(const BoundForm *form, BoundLmi *lmi, double one, int a, double by) {
  memset(form->room, 0, (size_t)lmi->n * sizeof *form->room);
  form->room[0] = one;
  form->room[a] += by;
  return bound_lmi_row(lmi, form->room, NULL);
}

void bound_add_effort(const BoundMotion *motion, BoundLmi *lmi, int u) {
  lmi->u = u;
  lmi->controls = motion->m;
  for (int j = 0; j < motion->m && !lmi->no_memory; j++)
    for (int k = 0; k < motion->m; k++) {
      int at = (u + j) * lmi->n + u + k;
      lmi->start[at] = motion->weight[j * motion->m + k];
      lmi->start_off[at] = 8 * DBL_EPSILON * fabs(lmi->start[at]);
    }
}

static int bound_patterns(const BoundForm *form) {
  int count = 1;
  for (int k = 0; k < form->motion->rubbing && form->patterns; k++) count *= 3;
  return count;
}

/* Builds all matrices of the time points inside intervals; time points at jumps and at ends have other matrices. */
static SimStatus add_place(const BoundForm *form, BoundKind *kind) {
  int lmis = bound_patterns(form) + 9 * form->pairs, at = 0;
  for (int i = 0; i < form->motion->d; i++) lmis += form->knots[i] ? 3 * (form->knots[i] + 1) : 0;
  SimStatus status = bound_kind_init(kind, lmis, form->local);
  for (; at < bound_patterns(form) && status == SIM_OK; at++)
    status = form->patterns ? bound_add_pattern(form, at, &kind->lmi[at]) : bound_add_quadratic(form, &kind->lmi[at]);
  for (int i = 0; i < form->motion->d && status == SIM_OK; i++)
    for (int k = 0; k < 3 * (form->knots[i] + 1) && form->knots[i]; k++)
      bound_add_cells(form, i, k / 3, k % 3 - 1, &kind->lmi[at++]);
  for (int k = 0; k < 9 * form->pairs && status == SIM_OK; k++)
    bound_add_pair(form, k / 9, k % 3 - 1, k / 3 % 3 - 1, &kind->lmi[at++]);
  return status;
}

/* Returns Bernstein coefficient e of the product g_j g_k of two lines on an interval. The product has degree 2, which
 * is raised to degree r. a, b: values of the lines g_j and g_k at both ends of the interval. */
static double product_of_lines(int r, int e, const double a[2], const double b[2]) {
  const double c[3] = {a[0] * b[0], a[0] * b[1] + a[1] * b[0], a[1] * b[1]};
  double all = (double)r * (r - 1), left = (double)(r - e) * (r - e - 1), right = (double)e * (e - 1);
  return (left * c[0] + (double)e * (r - e) * c[1] + right * c[2]) / all;
}

/* Adds N (w - g).(w - g) - N w.w to the cost of each time point. w: the control that includes B^-1 f; g: lines in time
 * that approximate B^-1 f (force.h). */
static SimStatus add_costs(const BoundForm *form, BoundProgram *program) {
  const BoundMotion *motion = form->motion;
  int m = motion->m, r = form->mesh->degree, each = bound_mesh_places(form->mesh),
      places = form->mesh->intervals * each;
  program->costs = calloc((size_t)(2 * (1 + m) * places), sizeof *program->costs);
  if (!program->costs) return SIM_NO_MEMORY;
  for (int p = 0; p < places; p++) {
    const double *line = form->force->line + p / each * 2 * m;
    double *cost = program->costs + 2 * (1 + m) * p, *off = cost + 1 + m;
    int e = p % each;
    program->place[p].cost = cost;
    for (int j = 0; j < m; j++)
      for (int k = 0; k < m; k++) {
        const double a[2] = {line[j] / motion->U[j], line[m + j] / motion->U[j]},
                     b[2] = {line[k] / motion->U[k], line[m + k] / motion->U[k]};
        double weight = motion->weight[j * m + k], size_b = fabs(b[0]) + fabs(b[1]);
        cost[0] += weight * product_of_lines(r, e, a, b);
        cost[1 + j] -= weight * (b[0] * (r - e) + b[1] * e) / r;
        off[0] += 64 * DBL_EPSILON * fabs(weight) * (fabs(a[0]) + fabs(a[1])) * size_b * m;
        off[1 + j] += 64 * DBL_EPSILON * fabs(weight) * size_b * m;
      }
  }
  return SIM_OK;
}

/* Returns the number of consecutive cuts that have the same time as the first one. */
static int same_time(const BoundCut *cut, int cuts) {
  int count = 1;
  while (count < cuts && cut[count].interval == cut->interval) count++;
  return count;
}

/* Sets up a time point at the start, at the end or at a jump of V. A jump has two nodes, and the "rate" of a variable
 * there is its difference between these nodes. */
static void set_edge(BoundPlace *place, int kind, int node, int span) {
  place->kind = kind;
  place->node = node;
  place->span = span;
  place->share = 1;
  place->weight[BOUND_VALUE * BOUND_SPAN] = 1;
  if (span < 2) return;
  place->weight[BOUND_RATE * BOUND_SPAN] = -1;
  place->weight[BOUND_RATE * BOUND_SPAN + 1] = 1;
}

/* Adds the jumps of V in time. The mesh has one node at the time of a jump, for V before the jump. Each jump gets one
 * more node, for V after the jump. */
static SimStatus add_jumps(const BoundForm *form, const BoundCut *cut, int cuts, BoundProgram *program) {
  int r = form->mesh->degree, each = bound_mesh_places(form->mesh), places = form->mesh->intervals * each, jumps = 0;
  SimStatus status = SIM_OK;
  for (int k = 0, count; k < cuts && status == SIM_OK; k += count, jumps++) {
    count = same_time(cut + k, cuts - k);
    for (int p = cut[k].interval * each; p < places; p++) program->place[p].node++;
    set_edge(&program->place[places + jumps], 1 + jumps, cut[k].interval * r + jumps, 2);
    status = bound_add_jump(form, cut + k, count, &program->kind[1 + jumps]);
  }
  return status;
}

static void add_drift_parts(const BoundForm *form, int interval, int e, BoundPlace *place) {
  const BoundMotion *motion = form->motion;
  double scale[BOUND_DOFS];
  for (int i = 0; i < motion->d; i++) scale[i] = motion->end / motion->V[i];
  bound_drift_place(form->drift, form->mesh, interval, e, scale, motion->d, place);
}

SimStatus bound_form_program(const BoundForm *form, const BoundCut *cut, int cuts, BoundProgram *program) {
  const BoundMesh *mesh = form->mesh;
  bool free_end = bound_form_is_free(form->motion);
  int r = mesh->degree, each = bound_mesh_places(mesh), places = mesh->intervals * each, jumps = 0;
  for (int k = 0; k < cuts; k += same_time(cut + k, cuts - k)) jumps++;
  int nodes = mesh->intervals * r + 1 + jumps, kinds = 1 + jumps + free_end;
  SimStatus status = bound_program_init(program, form->node_size, BOUND_FORCED + form->drift->parts, nodes, kinds,
                                        places + jumps + free_end);
  for (int p = 0; p < places && status == SIM_OK; p++) {
    bound_mesh_place(mesh, p / each, p % each, &program->place[p]);
    if (form->drift->parts) add_drift_parts(form, p / each, p % each, &program->place[p]);
  }
  if (status == SIM_OK) status = add_jumps(form, cut, cuts, program);
  if (free_end && status == SIM_OK) set_edge(&program->place[places + jumps], kinds - 1, nodes - 1, 1);
  if (status == SIM_OK && form->force->varies) status = add_costs(form, program);
  if (status == SIM_OK) status = add_place(form, program->kind);
  if (status == SIM_OK) status = bound_add_ends(form, program);
  return status == SIM_OK && !bound_program_whole(program) ? SIM_NO_MEMORY : status;
}
