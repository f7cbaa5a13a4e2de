/* A time discretisation: one file that fills a SimScheme, and one line of the table in
 * sim/setup/schemes.c. */
#ifndef SIM_SCHEME_H
#define SIM_SCHEME_H

#include "sim/core/features.h"
#include "sim/operator/operator.h"
#include "sim/sim.h"

/* Schemes whose steps are alike in lanes: what a kernel of sim/lanes/batch.h is indexed with. */
typedef enum LaneFamily { LANES_NONE, LANES_FORM, LANES_SPLITTING, LANE_FAMILIES } LaneFamily;

/* Which u step n takes where u varies. */
typedef enum SignalSpan {
  SPAN_STEP,    /* the mean over t_{n-1}..t_n */
  SPAN_CENTRED, /* the mean over half a step to both sides of t_n */
  SPAN_BEFORE   /* u(t_{n-1}) */
} SignalSpan;

struct SimScheme {
  const char *name;               /* as in problem files */
  SimKind kind;                   /* of the models it serves */
  const char *sentence;           /* what it is */
  const SimParameter *parameters; /* keys of the section `scheme` that it takes besides name; NULL: none */
  size_t parameters_size;         /* of the struct that keeps their values, SimProblem.parameters */
  /* What it has, features.h: SIM_HAS_.. of a model, and whether it computes SimEnergy; TOGETHER_.. of those that do not go together by
   * themselves; SIM_HAS_.. of models that it has derivatives of, both ways. A problem with any other is refused. */
  unsigned takes, together, derivatives;
  unsigned derivatives_apart; /* TOGETHER_.. of those that it takes together, but without derivatives */
  /* Whether it has a law of gamma, where it needs more of one than its row of sim/laws.h. NULL: it takes them by their rows. */
  bool (*has_law)(SimStribeck law, double exponent);
  bool differences; /* friction: its velocities are differences of positions, with their round-off */
  bool splits;      /* friction: springs and dampers have a part of a step, of x itself where surfaces move */
  int runs;         /* lie, strang: of friction per step, each over dt / runs */
  LaneFamily lanes; /* how sim_batch runs it */
  SignalSpan span;  /* which u a step takes */

  /* About how many segments a motion has, of a problem whose bounds are known. NULL: it has steps, or nobody knows. */
  double (*segments)(const SimProblem *problem);

  bool entries;          /* friction: it computes with all entries of the matrices, of sparse ones, too */
  bool force_in_pieces;  /* takes f as SimProblem.pieces, not at times */
  bool needs_force_rate; /* chain: where nodes have no mass */

  /* Force samples wanted, and the time of each, s; NULL both: at t_0..t_N. */
  long (*force_count)(const SimProblem *problem);
  double (*force_time)(const SimProblem *problem, long k);

  /* Tells mistakes in the scheme's own constants; returns how many. NULL: it has none. */
  int (*check)(const SimProblem *problem, const SimReport *report);
  /* Largest stable step, s (INFINITY: none), for a problem whose nu is known. NULL: stable at any step. */
  double (*step_limit)(const SimProblem *problem, double frequency_squared);
  /* friction alone: largest step, s, for elastic stops of which the largest sqrt(stiffness/mass) is at most this, 1/s. NULL: any. */
  double (*end_limit)(const SimProblem *problem, double rate);
  /* friction alone: largest step, s, for a damping whose largest rate (eigenvalue of M^-1 D, 1/s) is known. NULL: none. */
  double (*damping_limit)(const SimProblem *problem, double rate);
  /* friction alone: where it takes springs with a law, which weight the slopes of what is left of the law have in a step's matrix
   * E of M of weight 1 (sim/joint/springs.h); 0: none. NULL: it has no such springs. */
  double (*rest_weight)(const SimProblem *problem);
  /* friction alone: the operator whose delta rules the fixed point; see SimBounds. */
  OperatorSum (*step_operator)(const SimProblem *problem);

  /* Factors and tabulates, once: sets model->plan. SIM_OK, SIM_NO_MEMORY, SIM_BAD_PROBLEM. */
  SimStatus (*prepare)(SimModel *model);
  bool prepares_again; /* a model that has a plan, too, after its problem's numbers have changed */
  void (*release)(SimModel *model);
  /* work->scratch: so many vectors of this rank's rows, and then numbers that are alike on all ranks of a group. */
  int scratch_vectors, scratch_numbers;

  /* What else a workspace has: work->step, work->force, work->own, zeroed so far. SIM_OK, SIM_NO_MEMORY. NULL: nothing. */
  SimStatus (*equip)(const SimModel *model, SimWorkspace *work);
  /* What derivatives along its rollouts need: sensitivity->own. A workspace with a sensitivity then keeps its x, v, smooth up to
   * date. NULL where `derivatives` is 0. */
  SimStatus (*equip_sensitivity)(const SimModel *model, SimSensitivity *sensitivity);
  /* What a record of its rollouts needs, and the way back along it: adjoint->own, adjoint->sweep. A workspace with an adjoint then
   * keeps it. SIM_OK, SIM_NO_MEMORY. NULL where equip_sensitivity is. */
  SimStatus (*equip_adjoint)(const SimModel *model, SimAdjoint *adjoint);

  /* Has its rollouts examined, or, originals NULL, no more (sim/residual.h): keeps work->residual. SIM_OK, SIM_NO_MEMORY. NULL: it
   * has no polynomials that could be. */
  SimStatus (*examine)(const SimModel *model, SimWorkspace *work, const SimOriginals *originals);

  /* Makes of a workspace whose state of t_n has been loaded what n steps would have left. NULL: nothing to do. */
  void (*resume)(const SimModel *model, SimWorkspace *work, long n);

  /* Brings the workspace to n = 0, then from n - 1 to n, for n = 1..N, with work->control_force = B u of that step set. Both leave
   * x, v, lambda, slip at t_n in the workspace and, if work->watched and it computes them, the energies up to t_n. */
  SimStatus (*start)(const SimModel *model, SimWorkspace *work);
  SimStatus (*step)(const SimModel *model, SimWorkspace *work, long n);
  /* The same from work->n to n at once where nobody looks on. NULL: step by step. */
  SimStatus (*leap)(const SimModel *model, SimWorkspace *work, long n);
};

/* Tells the values that the table of parameters does not allow, and what the scheme's check tells; returns how many. */
int scheme_check(const SimProblem *problem, const SimReport *report);
double scheme_step_limit(const SimProblem *problem, double frequency_squared);

#endif
