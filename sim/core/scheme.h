/* A time discretisation: a file that fills a SimScheme, and a line of the table in sim/setup/schemes.c. */
#ifndef SIM_SCHEME_H
#define SIM_SCHEME_H

#include "sim/core/features.h"
#include "sim/operator/operator.h"
#include "sim/quantity.h"

/* Schemes that share a kernel; index of kernels in sim/lanes/batch.h. */
typedef enum LaneFamily { LANES_NONE, LANES_FORM, LANES_SPLITTING, LANE_FAMILIES } LaneFamily;

/* How step n samples a time-varying control u. */
typedef enum SignalSpan {
  SPAN_STEP,    /* mean over t_{n-1}..t_n */
  SPAN_CENTRED, /* mean from t_n - dt/2 to t_n + dt/2 */
  SPAN_BEFORE   /* u(t_{n-1}) */
} SignalSpan;

struct SimScheme {
  const char *name;               /* name in problem files */
  SimKind kind;                   /* kind of its models */
  const char *sentence;           /* description */
  const SimParameter *parameters; /* its keys in the section `scheme`, except name; NULL: none */
  size_t parameters_size;         /* size of the struct of their values, SimProblem.parameters */
  /* Supported features (features.h). takes: SIM_HAS_.. of a model, and SIM_HAS_ENERGY if it computes SimEnergy.
   * together: TOGETHER_.. of pairs. derivatives: SIM_HAS_.. of models that it can differentiate, forward and by
   * adjoints. A problem with any other feature is refused. */
  unsigned takes, together, derivatives;
  unsigned derivatives_apart; /* TOGETHER_.. of pairs that it supports without derivatives */
  /* Whether it supports a law of gamma, if it needs more than the law's row in sim/laws.h. NULL: it supports all
   * rows. */
  bool (*has_law)(SimStribeck law, double exponent);
  bool differences; /* friction: its velocities are differences of positions, with their rounding error */
  /* friction: springs and dampers have their own part of a step, which acts on x itself if surfaces move */
  bool splits;
  int runs;         /* lie, strang: friction parts of a step, each over dt / runs */
  LaneFamily lanes; /* kernel of stiction_batch */
  SignalSpan span;  /* how steps sample u */

  /* Estimates the number of segments of a motion, for a problem whose bounds are known. NULL: it has steps, or there is
   * no estimate. */
  double (*segments)(const SimProblem *problem);

  bool entries;          /* friction: it needs all entries of the matrices, even if they are sparse */
  bool force_in_pieces;  /* needs f as SimProblem.pieces instead of samples */
  bool needs_force_rate; /* chain: needs it if nodes have no mass */
  bool moves_end;        /* supports control segments of unequal lengths, derivatives by these and by T, SimQuantity */

  /* Number of force samples and the time of sample k, s. Both NULL: samples at t_0..t_N. */
  long (*force_count)(const SimProblem *problem);
  double (*force_time)(const SimProblem *problem, long k);

  /* Reports each error in the scheme's own constants; returns their number. NULL: no such constants. */
  int (*check)(const SimProblem *problem, const SimReport *report);
  /* Largest stable step, s (INFINITY: no limit), for a problem whose nu is known. NULL: stable for any step. */
  double (*step_limit)(const SimProblem *problem, double frequency_squared);
  /* Friction only: largest step, s, for elastic stops whose sqrt(stiffness/mass) is at most rate, 1/s. NULL: no
   * limit. */
  double (*end_limit)(const SimProblem *problem, double rate);
  /* Friction only: largest step, s, for damping whose largest rate (eigenvalue of M^-1 D, 1/s) is known. NULL: no
   * limit. */
  double (*damping_limit)(const SimProblem *problem, double rate);
  /* Friction only, springs with a law: weight of the slopes of the remaining law h, relative to weight 1 of M in the
   * step's matrix E (sim/joint/springs.h); 0: none. NULL: no such springs. */
  double (*rest_weight)(const SimProblem *problem);
  /* Friction only: the operator E that defines delta for the fixed point; see SimBounds. */
  OperatorSum (*step_operator)(const SimProblem *problem);

  /* Factors and tabulates once: sets model->plan. SIM_OK, SIM_NO_MEMORY, SIM_BAD_PROBLEM. */
  SimStatus (*prepare)(SimModel *model);
  bool prepares_again; /* prepare can also update a model with a plan after the numbers of its problem have changed */
  void (*release)(SimModel *model);
  /* Size of work->scratch: vectors of this rank's rows, then numbers that are equal on all ranks of a group. */
  int scratch_vectors, scratch_numbers;
  /* How many of these numbers depend on the model, beside scratch_numbers. NULL: none. */
  size_t (*scratch_further)(const SimModel *model);

  /* Creates further data of a workspace, zero until then: work->step, work->force, work->own. SIM_OK, SIM_NO_MEMORY.
   * NULL: none. */
  SimStatus (*equip)(const SimModel *model, SimWorkspace *work);
  /* Creates data for forward derivatives: sensitivity->own. Steps of a workspace with a sensitivity then update its x,
   * v, smooth. NULL if `derivatives` is 0. */
  SimStatus (*equip_sensitivity)(const SimModel *model, SimSensitivity *sensitivity);
  /* Creates data for a record and the sweep along it: adjoint->own, adjoint->sweep. Steps of a workspace with an
   * adjoint then write the record. SIM_OK, SIM_NO_MEMORY. NULL if equip_sensitivity is. */
  SimStatus (*equip_adjoint)(const SimModel *model, SimAdjoint *adjoint);

  /* A rollout that reads quantities; sim_quantities_check has accepted these. NULL: the scheme reads none. */
  SimStatus (*read)(const SimModel *model, SimWorkspace *work, SimSensitivity *sensitivity, const double *control,
                    int n, const SimQuantity *quantities, SimFinal *final, const SimReading *reading);

  /* Starts the examination of rollouts, or ends it if originals is NULL (sim/residual.h); steps then update
   * work->residual. SIM_OK, SIM_NO_MEMORY. NULL: the scheme has no polynomials to examine. */
  SimStatus (*examine)(const SimModel *model, SimWorkspace *work, const SimOriginals *originals);

  /* Restores the remaining state of a workspace after its saved state of t_n has been loaded, as after n steps. NULL:
   * nothing to restore. */
  void (*resume)(const SimModel *model, SimWorkspace *work, long n);

  /* start sets the state at n = 0. step goes from n - 1 to n, n = 1..N, with work->control_force = B u of that step.
   * Both leave x, v, lambda, slip at t_n in the workspace, and the energies up to t_n if work->watched and the scheme
   * computes them. */
  SimStatus (*start)(const SimModel *model, SimWorkspace *work);
  SimStatus (*step)(const SimModel *model, SimWorkspace *work, long n);
  /* Goes from work->n to n at once if there is no observer. NULL: step by step. */
  SimStatus (*leap)(const SimModel *model, SimWorkspace *work, long n);
};

/* Reports values outside the ranges of the table of parameters, and errors found by the scheme's check; returns their
 * number. */
int scheme_check(const SimProblem *problem, const SimReport *report);
double scheme_step_limit(const SimProblem *problem, double frequency_squared);

#endif
