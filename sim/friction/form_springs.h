/* SPDX-License-Identifier: BSD-2-Clause */
/* Springs with a law (sim/joint/springs.h), and elastic stops, in the step of a StepForm. Their force is the mean of
 * their law over the path from base to x+. */
#ifndef SIM_FRICTION_FORM_SPRINGS_H
#define SIM_FRICTION_FORM_SPRINGS_H

#include "sim/friction/form.h"
#include "sim/friction/spring_step.h"

/* Displacements W of moving surfaces, since the laws act on x = y + W. now: W at the time of the step; past, ahead: W
 * at the ends of its path; [count] each. */
typedef struct SpringPath {
  const double *now, *ahead, *past;
} SpringPath;
/* Computes the displacements W of moving surfaces in step n in work->surface; returns NULL if no surface moves. For
 * differences, W at t_{-1} is chosen so that the surface velocity w(0) is its centred difference at t = 0. */
const SpringPath *form_springs_path(const SimModel *model, SimWorkspace *work, long n, SpringPath *path);

/* Changes `from` and `to`, the ends of the path of dof i, from positions y relative to the surface to positions x, and
 * sets `about`, the position at which the mean stiffness of the laws, which is part of the matrices, acts. For
 * velocities the matrices contain it completely, so `about` is x + theta (W+ - W). For differences they contain alpha
 * times its second difference in y, so `about` is shifted by W + alpha (W+ - 2W + W-). */
LANE_INLINE void form_springs_show(const StepForm *form, const SpringPath *path, int i, Simd *from, Simd *to,
                                   Simd *about) {
  const double now = path->now[i], ahead = path->ahead[i], past = path->past[i];
  *from += past;
  *to += ahead;
  *about =
      form->differences ? *about + now + form->alpha * (ahead - 2 * now + past) : *from + form->theta * (ahead - past);
}

/* Solves step n by spring_step_solve. The vector b of FormLevels has the right side. */
SimStatus form_springs_solve(const SimModel *model, SimWorkspace *work, long n, SpringSolve *solve);

/* Derivatives of a step with springs. The force h of sim/joint/springs.h is a mean over the path from e- to e+, about
 * the elongation e:
 *
 *   dh = S- de- + S de + S+ de+, velocities: e is e-, and S = 0; differences: S = k, the law's mean stiffness,
 *
 * and the right side of the step contains -force G'h. Each of S-, S and S+ is [2][count]: springs to the ground
 * (anchors), then springs between neighbours (links). form_springs_find computes S-, then S+, of the solved step:
 * slopes [2][2][count]. */
void form_springs_find(const SimModel *model, const SimWorkspace *work, double *slopes);
typedef struct SpringMix {
  double minus, plus, mean;
} SpringMix;
/* Computes mixed [2][count] = minus S- + plus S+ + mean S, a combination of the springs' slopes (above), and returns
 * it. */
const double *form_springs_mix(const SimModel *model, const double *slopes, SpringMix mix, double *mixed);

#endif
