/* SPDX-License-Identifier: BSD-2-Clause */
/* Converts the law of springs to polynomial pieces. Pieces are shorter near elongations at which a spring exerts no
 * force and may rest. */
#include "sim/base/argument.h"
#include "sim/joint/zeros.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ROUNDS: maximum number of times that pieces are computed again with the zeros of the last pieces as centres
 * (pieces.h). The number of pieces may grow by the factor MORE, plus MORE_PIECES. */
enum { ROUNDS = 4, MORE = 3, MORE_PIECES = 256 };

/* Data of a law while its pieces are computed. */
typedef struct Making {
  const SimLoad *force;
  double lower, upper;
  int n; /* number of breaks (kinks) of the law that the caller gives */
  const double *breaks;
  PiecesCentres centres;
} Making;

/* Merges the law's breaks and the midpoints between centres (sim/base/pieces.h) in ascending order: joined [n +
 * PIECES_CENTRES]. Returns their number. */
static int join_breaks(const Making *m, double *joined) {
  int count = 0, k = 0;
  for (int c = 0; c + 1 < m->centres.n; c++) {
    double middle = m->centres.at[c] + (m->centres.at[c + 1] - m->centres.at[c]) / 2;
    while (k < m->n && m->breaks[k] < middle) joined[count++] = m->breaks[k++];
    if (k < m->n && m->breaks[k] == middle) continue;
    joined[count++] = middle;
  }
  while (k < m->n) joined[count++] = m->breaks[k++];
  return count;
}

static SimStatus make_pieces(const Making *m, int columns, SimSpringLaw *made, double *where) {
  *made = (SimSpringLaw){.columns = columns};
  double *breaks = malloc((size_t)(m->n + PIECES_CENTRES) * sizeof *breaks);
  if (!breaks) return SIM_NO_MEMORY;
  int n = join_breaks(m, breaks);
  SimStatus status =
      curve_make(columns, m->force, &m->centres, m->lower, m->upper, n, breaks, &made->rows, &made->pieces, where);
  free(breaks);
  return status;
}

/* Computes the pieces again with the zeros of the previous pieces as centres (pieces.h). If this needs many more
 * pieces, for example near a zero that exists only by rounding error, the previous pieces are kept. */
static SimStatus refine(Making *m, SimSpringLaw *law, double *room) {
  for (int k = 0; k < ROUNDS; k++) {
    SimSpringLaw finer;
    double where;
    if (!zeros_add((Curve){law->rows, law->pieces, law->columns}, m->force, room, &m->centres)) return SIM_OK;
    m->centres.most = MORE * law->pieces + MORE_PIECES;
    SimStatus status = make_pieces(m, law->columns, &finer, &where);
    if (status != SIM_OK) return status == SIM_NO_MEMORY ? status : SIM_OK;
    free(law->rows);
    *law = finer;
  }
  return SIM_OK;
}

/* Computes the pieces of the law, in two passes: first with a centre at elongation 0, or at the end of the range
 * nearest to 0; then also with centres at the zeros that were found. A centre is an elongation near which the force is
 * small, and near which pieces are shorter. */
static SimStatus make(Making *m, int columns, SimSpringLaw *law, double *where) {
  SimStatus status = make_pieces(m, columns, law, where);
  double *room = malloc((size_t)columns * sizeof *room);
  if (status == SIM_OK) status = room ? refine(m, law, room) : SIM_NO_MEMORY;
  free(room);
  return status;
}

/* Returns the row with the smallest |force| at its origin; of several such rows the one nearest to e = 0. */
static double *find_least(SimSpringLaw *law, int column) {
  size_t size = sim_curve_size(law->columns);
  double *least = law->rows, most = INFINITY, far = INFINITY;
  for (double *row = law->rows; row < law->rows + (size_t)law->pieces * size; row += size) {
    double force = fabs(curve_coefficients(row, law->columns)[column]), e = fabs(curve_origin(row));
    if (!(force < most || (force == most && e < far))) continue;
    least = row;
    most = force;
    far = e;
  }
  return least;
}

/* Computes the potential of a column by integration in both directions, from the row of find_least. Near this row the
 * potential is small, and so is the error of the potential, for any range of the law. */
static void integrate(SimSpringLaw *law, int column) {
  size_t size = sim_curve_size(law->columns), at = (size_t)(SIM_CURVE_HEAD + column);
  const double *end = law->rows + (size_t)law->pieces * size;
  double *zero = find_least(law, column);
  for (double *row = law->rows; row < end; row += size) row[at] = 0;
  for (double *row = zero; row + size < end; row += size) {
    double *next = row + size;
    next[at] = curve_point(law->columns, row, column, curve_part(row, next[0])).integral -
               curve_point(law->columns, next, column, curve_part(next, next[0])).integral;
  }
  for (double *row = zero; row > law->rows; row -= size) {
    double *before = row - size;
    before[at] = curve_point(law->columns, row, column, curve_part(row, row[0])).integral -
                 curve_point(law->columns, before, column, curve_part(before, row[0])).integral;
  }
}

static void drop(SimSpringLaw *law) {
  free(law->rows);
  *law = (SimSpringLaw){0};
}

SimStatus stiction_problem_set_springs(SimProblem *p, SimSpringPlace place, int columns, const SimLoad *force,
                                       double lower, double upper, int n, const double *breaks, double *where) {
  ARGUMENT(p && p->kind == SIM_FRICTION && p->scheme, "problem", "is NULL, or not one of SIM_FRICTION");
  ARGUMENT((unsigned)place < SIM_SPRING_PLACES, "place", "is none of the enum's");
  ARGUMENT(force && force->at, "law", "is NULL, or no function");
  ARGUMENT(n >= 0 && (n == 0 || breaks), "breaks", "are NULL, or less than none");
  ARGUMENT_THERE(where);
  ARGUMENT(lower < upper, "lower", "is not below upper");
  SimSpringLaw *law = &p->springs[place];
  drop(law);
  *where = lower;
  if (columns < 1) return SIM_BAD_PROBLEM;
  Making making = {.force = force,
                   .lower = lower,
                   .upper = upper,
                   .n = n,
                   .breaks = breaks,
                   .centres = {.n = 1, .at = {fmin(fmax(0, lower), upper)}}};
  SimStatus status = make(&making, columns, law, where);
  for (int column = 0; column < columns && status == SIM_OK; column++) integrate(law, column);
  if (status != SIM_OK) drop(law);
  return status;
}
