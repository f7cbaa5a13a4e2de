#include "control/pds.h"

#include "sim/dense.h"

#include <math.h>
#include <string.h>

void ctl_pds_start(CtlPds *pds, const CtlSimplex *first) {
  *pds = (CtlPds){.first = *first, .scale = 1};
  for (int k = 0; k <= first->n; k++) pds->label[k] = k;
}

/* y = z + scale sum_k tau_k (eps_{label[k]} - eps_{label[0]}) */
static void coordinates(const CtlPds *pds, const double *tau, double *y) {
  int n = pds->first.n;
  memcpy(y, pds->z, (size_t)n * sizeof *y);
  double sum = 0;
  for (int k = 1; k <= n; k++) {
    sum += tau[k - 1];
    if (pds->label[k]) y[pds->label[k] - 1] += pds->scale * tau[k - 1];
  }
  if (pds->label[0]) y[pds->label[0] - 1] -= pds->scale * sum;
}

/* u = V_0 + sum_j y_j E_j, summed in this order always */
static void place(const CtlSimplex *first, const double *y, double *u) {
  int n = first->n;
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = 0; j < n; j++) sum += y[j] * first->edges[j * n + i];
    u[i] = first->vertex[i] + sum;
  }
}

void ctl_pds_best(const CtlPds *pds, double *u) { place(&pds->first, pds->z, u); }

void ctl_pds_vertex(const CtlPds *pds, int l, double *u) {
  double y[CTL_CONTROLS_MAX];
  memcpy(y, pds->z, (size_t)pds->first.n * sizeof *y);
  if (l) y[l - 1] += pds->scale;
  if (pds->label[0]) y[pds->label[0] - 1] -= pds->scale;
  place(&pds->first, y, u);
}

void ctl_pds_choose(CtlPds *pds, int l) {
  if (l == 0) return;
  pds->z[l - 1] = 1;
  pds->label[0] = l;
  pds->label[l] = 0;
}

void ctl_pds_point(const CtlPds *pds, const CtlTemplate *scheme, long k, double *u) {
  double tau[CTL_CONTROLS_MAX], y[CTL_CONTROLS_MAX];
  ctl_template_offset(scheme, k, tau);
  coordinates(pds, tau, y);
  place(&pds->first, y, u);
}

void ctl_pds_contract(CtlPds *pds, const CtlTemplate *scheme) { pds->scale *= scheme->shrink; }

long ctl_pds_move(CtlPds *pds, const CtlTemplate *scheme, double best, const double *values) {
  long winner = -1;
  double least = isfinite(best) ? best : INFINITY;
  for (long k = 0; k < scheme->size; k++)
    if (isfinite(values[k]) && values[k] < least) {
      least = values[k];
      winner = k;
    }
  if (winner < 0) {
    ctl_pds_contract(pds, scheme);
    return winner;
  }
  double tau[CTL_CONTROLS_MAX], y[CTL_CONTROLS_MAX];
  int b = ctl_template_base(scheme, winner), label = pds->label[b];
  ctl_template_offset(scheme, winner, tau);
  coordinates(pds, tau, y);
  memcpy(pds->z, y, (size_t)pds->first.n * sizeof *y);
  pds->label[b] = pds->label[0];
  pds->label[0] = label;
  pds->scale *= ctl_template_alpha(scheme, winner);
  return winner;
}

double ctl_pds_edge(const CtlPds *pds) { return fabs(pds->scale) * ctl_simplex_longest_edge(&pds->first); }

double ctl_pds_relative_size(const CtlPds *pds) {
  int n = pds->first.n, base = pds->label[0];
  double longest2 = 0, difference[CTL_CONTROLS_MAX], u[CTL_CONTROLS_MAX];
  for (int l = 0; l <= n; l++) {
    for (int i = 0; i < n; i++)
      difference[i] = (l ? pds->first.edges[(l - 1) * n + i] : 0) - (base ? pds->first.edges[(base - 1) * n + i] : 0);
    longest2 = fmax(longest2, dense_dot(n, difference, difference));
  }
  ctl_pds_best(pds, u);
  return fabs(pds->scale) * sqrt(longest2) / fmax(1, sqrt(dense_dot(n, u, u)));
}
