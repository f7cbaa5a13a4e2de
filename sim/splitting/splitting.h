/* What the splitting schemes `lie` and `strang` share. Both alternate friction on V alone (friction_substep.h) and
 * elasticity without friction (elastic_step.h); they differ in the order, and in how many runs of friction a step has.
 *
 * lambda is the mean over the step's friction substeps: the elastic step kicks what sticks against a spring, so that the
 * first substeps after it slip and the last one's lambda has no limit as dt -> 0. slip is the branch of the last substep,
 * whether friction has brought the velocity to zero: that is what sticks in the limit. */
#ifndef SIM_SPLITTING_H
#define SIM_SPLITTING_H

#include "sim/splitting/elastic_step.h"
#include "sim/splitting/friction_substep.h"

typedef struct SplittingPlan {
  FrictionSubstep friction;
  ElasticStep elastic;
  int runs; /* of friction per step: after the first comes elasticity */
} SplittingPlan;

/* The entries of SimScheme that do not depend on the order. */
int splitting_check(const SimProblem *problem, const SimReport *report);
double splitting_step_limit(const SimProblem *problem, double frequency_squared);
double splitting_damping_limit(const SimProblem *problem, double rate);
void splitting_release(SimModel *model);
size_t splitting_scratch(const SimModel *model);
SimStatus splitting_start(const SimModel *model, SimWorkspace *work);

/* And those that do. runs: runs of P friction substeps per step, each over dt / runs. */
long splitting_force_count(const SimProblem *problem, int runs);
double splitting_force_time(const SimProblem *problem, int runs, long k);
OperatorSum splitting_operator(const SimProblem *problem, int runs);
SimStatus splitting_equip(const SimModel *model, SimWorkspace *work);
SimStatus splitting_prepare(SimModel *model, int runs);

/* A step: begin, friction (run: counted from 0 over the whole rollout) and elastic in the scheme's order, end. */
void splitting_begin(const SimModel *model, SimWorkspace *work);
SimStatus splitting_friction(const SimModel *model, SimWorkspace *work, long run);
void splitting_elastic(const SimModel *model, SimWorkspace *work);
void splitting_end(const SimModel *model, SimWorkspace *work, int runs);

#endif
