/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/bound/mean.h"

#include "control/problem/bounds.h"

#include <math.h>

/* Returns the interval of the mesh that contains time t. *way: set to the relative position of t in this interval, from
 * 0 to 1. */
static int interval_of(const BoundMesh *mesh, double t, double *way) {
  int k = 0;
  while (k + 1 < mesh->intervals && mesh->time[k + 1] <= t) k++;
  *way = (t - mesh->time[k]) / (mesh->time[k + 1] - mesh->time[k]);
  return k;
}

/* Returns the mean of one quantity at time t over the motions that the dual solution mixes. The means (moments) are
 * known for each Bernstein coefficient of an interval. Coefficient e belongs to the time at the fraction (e + 1)/(n +
 * 2) of the interval, the mean time of Bernstein polynomial e of degree n. Between these times the mean is
 * interpolated. */
static double mean_at(const BoundSetting *setting, const BoundMoments *moments, int entry, double t) {
  int places = bound_mesh_places(&setting->mesh), size = bound_moments_size(moments);
  double way, w[2];
  int k = interval_of(&setting->mesh, t, &way);
  double at = way * (places + 1) - 1;
  int e = (int)fmax(0, fmin(floor(at), places - 2));
  for (int next = 0; next < 2; next++) {
    const double *of = moments->of + (k * places + e + next) * size;
    w[next] = of[entry] / of[0];
  }
  return w[0] + (at - e) * (w[1] - w[0]);
}

/* Returns entry j of the mean control at time t. The control of the scaled problem includes B^-1 f for a force f that
 * varies (force.h); this part is subtracted. */
static double control_at(const BoundSetting *setting, const BoundMoments *moments, int j, double t) {
  const BoundMotion *motion = &setting->motion;
  const BoundForce *force = &setting->force;
  double way, u = mean_at(setting, moments, 1 + 2 * moments->dofs + j, t) * motion->U[j];
  int k = interval_of(&setting->mesh, t, &way);
  const double *g = force->varies ? force->line + 2 * k * motion->m + j : NULL;
  return u - (g ? g[0] + way * (g[motion->m] - g[0]) : 0);
}

/* Whether the moments (newton.h) can be used: the weights of all time points are positive, and all moments are
 * finite. */
static bool are_sound(const BoundSetting *setting, const BoundMoments *moments) {
  int size = bound_moments_size(moments);
  for (int p = 0; p < setting->mesh.intervals * bound_mesh_places(&setting->mesh); p++)
    for (int i = 0; i < size; i++)
      if (!isfinite(moments->of[p * size + i]) || !(moments->of[p * size] > 0)) return false;
  return true;
}

/* Returns the mean of the position x_i at time t over the motions that the dual solution mixes. This mean is piecewise
 * linear in time, from the start to the target. */
static double place_at(const BoundSetting *setting, const BoundMoments *moments, int i, double t) {
  const BoundMesh *mesh = &setting->mesh;
  const double *from = setting->motion.from, *to = setting->motion.to, *of = moments->of;
  int places = bound_mesh_places(mesh), size = bound_moments_size(moments);
  double time = 0, x = from[i];
  for (int p = 0; p < mesh->intervals * places; p++, of += size) {
    int k = p / places;
    double next = mesh->time[k] + (p % places + 1.0) / (places + 1) * (mesh->time[k + 1] - mesh->time[k]),
           there = of[1 + i] / of[0];
    if (t <= next) return x + (t - time) / (next - time) * (there - x);
    time = next;
    x = there;
  }
  return isnan(to[i]) ? x : x + (t - time) / (1 - time) * (to[i] - x);
}

/* Returns the mean velocity of x_i around the middle of a segment: the change of the mean x_i over the length of a mesh
 * interval, since changes over shorter times are inaccurate. */
static double rate_at(const BoundSetting *setting, const BoundMoments *moments, int i, double t) {
  double half = 0.5 / setting->mesh.intervals, from = fmax(0, t - half), to = fmin(1, t + half);
  return (place_at(setting, moments, i, to) - place_at(setting, moments, i, from)) / (to - from);
}

/* Finds the direction of slip of joint i in each segment. The joint sticks in a segment if its mean velocity there
 * is below a fraction of the maximum over all segments. */
static void find_ways(const CtlProblem *problem, const BoundSetting *setting, const BoundMoments *moments, int i,
                      signed char *ways) {
  static const double STICK_SPEED_RATIO = 0.25;
  int segments = problem->segments;
  double most = 0;
  for (int k = 0; k < segments; k++) most = fmax(most, fabs(rate_at(setting, moments, i, (k + 0.5) / segments)));
  for (int k = 0; k < segments; k++) {
    double rate = rate_at(setting, moments, i, (k + 0.5) / segments);
    bool waits = setting->motion.contact[i] >= 0 && !(fabs(rate) > STICK_SPEED_RATIO * most);
    ways[k * problem->d + i] = (signed char)(waits ? 0 : rate < 0 ? -1 : 1);
  }
}

void bound_mean(const CtlProblem *problem, const BoundSetting *setting, const BoundMoments *moments,
                CtlBoundMean *mean) {
  enum { PARTS = 8 /* number of times in a segment at which the control is computed for the segment's mean */ };
  int p = problem->p, segments = problem->n / p;
  if (!are_sound(setting, moments)) return;
  for (int i = 0; i < problem->n; i++) {
    int k = i / p, parts = problem->signal == SIM_PIECEWISE_LINEAR ? 1 : PARTS;
    double u = 0;
    for (int part = 0; part < parts; part++) /* for a piecewise linear signal the control is computed at the end of the
                                              * segment only */
      u += control_at(setting, moments, i % p, (k + (parts == 1 ? 1 : (part + 0.5) / parts)) / segments) / parts;
    mean->control[i] = u;
  }
  ctl_bounds_move_inside(problem, mean->control);
  for (int i = 0; i < problem->d; i++) find_ways(problem, setting, moments, i, mean->ways);
}
