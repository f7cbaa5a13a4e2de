/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/bound/mesh.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

SimStatus bound_mesh_create(int intervals, int degree, BoundMesh *mesh) {
  *mesh = (BoundMesh){intervals, degree, 0, malloc(((size_t)intervals + 1) * sizeof *mesh->time)};
  if (!mesh->time) return SIM_NO_MEMORY;
  for (int k = 1; k < intervals; k++) mesh->time[k] = (1 - cos(PI * k / intervals)) / 2;
  mesh->time[0] = 0;
  mesh->time[intervals] = 1;
  return SIM_OK;
}

SimStatus bound_mesh_split(BoundMesh *mesh, int interval, double at) {
  double *time = realloc(mesh->time, ((size_t)mesh->intervals + 2) * sizeof *time);
  if (!time) return SIM_NO_MEMORY;
  mesh->time = time;
  memmove(time + interval + 2, time + interval + 1, (size_t)(mesh->intervals - interval) * sizeof *time);
  time[interval + 1] = at;
  mesh->intervals++;
  return SIM_OK;
}

void bound_mesh_clear(BoundMesh *mesh) {
  free(mesh->time);
  *mesh = (BoundMesh){0};
}

/* Returns an upper bound of the integral of a Bernstein polynomial over its interval, divided by the total time. The
 * integral is the same for all Bernstein polynomials of an interval. */
static double bound_mesh_share(const BoundMesh *mesh, int interval) {
  return (mesh->time[interval + 1] - mesh->time[interval]) / bound_mesh_places(mesh) * (1 + 4 * DBL_EPSILON);
}

double bound_mesh_brief(const BoundMesh *mesh) {
  double least = 1;
  for (int k = 0; k < mesh->intervals; k++) least = fmin(least, bound_mesh_share(mesh, k));
  return least * (1 - 8 * DBL_EPSILON);
}

double bound_binomial(int n, int k) {
  double c = k >= 0 && k <= n ? 1 : 0;
  for (int i = 1; i <= k && c > 0; i++) c = c * (n - k + i) / i;
  return c;
}

double bound_mesh_product(int r, int j, int q, int l) {
  return bound_binomial(r, j) * bound_binomial(q, l) / bound_binomial(r + q, j + l);
}

/* The rate of a polynomial of degree r with coefficients y_j on an interval of length h has the Bernstein coefficients
 * r (y_{j+1} - y_j)/h, of degree r - 1. Rate and value are raised to the degree of the time points: each is multiplied
 * by the polynomial 1, which has Bernstein coefficients 1. */
void bound_mesh_place(const BoundMesh *mesh, int interval, int e, BoundPlace *place) {
  int r = mesh->degree, q = mesh->forced, from = e > q ? e - q - 1 : 0, last = e < r ? e + 1 : r;
  double h = mesh->time[interval + 1] - mesh->time[interval], whole = bound_binomial(r + q, e);
  place->before = from;
  place->around = r + 1;
  place->node = interval * r + from;
  place->span = last - from + 1;
  place->share = bound_mesh_share(mesh, interval);
  for (int j = from; j <= last; j++) {
    double behind = bound_binomial(r - 1, j - 1) * bound_binomial(q + 1, e - j + 1),
           before = bound_binomial(r - 1, j) * bound_binomial(q + 1, e - j);
    place->weight[BOUND_RATE * BOUND_SPAN + j - from] = (behind - before) * r / whole / h;
    place->weight[BOUND_VALUE * BOUND_SPAN + j - from] = bound_mesh_product(r, j, q, e - j);
  }
}
