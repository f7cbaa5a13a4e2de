/* A proof of the least effort: of all controls with J(u) < (1 - gap) J*, none meets the target. What any two motions of a system
 * with monotone friction have to do with each other (control/certify/README.md) excludes whole boxes of controls by one motion each,
 * a branch and bound over boxes the rest. It is a search (control.h) with the method CTL_METHOD_CERTIFY, of a problem whose
 * `certificate` is set: drivers, pool and saved searches serve it like any other. How far it has come: CtlState.proven, boxes. */
#ifndef CONTROL_CERTIFY_H
#define CONTROL_CERTIFY_H

#include "control/control.h"

SIM_API_BEGIN

enum { CTL_CERTIFY_VARIABLES = 4 /* of the control, at most */ };

/* Tells, by the keys of problem files, each reason why there can be no proof: stops, springs that are laws, gear boxes, friction that
 * falls with speed, too many variables, targets that are functions along a string, a weight that is not positive definite. Returns
 * how many. */
int ctl_certify_check(const CtlProblem *problem, const SimProblem *sim, const SimReport *report);

/* What motions are compared by. Nothing is borrowed but the problem, whose end, weight, bounds, target and accept count; rates do
 * not: what holds without holds with them. effort: J(u) of all controls that are looked at is at most this. sim: solved by `event`.
 * SIM_OK, SIM_NO_MEMORY, or SIM_BAD_PROBLEM: one that ctl_certify_check refuses. */
SimStatus ctl_bound_create(const CtlProblem *problem, const SimProblem *sim, double effort, CtlBound **bound);
void ctl_bound_destroy(CtlBound *bound); /* may be NULL */

/* How far x(T) and v(T) of a simulation may be off by the event scheme's tolerance, [d] each: m, m/s; borrowed. */
const double *ctl_bound_errors(const CtlBound *bound);

/* Whether two simulated motions of two controls [n], that end at x, v [d] each, are as near to each other as they must be. For tests
 * of the theory. */
bool ctl_bound_holds(const CtlBound *bound, const double *const control[2], const double *const x[2],
                     const double *const v[2]);

SIM_API_END

#endif
