/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/law/smooth_law.h"

#include "sim/law/friction_law.h"

#include <float.h>

enum { MAX_ROOT_STEPS = 200 };

double smooth_law_slope(double eta, double w) {
  double h = hypot(eta, w), ratio = eta / h;
  return ratio * ratio / h;
}

/* Solves e w + q w/sqrt(eta^2 + w^2) = |b| for w by Newton's method. The left side is increasing and concave for w >=
 * 0, and below |b| at the start. So the iterates increase towards the root and never exceed it. The iteration has
 * converged when they no longer increase. */
SmoothRoot smooth_law_root(double e, double q, double eta, double b) {
  double load = fabs(b), w = fmax(0, (load - q) / e);
  SmoothRoot root = {.w = w};
  for (int k = 0; k < MAX_ROOT_STEPS && !root.converged; k++) {
    double rise = (load - e * w - q * (w / hypot(eta, w))) / (e + q * smooth_law_slope(eta, w));
    root.converged = rise <= 4 * DBL_EPSILON * w;
    if (rise > 0) w += rise;
  }
  root.w = b < 0 ? -w : w;
  root.lambda = friction_project(root.w / hypot(eta, root.w));
  return root;
}
