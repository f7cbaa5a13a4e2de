/* R1. With |v_i| = lambda_i v_i and d|v_i|/dt = lambda_i v_i' the rate of V is quadratic in y = (1, x, v, u, lambda), and so is what is taken off. */
#include "control/bound/forms.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PAIRS = 6 /* with more joints no products of two joints' friction: these give little, and are many */ };

/* Rows of the matrix: [d] of v_i' from `rate` on. */
typedef struct Rows {
  const BoundMotion *motion;
  BoundLmi *lmi;
  int rate;
  double *room; /* [y] */
} Rows;

static int combined(Rows *rows, double one, int a, double by_a, int b, double by_b) {
  memset(rows->room, 0, (size_t)rows->motion->y * sizeof *rows->room);
  rows->room[0] = one;
  rows->room[a] += by_a;
  rows->room[b] += by_b;
  return bound_lmi_row(rows->lmi, rows->room, NULL);
}

/* The rate of z_a: a row, and what it is to be multiplied by; 0 of the constant. */
static int rate_of(const Rows *rows, int a, double *by) {
  const BoundMotion *motion = rows->motion;
  int d = motion->d;
  *by = a == 0 ? 0 : a > d ? 1 : motion->end * motion->V[a - 1] / motion->X[a - 1];
  return a > d ? rows->rate + a - d - 1 : a + d;
}

/* V's columns: its rate by the node's rates, then by the node's values. */
static void add_value(Rows *rows, int local, int node_size) {
  const BoundMotion *motion = rows->motion;
  int n = 1 + 2 * motion->d, entries = bound_entry(n, n - 1, n - 1) + 1;
  for (int a = 0; a < n; a++)
    for (int b = a; b < n; b++) {
      bound_lmi_column(rows->lmi, local + bound_entry(n, a, b));
      bound_lmi_term(rows->lmi, a, b, a == b ? 1 : 2);
    }
  for (int i = 0, k = 0; i < motion->d; i++) {
    if (motion->contact[i] < 0) continue;
    bound_lmi_column(rows->lmi, local + entries + k++);
    bound_lmi_term(rows->lmi, bound_lambda(motion, i), bound_v(motion, i), 1);
  }
  for (int a = 0; a < n; a++)
    for (int b = a; b < n; b++) {
      double by_a, by_b;
      int row_a = rate_of(rows, a, &by_a), row_b = rate_of(rows, b, &by_b);
      bound_lmi_column(rows->lmi, local + node_size + bound_entry(n, a, b));
      bound_lmi_term(rows->lmi, a, row_b, 2 * by_b);
      if (a != b) bound_lmi_term(rows->lmi, b, row_a, 2 * by_a);
    }
  for (int i = 0, k = 0; i < motion->d; i++) {
    if (motion->contact[i] < 0) continue;
    bound_lmi_column(rows->lmi, local + node_size + entries + k++);
    bound_lmi_term(rows->lmi, bound_lambda(motion, i), rows->rate + i, 1);
  }
}

/* What is >= 0 of all motions: (lambda_i -+ 1) v_i by both signs, that is 0; 1 - lambda_i^2; of two joints (lambda_i -+ lambda_j) v_i and
 * (1 +- lambda_i)(1 +- lambda_j); (upper - u)(u - lower). */
static void add_products(Rows *rows) {
  const BoundMotion *motion = rows->motion;
  BoundLmi *lmi = rows->lmi;
  int less[64], more[64]; /* 1 - lambda_i, 1 + lambda_i */
  for (int i = 0; i < motion->d; i++) {
    if (motion->contact[i] < 0) continue;
    int lambda = bound_lambda(motion, i), v = bound_v(motion, i);
    less[i] = combined(rows, 1, lambda, -1, 0, 0);
    more[i] = combined(rows, 1, lambda, 1, 0, 0);
    int minus = combined(rows, -1, lambda, 1, 0, 0);
    bound_lmi_product(lmi, minus, v);
    bound_lmi_product(lmi, more[i], v);
    bound_lmi_product(lmi, less[i], more[i]);
    for (int j = 0; j < motion->d && motion->rubbing <= PAIRS; j++) {
      if (motion->contact[j] < 0 || j == i) continue;
      bound_lmi_product(lmi, combined(rows, 0, lambda, 1, bound_lambda(motion, j), -1), v);
      bound_lmi_product(lmi, combined(rows, 0, lambda, 1, bound_lambda(motion, j), 1), v);
      if (j > i) continue;
      bound_lmi_product(lmi, less[i], less[j]);
      bound_lmi_product(lmi, less[i], more[j]);
      bound_lmi_product(lmi, more[i], less[j]);
      bound_lmi_product(lmi, more[i], more[j]);
    }
  }
  for (int j = 0; j < motion->m; j++)
    if (isfinite(motion->lower[j]) && isfinite(motion->upper[j]))
      bound_lmi_product(lmi, combined(rows, motion->upper[j], bound_u(motion, j), -1, 0, 0),
                        combined(rows, -motion->lower[j], bound_u(motion, j), 1, 0, 0));
}

static void add_effort(const BoundMotion *motion, BoundLmi *lmi) {
  for (int j = 0; j < motion->m && !lmi->no_memory; j++)
    for (int k = 0; k < motion->m; k++) {
      int at = bound_u(motion, j) * lmi->n + bound_u(motion, k);
      lmi->start[at] = motion->weight[j * motion->m + k];
      lmi->start_off[at] = 8 * DBL_EPSILON * fabs(lmi->start[at]);
    }
}

bool bound_form_is_free(const BoundMotion *motion) {
  for (int k = 0; k < 2 * motion->d; k++)
    if (isnan(motion->to[k])) return true;
  return false;
}

SimStatus bound_form_places(const BoundMotion *motion, const BoundMesh *mesh, int node_size, BoundProgram *program) {
  bool free_end = bound_form_is_free(motion);
  int r = mesh->degree, nodes = mesh->intervals * r + 1, places = mesh->intervals * (r + 1);
  SimStatus status = bound_program_init(program, node_size, nodes, free_end ? 2 : 1, places + free_end);
  for (int p = 0; p < places && status == SIM_OK; p++)
    bound_mesh_place(mesh, p / (r + 1), p % (r + 1), &program->place[p]);
  if (free_end && status == SIM_OK)
    program->place[places] = (BoundPlace){.kind = 1, .node = nodes - 1, .span = 1, .share = 1};
  return status;
}

/* first: V(0, z0). last: -V(T, z_T) of a given target. z: [2d]. */
static void add_end(const BoundMotion *motion, const double *z, double by, double *out) {
  int d = motion->d, n = 1 + 2 * d, entries = bound_entry(n, n - 1, n - 1) + 1;
  for (int a = 0; a < n; a++)
    for (int b = a; b < n; b++)
      out[bound_entry(n, a, b)] = by * (a ? z[a - 1] : 1) * (b ? z[b - 1] : 1) * (a == b ? 1 : 2);
  for (int i = 0, k = 0; i < d; i++)
    if (motion->contact[i] >= 0) out[entries + k++] = by * fabs(z[d + i]);
}

/* top - V(T, .) >= 0 on all targets: a matrix in (1, what is free), and p_i <= 0 where v_i is free. gain: -top. */
static SimStatus add_free_end(const BoundMotion *motion, int node_size, BoundKind *kind) {
  int d = motion->d, n = 1 + 2 * d, size = 1, lmis = 1, entries = bound_entry(n, n - 1, n - 1) + 1;
  for (int k = 0; k < 2 * d; k++) {
    size += isnan(motion->to[k]);
    lmis += k >= d && isnan(motion->to[k]) && motion->contact[k - d] >= 0;
  }
  SimStatus status = bound_kind_init(kind, lmis, 1);
  double *row = calloc((size_t)size, sizeof *row);
  if (!row) status = SIM_NO_MEMORY;
  if (status == SIM_OK) {
    BoundLmi *lmi = kind->lmi, *other = lmi + 1;
    int z[2 * 64 + 1] = {0}, values = kind->local + node_size;
    kind->gain[0] = -1;
    bound_lmi_init(lmi, size);
    for (int k = 0, free_entry = 1; k < 2 * d; k++) {
      row[0] = motion->to[k];
      z[1 + k] = isnan(motion->to[k]) ? free_entry++ : bound_lmi_row(lmi, row, NULL);
    }
    bound_lmi_column(lmi, 0);
    bound_lmi_term(lmi, 0, 0, 1);
    for (int a = 0; a < n; a++)
      for (int b = a; b < n; b++) {
        bound_lmi_column(lmi, values + bound_entry(n, a, b));
        bound_lmi_term(lmi, z[a], z[b], a == b ? -1 : -2);
      }
    for (int i = 0, k = 0; i < d; i++) {
      if (motion->contact[i] < 0) continue;
      int variable = values + entries + k++;
      if (isnan(motion->to[d + i])) {
        bound_lmi_init(other, 1);
        bound_lmi_column(other, variable);
        bound_lmi_term(other, 0, 0, -1);
        bound_lmi_finish(other++);
      } else if (motion->to[d + i] != 0) {
        bound_lmi_column(lmi, variable);
        bound_lmi_term(lmi, 0, 0, -fabs(motion->to[d + i]));
      }
    }
    bound_lmi_finish(lmi);
  }
  free(row);
  return status;
}

SimStatus bound_form_quadratic(const BoundMotion *motion, const BoundMesh *mesh, BoundProgram *program) {
  int d = motion->d, n = 1 + 2 * d, node_size = bound_entry(n, n - 1, n - 1) + 1 + motion->rubbing;
  double *room = malloc((size_t)motion->y * sizeof *room);
  SimStatus status = room ? bound_form_places(motion, mesh, node_size, program) : SIM_NO_MEMORY;
  if (status == SIM_OK) status = bound_kind_init(program->kind, 1, 0);
  if (status == SIM_OK) {
    BoundLmi *lmi = program->kind->lmi;
    bound_lmi_init(lmi, motion->y);
    Rows rows = {motion, lmi, lmi->rows, room};
    for (int i = 0; i < d; i++) bound_lmi_row(lmi, motion->rate + i * motion->y, motion->rate_off + i * motion->y);
    add_value(&rows, 0, node_size);
    add_products(&rows);
    add_effort(motion, lmi);
    bound_lmi_finish(lmi);
    add_end(motion, motion->from, 1, program->first);
    if (bound_form_is_free(motion))
      status = add_free_end(motion, node_size, program->kind + 1);
    else
      add_end(motion, motion->to, -1, program->last);
  }
  free(room);
  return status == SIM_OK && !bound_program_whole(program) ? SIM_NO_MEMORY : status;
}
