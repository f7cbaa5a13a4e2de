/* SPDX-License-Identifier: BSD-2-Clause */
/* Everything of sim that the other layers of this project use: the public headers, the struct of a problem, its tables,
 * and functions that are not exported. Users of the library include sim/sim.h. */
#ifndef SIM_INTERNAL_H
#define SIM_INTERNAL_H

#include "sim/features.h"
#include "sim/problem.h"
#include "sim/residual.h"
#include "sim/schemes.h"
#include "sim/simulations.h"

/* Whether lambda is a meaningful result of the kind. For a dash-pot it is not: its result is the force f_d. */
bool sim_kind_has_multiplier(SimKind kind);

/* Replaces the values of a model and of its only workspace by those of another finalized problem: matrices and vectors,
 * constants of the scheme, bounds. The external force is not replaced. Motions are then the same as those of a model
 * created from that problem. This is faster than a new model, for example for many scenarios.
 *
 * - SIM_OK.
 * - SIM_BAD_ARGUMENT, nothing changed: the problem differs in more than these numbers, or the scheme does not support
 *   it. `moreau` and `centered` with dense matrices do, except with a gear box, stops, springs with a law, moving
 *   surfaces or varying thresholds.
 * - SIM_NO_MEMORY, SIM_BAD_PROBLEM: model and workspace can only be destroyed. */
SimStatus sim_model_set_numbers(SimModel *model, SimWorkspace *work, const SimProblem *problem);

/* Many problems that differ in their thresholds alone: each is a store of sim_thresholds_size bytes with thresholds,
 * constants of the scheme and bounds.
 *
 * sim_thresholds_apart: whether a problem has such variants. All thresholds are > 0, and no check and no data depend on
 * them except the constants of the scheme and bounds. */
bool sim_thresholds_apart(const SimProblem *problem);
size_t sim_thresholds_size(const SimProblem *problem);
/* Fills the store of a problem with other thresholds [d], in N. given: the problem with its bounds and its constants as
 * given, where 0 stands for a computed default. The numbers are those of stiction_problem_finalize. Returns false if
 * one is invalid or a threshold is not > 0, or there is no memory. */
bool sim_thresholds_settle(const SimProblem *given, const double *friction, void *store);
/* Replaces the thresholds of a model and of its only workspace by those of a store, as sim_model_set_numbers does, but
 * faster. The model's problem has differed from that of the store in its thresholds alone, and sim_thresholds_apart.
 * Returns SIM_OK; SIM_BAD_ARGUMENT, nothing changed; SIM_NO_MEMORY or SIM_BAD_PROBLEM: model and workspace can only be
 * destroyed. */
SimStatus sim_model_set_thresholds(SimModel *model, SimWorkspace *work, const void *store);

/* Copies a problem without sparse matrices into memory of the caller, at least sim_problem_room bytes, aligned as by
 * malloc. The arrays and constants of the copy lie there, so it must not be cleared, nor be changed by functions that
 * allocate. This is faster than sim_problem_copy, which allocates each array. */
size_t sim_problem_room(const SimProblem *problem);
void sim_problem_copy_into(void *room, const SimProblem *problem, SimProblem *copy);

/* Processor time of the steps of a friction model by `centered` or `moreau`, summed over all steps of a workspace. */
typedef struct SimProfile {
  long linear; /* number of iterations of the linear solver; 0 if it does not iterate */
  /* time of linear solves, each with its search for the branches, in s; for fixed_point that of the whole step
   * problem */
  double solves;
  /* time of the other parts of the friction problem, in s: its check, and other methods if Newton's method cycles */
  double friction;
  double steps; /* time of the steps as a whole, in s */
} SimProfile;
/* From now on adds the times of the workspace's steps to *profile, which is borrowed. NULL ends this. */
void sim_workspace_profile(SimWorkspace *work, SimProfile *profile);

/* Estimates the number of segments of a motion by `event` from the fastest decay or oscillation of a finalized problem.
 * If that decay or oscillation limits the length of segments, the estimate is right within a factor of three. Events,
 * pieces of the force and friction laws add segments that it does not count. 0: no estimate, or another scheme. */
double sim_problem_segments(const SimProblem *problem);

/* Time that one unit of work (sim_problem_work) takes on a core of 3 GHz, in s. It was measured and is right within a
 * factor of three. */
#define SIM_WORK_SECONDS 2.5e-6
/* Work of one segment by `event`, or of one step or iteration of another scheme. The unit is a segment of a model with
 * one dof and without derivatives. The work depends only on the problem's sizes, so it is equal on all machines.
 * columns: number of derivatives computed along with the motion; 0: none. */
double sim_problem_work(const SimProblem *problem, int columns);

/* Returns the limits that stiction_workspace_interrupt has set, borrowed from the workspace; NULL if work is NULL. */
const SimInterrupt *sim_workspace_interruption(const SimWorkspace *work);
/* Lets later rollouts of a workspace be examined (sim/residual.h), from their beginning or from where they were loaded;
 * the result is SimFinal.examined. A rollout with a residual above sim_residual_most ends with SIM_RESIDUAL_LARGE; all
 * others keep their bits. originals: borrowed; NULL ends this. SIM_OK, SIM_NO_MEMORY, or SIM_BAD_PROBLEM (nothing
 * changed) if the scheme is not `event`. */
SimStatus sim_workspace_examine(SimWorkspace *work, const SimOriginals *originals);

/* Whether a value of `slip` is an event at a stop. */
static inline bool sim_event_of_stop(int what) { return what > SIM_LEAVES || what < -1; }

/* The next functions run a long rollout in parts. Call begin (n = 0), then run_to with increasing `until` <= N, then
 * end, which fills final as stiction_rollout does. run_to may end early with a status other than SIM_OK. All calls
 * get the same observer, or all get NULL. The results have the same bits as those of stiction_rollout. */
SimStatus sim_rollout_begin(const SimModel *model, SimWorkspace *work, const double *control,
                            const SimObserver *observer);
/* Continues until step `until` is done. Returns SIM_OK, or the status with which the rollout ended. */
SimStatus sim_rollout_run_to(const SimModel *model, SimWorkspace *work, const SimObserver *observer, long until);
/* Fills final, and returns its status. */
SimStatus sim_rollout_end(const SimModel *model, const SimWorkspace *work, SimFinal *final);
long sim_rollout_position(const SimWorkspace *work); /* returns the number of steps that have been made */

/* The next functions save the state of a rollout between two parts as bytes. A process of the same build loads them
 * into a workspace of the same model and continues bit for bit. In a group each rank saves and loads its own rows
 * (sim/core/rollout_save.h). */
size_t sim_workspace_saved_size(const SimModel *model);
/* Writes the state, sim_workspace_saved_size bytes. */
void sim_workspace_save(const SimModel *model, const SimWorkspace *work, void *bytes);
/* Loads a state. SIM_OK, or SIM_BAD_PROBLEM if the bytes cannot be a state of this model. */
SimStatus sim_workspace_load(const SimModel *model, SimWorkspace *work, const void *bytes, size_t size);

/* Returns why a model does not support SIM_ON_END or SIM_ON_LENGTH: static text with a remedy. NULL: it does, `on` is
 * another dependence, or the scheme has no derivatives of such models at all. Both need thresholds that are constant in
 * time, and no moving surfaces. They hold f fixed at each t; f must not jump where a segment of the control starts. */
const char *sim_dependence_refused(const SimModel *model, SimDependence on);

/* Whether a scheme can differentiate the motions of a problem, forward and by adjoints. */
bool sim_scheme_differentiates(const SimScheme *scheme, const SimProblem *problem);
/* Writes into text what the problem's scheme does not differentiate although it has derivatives of other models, as
 * "model.friction_rise with stops". Returns false, and writes nothing, if there is no such part. */
bool sim_problem_undifferentiated(const SimProblem *problem, char *text, size_t size);
/* Returns SimDerivative.smooth for the part of the rollout that has been made. */
bool sim_sensitivity_smooth(const SimSensitivity *sensitivity);
/* Lets the next rollout in parts compute derivatives, from its beginning. sensitivity: borrowed; NULL ends this. */
void sim_workspace_differentiate(SimWorkspace *work, SimSensitivity *sensitivity);
/* Returns the derivatives of x, then v, at the present step of that rollout, at fixed t (at its end: of x(T), v(T)):
 * state [2 d][columns]; a group's rank has its own rows. */
void sim_workspace_derivatives(const SimModel *model, SimWorkspace *work, double *state);

/* Adjoint derivatives: those of a weighted sum of the final state by all columns, at about the cost of one forward
 * column. One sweep computes several such sums side by side. An adjoint stores the record of one rollout, and many
 * sweeps can follow. It is used by one thread at a time; the model must outlive it. */
typedef struct SimAdjoint SimAdjoint;
/* Creates an adjoint by the quantities on [n]; columns and statuses as stiction_sensitivity_create. T and lengths are
 * SIM_BAD_PROBLEM: they have forward derivatives only. */
SimStatus sim_adjoint_create(const SimModel *model, int n, const SimDependence *on, SimAdjoint **adjoint);
void sim_adjoint_destroy(SimAdjoint *adjoint);      /* may be NULL */
int sim_adjoint_columns(const SimAdjoint *adjoint); /* number of columns */
/* Simulates as stiction_rollout does, bit for bit, and records what a sweep needs. The record grows with each
 * segment or step, so this rollout allocates. Returns final->status, or SIM_NO_MEMORY. */
SimStatus sim_rollout_record(const SimModel *model, SimWorkspace *work, SimAdjoint *adjoint, const double *control,
                             SimFinal *final);
/* Returns the stops of the recorded rollout: stop_time [rows] in s (NAN: the dof slides at T, or has never slid), and
 * stop_acceleration [rows], in m/s^2, as in SimDerivative. *smooth: whether derivatives exist; false if two dofs
 * stopped at one instant, or a dof touched rest without stopping. */
void sim_adjoint_stops(const SimAdjoint *adjoint, double *stop_time, double *stop_acceleration, bool *smooth);
/* Returns the largest number of sums that one sweep can differentiate. */
int sim_adjoint_together(const SimAdjoint *adjoint);
/* Computes gradients [n][columns] of n weighted sums. weights: [n][3][rows], for x(T), for v(T), and for v_i just
 * before the stop in which dof i still is at T. Collective over the problem's group. SIM_OK; SIM_NON_FINITE;
 * SIM_TOO_LONG if it takes more work than SimInterrupt.most; or the status of the recorded rollout or of a failed
 * solve, with gradients NAN. */
SimStatus sim_adjoint_sweep(SimAdjoint *adjoint, int n, const double *weights, double *gradients);

/* One rollout of a batch of models. */
typedef struct SimRun {
  const SimModel *model; /* model of the run; all pointers are borrowed */
  SimWorkspace *work;    /* workspace of the model; several runs of one model may share it */
  const double *control; /* [stiction_model_controls] control; NULL: 0 */
} SimRun;

/* Simulates several models, each with its own control. final[i] has the same bits as stiction_rollout of run i,
 * whatever the other runs are. Consecutive runs are computed side by side if their models differ only in the values of
 * M, D, A, c, gamma, f, B, x0, v0 and the scheme is `moreau` or `centered` with the exact solver. All others run one
 * after another. */
void sim_batch_models(int n, const SimRun *runs, SimFinal *final);

/* Returns the name of kernel k of stiction_batch; NULL beyond the last. Kernel 0, `ref`, runs one stiction_rollout
 * after another. The others run several controls side by side; a later kernel runs more of them. */
const char *sim_kernel_name(int k);
bool sim_kernel_runs(int k); /* returns whether this processor can run kernel k; false beyond the last one */
/* Selects the kernel of a workspace; `ref` if the processor cannot run kernel k. The default is the widest that it can
 * run. All kernels give the same bits. */
void sim_workspace_set_kernel(SimWorkspace *work, int k);
/* Returns the name of the kernel that stiction_batch uses for a model: `ref` if the other kernels do not support the
 * model. */
const char *sim_batch_kernel(const SimModel *model, const SimWorkspace *work);
/* Returns the number of controls that the model's kernel runs side by side. If the batch has a multiple of this number,
 * all lanes are used. */
int sim_batch_lanes(const SimModel *model, const SimWorkspace *work);

#endif
