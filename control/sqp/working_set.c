/* SPDX-License-Identifier: BSD-2-Clause */
/* Working-set method for many inequalities of which few are active. It solves the problem with the equalities and a set
 * of chosen inequalities, at first none. Then it adds the most violated inequalities to the set and repeats this until
 * none is violated. The result then solves the problem with all rows. Each round adds as many inequalities as the set
 * already has, so few rounds suffice even if many inequalities are active. */
#include "control/sqp/qp.h"

#include "control/sqp/kkt.h"

#include <math.h>
#include <string.h>

enum {
  DIRECT_ROWS = 16,  /* up to this number of inequalities, all are used at once */
  ROWS_PER_ROUND = 8 /* minimum number of inequalities that a round adds, if so many are violated */
};
/* a row outside the working set counts as satisfied if its violation is at most this, relative to 1 + |b| */
static const double FEASIBILITY_TOLERANCE = 1e-12;

/* Returns a problem without rows, to which chosen rows are added. Its rows are stored behind all rows of qp; bounds, z
 * and work are shared with qp. */
static CtlQp open_part(const CtlQp *qp) {
  CtlQp part = *qp;
  part.rows = qp->rows + (size_t)qp->rows_most * (size_t)qp->n;
  part.b = qp->b + qp->rows_most;
  part.weight = qp->weight + qp->rows_most;
  part.y = qp->y + qp->rows_most;
  part.equality = qp->equality + qp->rows_most;
  part.m = 0;
  return part;
}

static void choose_row(const CtlQp *qp, int j, CtlQp *part) {
  size_t n = (size_t)qp->n;
  memcpy(part->rows + (size_t)part->m * n, qp->rows + (size_t)j * n, n * sizeof *part->rows);
  part->b[part->m] = qp->b[j];
  part->weight[part->m] = qp->weight[j];
  part->equality[part->m] = qp->equality[j];
  part->chosen[part->m++] = j;
  qp->is_chosen[j] = true;
}

/* Adds the inequalities that the point z violates most to the working set. Returns whether it violates any. */
static bool choose_violated(const CtlQp *qp, CtlQp *part) {
  double *violated = qp->y; /* reuses the memory of the multipliers, which are overwritten at the end */
  int most = part->m < ROWS_PER_ROUND ? ROWS_PER_ROUND : part->m, count = 0;
  for (int j = 0; j < qp->m; j++) {
    if (qp->is_chosen[j]) continue;
    violated[j] = (qp->b[j] + ctl_kkt_row_times(qp, j, qp->z)) / (1 + fabs(qp->b[j]));
  }
  for (; count < most; count++) {
    int worst = -1;
    for (int j = 0; j < qp->m; j++)
      if (!qp->is_chosen[j] && violated[j] > (worst < 0 ? FEASIBILITY_TOLERANCE : violated[worst])) worst = j;
    if (worst < 0) break;
    choose_row(qp, worst, part);
  }
  return count > 0;
}

bool ctl_qp_solve(CtlQp *qp) {
  int inequalities = 0, iterations = 0;
  for (int j = 0; j < qp->m; j++) inequalities += !qp->equality[j];
  if (qp->tops > 0 || inequalities <= DIRECT_ROWS) return ctl_qp_solve_rows(qp);
  CtlQp part = open_part(qp);
  for (int j = 0; j < qp->m; j++) {
    qp->is_chosen[j] = false;
    if (qp->equality[j]) choose_row(qp, j, &part);
  }
  do {
    if (!ctl_qp_solve_rows(&part)) return false;
    iterations += part.iterations;
  } while (choose_violated(qp, &part));
  memset(qp->y, 0, (size_t)qp->m * sizeof *qp->y);
  for (int k = 0; k < part.m; k++) qp->y[part.chosen[k]] = part.y[k];
  qp->iterations = iterations;
  return true;
}
