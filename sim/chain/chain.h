/* SPDX-License-Identifier: BSD-2-Clause */
/* Common parts of the schemes of a chain, a row of nodes and springs with dry friction. V are the displacements of the
 * nodes, W their velocities, m their masses, alpha their friction thresholds, K the stiffness matrix and F the load,
 * which includes the forces of the end and of the control. Nodes 1..q have no mass (q = n quasistatic, n - 1
 * semi-dynamical, 0 dynamical) and satisfy
 *
 *   -G_i in alpha_i sgn(V'_i), G = K V - F, Bastien-Lamarque (3.45), (3.25)
 *
 * The other nodes satisfy m V'' + alpha sgn(V') + K V = F, (3.6). A step of length h is a StepForm
 * (sim/friction/form.h) with A = K if all nodes have mass, or, for the scheme `increment`, if none has:
 *
 *   masses  M (W+ - W) = h (F - K V - alpha lambda), lambda in sgn(W+), V+ = V + ahead W+ + behind W,
 *   none    h^2 K W+ = h (F+ - K V - alpha lambda), lambda in sgn(W+), V+ = V + h W+,
 *
 * with F and V at t_n, F+ at t_{n+1}. Otherwise a step consists of chain_begin, chain_slide and chain_account below. */
#ifndef SIM_CHAIN_H
#define SIM_CHAIN_H

#include "sim/core/scheme.h"
#include "sim/core/scheme_rows.h"
#include "sim/friction/form.h"

/* Parts of the workspace's scratch, [n] each. The first three are also levels of a StepForm. */
typedef struct ChainRows {
  double *r, *v_before, *x_before; /* r: K V - F at the end of a step, set if energies are computed. v_before, x_before:
                                    * velocities and displacements before the step. */
  double *r_before;                /* r at the end of the previous step; entries of nodes with mass are set only if
                                    * energies are computed */
  double *f, *force;               /* f: external force F of the previous step; force: that of this step, F(t_n),
                                    * including the control force B u */
  double *g;                       /* force G = K V - F at t_n of nodes 1..q (those without mass), 0 elsewhere */
  double *z, *d;                   /* input z and result d of the projection; d = 0 for nodes with mass */
  double *pivot, *carry;           /* scratch */
  double *stored_start;            /* one number: energy of the initial state V_0, W_0 in J */
} ChainRows;

enum { CHAIN_VECTORS = 11 }; /* number of vectors in ChainRows */

/* Returns the number of nodes without mass, which are the first ones. */
int chain_massless(const SimProblem *problem);
/* Fills chain.held, and for sparse storage M and A = K, of a model's problem. Returns SIM_OK or SIM_NO_MEMORY. */
SimStatus chain_matrices(SimProblem *problem);

/* CHAIN_TAKES: features that every scheme of a chain supports. CHAIN_DERIVATIVES: features of models that have
 * derivatives; all their nodes have mass. */
#define CHAIN_TAKES       (SIM_HAS(DENSE) | SIM_HAS(MANY) | SIM_HAS(SIGNAL) | SIM_HAS(DYNAMICAL) | SIM_HAS_BARE_NODES)
#define CHAIN_DERIVATIVES (SIM_HAS(DENSE) | SIM_HAS(SPARSE) | SIM_HAS(MANY) | SIM_HAS(SIGNAL) | SIM_HAS(DYNAMICAL))
/* Members of SimScheme that are the same in every chain scheme. */
#define CHAIN_SCHEME                                                                                                   \
  .kind = SIM_CHAIN, .energies = true, .parameters = chain_no_keys, .parameters_size = sizeof(FrictionParameters),     \
  .release = form_release, .scratch_vectors = CHAIN_VECTORS, .scratch_numbers = 1, .equip = chain_equip,               \
  .equip_sensitivity = form_equip_sensitivity, .equip_adjoint = form_equip_adjoint, .resume = load_resume,             \
  .start = chain_start
/* Members of SimScheme that are the same in every scheme for nodes with mass. */
#define CHAIN_MASSES .lanes = LANES_FORM, .span = SPAN_BEFORE, .derivatives = CHAIN_DERIVATIVES
extern const SimParameter chain_no_keys[];
/* chain_prepare_form prepares a StepForm with the effective mass matrix E = `matrix`. end: weight of the force F(t_n)
 * at the step's end, 0 or 1; 1 if nodes have no mass. ahead: weight of h W+ in V+, with the time step h, and the
 * velocities W+ and displacements V+ after the step. chain_prepare_masses prepares it with E = M and F(t_{n-1}) if all
 * nodes have mass; otherwise only chain.held, as the scheme then has a step of its own. */
SimStatus chain_prepare_form(SimModel *model, OperatorSum matrix, double end, double ahead);
SimStatus chain_prepare_masses(SimModel *model, double ahead);
/* These functions implement SimScheme.equip and SimScheme.start. */
SimStatus chain_equip(const SimModel *model, SimWorkspace *work);
SimStatus chain_start(const SimModel *model, SimWorkspace *work);

ChainRows chain_rows(const SimModel *model, const SimWorkspace *work);

/* The next three functions are the parts of a step from n - 1 to n of schemes that have no StepForm because some nodes
 * have no mass. They are called in this order. */
/* Stores the displacements V, the velocities W, the external force F and the force r = K V - F at t_{n-1}, with K the
 * stiffness matrix. Moves the last node, if it has mass, by the formulas of the StepForm with `ahead` h. */
void chain_begin(const SimModel *model, SimWorkspace *work, long n, double ahead);
/* For the nodes without mass, at the end of a step of length h: computes the force G+ by a projection of ChainRows.z
 * (projection.h), the multiplier lambda = -G+/alpha, the velocity W = d/h of a node with displacement d, and whether
 * each node slips. */
SimStatus chain_slide(const SimModel *model, SimWorkspace *work);
/* Adds the energies of a step of length h, if an observer needs energies. */
void chain_account(const SimModel *model, SimWorkspace *work, double h);

/* Implements StepForm.watch, which adds the energies of a step. */
FormWatch chain_watch;

/* Implements SimKindOps.publish: computes the reactions and the displacement of the end. */
void chain_publish(const SimModel *model, SimWorkspace *work, long n);

#endif
