/* Whether the energies of a watched rollout close, by any scheme. With m the sum of |work|, |surface|, |stored|, |numerical|, dissipated and
 * impacts, each at its largest so far, the closing error e = work + surface - stored - dissipated - impacts - numerical must obey
 *
 *     |e| <= SIM_CLOSURE m + r,    r = ROUND_OFF eps n s
 *
 * r is what round-off may do in n steps: each rounds terms of the size s, in J the largest so far of
 * sum_i m_ii v_i^2 + a_ii x_i^2 + dt d_ii v_i^2 and what springs hold, which is there even where energies cancel: a system that
 * rests under a load, swings without friction, or flies at a constant speed. `event` is exact to its tolerance: there
 * |e| <= max(SIM_CLOSURE, 100 tolerance) m + r + 100 tolerance (s + g). Forces are rounded, too: r is more by ROUND_OFF eps n g, g the largest so
 * far of sum_i dt c_i |v_i| + F |x_i|, F the sum of the coefficients of f where it is taken in pieces (0 where a table has it): what is at rest
 * but for the round-off of its forces has no larger energies. Where surfaces move, s is also that of x - W and x' - w, which x and x' are
 * made of (surface_model.h): a mass that they do not move has no larger energies than the round-off of these. Where velocities are differences of x, round-off of x is one of
 * eps |x|/dt in v, to either side: r is more by ROUND_OFF eps sqrt(n) q, q the largest so far of |x|_M max(|v|_M, sqrt(2 E))/dt, E the energy between
 * two instants: a mass that jumps out and back within two steps has v = 0.
 *
 * What r excuses is reported (SimClosure.rounded) where the energies m are those of a motion, above 1e-6 w, w the largest so far of
 * sum_i M v_i^2 + c_i |x_i| + F |x_i|: very stiff springs leave few digits to a motion that hardly stretches them. */
#ifndef SIM_CORE_BALANCE_H
#define SIM_CORE_BALANCE_H

#include "sim/core/model.h"

/* Begins anew, work->watched set: no instant has been seen. */
void balance_start(const SimModel *model, SimWorkspace *work);
/* Takes the energies of t_n, where an observer sees x, v. Returns whether they close so far; true where the scheme computes none, or they
 * are too large for a double. Collective. */
bool balance_take(const SimModel *model, SimWorkspace *work, double t, const double *x, const double *v);
/* What it has come to. */
SimClosure balance_closure(const SimWorkspace *work);

#endif
