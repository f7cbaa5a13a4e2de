#include "control/bound/mean.h"

#include "control/problem/bounds.h"

#include <math.h>

/* u_j at a part of time. A place's moments are of times about (e + 1)/(n + 2) of its interval, as its Bernstein polynomial of degree n is: on a line through
 * the two that are next. */
static double mean_at(const BoundSetting *setting, const BoundMoments *moments, int j, double t) {
  const BoundMotion *motion = &setting->motion;
  const BoundMesh *mesh = &setting->mesh;
  const BoundForce *force = &setting->force;
  int places = bound_mesh_places(mesh), size = bound_moments_size(moments), k = 0;
  while (k + 1 < mesh->intervals && mesh->time[k + 1] <= t) k++;
  double way = (t - mesh->time[k]) / (mesh->time[k + 1] - mesh->time[k]), at = way * (places + 1) - 1, w[2];
  int e = (int)fmax(0, fmin(floor(at), places - 2));
  for (int next = 0; next < 2; next++) {
    const double *of = moments->of + (k * places + e + next) * size;
    w[next] = of[1 + 2 * moments->dofs + j] / of[0] * motion->U[j];
  }
  const double *g = force->varies ? force->line + 2 * k * motion->m + j : NULL;
  return w[0] + (at - e) * (w[1] - w[0]) - (g ? g[0] + way * (g[motion->m] - g[0]) : 0);
}

/* Whether all weights are above 0, and numbers are numbers. */
static bool are_sound(const BoundSetting *setting, const BoundMoments *moments) {
  int size = bound_moments_size(moments);
  for (int p = 0; p < setting->mesh.intervals * bound_mesh_places(&setting->mesh); p++)
    for (int i = 0; i < size; i++)
      if (!isfinite(moments->of[p * size + i]) || !(moments->of[p * size] > 0)) return false;
  return true;
}

void bound_mean_control(const CtlProblem *problem, const BoundSetting *setting, const BoundMoments *moments,
                        double *control) {
  enum { PARTS = 8 /* of a segment, for its mean */ };
  int p = problem->p, segments = problem->n / p;
  if (!are_sound(setting, moments)) return;
  for (int i = 0; i < problem->n; i++) {
    int k = i / p, parts = problem->signal == SIM_PIECEWISE_LINEAR ? 1 : PARTS;
    double u = 0;
    for (int part = 0; part < parts; part++) /* a linear piece has its value at its end */
      u += mean_at(setting, moments, i % p, (k + (parts == 1 ? 1 : (part + 0.5) / parts)) / segments) / parts;
    control[i] = u;
  }
  ctl_bounds_move_inside(problem, control);
}
