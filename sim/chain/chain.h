/* What the schemes of a chain share. Nodes 1..q have no mass (q = n quasistatic, n - 1 semi-dynamical, 0 dynamical) and
 * obey
 *
 *     -G_i in alpha_i sgn(V'_i),   G = K V - F,                               Bastien-Lamarque (3.45), (3.25)
 *
 * the others m V'' + alpha sgn(V') + K V = F, (3.6); F holds the end's share and the control's. Where all have mass a step is a
 * StepForm (sim/friction/form.h) with M and A = K,
 *
 *     M (W+ - W) = h (F - K V - alpha lambda),  lambda in sgn(W+),    V+ = V + ahead W+ + behind W,
 *
 * F and V of t_n; else it is made of the parts below. */
#ifndef SIM_CHAIN_H
#define SIM_CHAIN_H

#include "sim/core/scheme.h"
#include "sim/core/scheme_rows.h"
#include "sim/friction/form.h"

/* Views into the workspace's scratch, [n] each; the first three of a StepForm's levels, too. */
typedef struct ChainRows {
  double *r, *v_before, *x_before; /* r: K V - F, as the next; at the end of a watched step */
  double *r_before;                /* one step back; watch alone needs all of it */
  double *f, *force;               /* force: F(t_n) with B u; f: the one before */
  double *g;                       /* at t_n; nodes 1..q, else 0 */
  double *z, *d;                   /* the projection's data and answer; d = 0 for nodes with mass */
  double *pivot, *carry;           /* scratch */
  double *stored_start;            /* one number: the energy of V_0, W_0, J */
} ChainRows;

enum { CHAIN_VECTORS = 11 }; /* of ChainRows */

/* How many nodes have no mass. */
int chain_massless(const SimProblem *problem);
/* Of a model's problem: fills chain.held, M and A = K of sparse storage. SIM_OK, SIM_NO_MEMORY. */
SimStatus chain_matrices(SimProblem *problem);

/* What every scheme takes, but for the cases that it does not serve, and has derivatives of. */
enum {
  CHAIN_TAKES = SIM_HAS_DENSE | SIM_HAS_MANY | SIM_HAS_SIGNAL | SIM_HAS_DYNAMICAL | SIM_HAS_BARE_NODES | SIM_HAS_ENERGY,
  CHAIN_DERIVATIVES = SIM_HAS_DENSE | SIM_HAS_SPARSE | SIM_HAS_MANY | SIM_HAS_SIGNAL | SIM_HAS_DYNAMICAL
};
/* What SimScheme wants of every chain's scheme. */
#define CHAIN_SCHEME                                                                                                   \
  .kind = SIM_CHAIN, .span = SPAN_BEFORE, .parameters = chain_no_keys, .parameters_size = sizeof(FrictionParameters),  \
  .release = form_release, .scratch_vectors = CHAIN_VECTORS, .scratch_numbers = 1, .equip = chain_equip,               \
  .resume = load_resume, .start = chain_start
/* Of those of nodes with mass. */
#define CHAIN_FORM                                                                                                     \
  .lanes = LANES_FORM, .derivatives = CHAIN_DERIVATIVES, .equip_sensitivity = form_equip_sensitivity,                  \
  .equip_adjoint = form_equip_adjoint
extern const SimParameter chain_no_keys[];
/* SimScheme.prepare, with the StepForm of velocities first; with another, ahead h of it; equip; start. */
SimStatus chain_prepare(SimModel *model);
SimStatus chain_prepare_form(SimModel *model, double ahead);
SimStatus chain_equip(const SimModel *model, SimWorkspace *work);
SimStatus chain_start(const SimModel *model, SimWorkspace *work);

/* SimScheme.step: where nodes have no mass, these follow the one that has, G+ = Proj(G - dF), V+ = V + d, dF with what that one
 * pulls: what sticks does not move. */
SimStatus chain_step(const SimModel *model, SimWorkspace *work, long n);

ChainRows chain_rows(const SimModel *model, const SimWorkspace *work);

/* The parts of a step from n - 1 to n where nodes have no mass, in this order: */
/* Keeps V, W, F and r of t_{n-1}; moves the last node, if it has mass, by the StepForm's formulas with `ahead` h. */
void chain_begin(const SimModel *model, SimWorkspace *work, long n, double ahead);
/* G+ = Proj(rows.z) on the nodes without mass, with lambda = -G+/alpha, W = d/h and slip. */
SimStatus chain_slide(const SimModel *model, SimWorkspace *work);
/* The energies of a step of h, if watched. */
void chain_account(const SimModel *model, SimWorkspace *work, double h);

/* StepForm.watch */
FormWatch chain_watch;

/* SimKindOps.publish: the reactions and the end's displacement. */
void chain_publish(const SimModel *model, SimWorkspace *work, long n);

#endif
