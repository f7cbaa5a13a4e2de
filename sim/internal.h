/* SPDX-License-Identifier: BSD-2-Clause */
/* All declarations of sim that the other layers of this project use: the public headers, the struct of a problem, its
 * tables, and functions that are not exported. Users of the library include sim/sim.h. */
#ifndef SIM_INTERNAL_H
#define SIM_INTERNAL_H

#include "sim/features.h"
#include "sim/problem.h"
#include "sim/residual.h"
#include "sim/schemes.h"
#include "sim/simulations.h"

/* Whether the multiplier lambda is a meaningful result for this kind of model. For a dash-pot it is not, since its
 * result is the force f_d. */
bool sim_kind_has_multiplier(SimKind kind);

/* Replaces the numbers of a model and of its only workspace by those of another finalized problem: matrices and
 * vectors, constants of the scheme, bounds. The external force is not replaced. Motions are then the same as those of a
 * model created from that problem. This is faster than a new model, for example for many scenarios. Returns
 *
 * - SIM_OK;
 * - SIM_BAD_ARGUMENT, and nothing is changed: the problem differs in more than these numbers, or the scheme does not
 *   support the replacement. Only `moreau` and `centered` with dense matrices support it, without gear box, stops,
 *   springs with a law, moving surfaces and varying thresholds;
 * - SIM_NO_MEMORY or SIM_BAD_PROBLEM: model and workspace can then only be destroyed. */
SimStatus sim_model_set_numbers(SimModel *model, SimWorkspace *work, const SimProblem *problem);

/* The functions below, up to sim_model_set_thresholds, handle many problems that differ in their thresholds alone. Each
 * variant is a store of sim_thresholds_size bytes with the thresholds, constants of the scheme and bounds.
 *
 * sim_thresholds_apart returns whether a problem may have such variants. All its thresholds must be > 0, and no check
 * and no data except constants of the scheme and bounds may depend on the thresholds. */
bool sim_thresholds_apart(const SimProblem *problem);
size_t sim_thresholds_size(const SimProblem *problem);
/* Fills a store for a problem with other thresholds [d], in N. given: the problem with its bounds and with the
 * constants that the user gave, where 0 stands for a computed default. The store gets the numbers that
 * stiction_problem_finalize would compute. Returns false if a number is invalid or a threshold is not > 0, or if there
 * is no memory. */
bool sim_thresholds_settle(const SimProblem *given, const double *friction, void *store);
/* Replaces the thresholds of a model and of its only workspace by those of a store. The result is that of
 * sim_model_set_numbers, but this function is faster. The model's problem and the store's problem must differ in their
 * thresholds alone, and sim_thresholds_apart must be true. Returns SIM_OK; SIM_BAD_ARGUMENT, nothing changed;
 * SIM_NO_MEMORY or SIM_BAD_PROBLEM: model and workspace can then only be destroyed. */
SimStatus sim_model_set_thresholds(SimModel *model, SimWorkspace *work, const void *store);

/* sim_problem_copy_into copies a problem without sparse matrices into the caller's memory `room` of at least
 * sim_problem_room bytes, aligned as by malloc. The arrays and constants of the copy are in this memory, so the copy
 * must neither be cleared nor be changed by functions that allocate. This is faster than sim_problem_copy, which
 * allocates each array. */
size_t sim_problem_room(const SimProblem *problem);
void sim_problem_copy_into(void *room, const SimProblem *problem, SimProblem *copy);

/* Processor time of the steps of a friction model by `centered` or `moreau`, summed over all steps of a workspace. */
typedef struct SimProfile {
  long linear; /* number of iterations of the linear solver; 0 if it does not iterate */
  /* time of the linear solves, each including the search for the dofs that stick or slide, in s; for the solver
   * fixed_point, time of the whole step problem */
  double solves;
  /* time of the other parts of the friction problem, in s: its check, and other methods if Newton's method cycles */
  double friction;
  double steps; /* time of all parts of the steps together, in s */
} SimProfile;
/* Adds the times of the workspace's following steps to *profile, which is borrowed. NULL: times are no longer added. */
void sim_workspace_profile(SimWorkspace *work, SimProfile *profile);

/* Estimates the number of segments of a motion by `event` from the fastest decay or oscillation of a finalized problem.
 * If that decay or oscillation limits the length of segments, the estimate is right within a factor of three. Events,
 * pieces of the force and friction laws cause further segments, which the estimate does not include. Returns 0 if there
 * is no estimate, as for another scheme. */
double sim_problem_segments(const SimProblem *problem);

/* Time of one unit of work (sim_problem_work) on a core of 3 GHz, in s. It was measured and is right within a factor of
 * three. */
#define SIM_WORK_SECONDS 2.5e-6
/* Returns the work of one segment by `event`, or of one step or iteration of another scheme. The unit is a segment of a
 * model with one dof and without derivatives. The work depends only on the problem's sizes, so it is equal on all
 * machines. columns: number of derivatives computed along with the motion; 0: none. */
double sim_problem_work(const SimProblem *problem, int columns);

/* Returns the limits that stiction_workspace_interrupt has set, borrowed from the workspace; NULL if work is NULL. */
const SimInterrupt *sim_workspace_interruption(const SimWorkspace *work);
/* Makes later rollouts of a workspace examine their motion (sim/residual.h), from their beginning or from the loaded
 * state; the result is SimFinal.examined. A rollout with a residual above sim_residual_most ends with
 * SIM_RESIDUAL_LARGE; all others give the same bits as without examination. originals: borrowed; NULL: rollouts are no
 * longer examined. Returns SIM_OK, SIM_NO_MEMORY, or SIM_BAD_PROBLEM (nothing changed) if the scheme is not `event`. */
SimStatus sim_workspace_examine(SimWorkspace *work, const SimOriginals *originals);

/* Whether a value of `slip` in SimObserver.event reports an event at a stop. */
static inline bool sim_event_of_stop(int what) { return what > SIM_LEAVES || what < -1; }

/* The functions below run a long rollout in parts. Call sim_rollout_begin (n = 0), then sim_rollout_run_to with
 * increasing `until` <= N, then sim_rollout_end, which fills final as stiction_rollout does. sim_rollout_run_to may end
 * early with a status other than SIM_OK. All calls get the same observer, or all get NULL. The results have the same
 * bits as those of stiction_rollout. */
SimStatus sim_rollout_begin(const SimModel *model, SimWorkspace *work, const double *control,
                            const SimObserver *observer);
/* Continues until step `until` is done. Returns SIM_OK, or the status with which the rollout ended. */
SimStatus sim_rollout_run_to(const SimModel *model, SimWorkspace *work, const SimObserver *observer, long until);
/* Fills *final, and returns the status of the rollout. */
SimStatus sim_rollout_end(const SimModel *model, const SimWorkspace *work, SimFinal *final);
long sim_rollout_position(const SimWorkspace *work); /* returns the number of steps made so far */

/* These functions save the state of a rollout between two parts as bytes. A process of the same build can load them
 * into a workspace of the same model and continues with the same bits. In a group each rank saves and loads its own
 * rows (sim/core/rollout_save.h). sim_workspace_saved_size returns the number of bytes. */
size_t sim_workspace_saved_size(const SimModel *model);
/* Writes the state to `bytes`, sim_workspace_saved_size of them. */
void sim_workspace_save(const SimModel *model, const SimWorkspace *work, void *bytes);
/* Loads a saved state. Returns SIM_OK, or SIM_BAD_PROBLEM if the bytes cannot be a state of this model. */
SimStatus sim_workspace_load(const SimModel *model, SimWorkspace *work, const void *bytes, size_t size);

/* Returns the reason, with a remedy, why a model does not support derivatives by SIM_ON_END or SIM_ON_LENGTH; static
 * text. Returns NULL if the model supports them, if `on` is another dependence, or if the scheme has no derivatives of
 * such models at all. Both need thresholds that are constant in time, and no moving surfaces. The derivatives hold f
 * fixed at each t; f must not jump at the start of a segment of the control. */
const char *sim_dependence_refused(const SimModel *model, SimDependence on);

/* Whether a scheme can differentiate the motions of a problem, forward and by adjoints. */
bool sim_scheme_differentiates(const SimScheme *scheme, const SimProblem *problem);
/* If the problem's scheme can differentiate other models but not this one: writes into text which feature it does not
 * differentiate, for example "model.friction_rise with stops", and returns true. Otherwise returns false and writes
 * nothing. */
bool sim_problem_undifferentiated(const SimProblem *problem, char *text, size_t size);
/* Returns SimDerivative.smooth for the part of the rollout computed so far. */
bool sim_sensitivity_smooth(const SimSensitivity *sensitivity);
/* Makes the next rollout in parts compute derivatives, from its beginning. sensitivity: borrowed; NULL: derivatives are
 * no longer computed. */
void sim_workspace_differentiate(SimWorkspace *work, SimSensitivity *sensitivity);
/* Computes the derivatives of x, then of v, at the present step of a rollout in parts, at fixed t (after its last step:
 * of x(T), v(T)): state [2 d][columns]. A rank of a group gets its own rows. */
void sim_workspace_derivatives(const SimModel *model, SimWorkspace *work, double *state);

/* Adjoint derivatives: the derivatives of a weighted sum of the final state by all quantities, at about the cost of one
 * forward derivative. They are computed by a backward sweep along the record of a rollout. One sweep computes several
 * sums together, and several sweeps may use the same record. An adjoint is used by one thread at a time; the model must
 * outlive it. */
typedef struct SimAdjoint SimAdjoint;
/* Creates an adjoint for derivatives by the quantities on [n]; columns and statuses are as in
 * stiction_sensitivity_create. Derivatives by T and by lengths give SIM_BAD_PROBLEM, since only forward derivatives by
 * them exist. */
SimStatus sim_adjoint_create(const SimModel *model, int n, const SimDependence *on, SimAdjoint **adjoint);
void sim_adjoint_destroy(SimAdjoint *adjoint);      /* may be NULL */
int sim_adjoint_columns(const SimAdjoint *adjoint); /* returns the number of quantities */
/* Simulates as stiction_rollout does, bit for bit, and records what a sweep needs. The record grows with each
 * segment or step, so this rollout allocates. Returns final->status, or SIM_NO_MEMORY. */
SimStatus sim_rollout_record(const SimModel *model, SimWorkspace *work, SimAdjoint *adjoint, const double *control,
                             SimFinal *final);
/* Sets the stops of the recorded rollout, with the meanings of the members of SimDerivative: stop_time [rows] in s
 * (NAN: the dof slides at T, or has never slid), and stop_acceleration [rows] in m/s^2. *smooth: whether derivatives
 * exist; false if two dofs stopped at the same time, or if the velocity of a dof touched 0 without a stop. */
void sim_adjoint_stops(const SimAdjoint *adjoint, double *stop_time, double *stop_acceleration, bool *smooth);
/* Returns the largest number of sums that one sweep can differentiate. */
int sim_adjoint_together(const SimAdjoint *adjoint);
/* Computes gradients [n][columns] of n weighted sums. weights: [n][3][rows], for x(T), for v(T), and for v_i just
 * before the last stop of dof i, if it sticks from then on until T. Collective over the problem's group. Returns
 * SIM_OK; SIM_NON_FINITE; SIM_TOO_LONG if the sweep takes more work than SimInterrupt.most; or the status of the
 * recorded rollout or of a failed solve, with gradients NAN. */
SimStatus sim_adjoint_sweep(SimAdjoint *adjoint, int n, const double *weights, double *gradients);

/* One rollout of a batch of models. */
typedef struct SimRun {
  const SimModel *model; /* model of the run; all pointers are borrowed */
  SimWorkspace *work;    /* workspace of the model; several runs of one model may share it */
  const double *control; /* [stiction_model_controls] control; NULL: 0 */
} SimRun;

/* Simulates several models, each with its own control. final[i] has the same bits as stiction_rollout of run i,
 * whatever the other runs are. Consecutive runs are computed together in vector lanes if their models differ only in
 * the values of M, D, A, c, gamma, f, B, x0, v0 and the scheme is `moreau` or `centered` with the exact solver. All
 * other runs are computed one after another. */
void sim_batch_models(int n, const SimRun *runs, SimFinal *final);

/* Returns the name of kernel k of stiction_batch; NULL if k is too large. Kernel 0, `ref`, calls stiction_rollout for
 * one control after another. The others run several controls together in vector lanes; a kernel with a larger number
 * runs more of them. */
const char *sim_kernel_name(int k);
bool sim_kernel_runs(int k); /* returns whether this processor can run kernel k; false if k is too large */
/* Selects the kernel of a workspace: kernel k, or `ref` if the processor cannot run it. The default is the kernel with
 * the widest vectors that the processor supports. All kernels give the same bits. */
void sim_workspace_set_kernel(SimWorkspace *work, int k);
/* Returns the name of the kernel that stiction_batch uses for a model: `ref` if the other kernels do not support the
 * model. For mechanisms all other kernels are the same. */
const char *sim_batch_kernel(const SimModel *model, const SimWorkspace *work);
/* Returns the number of controls that stiction_batch runs in about the time of one, 0 for NULL. A batch with a multiple
 * of this number leaves no vector lane of the model's kernel unused. It is 1 for `ref` and for mechanisms: these run
 * together in batches, too, but nearly as long as one after another. */
int sim_batch_lanes(const SimModel *model, const SimWorkspace *work);

#endif
