/* SPDX-License-Identifier: BSD-2-Clause */
/* A chain of nodes and springs that slides on a rough support: M V'' + alpha sgn(V') + K V = F, with masses at all
 * nodes, at the last one, or at none (Bastien-Lamarque, sections 3.1 to 3.3). */
#include "sim/core/kind.h"
#include "sim/chain/chain.h"
#include "sim/operator/check.h"
#include "sim/operator/dense.h"

#include <math.h>
#include <stdlib.h>

bool sim_force_rate_wanted(const SimProblem *p) {
  return p->kind == SIM_CHAIN && chain_massless(p) > 0 && p->scheme->needs_force_rate;
}

static bool free_end(const SimProblem *p) { return p->chain.end == SIM_END_FREE; }

/* Checks the springs beyond the condition k_i >= 0 of the table of keys. Inner springs must be positive. The
 * stiffness matrix K(q) of the nodes without mass must be positive definite, by Lemma B.1 of Bastien-Lamarque (which
 * omits k_0). */
static void check_springs(Check *check) {
  const SimProblem *p = check->problem;
  const double *k = p->chain.springs;
  int n = p->d, i = 1;
  while (i < n && k[i] != 0) i++;
  if (i < n) check_complain(check, "model.springs", "entry %d, k_%d, is 0 (expected > 0 between nodes)", i + 1, i);
  if (i < n || check->mistakes) return;
  if (p->chain.chain_case == SIM_CHAIN_QUASISTATIC && k[0] == 0 && (free_end(p) || k[n] == 0))
    check_complain(check, "model.springs", "nothing holds the chain, its stiffness is singular (expected k_0 > 0%s)",
                   free_end(p) ? ", the right end being free" : " or k_n > 0");
  if (p->chain.end == SIM_END_DISPLACEMENT && k[n] == 0)
    check_complain(check, "model.springs", "k_n is 0, so the end's displacement moves nothing (expected > 0)");
}

static void check_masses(Check *check) {
  const SimProblem *p = check->problem;
  for (int i = chain_massless(p); i < p->d; i++)
    if (p->chain.node_mass[i] == 0) {
      check_complain(check, "model.mass", "the mass of node %d is 0 (expected > 0)", i + 1);
      return;
    }
}

/* Returns the sum of the magnitudes of the terms of F(0) at a node, in N. If the force is given in pieces, its first
 * piece has a rounding error relative to this sum. */
static double force_terms(const SimProblem *p, int i) {
  double sum = 0;
  if (!p->pieces) return fabs(p->force[i]);
  for (int k = 0; k <= SIM_PIECE_ORDER; k++) sum += fabs(p->pieces[SIM_PIECE_HEAD + k * p->d + i]);
  return sum;
}

/* Checks, for u = 0, that friction can hold the load K V_0 - F(0) on nodes without mass. If a control increases this
 * load, the chain slides at the start (chain_start). */
static void check_start(Check *check) {
  const SimProblem *p = check->problem;
  const double *k = p->chain.springs, *x = p->x0, *f = p->pieces ? p->pieces + SIM_PIECE_HEAD : p->force;
  for (int i = 0; f && i < chain_massless(p); i++) {
    double left = k[i] * (x[i] - (i ? x[i - 1] : 0));
    double right = i + 1 < p->d ? k[i + 1] * (x[i + 1] - x[i]) : free_end(p) ? 0 : -k[i + 1] * x[i];
    double g = left - right - f[i], terms = fabs(left) + fabs(right) + force_terms(p, i);
    if (!(fabs(g) > p->friction[i] + 1e-9 * terms)) continue;
    check_complain(check, "model.v0",
                   "the chain cannot start so: node %d, which has no mass, bears %g at t = 0, its threshold is %g",
                   i + 1, g, p->friction[i]);
    return;
  }
}

/* Computes the largest eigenvalues of K and of M^-1 K, where M^-1 K is taken for the nodes with mass, with all others
 * held at rest. */
static void fill_bounds(Check *check, SimBounds *bounds) {
  const SimProblem *p = check->problem;
  const double *k = p->chain.springs, *m = p->chain.node_mass;
  int n = p->d, massless = chain_massless(p);
  double *diagonal = calloc(2 * (size_t)n, sizeof *diagonal);
  check->no_memory = !diagonal;
  if (!diagonal) return;
  double *off = diagonal + n;
  for (int i = 0; i < n; i++) {
    diagonal[i] = k[i] + (i + 1 < n || !free_end(p) ? k[i + 1] : 0);
    off[i] = -k[i + 1];
  }
  SimStatus status = dense_tridiagonal_largest(n, diagonal, off, &bounds->stiffness_max);
  for (int i = massless; i < n; i++) {
    diagonal[i] /= m[i];
    if (i + 1 < n) off[i] /= sqrt(m[i]) * sqrt(m[i + 1]);
    bounds->mass_min = i == massless ? m[i] : fmin(bounds->mass_min, m[i]);
    bounds->mass_max = fmax(bounds->mass_max, m[i]);
  }
  if (status == SIM_OK && massless < n)
    status = dense_tridiagonal_largest(n - massless, diagonal + massless, off + massless, &bounds->frequency_squared);
  free(diagonal);
  if (!check_found(check, "model.springs", "the eigenvalues of the stiffness", status)) return;
  bounds->frequency_squared = fmax(bounds->frequency_squared, 0);
  bounds->step_limit = scheme_step_limit(p, bounds->frequency_squared);
  if (!(p->step < bounds->step_limit))
    check_complain(check, "time.step",
                   "%g is unstable: with nu = %.6g, the largest eigenvalue of M^-1 K, it must stay below %.6g", p->step,
                   bounds->frequency_squared, bounds->step_limit);
}

static SimFeatures features(const SimProblem *p) {
  switch (p->chain.chain_case) {
  case SIM_CHAIN_DYNAMICAL: return SIM_HAS(DYNAMICAL);
  case SIM_CHAIN_SEMI_DYNAMICAL: /* if the only node has mass, all nodes have mass, so the chain is dynamical */
    return chain_massless(p) > 0 ? SIM_HAS(SEMI_DYNAMICAL) : SIM_HAS(DYNAMICAL);
  case SIM_CHAIN_QUASISTATIC: return SIM_HAS(QUASISTATIC);
  }
  return SIM_HAS_BARE_NODES | SIM_HAS(DYNAMICAL);
}

static SimStatus check_chain(Check *check, SimBounds *bounds) {
  check_rows(check, "model", sim_chain_parameters);
  check_springs(check);
  check_masses(check);
  if (check->mistakes) return SIM_BAD_PROBLEM;
  check_start(check);
  fill_bounds(check, bounds);
  return check_status(check);
}

/* Returns the sum of the magnitudes of the energy's terms, in J, as a scale for rounding errors. Nodes without mass
 * have a velocity, but no kinetic energy. */
static double energy_size(const SimModel *model, SimWorkspace *work, const double *x, const double *v) {
  (void)work;
  const SimProblem *p = &model->problem;
  double sum = 0;
  for (int i = 0; i < p->d; i++)
    sum += p->chain.node_mass[i] * v[i] * v[i] + (p->chain.springs[i] + p->chain.springs[i + 1]) * x[i] * x[i];
  return sum;
}

enum { FEW_NODES = 8 }; /* with up to 8 nodes, vector lanes (sim/lanes) are faster than one rollout after another */

static const char *const extra[] = {"reaction_left", "reaction_right", "x_end"};
static const char *const extra_units[] = {"N", "N", "m"};

static size_t nodes(const SimProblem *p) { return (size_t)p->d; }
/* The next functions return the numbers of entries of the chain's arrays. entries: of each of the matrices M, D and A,
 * which only models with few nodes store (chain_prepare_form). */
static size_t entries(const SimProblem *p) { return p->d <= FEW_NODES ? nodes(p) * nodes(p) : 0; }
static size_t springs(const SimProblem *p) { return (size_t)p->d + 1; }
static size_t times(const SimProblem *p) { return (size_t)sim_force_count(p); }
static size_t rates(const SimProblem *p) { return sim_force_rate_wanted(p) ? times(p) * nodes(p) : 0; }

static const ProblemArray arrays[] = {{PROBLEM_ARRAY(chain.springs, springs)},
                                      {PROBLEM_ARRAY(chain.held, springs)},
                                      {PROBLEM_ARRAY(chain.node_mass, nodes)},
                                      {PROBLEM_ARRAY(system.mass, entries)},
                                      {PROBLEM_ARRAY(system.damping, entries)},
                                      {PROBLEM_ARRAY(system.stiffness, entries)},
                                      {PROBLEM_ARRAY(chain.force_rate, rates), .over_time = true},
                                      {PROBLEM_ARRAY(chain.end_value, times), .over_time = true},
                                      {0}};

const SimKindOps sim_kind_chain = {.arrays = arrays,
                                   .parameters = sim_chain_parameters,
                                   .clear = operator_parts_clear,
                                   .features = features,
                                   .check = check_chain,
                                   .energy_size = energy_size,
                                   /* here the arrays x, v contain displacements V and velocities W */
                                   .has_multiplier = true,
                                   .n_extra = 3,
                                   .extra = extra,
                                   .extra_units = extra_units,
                                   .publish = chain_publish};
