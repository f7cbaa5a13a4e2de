/* SPDX-License-Identifier: BSD-2-Clause */
/* Interface of a time discretisation. A scheme consists of a file that fills a SimScheme, and of a line of the table in
 * sim/setup/schemes.c. */
#ifndef SIM_SCHEME_H
#define SIM_SCHEME_H

#include "sim/core/features.h"
#include "sim/operator/operator.h"
#include "sim/quantity.h"

/* Families of schemes that can run several motions together in SIMD lanes. There is one kernel for each family, and the
 * value is the index of the kernel in sim/lanes/batch.h. */
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
  size_t parameters_size;         /* size, in bytes, of the struct SimProblem.parameters with their values */
  /* Supported features (features.h): `takes` for models that the scheme can simulate, `derivatives` for models that it
   * can differentiate, forward and by adjoints. A problem with any other feature is refused. */
  SimFeatures takes, derivatives;
  /* Rows of SIM_FEATURE_PAIRS with pairs that the scheme supports (together), and those among them that it supports
   * only without derivatives (derivatives_apart). A problem with a pair of any other row is refused. */
  SimFeaturePairs together, derivatives_apart;
  bool energies; /* whether the scheme computes SimEnergy */
  /* for friction models: whether velocities are computed as differences of positions, and so have the rounding error of
   * positions */
  bool differences;
  /* for friction models: whether springs and dampers act in a separate part of a step. If surfaces move, this part uses
   * x itself instead of y = x - W, where W is the surfaces' displacement. */
  bool splits;
  int runs;         /* for lie and strang: number of friction parts of a step, each over dt / runs */
  LaneFamily lanes; /* family of the scheme's kernel for stiction_batch */
  SignalSpan span;  /* how a step samples the control u */

  /* Estimates the number of segments of a motion, for a problem with known bounds. NULL: the scheme has steps, or
   * there is no estimate. */
  double (*segments)(const SimProblem *problem);

  bool entries;          /* friction models: whether the scheme needs all entries of M, D and A on this rank, even if
                          * they are stored sparse */
  bool force_in_pieces;  /* whether the scheme needs f as SimProblem.pieces instead of samples */
  bool needs_force_rate; /* for chains: whether the scheme needs the rate of the force if some nodes have no mass */
  bool by_events;        /* whether it computes motions from event to event, without the error of a time step */
  /* whether the scheme supports control segments of unequal lengths, derivatives by these lengths and by T, and
   * quantities (sim/quantity.h) before T */
  bool moves_end;

  /* force_count returns the number of force samples, and force_time the time of sample k, in s. Both NULL: samples are
   * at t_0..t_N. */
  long (*force_count)(const SimProblem *problem);
  double (*force_time)(const SimProblem *problem, long k);

  /* Reports each error in parameters that only this scheme has. Returns the number of errors. NULL: the scheme has no
   * such parameters. */
  int (*check)(const SimProblem *problem, const SimReport *report);
  /* Returns the largest stable step in s (INFINITY: no limit) if the largest squared frequency is frequency_squared.
   * NULL: the scheme is stable for any step. */
  double (*step_limit)(const SimProblem *problem, double frequency_squared);
  /* Returns the largest step, in s, if elastic stops have sqrt(stiffness/mass) <= rate, in 1/s. For friction models and
   * mechanisms. NULL: no limit. */
  double (*end_limit)(const SimProblem *problem, double rate);
  /* Returns the largest step, in s, if the largest eigenvalue of M^-1 D is `rate`, in 1/s. For friction models. NULL:
   * no limit. */
  double (*damping_limit)(const SimProblem *problem, double rate);
  /* Returns the weight of the slopes of nonlinear spring laws in the effective mass matrix E of a step, in which the
   * mass matrix M has the weight 1 (sim/joint/springs.h). 0: E does not contain the slopes. NULL: the scheme supports
   * no springs with a nonlinear law. */
  double (*rest_weight)(const SimProblem *problem);
  /* Returns the matrix E of a step (SimBounds) as a sum of M, D and A, for friction models. From it the bound delta for
   * the fixed-point iteration is computed. */
  OperatorSum (*step_operator)(const SimProblem *problem);

  /* Factors matrices and makes tables, once for each model: sets model->plan. Returns SIM_OK, SIM_NO_MEMORY or
   * SIM_BAD_PROBLEM. */
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
  /* Creates data for forward derivatives: sensitivity->own. If the workspace has a sensitivity, each step then updates
   * its members x, v and smooth. NULL if `derivatives` is 0. */
  SimStatus (*equip_sensitivity)(const SimModel *model, SimSensitivity *sensitivity);
  /* Creates data for a record and for the sweep along it: adjoint->own, adjoint->sweep. If the workspace has an
   * adjoint, each step then writes the record. Returns SIM_OK or SIM_NO_MEMORY. NULL if equip_sensitivity is NULL. */
  SimStatus (*equip_adjoint)(const SimModel *model, SimAdjoint *adjoint);

  /* Simulates a rollout and computes quantities, which sim_quantities_check has accepted. NULL: for a scheme with steps
   * quantity_steps_read is used instead; a scheme with `by_events` then cannot compute quantities. */
  SimStatus (*read)(const SimModel *model, SimWorkspace *work, SimSensitivity *sensitivity, const double *control,
                    int n, const SimQuantity *quantities, SimFinal *final, const SimReading *reading);

  /* Starts the examination of rollouts, or ends it if originals is NULL (sim/residual.h). Between these calls, steps
   * update work->residual. Returns SIM_OK or SIM_NO_MEMORY. NULL: the scheme has no polynomials that could be
   * examined. */
  SimStatus (*examine)(const SimModel *model, SimWorkspace *work, const SimOriginals *originals);

  /* Restores those data of a workspace that its saved state does not contain, after the state at t_n has been loaded.
   * The workspace is then the same as after n steps. NULL: there is nothing to restore. */
  void (*resume)(const SimModel *model, SimWorkspace *work, long n);

  /* `start` sets the state at t = 0, that is for n = 0. `step` goes from step n - 1 to n, n = 1..N, with
   * work->control_force = B u of that step. Both set x, v, lambda and slip of the workspace to their values at t_n. If
   * work->watched they also set the energies up to t_n, if the scheme computes energies. */
  SimStatus (*start)(const SimModel *model, SimWorkspace *work);
  SimStatus (*step)(const SimModel *model, SimWorkspace *work, long n);
  /* Makes all steps from work->n to n at once, if there is no observer. NULL: steps are made one by one. */
  SimStatus (*leap)(const SimModel *model, SimWorkspace *work, long n);
};

/* scheme_check reports values of the scheme's keys that are out of range, and errors that SimScheme.check finds, and
 * returns their number. scheme_step_limit returns SimScheme.step_limit, or INFINITY if there is none. */
int scheme_check(const SimProblem *problem, const SimReport *report);
double scheme_step_limit(const SimProblem *problem, double frequency_squared);
/* Reports a step that is too large for the stiffest elastic stop on this rank. mass_min: smallest eigenvalue of M.
 * Returns the number of errors, 0 or 1. */
int scheme_check_ends(const SimProblem *problem, double mass_min, const SimReport *report);

#endif
