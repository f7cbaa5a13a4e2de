/* The symmetrised scheme of Glowinski et al. (13)-(16): friction over dt/2 in P substeps, elasticity over dt, friction over
 * dt/2 in P substeps. What sticks has v = 0 exactly at t_n. Friction steps are of first order, so the whole is of second
 * order only with friction substeps of O(dt^2). */
#include "sim/core/scheme.h"
#include "sim/core/scheme_rows.h"
#include "sim/splitting/splitting.h"

enum { RUNS = 2 }; /* of friction per step */

static long force_count(const SimProblem *p) { return splitting_force_count(p, RUNS); }
static double force_time(const SimProblem *p, long k) { return splitting_force_time(p, RUNS, k); }
static OperatorSum step_operator(const SimProblem *p) { return splitting_operator(p, RUNS); }
static SimStatus prepare(SimModel *model) { return splitting_prepare(model, RUNS); }

static SimStatus step(const SimModel *model, SimWorkspace *work, long n) {
  splitting_begin(model, work);
  SimStatus status = splitting_friction(model, work, 2 * (n - 1));
  if (status == SIM_OK) {
    splitting_elastic(model, work);
    status = splitting_friction(model, work, 2 * (n - 1) + 1);
  }
  splitting_end(model, work, RUNS);
  return status;
}

static const SimChoice multipliers[] = {CHOICE_UNREGULARIZED, CHOICE_SMOOTH, {0}};
static const SimParameter parameters[] = {
    ROW_ALPHA,
    ROW_MULTIPLIER(multipliers, SIM_UNREGULARIZED),
    ROW_R("3/(delta*step)", scheme_r_three_quarters),
    ROW_SOLVER,
    ROW_TOLERANCE,
    ROW_FRICTION_SUBSTEPS(5, "steps of the friction part in half a step; of second order if they shrink as step^2"),
    ROW_ELASTIC_SUBSTEPS,
    ROW_ELASTIC,
    ROW_ETA,
    {0}};

const SimScheme sim_scheme_strang = {
    .name = "strang",
    .kind = SIM_FRICTION,
    .sentence = "Strang splitting of Glowinski et al., friction, elasticity, friction: second order, has gear boxes",
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
