/* What the schemes of a chain share. Nodes 1..q have no mass (q = n quasistatic, n - 1 semi-dynamical, 0 dynamical) and
 * obey
 *
 *     -G_i in alpha_i sgn(V'_i),   G = K V - F,                               Bastien-Lamarque (3.45), (3.25)
 *
 * the others m V'' + alpha sgn(V') + K V = F, (3.6); F holds the end's share and the control's. */
#ifndef SIM_CHAIN_H
#define SIM_CHAIN_H

#include "sim/core/model.h"
#include "sim/core/scheme.h"

typedef struct ChainPlan {
  double *springs; /* [n+1] k_0..k_n, with k_n = 0 where the end is free */
  int massless;    /* q */
} ChainPlan;

/* Views into the workspace's scratch: [n] each. */
typedef struct ChainRows {
  double *g;                               /* at t_n; nodes 1..q, else 0 */
  double *z, *d;                           /* the projection's data and answer; d = 0 for nodes with mass */
  double *pivot, *carry;                   /* scratch */
  double *r, *r_before;                    /* K V - F at this instant and one step back; watch alone needs all of it */
  double *x_before, *v_before, *f, *force; /* force: F(t_n) with B u; f: the one before */
  double *stored_start;                    /* one number: the energy of V_0, W_0, J */
} ChainRows;

enum { CHAIN_VECTORS = 11 }; /* of ChainRows */

/* How many nodes have no mass. */
int chain_massless(const SimProblem *problem);
/* springs [n+1]: k_0..k_n, with k_n = 0 where the end is free. */
void chain_held_springs(const SimProblem *problem, double *springs);
/* What every scheme takes, but for the cases that it does not serve. */
enum {
  CHAIN_TAKES = SIM_HAS_DENSE | SIM_HAS_MANY | SIM_HAS_SIGNAL | SIM_HAS_DYNAMICAL | SIM_HAS_BARE_NODES | SIM_HAS_ENERGY
};
/* What SimScheme wants of every chain's scheme. */
#define CHAIN_SCHEME                                                                                                   \
  .kind = SIM_CHAIN, .span = SPAN_INSTANT, .prepare = chain_prepare, .release = chain_release,                         \
  .scratch_vectors = CHAIN_VECTORS, .scratch_numbers = 1, .start = chain_start
SimStatus chain_prepare(SimModel *model);
void chain_release(SimModel *model);
SimStatus chain_start(const SimModel *model, SimWorkspace *work);

ChainRows chain_rows(const SimModel *model, const SimWorkspace *work);

/* The parts of a step from n - 1 to n, in this order: */
/* Keeps V, W and F of t_{n-1}, and fills r_before where nodes have mass (and, if watched, everywhere). */
void chain_begin(const SimModel *model, SimWorkspace *work, long n);
/* m (W+ - W) = h (F - K V - alpha lambda), lambda in sgn(W+), with F, V of t_{n-1}, on the nodes with mass. */
void chain_kick(const SimModel *model, SimWorkspace *work);
/* V+ = V + h w on the nodes with mass. w: W of t_{n-1} or of t_n. */
void chain_move(const SimModel *model, SimWorkspace *work, const double *w);
/* G+ = Proj(rows.z) on the nodes without mass, with lambda = -G+/alpha, W = d/h and slip. */
SimStatus chain_slide(const SimModel *model, SimWorkspace *work);
/* The same with Z = G - (F(t_n) - F(t_{n-1})), both with what the neighbour with mass pulls, and V+ = V + d: a node
 * that sticks does not move. */
SimStatus chain_follow(const SimModel *model, SimWorkspace *work);
/* Reactions and, if watched, energies at t_n. */
void chain_end(const SimModel *model, SimWorkspace *work, long n);

/* The reactions and the end's displacement at t_n, work->extra; of any scheme. */
void chain_publish(const SimModel *model, SimWorkspace *work, long n);

#endif
