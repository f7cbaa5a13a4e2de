/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/speed/modes.h"

#include "sim/graph/derivative.h"
#include "sim/mechanism/equations.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RESULTS = MODES_D * (MODES_D + 5) / 2 };

/* Makes the nodes of r - Q, of c and of M's lower triangle, column by column: made [d (d + 5)/2]. */
static bool make_nodes(Graph *graph, int d, const int *outputs, int *made) {
  int variables[MODES_D], one = graph_number(graph, 1), *next = made + 2 * d;
  bool good = true;
  for (int i = 0; i < d; i++) variables[i] = graph_variable(graph, 2 * d + i);
  for (int j = 0; j < d && good; j++, next += d + 1 - j)
    good = graph_tangent(graph, d - j, outputs + EQUATIONS_RESIDUAL * d + j, 1, &variables[j], &one, next);
  for (int i = 0; i < d && good; i++) {
    made[i] = graph_subtract(graph, outputs[EQUATIONS_RESIDUAL * d + i], outputs[EQUATIONS_APPLIED * d + i]);
    made[d + i] = outputs[EQUATIONS_THRESHOLD * d + i];
  }
  return good && made[d - 1] >= 0;
}

/* Copies a graph to `into`, with accelerations 0. nodes: replaced by their copies. */
static bool fold(const Graph *graph, int d, int count, int *nodes, Graph *into) {
  int *made = malloc((size_t)graph->n * sizeof *made);
  bool good = made;
  for (int i = 0; i < graph->n && good; i++) {
    const GraphNode *node = &graph->nodes[i];
    int n = graph_operands(node->kind), of = node->a;
    if (node->kind == GRAPH_NUMBER)
      made[i] = graph_number(into, node->offset);
    else if (node->kind == GRAPH_VARIABLE)
      made[i] = of >= 2 * d && of < 3 * d ? graph_number(into, 0) : graph_variable(into, of);
    else if (node->kind == GRAPH_AFFINE)
      made[i] = graph_affine(into, node->factor, made[of], node->offset);
    else
      made[i] = graph_make(into, node->kind, made[of], n > 1 ? made[node->b] : 0, n > 2 ? made[node->c] : 0);
    good = made[i] >= 0;
  }
  for (int i = 0; i < count && good; i++) nodes[i] = made[nodes[i]];
  free(made);
  return good;
}

bool modes_create(const SimProblem *problem, Modes *modes) {
  int d = problem->d, outputs[EQUATIONS_VECTORS * MODES_D + 2], made[RESULTS], count = d * (d + 5) / 2;
  Graph graph, folded;
  *modes = (Modes){.problem = problem, .d = d};
  bool good = d <= MODES_D && equations_read(problem, false, &graph, outputs) == SIM_OK;
  graph_init(&folded, GRAPH_TIDY);
  if (good && make_nodes(&graph, d, outputs, made) && fold(&graph, d, count, made, &folded))
    modes->formula = graph_formula_create(&folded, equations_states(problem), count, made);
  graph_clear(&graph);
  graph_clear(&folded);
  return modes->formula;
}

void modes_clear(Modes *modes) { graph_formula_destroy(modes->formula); }

/* Evaluates the equations at the state y. */
static void evaluate(Modes *modes, double t, const double *y) {
  int d = modes->d;
  modes->evaluations++;
  memcpy(modes->given, y, 2 * (size_t)d * sizeof *y); /* the formula does not depend on accelerations */
  modes->given[3 * d] = t;
  graph_formula_values(modes->formula, modes->given, modes->values);
  const double *next = modes->values + 2 * d;
  for (int j = 0; j < d; j++)
    for (int i = j; i < d; i++) modes->mass[i][j] = modes->mass[j][i] = *next++;
  memcpy(modes->threshold, modes->values + d, (size_t)d * sizeof *y);
}

/* Solves M_SS a_S = b_S for the coordinates S that move, by Cholesky's method; a is 0 for all others. */
static void solve(Modes *modes, const bool *moves, const double *b, double *a) {
  int d = modes->d;
  for (int i = 0; i < d; i++) {
    double *row = modes->factor[i];
    a[i] = moves[i] ? b[i] : 0;
    for (int j = 0; j <= i && moves[i]; j++) {
      double sum = modes->mass[i][j], *other = modes->factor[j];
      if (!moves[j]) continue;
      for (int k = 0; k < j; k++)
        if (moves[k]) sum -= row[k] * other[k];
      row[j] = i == j ? 1 / sqrt(sum) : sum * other[j];
      a[i] = i == j ? a[i] * row[i] : a[i] - row[j] * a[j];
    }
  }
  for (int i = d - 1; i >= 0; i--) {
    if (!moves[i]) continue;
    for (int j = i + 1; j < d; j++)
      if (moves[j]) a[i] -= modes->factor[j][i] * a[j];
    a[i] *= modes->factor[i][i];
  }
}

/* Returns the force on coordinate i that its own acceleration or friction must balance. */
static double left_for(const Modes *modes, int i, const double *a) {
  double left = modes->force[i] - modes->values[i];
  for (int j = 0; j < modes->d; j++) left -= modes->mass[i][j] * a[j];
  return left;
}

void modes_rates(Modes *modes, double t, const double *y, double *rates) {
  int d = modes->d;
  double b[MODES_D] = {0};
  bool moves[MODES_D] = {false};
  evaluate(modes, t, y);
  for (int i = 0; i < d; i++) {
    moves[i] = modes->slip[i] != 0 || !modes_rubs(modes, i);
    rates[i] = moves[i] ? y[d + i] : 0;
    b[i] = modes->force[i] - modes->values[i] - modes->slip[i] * modes->threshold[i];
  }
  solve(modes, moves, b, rates + d);
  for (int i = 0; i < d; i++)
    if (!moves[i]) modes->held[i] = left_for(modes, i, rates + d);
}

/* Makes one Gauss-Seidel sweep over the accelerations of those that may move. */
static void sweep(const Modes *modes, const bool *rests, double *a) {
  for (int i = 0; i < modes->d; i++) {
    double z = left_for(modes, i, a) + modes->mass[i][i] * a[i], c = modes->threshold[i];
    if (rests[i])
      z = fabs(z) > c ? z - copysign(c, z) : 0;
    else
      z -= modes->slip[i] * c;
    a[i] = z / modes->mass[i][i];
  }
}

/* Sets which coordinates begin to slide now. */
static void find_beginning(Modes *modes, const double *y) {
  for (int i = 0; i < modes->d; i++) modes->begins[i] = modes->slip[i] && y[modes->d + i] == 0;
}

/* Decides the coordinates at rest: their accelerations are the minimum of a'M a/2 - b'a + sum c|a|. Sweeps find the
 * signs, and the equations of these signs confirm them. */
static void decide(Modes *modes, double t, double *y, const bool *rests) {
  enum { SWEEPS = 1000 };
  static const double NOTHING = 1e-13;        /* relative error of a threshold that counts as reached */
  int d = modes->d <= MODES_D ? modes->d : 0; /* modes_create has checked it, but compilers do not see this */
  double a[MODES_D] = {0}, b[MODES_D] = {0}, exact[MODES_D];
  bool moves[MODES_D] = {false}, good = false;
  for (int i = 0; i < d; i++)
    if (rests[i]) y[d + i] = modes->slip[i] = 0;
  evaluate(modes, t, y);
  sweep(modes, rests, a);
  for (int k = 0; k < SWEEPS && !good; k++) {
    sweep(modes, rests, a);
    for (int i = 0; i < d; i++) {
      int way = rests[i] ? (a[i] > 0) - (a[i] < 0) : modes->slip[i];
      moves[i] = !rests[i] || way;
      b[i] = modes->force[i] - modes->values[i] - way * modes->threshold[i];
    }
    solve(modes, moves, b, exact);
    good = true;
    for (int i = 0; i < d; i++)
      if (rests[i])
        good = good && (moves[i] ? exact[i] * a[i] > 0
                                 : fabs(left_for(modes, i, exact)) <= modes->threshold[i] * (1 + NOTHING));
  }
  for (int i = 0; i < d; i++)
    if (rests[i]) modes->slip[i] = (signed char)((a[i] > 0) - (a[i] < 0));
}

void modes_begin(Modes *modes, double *y) {
  const SimProblem *p = modes->problem;
  memcpy(y, p->x0, (size_t)p->d * sizeof *y);
  memcpy(y + p->d, p->v0, (size_t)p->d * sizeof *y);
  for (int i = 0; i < p->d; i++)
    modes->slip[i] = (signed char)(modes_rubs(modes, i) ? (p->v0[i] > 0) - (p->v0[i] < 0) : 0);
  modes->evaluations = modes->events = 0;
}

void modes_enter(Modes *modes, int segment, double t, double *y) {
  const SimProblem *p = modes->problem;
  bool rests[MODES_D] = {false};
  for (int i = 0; i < p->d; i++) {
    modes->force[i] = 0;
    for (int j = 0; j < p->n_control; j++)
      modes->force[i] += p->control_matrix[i * p->n_control + j] * modes->control[segment * p->n_control + j];
    rests[i] = modes_rubs(modes, i) && modes->slip[i] == 0;
  }
  decide(modes, t, y, rests);
  find_beginning(modes, y);
}

void modes_pass(Modes *modes, int i, int way, double t, double *y) {
  bool rests[MODES_D] = {false}, slid = modes->slip[i] != 0;
  for (int j = 0; j < modes->d; j++) rests[j] = modes_rubs(modes, j) && (modes->slip[j] == 0 || j == i);
  modes->events++;
  decide(modes, t, y, rests);
  /* it has reached its threshold only up to rounding error, and the decision does not see this */
  if (!slid && modes->slip[i] == 0) modes->slip[i] = (signed char)way;
  find_beginning(modes, y);
}
