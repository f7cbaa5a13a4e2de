/* Lie's scheme of Shiau-Glowinski (2.5)-(2.9), Glowinski et al. (9)-(11): friction over dt in P substeps, then elasticity
 * over dt. First order. What sticks against a spring creeps by O(dt), since the elastic step moves it; v is the velocity
 * after the whole step, and of what sticks exactly 0 only after the friction step. */
#include "sim/core/scheme.h"
#include "sim/core/scheme_rows.h"
#include "sim/splitting/splitting.h"

enum { RUNS = 1 }; /* of friction per step */

static long force_count(const SimProblem *p) { return splitting_force_count(p, RUNS); }
static double force_time(const SimProblem *p, long k) { return splitting_force_time(p, RUNS, k); }
static OperatorSum step_operator(const SimProblem *p) { return splitting_operator(p, RUNS); }
static SimStatus prepare(SimModel *model) { return splitting_prepare(model, RUNS); }

static SimStatus step(const SimModel *model, SimWorkspace *work, long n) {
  splitting_begin(model, work);
  SimStatus status = splitting_friction(model, work, n - 1);
  if (status == SIM_OK) splitting_elastic(model, work);
  splitting_end(model, work, RUNS);
  return status;
}

static const SimChoice multipliers[] = {CHOICE_UNREGULARIZED, CHOICE_SMOOTH, {0}};
static const SimParameter parameters[] = {ROW_ALPHA,
                                          ROW_MULTIPLIER(multipliers, SIM_UNREGULARIZED),
                                          ROW_R("3/(delta*step)", scheme_r_three_quarters),
                                          ROW_SOLVER,
                                          ROW_TOLERANCE,
                                          ROW_FRICTION_SUBSTEPS(10, "steps of the friction part in a step"),
                                          ROW_ELASTIC_SUBSTEPS,
                                          ROW_ELASTIC,
                                          ROW_ETA,
                                          {0}};

const SimScheme sim_scheme_lie = {
    .name = "lie",
    .kind = SIM_FRICTION,
    .sentence = "Lie splitting of Shiau and Glowinski, friction and elasticity in turn: first order, has gear boxes",
    .parameters = parameters,
    .gearbox = true,
    .dense = true,
    .lanes = LANES_SPLITTING,
    .force_count = force_count,
    .force_time = force_time,
    .check = splitting_check,
    .step_limit = splitting_step_limit,
    .damping_limit = splitting_damping_limit,
    .step_operator = step_operator,
    .prepare = prepare,
    .release = splitting_release,
    .scratch = splitting_scratch,
    .equip = splitting_equip,
    .start = splitting_start,
    .step = step,
};
