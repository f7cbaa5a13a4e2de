/* Few rows of many: the problem of the equalities and of those inequalities that are not met is solved, what its answer does not meet
 * joins them, and again. Rows left out are met at its answer, so that this is the answer of all. */
#include "control/sqp/qp.h"

#include "control/sqp/kkt.h"

#include <math.h>
#include <string.h>

enum {
  FEW = 16,   /* inequalities that are all taken at once */
  ROUNDS = 12 /* after which all are */
};
static const double MET = 1e-12; /* part of |b| and of 1 by which a row may be above 0 */

/* The rows chosen, in the arrays behind those of all; work, bounds, and z are shared. */
static CtlQp part_of(const CtlQp *qp) {
  CtlQp part = *qp;
  part.rows = qp->rows + (size_t)qp->rows_most * (size_t)(qp->n - qp->tops);
  part.b = qp->b + qp->rows_most;
  part.weight = qp->weight + qp->rows_most;
  part.y = qp->y + qp->rows_most;
  part.equality = qp->equality + qp->rows_most;
  part.m = 0;
  return part;
}

static void choose(const CtlQp *qp, int j, CtlQp *part) {
  size_t n = (size_t)qp->n;
  memcpy(part->rows + (size_t)part->m * n, qp->rows + (size_t)j * n, n * sizeof *part->rows);
  part->b[part->m] = qp->b[j];
  part->weight[part->m] = qp->weight[j];
  part->equality[part->m] = qp->equality[j];
  part->chosen[part->m++] = j;
  qp->is_chosen[j] = true;
}

/* Chooses the rows that z does not meet, or all. Returns how many. */
static int extend(const CtlQp *qp, CtlQp *part, bool all) {
  int before = part->m;
  for (int j = 0; j < qp->m; j++) {
    if (qp->is_chosen[j]) continue;
    if (all || qp->equality[j] || qp->b[j] + ctl_kkt_row_times(qp, j, qp->z) > MET * (1 + fabs(qp->b[j])))
      choose(qp, j, part);
  }
  return part->m - before;
}

bool ctl_qp_solve(CtlQp *qp) {
  int inequalities = 0, iterations = 0;
  for (int j = 0; j < qp->m; j++) inequalities += !qp->equality[j];
  if (qp->tops > 0 || inequalities <= FEW) return ctl_qp_solve_rows(qp);
  CtlQp part = part_of(qp);
  memset(qp->is_chosen, 0, (size_t)qp->m * sizeof *qp->is_chosen);
  extend(qp, &part, false);
  bool good;
  int round = 0;
  do {
    good = ctl_qp_solve_rows(&part);
    iterations += part.iterations;
  } while (good && extend(qp, &part, ++round >= ROUNDS) > 0);
  memset(qp->y, 0, (size_t)qp->m * sizeof *qp->y);
  for (int k = 0; k < part.m; k++) qp->y[part.chosen[k]] = part.y[k];
  qp->iterations = iterations;
  return good;
}
