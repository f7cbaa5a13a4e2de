/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/mechanism/transpose.h"

#include "sim/operator/columns.h"

#include <string.h>

void linear_map_back(const LinearMap *map, SimAdjoint *a, double *by_force, double *by_slope, double *scratch) {
  int d = map->d, width = a->width, driven = 2 * d + map->n_forces, first = driven + map->n_slopes;
  size_t size = adjoint_size(a) * sizeof *scratch;
  double *x = scratch, *parameters = a->sum[SIM_ON_PARAMETER];
  memset(x, 0, 2 * size);
  memset(by_force, 0, size);
  memset(by_slope, 0, size);
  for (int i = 0; i < 2 * d; i++) {
    const double *row = map->state + (size_t)i * (size_t)map->n,
                 *of = i < d ? adjoint_row(a, a->x, i) : adjoint_row(a, a->v, i - d);
    for (int j = 0; j < 2 * d; j++) columns_add(width, row[j], of, adjoint_row(a, x, j));
    for (int j = 0; j < map->n_parameters && parameters; j++)
      columns_add(width, row[first + j], of, adjoint_row(a, parameters, j));
    for (int j = 0; j < map->n_forces; j++)
      columns_add(width, row[2 * d + j], of, adjoint_row(a, by_force, map->force[j]));
    for (int j = 0; j < map->n_slopes; j++)
      columns_add(width, row[driven + j], of, adjoint_row(a, by_slope, map->force[j]));
  }
  memcpy(a->x, x, size);
  memcpy(a->v, adjoint_row(a, x, d), size);
}
