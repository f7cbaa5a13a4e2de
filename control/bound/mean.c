#include "control/bound/mean.h"

#include "control/problem/bounds.h"

#include <math.h>

/* u_j at a part of time: between the coefficients of an interval on a line, each at its part of the interval. */
static double mean_at(const BoundSetting *setting, const BoundMoments *moments, int j, double t) {
  const BoundMotion *motion = &setting->motion;
  const BoundMesh *mesh = &setting->mesh;
  const BoundForce *force = &setting->force;
  int last = bound_mesh_places(mesh) - 1, size = 1 + 2 * moments->dofs + moments->controls, k = 0;
  while (k + 1 < mesh->intervals && mesh->time[k + 1] <= t) k++;
  double part = (t - mesh->time[k]) / (mesh->time[k + 1] - mesh->time[k]), w[2];
  int e = (int)fmin(part * last, last - 1);
  for (int side = 0; side < 2; side++) {
    const double *of = moments->of + (k * (last + 1) + e + side) * size;
    w[side] = of[0] > 0 ? of[1 + 2 * moments->dofs + j] / of[0] * motion->U[j] : 0;
  }
  const double *g = force->varies ? force->line + 2 * k * motion->m + j : NULL;
  return w[0] + (part * last - e) * (w[1] - w[0]) - (g ? g[0] + part * (g[motion->m] - g[0]) : 0);
}

void bound_mean_control(const CtlProblem *problem, const BoundSetting *setting, const BoundMoments *moments,
                        double *control) {
  enum { PARTS = 8 /* of a segment, for its mean */ };
  int p = problem->p, segments = problem->n / p;
  for (int i = 0; i < problem->n; i++) {
    int k = i / p, parts = problem->signal == SIM_PIECEWISE_LINEAR ? 1 : PARTS;
    double u = 0;
    for (int part = 0; part < parts; part++) /* a linear piece has its value at its end */
      u += mean_at(setting, moments, i % p, (k + (parts == 1 ? 1 : (part + 0.5) / parts)) / segments) / parts;
    control[i] = u;
  }
  ctl_bounds_move_inside(problem, control);
}
