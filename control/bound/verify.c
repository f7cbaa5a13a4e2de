/* SPDX-License-Identifier: BSD-2-Clause */
/* Proves in floating-point arithmetic that all matrices (1) of a program (program.h) are positive semidefinite at a
 * solution. */
#include "control/bound/verify.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* U: unit round-off of long double, which is used for sums and factors. Where long double is longer than double, the
 * error bounds are small even for stiff problems with large entries. DOUBLE: unit round-off of double. */
static const long double U = LDBL_EPSILON / 2;
static const double DOUBLE = DBL_EPSILON / 2;
enum {
  ROUNDED = 16,   /* number of roundings in double for each term: of the term's weight, of the weights of nodes, and
                   * of products and sums */
  ROUNDINGS = 24, /* number of roundings in the products of a term; those of the sum are counted separately */
  RAISES = 200    /* maximum number of doublings of a slack, enough for a slack as small as round-off to become as
                   * large as any matrix */
};

/* Adds the contribution of one column to a matrix Q, the sum of the absolute terms of this contribution to `size`, and
 * the error bounds due to inexact rows and values to `off`. */
static void add_column(const BoundLmi *lmi, int column, double value, double magnitude, double value_off,
                       long double *q, double *size, double *off) {
  int n = lmi->n;
  for (int t = lmi->first[column]; t < lmi->first[column + 1]; t++) {
    const BoundTerm *term = &lmi->term[t];
    const double *a = lmi->row + term->a * n, *b = lmi->row + term->b * n, *da = lmi->off + term->a * n,
                 *db = lmi->off + term->b * n;
    long double w = (long double)term->weight * value / 2;
    double most = fabs(term->weight) * magnitude / 2, wrong = fabs(term->weight) * value_off / 2 * (1 + 1e-9);
    for (int i = 0; i < n; i++) {
      if (a[i] == 0 && da[i] == 0) continue;
      for (int j = 0; j < n; j++) {
        if (b[j] == 0 && db[j] == 0) continue;
        int at = i > j ? i * n + j : j * n + i, times = i == j ? 2 : 1;
        double left = times * fabs(a[i]), right = fabs(b[j]);
        q[at] += times * w * a[i] * b[j];
        size[at] += most * left * right;
        off[at] += most * (times * da[i] * (right + db[j]) + left * db[j]) + wrong * left * right;
      }
    }
  }
}

/* Whether Q + shift I is certainly positive semidefinite if each entry of Q has an error of at most `off`. It is if Q +
 * shift I minus two numbers on the diagonal has a Cholesky factor: the largest row sum of off, and a bound of the
 * factor's own round-off. work: [n][n]. */
static bool is_proven(int n, const long double *q, const double *off, double shift, long double *work) {
  long double widest = 0, trace = 0, factor = (n + 2) * U / (1 - (n + 2) * U);
  for (int i = 0; i < n; i++) {
    long double sum = 0;
    for (int j = 0; j < n; j++) sum += off[i > j ? i * n + j : j * n + i];
    widest = fmaxl(widest, sum);
    trace += fabsl(q[i * n + i]) + shift;
  }
  long double less = (widest + factor * trace + U * trace) * (1 + 4 * n * U) + (long double)DBL_MIN * n * n;
  memcpy(work, q, (size_t)(n * n) * sizeof *work);
  for (int j = 0; j < n; j++) {
    long double *row = work + j * n;
    row[j] = row[j] + shift - less;
    for (int k = 0; k < j; k++) {
      const long double *other = work + k * n;
      long double sum = row[k];
      for (int l = 0; l < k; l++) sum -= row[l] * other[l];
      row[k] = sum / other[k];
    }
    for (int k = 0; k < j; k++) row[j] -= row[k] * row[k];
    if (!(row[j] > 0 && row[j] < INFINITY)) return false;
    row[j] = sqrtl(row[j]);
  }
  return true;
}

/* Workspace for one matrix Q: its entries, their error bounds and a Cholesky factor. */
typedef struct Room {
  double *value, *magnitude, *value_off, *size, *off;
  long double *q, *work;
} Room;

/* Returns a slack (a multiple of the unit matrix) with which a matrix is proven to be positive semidefinite; INFINITY
 * if every slack fails. *raised: increased by 1 if the given slack had to be raised. */
static double slack_of(const BoundLmi *lmi, const BoundPlace *place, const double *own, Room *room, long *raised) {
  int n = lmi->n, most = lmi->terms + ROUNDINGS;
  for (int i = 0; i < n * n; i++) {
    room->q[i] = lmi->start[i];
    room->size[i] = fabs(lmi->start[i]);
    room->off[i] = lmi->start_off[i];
  }
  for (int j = 0; j <= lmi->controls && lmi->u && place->cost; j++) {
    int at = j ? (lmi->u + j - 1) * n : 0;
    room->q[at] += place->cost[j];
    room->size[at] += fabs(place->cost[j]);
    room->off[at] += place->cost[1 + lmi->controls + j];
  }
  for (int c = 0; c < lmi->columns - 1; c++) {
    int v = lmi->variable[c];
    double value = v >= 0 ? room->value[v] : fmax(0, own[c - lmi->shared]);
    add_column(lmi, c, value, v >= 0 ? room->magnitude[v] : value, v >= 0 ? room->value_off[v] : 0, room->q, room->size,
               room->off);
  }
  double largest = 0;
  for (int i = 0; i < n * n; i++) {
    if (!(room->size[i] < INFINITY)) return INFINITY;
    room->off[i] = (room->off[i] + (ROUNDED * DOUBLE + most * (double)U) * room->size[i]) * (1 + 2 * most * DOUBLE);
    largest = fmax(largest, room->size[i]);
  }
  double slack = fmax(0, own[bound_lmi_own(lmi) - 1]);
  for (int k = 0; k < RAISES; k++) {
    if (is_proven(n, room->q, room->off, slack, room->work)) return slack;
    *raised += k == 0;
    slack = fmax(2 * slack, 4 * (double)U * largest);
  }
  return INFINITY;
}

/* Returns a lower bound of the exact sum of `terms` numbers. sum: their sum with rounding; size: sum of their absolute
 * values. */
static double sum_below(double sum, double size, long terms) {
  return sum - (double)(terms + ROUNDINGS) * DOUBLE * size * (1 + 1e-9);
}

/* Allocates workspace for the largest matrix and the largest time point of a program. */
static SimStatus make_room(const BoundProgram *program, Room *room) {
  size_t n = 1, variables = 1;
  for (int k = 0; k < program->kinds; k++) {
    size_t size = (size_t)bound_kind_size(program, &program->kind[k]);
    variables = size > variables ? size : variables;
    for (int l = 0; l < program->kind[k].lmis; l++) {
      size_t own = (size_t)program->kind[k].lmi[l].n;
      n = own > n ? own : n;
    }
  }
  room->q = malloc(2 * n * n * sizeof *room->q + (3 * variables + 2 * n * n) * sizeof *room->value);
  if (!room->q) return SIM_NO_MEMORY;
  room->work = room->q + n * n;
  room->value = (void *)(room->work + n * n);
  room->magnitude = room->value + variables;
  room->value_off = room->magnitude + variables;
  room->size = room->value_off + variables;
  room->off = room->size + n * n;
  return SIM_OK;
}

SimStatus bound_verify(const BoundProgram *program, const BoundValues *values, double *value, long *raised) {
  Room room;
  const double *own = values->own, *last = values->node + (size_t)(program->nodes - 1) * (size_t)program->node_size;
  double sum = 0, size = 0;
  long terms = 0, lifted = 0;
  if (make_room(program, &room) != SIM_OK) return SIM_NO_MEMORY;
  for (int v = 0; v < program->node_size; v++, terms += 2) {
    sum += program->first[v] * values->node[v] + program->last[v] * last[v];
    size += fabs(program->first[v] * values->node[v]) + fabs(program->last[v] * last[v]);
  }
  for (int p = 0; p < program->places; p++) {
    const BoundPlace *place = &program->place[p];
    const BoundKind *kind = &program->kind[place->kind];
    bound_place_values(program, p, values, room.value, room.magnitude, room.value_off);
    for (int v = 0; v < kind->local; v++, terms++) {
      sum += kind->gain[v] * room.value[v];
      size += fabs(kind->gain[v] * room.value[v]);
    }
    for (int l = 0; l < kind->lmis; own += bound_lmi_own(&kind->lmi[l]), l++, terms++) {
      double loss = place->share * kind->lmi[l].price * slack_of(&kind->lmi[l], place, own, &room, &lifted);
      sum -= loss;
      size += loss;
    }
  }
  free(room.q);
  *value = size < INFINITY ? sum_below(sum, size, terms) : -INFINITY;
  if (raised) *raised = lifted;
  return SIM_OK;
}
