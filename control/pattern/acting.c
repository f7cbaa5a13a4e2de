/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/pattern/acting.h"

#include "sim/base/curve.h"
#include "sim/joint/threshold.h"
#include "sim/law/friction_force.h"

#include <math.h>
#include <string.h>

static void of_pieces(const SimProblem *p, double t, double *f) {
  size_t size = sim_piece_size(p->d);
  const double *row = curve_row(p->pieces, p->piece_count, size, t, true);
  bool last = row + size >= p->pieces + (size_t)p->piece_count * size;
  double end = last ? p->end : row[size], part = (t - row[0]) / (end - row[0]);
  for (int i = 0; i < p->d; i++) f[i] = curve_value((int)row[1], p->d, row + SIM_PIECE_HEAD, i, part);
}

/* Computes the force f at time t by linear interpolation between its two nearest samples. */
static void of_samples(const SimProblem *p, double t, double *f) {
  long count = sim_force_count(p), k = 0;
  double first = sim_force_time(p, 0), apart = count > 1 ? sim_force_time(p, 1) - first : 1;
  if (count > 1) k = (long)fmin(fmax(floor((t - first) / apart), 0), (double)(count - 2));
  double part = count > 1 ? (t - first) / apart - (double)k : 0;
  for (int i = 0; i < p->d; i++) {
    const double *at = p->force + k * p->d + i;
    f[i] = count > 1 ? at[0] + part * (at[p->d] - at[0]) : at[0];
  }
}

void acting_force(const SimProblem *p, double t, double *f) {
  memset(f, 0, (size_t)p->d * sizeof *f);
  if (p->pieces)
    of_pieces(p, t, f);
  else if (p->force)
    of_samples(p, t, f);
  else if (p->load.at)
    p->load.at(p->load.context, t, f);
}

double acting_threshold(const SimProblem *p, int i, double t, int way) {
  double friction, bias;
  /* position is NULL: problems with patterns have no thresholds that depend on position */
  threshold_of(p, i, t, NULL, &friction, &bias);
  return friction + way * bias;
}

double acting_drop(const SimProblem *p, int i, double speed) {
  return p->friction[i] > 0 ? friction_drop_of(p, 1 / p->friction[i], i, speed) : 0;
}
