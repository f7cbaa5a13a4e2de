/* SPDX-License-Identifier: BSD-2-Clause */
/* Interface of a time discretisation. A scheme consists of a file that fills a SimScheme, and of a line of the table in
 * sim/setup/schemes.c. */
#ifndef SIM_SCHEME_H
#define SIM_SCHEME_H

#include "sim/core/features.h"
#include "sim/operator/operator.h"
#include "sim/quantity.h"

/* Families of schemes that can run several motions side by side in SIMD lanes, with one kernel for each family. The
 * value is an index of the kernels in sim/lanes/batch.h. */
typedef enum LaneFamily { LANES_NONE, LANES_FORM, LANES_SPLITTING, LANES_SEGMENTS, LANE_FAMILIES } LaneFamily;

/* How step n samples a time-varying control u. */
typedef enum SignalSpan {
  SPAN_STEP,    /* the mean of u from t_{n-1} to t_n */
  SPAN_CENTRED, /* the mean of u from t_n - dt/2 to t_n + dt/2 */
  SPAN_BEFORE,  /* u at t_{n-1} */
  SPAN_END      /* u at t_n */
} SignalSpan;

struct SimScheme {
  const char *name;               /* name in problem files */
  SimKind kind;                   /* kind of its models */
  const char *sentence;           /* description */
  const SimParameter *parameters; /* keys of the scheme in the section `scheme`, except name; NULL: none */
  size_t parameters_size;         /* size, in bytes, of the struct with their values, SimProblem.parameters */
  /* Supported features (features.h): of a model, and of models that it can differentiate, forward and by adjoints. A
   * problem with any other feature is refused. */
  SimFeatures takes, derivatives;
  /* Rows of SIM_FEATURE_PAIRS with the pairs that the scheme supports, and those among them that it supports only
   * without derivatives. A problem with a pair of any other row is refused. */
  SimFeaturePairs together, derivatives_apart;
  bool energies; /* whether it computes SimEnergy */
  /* friction models: whether velocities are computed as differences of positions, and so have the rounding error of
   * these */
  bool differences;
  /* friction models: whether springs and dampers act in a separate part of a step. If surfaces move, this part uses x
   * itself, not y = x - W. */
  bool splits;
  int runs;         /* lie, strang: number of friction parts of a step, each over dt / runs */
  LaneFamily lanes; /* family of its kernel for stiction_batch */
  SignalSpan span;  /* how steps sample u */

  /* Estimates the number of segments of a motion, for a problem with known bounds. NULL: the scheme has steps, or
   * there is no estimate. */
  double (*segments)(const SimProblem *problem);

  bool entries;          /* friction models: whether the scheme needs all entries of M, D and A on this rank, even if
                          * they are stored sparse */
  bool force_in_pieces;  /* whether it needs f as SimProblem.pieces instead of samples */
  bool needs_force_rate; /* chains: whether the scheme needs the rate of the force if some nodes have no mass */
  bool by_events;        /* whether it computes motions from event to event, without the error of a time step */
  /* whether it also supports control segments of unequal lengths, derivatives by these lengths and by T, and quantities
   * (sim/quantity.h) that are read on the way */
  bool moves_end;

  /* Return the number of force samples and the time of sample k, in s. Both NULL: samples are at t_0..t_N. */
  long (*force_count)(const SimProblem *problem);
  double (*force_time)(const SimProblem *problem, long k);

  /* Reports each error in the constants that only this scheme has. Returns their number. NULL: the scheme has no such
   * constants. */
  int (*check)(const SimProblem *problem, const SimReport *report);
  /* Returns the largest stable step in s (INFINITY: no limit), for a problem with a known largest frequency nu. NULL:
   * the scheme is stable for any step. */
  double (*step_limit)(const SimProblem *problem, double frequency_squared);
  /* Returns the largest step, in s, for elastic stops with sqrt(stiffness/mass) <= rate, in 1/s. Used for friction
   * models and mechanisms. NULL: no limit. */
  double (*end_limit)(const SimProblem *problem, double rate);
  /* Returns the largest step, in s, for damping with a known largest rate (eigenvalue of M^-1 D, in 1/s). Used for
   * friction models. NULL: no limit. */
  double (*damping_limit)(const SimProblem *problem, double rate);
  /* Returns the weight of the slopes of nonlinear spring laws in the effective mass matrix E of a step, in which the
   * mass matrix M has the weight 1 (sim/joint/springs.h). 0: E does not contain the slopes. NULL: the scheme supports
   * no springs with a nonlinear law. */
  double (*rest_weight)(const SimProblem *problem);
  /* Returns the matrix E of a step as a sum of M, D and A, for friction models. The bound delta of its eigenvalues
   * (SimBounds), for the fixed-point iteration, is computed from it. */
  OperatorSum (*step_operator)(const SimProblem *problem);

  /* Factors matrices and makes tables, once: sets model->plan. Returns SIM_OK, SIM_NO_MEMORY or SIM_BAD_PROBLEM. */
  SimStatus (*prepare)(SimModel *model);
  /* whether prepare can be called again for a prepared model after values of its problem, such as masses, have
   * changed */
  bool prepares_again;
  void (*release)(SimModel *model);
  /* Sizes of work->scratch: number of vectors of this rank's rows, and number of doubles that are equal on all ranks of
   * a group. */
  int scratch_vectors, scratch_numbers;
  /* Returns the number of doubles in work->scratch that depends on the model, in addition to scratch_numbers. NULL:
   * 0. */
  size_t (*scratch_further)(const SimModel *model);

  /* Creates further data of a workspace: work->step, work->force, work->own. These data are zero before the call.
   * Returns SIM_OK or SIM_NO_MEMORY. NULL: there are none. */
  SimStatus (*equip)(const SimModel *model, SimWorkspace *work);
  /* Creates data for forward derivatives: sensitivity->own. Steps of a workspace with a sensitivity then update its x,
   * v, smooth. NULL if `derivatives` is 0. */
  SimStatus (*equip_sensitivity)(const SimModel *model, SimSensitivity *sensitivity);
  /* Creates data for a record and the sweep along it: adjoint->own, adjoint->sweep. Steps of a workspace with an
   * adjoint then write the record. SIM_OK, SIM_NO_MEMORY. NULL if equip_sensitivity is. */
  SimStatus (*equip_adjoint)(const SimModel *model, SimAdjoint *adjoint);

  /* Makes a rollout that computes quantities, which sim_quantities_check has accepted. NULL: the scheme has steps, and
   * quantity_steps_read does so; or, with `by_events`, it cannot compute quantities. */
  SimStatus (*read)(const SimModel *model, SimWorkspace *work, SimSensitivity *sensitivity, const double *control,
                    int n, const SimQuantity *quantities, SimFinal *final, const SimReading *reading);

  /* Starts the examination of rollouts, or ends it if originals is NULL (sim/residual.h). While it is on, steps update
   * work->residual. Returns SIM_OK or SIM_NO_MEMORY. NULL: the scheme has no polynomials to examine. */
  SimStatus (*examine)(const SimModel *model, SimWorkspace *work, const SimOriginals *originals);

  /* Restores the data of a workspace that its saved state does not contain, after the state of t_n has been loaded. The
   * workspace is then the same as after n steps. NULL: there is nothing to restore. */
  void (*resume)(const SimModel *model, SimWorkspace *work, long n);

  /* `start` sets the state at t = 0, that is for n = 0. `step` goes from step n - 1 to n, n = 1..N, with
   * work->control_force = B u of that step. Both set x, v, lambda and slip of the workspace to their values at t_n. If
   * work->watched they also set the energies up to t_n, if the scheme computes energies. */
  SimStatus (*start)(const SimModel *model, SimWorkspace *work);
  SimStatus (*step)(const SimModel *model, SimWorkspace *work, long n);
  /* Makes all steps from work->n to n at once, if there is no observer. NULL: steps are made one by one. */
  SimStatus (*leap)(const SimModel *model, SimWorkspace *work, long n);
};

/* Reports values of the scheme's keys that are out of range, and errors that the scheme's function `check` finds.
 * Returns their number. */
int scheme_check(const SimProblem *problem, const SimReport *report);
double scheme_step_limit(const SimProblem *problem, double frequency_squared);
/* Reports a step that is too large for the stiffest elastic stop of this rank. mass_min: smallest eigenvalue of M.
 * Returns the number of errors. */
int scheme_check_ends(const SimProblem *problem, double mass_min, const SimReport *report);

#endif
