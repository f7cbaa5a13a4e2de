/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/pds/pds.h"

#include "sim/operator/dense.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 64 }; /* number of points that are computed together, for vectorisation */

void ctl_pds_start(CtlPds *pds, const CtlSimplex *first) {
  *pds = (CtlPds){.first = *first, .scale = 1};
  for (int k = 0; k <= first->n; k++) pds->label[k] = k;
}

/* Computes the lattice coordinates of the template's points first .. first + count - 1: entry j of y is z_j + scale
 * tau_slot (pds.h) with the slot that has label j. y: [n][stride]. */
static void lattice_coordinates(const CtlPds *pds, const CtlTemplate *template, long first, int count, int stride,
                                double *y) {
  for (int slot = 0; slot <= pds->first.n; slot++) {
    int j = pds->label[slot] - 1;
    if (j < 0) continue;
    const float *tau = ctl_template_weights(template, slot) + first;
    double z = pds->z[j], scale = pds->scale;
    for (int k = 0; k < count; k++) y[j * stride + k] = z + scale * (double)tau[k];
  }
}

/* Computes the controls u = V_0 + sum_j y_j E_j of up to BLOCK points, where V_0 is the first vertex and E_j the edges
 * of the initial simplex. The order of summation is fixed. y: [n][stride], controls: [count][n]. */
static void place_points(const CtlSimplex *first, int count, int stride, const double *y, double *controls) {
  int n = first->n;
  double sum[BLOCK];
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < count; k++) sum[k] = 0;
    for (int j = 0; j < n; j++) {
      double edge = first->edges[j * n + i];
      for (int k = 0; k < count; k++) sum[k] += y[j * stride + k] * edge;
    }
    for (int k = 0; k < count; k++) controls[k * n + i] = first->vertex[i] + sum[k];
  }
}

void ctl_pds_best(const CtlPds *pds, double *control) { place_points(&pds->first, 1, 1, pds->z, control); }

void ctl_pds_vertex(const CtlPds *pds, int l, double *control) {
  double y[CTL_SIMPLEX_CONTROLS_MAX];
  memcpy(y, pds->z, (size_t)pds->first.n * sizeof *y);
  if (l) y[l - 1] += pds->scale;
  if (pds->label[0]) y[pds->label[0] - 1] -= pds->scale;
  place_points(&pds->first, 1, 1, y, control);
}

void ctl_pds_choose(CtlPds *pds, int l) {
  if (l == 0) return;
  pds->z[l - 1] = 1;
  pds->label[0] = l;
  pds->label[l] = 0;
}

void ctl_pds_points(const CtlPds *pds, const CtlTemplate *template, long first, int count, double *controls) {
  double y[CTL_SIMPLEX_CONTROLS_MAX * BLOCK];
  for (int done = 0; done < count; done += BLOCK) {
    int block = count - done < BLOCK ? count - done : BLOCK;
    lattice_coordinates(pds, template, first + done, block, BLOCK, y);
    place_points(&pds->first, block, BLOCK, y, controls + (size_t)done * (size_t)pds->first.n);
  }
}

void ctl_pds_contract(CtlPds *pds, const CtlTemplate *template) { pds->scale *= template->shrink; }

long ctl_pds_move(CtlPds *pds, const CtlTemplate *template, double best, const double *values) {
  long winner = -1;
  double least = isfinite(best) ? best : INFINITY;
  for (long k = 0; k < template->size; k++)
    if (isfinite(values[k]) && values[k] < least) {
      least = values[k];
      winner = k;
    }
  if (winner < 0) {
    ctl_pds_contract(pds, template);
    return winner;
  }
  int b = ctl_template_base(template, winner), label = pds->label[b];
  lattice_coordinates(pds, template, winner, 1, 1, pds->z);
  pds->label[b] = pds->label[0];
  pds->label[0] = label;
  pds->scale *= ctl_template_alpha(template, winner);
  return winner;
}

double ctl_pds_edge(const CtlPds *pds) { return fabs(pds->scale) * ctl_simplex_longest_edge(&pds->first); }

double ctl_pds_relative_size(const CtlPds *pds) {
  int n = pds->first.n, base = pds->label[0];
  double longest2 = 0, difference[CTL_SIMPLEX_CONTROLS_MAX], best[CTL_SIMPLEX_CONTROLS_MAX];
  for (int l = 0; l <= n; l++) {
    for (int i = 0; i < n; i++)
      difference[i] = (l ? pds->first.edges[(l - 1) * n + i] : 0) - (base ? pds->first.edges[(base - 1) * n + i] : 0);
    longest2 = fmax(longest2, dense_dot(n, difference, difference));
  }
  ctl_pds_best(pds, best);
  return fabs(pds->scale) * sqrt(longest2) / fmax(1, sqrt(dense_dot(n, best, best)));
}
