/* SPDX-License-Identifier: BSD-2-Clause */
/* The implicit Euler scheme of Bastien-Lamarque, (5.1) and (5.2): explicit in the smooth part, implicit in the
 * friction. V are the displacements, W the velocities, F the load, h the step:
 *
 *   nodes with mass     V+ = V + h W, W+ = soft(W + h M^-1 (F - K V), h M^-1 alpha) (3.6), (3.8)
 *   nodes without mass  Z = G - h (F' + k_q b e_q), G+ = Proj(Z), V+ = K^-1 (G+ + F+ + k_q a+ e_q) (3.35c), (3.49c)
 *
 * soft(z, c) reduces |z| by c, at most to 0. e_q is the unit vector of the last node without mass, k_q the spring
 * between it and the node with mass, if there is one (semi-dynamical), a the displacement v_n of that node and b = a'.
 * The general proximal map of (5.3) consists of these two. F, F', V, W are those at t_n, F+ at t_{n+1}. The scheme has
 * first order. A node without mass that sticks has W = 0, but V+ changes slowly by K^-1 (F+ - F - h F'). As the springs
 * are explicit, the scheme adds energy to a chain that has little friction. */
#include "sim/chain/chain.h"
#include "sim/chain/projection.h"

#include <float.h>
#include <math.h>

/* A step multiplies an undamped mode of frequency omega by |1 + i h omega|. If all steps together may overflow a
 * double, returns the step h for which they cannot: (1 + h^2 nu)^(N/2) <= exp(h nu T/2), where nu is the largest
 * omega^2. */
static double step_limit(const SimProblem *p, double nu) {
  double most = log(DBL_MAX), growth = (double)p->steps / 2 * log1p(p->step * p->step * nu);
  return growth <= most ? INFINITY : 2 * most / (nu * p->end);
}

static SimStatus prepare(SimModel *model) { return chain_prepare_masses(model, 0); }

static SimStatus step(const SimModel *model, SimWorkspace *work, long n) {
  const SimProblem *p = &model->problem;
  const double *k = p->chain.held;
  int q = chain_massless(p);
  if (q == 0) return form_step(model, work, n);
  ChainRows at = chain_rows(model, work);
  bool pulled = q < p->d; /* whether a node with mass pulls the last massless node */
  chain_begin(model, work, n, 0);
  for (int i = 0; i < q; i++) at.z[i] = at.g[i] - p->step * p->chain.force_rate[(n - 1) * p->d + i];
  if (pulled) at.z[q - 1] -= p->step * k[q] * at.v_before[q];
  SimStatus status = chain_slide(model, work);
  if (status != SIM_OK) return status;
  for (int i = 0; i < q; i++) at.z[i] = at.g[i] + at.force[i];
  if (pulled) at.z[q - 1] += k[q] * work->x[q];
  chain_solve_loose(q, k, p->friction, NULL, at.z, work->x, at.pivot, at.carry);
  chain_account(model, work, p->step);
  return SIM_OK;
}

const SimScheme sim_scheme_implicit_euler = {
    CHAIN_SCHEME,
    CHAIN_MASSES,
    .takes = CHAIN_TAKES,
    .name = "implicit_euler",
    .sentence =
        "Bastien and Lamarque's: friction implicit, springs explicit; first order; follows the rate of the forces",
    .needs_force_rate = true,
    .step_limit = step_limit,
    .prepare = prepare,
    .step = step,
};
