/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/dashpot/result.h"

#include "sim/law/friction_law.h"

#include <math.h>

enum { F_D, F_S, LAMBDA_CONTACT }; /* indices of the results in work->extra */

double dashpot_penetration(const SimProblem *p, double x) {
  return p->dashpot.has_support ? fmax(0, x - p->dashpot.support_position) : 0;
}

double dashpot_stored(const SimProblem *p, double x, double v) {
  double mass = p->dashpot.mass, stiffness = p->dashpot.stiffness, support = p->dashpot.support_stiffness;
  double depth = dashpot_penetration(p, x), depth_start = dashpot_penetration(p, p->x0[0]);
  return (mass * (v * v - p->v0[0] * p->v0[0]) + stiffness * (x * x - p->x0[0] * p->x0[0]) +
          support * (depth * depth - depth_start * depth_start)) /
         2;
}

void dashpot_publish(const SimProblem *p, SimWorkspace *work, double x, double v, double f_d, int slip) {
  double f_crit = p->friction[0], depth = dashpot_penetration(p, x);
  work->x[0] = x;
  work->v[0] = v;
  work->slip[0] = (signed char)slip;
  work->lambda[0] = f_crit > 0 ? friction_project(f_d / f_crit) : 0;
  work->extra[F_D] = f_d;
  work->extra[F_S] = p->dashpot.stiffness * x;
  work->extra[LAMBDA_CONTACT] = depth > 0 ? -p->dashpot.support_stiffness * depth : 0;
  work->contact = depth > 0;
}
