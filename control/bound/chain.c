/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/bound/chain.h"

#include "control/bound/lapack.h"
#include "sim/operator/dense.h"

#include <stdlib.h>
#include <string.h>

void dpbtrf_(const char *uplo, const int *n, const int *kd, double *ab, const int *ldab, int *info, size_t);
void dpbtrs_(const char *uplo, const int *n, const int *kd, const int *nrhs, const double *ab, const int *ldab,
             double *b, const int *ldb, int *info, size_t);

void dsbmv_(const char *uplo, const int *n, const int *k, const double *alpha, const double *a, const int *lda,
            const double *x, const int *incx, const double *beta, double *y, const int *incy, size_t);

/* number of conjugate-gradient iterations. They correct the error due to the small numbers added to the diagonal of the
 * matrix */
enum { SOLUTIONS = 3 };
static const int ONE = 1;

static const BoundKind *kind_of(const BoundChain *chain, int place) {
  return &chain->program->kind[chain->program->place[place].kind];
}

SimStatus bound_chain_init(const BoundProgram *program, BoundChain *chain) {
  size_t all = (size_t)(program->nodes * program->node_size), most = 1;
  *chain = (BoundChain){.program = program};
  int span = 1;
  for (int p = 0; p < program->places; p++) span = program->place[p].span > span ? program->place[p].span : span;
  for (int k = 0; k < program->kinds; k++) {
    size_t size = (size_t)bound_kind_size(program, &program->kind[k]);
    most = size > most ? size : most;
  }
  chain->rest = program->parts * program->node_size;
  chain->width = span * program->node_size;
  chain->band = malloc((2 * all * ((size_t)chain->width + 2) + most * most) * sizeof *chain->band);
  chain->place = calloc((size_t)program->places, sizeof *chain->place);
  if (!chain->band || !chain->place) return SIM_NO_MEMORY;
  chain->plain = chain->band + all * (size_t)chain->width;
  chain->room = chain->plain + all * (size_t)chain->width;
  chain->whole = chain->room + 4 * all;
  for (int p = 0; p < program->places; p++) {
    size_t local = (size_t)kind_of(chain, p)->local;
    if (!local) continue;
    chain->place[p] = malloc(local * (local + (size_t)chain->rest) * sizeof(double));
    if (!chain->place[p]) return SIM_NO_MEMORY;
  }
  return SIM_OK;
}

void bound_chain_clear(BoundChain *chain) {
  for (int p = 0; chain->place && p < chain->program->places; p++) free(chain->place[p]);
  free(chain->place);
  free(chain->band);
  *chain = (BoundChain){0};
}

void bound_chain_start(BoundChain *chain) {
  size_t all = (size_t)(chain->program->nodes * chain->program->node_size);
  memset(chain->band, 0, all * (size_t)chain->width * sizeof *chain->band);
}

double *bound_chain_place(BoundChain *chain, int place) {
  size_t size = (size_t)bound_kind_size(chain->program, kind_of(chain, place));
  return memset(chain->whole, 0, size * size * sizeof *chain->whole);
}

/* Factors the part of a time point's system that belongs to its local variables, and eliminates these variables from
 * the rest. Local variables belong to this time point alone. Returns false if this part is not positive definite. */
static bool eliminate_local(BoundChain *chain, int place) {
  const double one = 1, minus = -1;
  int local = kind_of(chain, place)->local, rest = chain->rest, size = local + rest, info = 0;
  double *factor = chain->place[place], *mixed = factor + local * local, *H = chain->whole;
  for (int i = 0; i < local; i++) {
    memcpy(factor + i * local, H + i * size, (size_t)(i + 1) * sizeof *factor);
    double *entry = &factor[i * local + i];
    *entry = *entry > 0 ? *entry * (1 + chain->dependent) : 1;
    for (int j = 0; j < rest; j++) mixed[i * rest + j] = H[(local + j) * size + i];
  }
  dpotrf_("U", &local, factor, &local, &info, 1);
  if (info) return false;
  dtrsm_("R", "U", "N", "N", &rest, &local, &one, factor, &local, mixed, &rest, 1, 1, 1, 1);
  dsyrk_("U", "N", &rest, &local, &minus, mixed, &rest, &one, H + local * size + local, &size, 1, 1);
  return true;
}

bool bound_chain_add(BoundChain *chain, int place) {
  const BoundPlace *at = &chain->program->place[place];
  int local = kind_of(chain, place)->local, nv = chain->program->node_size, size = local + chain->rest;
  int parts = chain->program->parts;
  double *whole = chain->whole;
  if (local && !eliminate_local(chain, place)) return false;
  for (int a = local; a < size; a++)
    for (int b = local; b < a; b++) whole[b * size + a] = whole[a * size + b];
  for (int n = 0; n < at->span; n++)
    for (int m = 0; m <= n; m++)
      for (int k = 0; k < parts * parts; k++) {
        int row = k / parts, of = k % parts;
        double by = at->weight[row * BOUND_SPAN + n] * at->weight[of * BOUND_SPAN + m];
        if (by == 0) continue;
        for (int j = 0; j < nv; j++) {
          int below = (n - m) * nv - j; /* number of entries of the matrix's column from the diagonal down */
          const double *from = whole + (local + of * nv + j) * size + local + row * nv;
          double *column = chain->band + (size_t)((at->node + m) * nv + j) * (size_t)chain->width;
          for (int i = n == m ? j : 0; i < nv; i++) column[below + i] += by * from[i];
        }
      }
  return true;
}

bool bound_chain_factor(BoundChain *chain) {
  int all = chain->program->nodes * chain->program->node_size, below = chain->width - 1, info = 0;
  memcpy(chain->plain, chain->band, (size_t)all * (size_t)chain->width * sizeof *chain->plain);
  for (int i = 0; i < all; i++) {
    double *entry = chain->band + (size_t)i * (size_t)chain->width;
    *entry = *entry > 0 ? *entry * (1 + chain->dependent) : 1;
  }
  dpbtrf_("L", &all, &below, chain->band, &chain->width, &info, 1);
  return info == 0;
}

void bound_chain_reduce(const BoundChain *chain, int place, double *g, double *node) {
  const BoundPlace *at = &chain->program->place[place];
  int local = kind_of(chain, place)->local, nv = chain->program->node_size;
  if (local) {
    const double *factor = chain->place[place], *mixed = factor + local * local;
    dtrsv_("U", "T", "N", &local, factor, &local, g, &ONE, 1, 1, 1);
    for (int k = 0; k < local; k++)
      for (int j = 0; j < chain->rest; j++) g[local + j] -= mixed[k * chain->rest + j] * g[k];
  }
  for (int n = 0; n < at->span; n++)
    for (int k = 0; k < chain->program->parts; k++)
      for (int v = 0; v < nv; v++)
        node[(at->node + n) * nv + v] += at->weight[k * BOUND_SPAN + n] * g[local + k * nv + v];
}

void bound_chain_solve(const BoundChain *chain, double *node) {
  int all = chain->program->nodes * chain->program->node_size, below = chain->width - 1, info = 0;
  const double one = 1, none = 0;
  double *left = chain->room, *z = left + all, *along = z + all, *times = along + all, size = 0;
  memcpy(left, node, (size_t)all * sizeof *left);
  memset(node, 0, (size_t)all * sizeof *node);
  for (int k = 0; k < SOLUTIONS; k++) {
    memcpy(z, left, (size_t)all * sizeof *z);
    dpbtrs_("L", &all, &below, &ONE, chain->band, &chain->width, z, &all, &info, 1);
    double now = dense_dot(all, left, z), part = k ? now / size : 0;
    for (int i = 0; i < all; i++) along[i] = z[i] + (k ? part * along[i] : 0);
    dsbmv_("L", &all, &below, &one, chain->plain, &chain->width, along, &ONE, &none, times, &ONE, 1);
    double curved = dense_dot(all, along, times);
    if (!(now > 0 && curved > 0)) break;
    for (int i = 0; i < all; i++) {
      node[i] += now / curved * along[i];
      left[i] -= now / curved * times[i];
    }
    size = now;
  }
}

void bound_chain_local(const BoundChain *chain, int place, const double *g, double *d) {
  int local = kind_of(chain, place)->local, rest = chain->rest;
  const double *factor = chain->place[place], *mixed = factor ? factor + local * local : NULL;
  if (!local) return;
  for (int k = 0; k < local; k++) {
    d[k] = g[k];
    for (int j = 0; j < rest; j++) d[k] -= mixed[k * rest + j] * d[local + j];
  }
  dtrsv_("U", "N", "N", &local, factor, &local, d, &ONE, 1, 1, 1);
}
