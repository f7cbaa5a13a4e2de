/* stiction's simulation library: motions of mechanical systems with dry friction,
 *
 *     M x'' + D x' + A x + C (lambda - gamma(x')) = f(t) + B u,   lambda_i in sgn(x'_i),                     (1)
 *     x(0) = x0,  x'(0) = v0
 *
 * M is symmetric positive definite, or has rows of zeros for degrees of freedom without mass (SIM_HAS_MASSLESS). A is
 * symmetric positive semi-definite. D + D' is positive semi-definite, and a sparse D is symmetric. C = diag(c) with
 * c_i >= 0; where c_i = 0, lambda_i = 0. All quantities are in SI units (kg, m, s, N). Matrices are dense and
 * row-major, or sparse and stored by rows. "dof" stands for degree of freedom, d is their number.
 *
 * Use: fill a SimProblem and finalize it (sim_problem_finalize makes all checks). Create a SimModel, which factors the
 * matrices, and one SimWorkspace per thread. Then call sim_rollout as often as needed. Stepping allocates nothing, and
 * the library neither prints nor opens files.
 *
 * Invalid arguments never abort. Functions that return SimStatus return SIM_BAD_ARGUMENT, and sim_status_text then
 * names the function and the argument. All other functions do nothing and return 0 or NULL.
 *
 * Groups (sim/group.h): a problem may be distributed over several MPI ranks. All ranks of the group then call
 * sim_problem_finalize, and every function that creates, runs or destroys models and workspaces, together. Each rank
 * gets the same status. Without a group every call is local.
 *
 * Threads: several threads may share a model with dense matrices. Any other object (problem, workspace, sensitivity,
 * results) may be used by one thread at a time. Sparse matrices and sim/group.h use PETSc and MPI, so only one thread
 * of the process may use them at a time. The thread that runs a model also calls the user's functions. */
#ifndef SIM_SIM_H
#define SIM_SIM_H

#include "sim/features.h"
#include "sim/problem.h"
#include "sim/residual.h"
#include "sim/schemes.h"

SIM_API_BEGIN

/* Gives the S segments of the control their own lengths [S], s, all > 0: for `event` with friction and chains. Sets T
 * to their sum, and the step to T/steps if steps are set; set signal and segments before. NULL: all segments have the
 * length T/S again. SIM_OK; SIM_NO_MEMORY or SIM_BAD_ARGUMENT (a length is not finite and > 0), with no change. */
SimStatus sim_problem_set_lengths(SimProblem *problem, const double *lengths);

/* A model ready to run: its matrices, the tabulated force and the factored operators. It never changes, so all
 * workspaces of a process can share one. */
typedef struct SimModel SimModel;

/* Creates a model from a finalized problem. It copies what it needs, so the problem may be cleared afterwards.
 * Exception: with sparse matrices it borrows the problem's arrays, which must outlive the model. Without a force
 * (problem->force NULL and no load) f = 0. SIM_OK, SIM_NO_MEMORY, or SIM_BAD_PROBLEM with the reason in report: the
 * problem is not finalized or has changed since; the force is not finite or not in the form that the scheme needs; a
 * matrix could not be factored. */
SimStatus sim_model_create(const SimProblem *problem, const SimReport *report, SimModel **model);
void sim_model_destroy(SimModel *model);       /* may be NULL */
int sim_model_size(const SimModel *model);     /* d */
int sim_model_rows(const SimModel *model);     /* number of dofs that this rank holds, at most d */
int sim_model_controls(const SimModel *model); /* variables of a control, p S (sim/signal.h) */

/* Returns the number of additional results of a kind of model (SimStep.extra), and their names for column headers in
 * *names (static storage). A dash-pot has f_d, f_s and lambda_contact; a chain has the reactions at its ends and the
 * displacement of its right end. */
int sim_kind_extras(SimKind kind, const char *const **names);
const char *sim_kind_extra_unit(SimKind kind, int k); /* unit of additional result k, "N" or "m" */
/* Whether lambda is a meaningful result of the kind. For a dash-pot it is not: its result is the force f_d. */
bool sim_kind_has_multiplier(SimKind kind);

/* All memory that a rollout writes to. One thread uses it at a time. Nothing is allocated after its creation. */
typedef struct SimWorkspace SimWorkspace;
/* Creates a workspace of a model, which must outlive it. SIM_OK or SIM_NO_MEMORY. */
SimStatus sim_workspace_create(const SimModel *model, SimWorkspace **work);
void sim_workspace_destroy(SimWorkspace *work); /* may be NULL */
/* Replaces the numbers of a model and of its only workspace in place by those of another finalized problem: matrices
 * and vectors, constants of the scheme, bounds. The force stays the model's. Motions are then the same as those of a
 * model created from that problem. This is faster than a new model, for example for many scenarios.
 *
 * - SIM_OK.
 * - SIM_BAD_ARGUMENT, nothing changed: the problem differs in more than these numbers, or the scheme does not support
 *   it. `moreau` and `centered` with dense matrices do, except with a gear box, stops, springs with a law, moving
 *   surfaces or varying thresholds.
 * - SIM_NO_MEMORY, SIM_BAD_PROBLEM: model and workspace can only be destroyed. */
SimStatus sim_model_set_numbers(SimModel *model, SimWorkspace *work, const SimProblem *problem);

/* Processor time of the steps of a friction model by `centered` or `moreau`, summed over all steps of a workspace. */
typedef struct SimProfile {
  long linear;     /* iterations of the linear solver; 0 if it does not iterate */
  double solves;   /* s: linear solves, each with its search for the branches; fixed_point: the whole step problem */
  double friction; /* s: the rest of the friction problem: its check, and fallbacks where Newton's method cycles */
  double steps;    /* s: the steps as a whole */
} SimProfile;
/* From now on adds the times of the workspace's steps to *profile, which is borrowed. NULL ends this. */
void sim_workspace_profile(SimWorkspace *work, SimProfile *profile);

/* Estimates the number of segments of a motion by `event` from the fastest decay or oscillation of a finalized problem.
 * If that decay or oscillation limits the length of segments, the estimate is right within a factor of three. Events,
 * pieces of the force and friction laws add segments that it does not count. 0: no estimate, or another scheme. */
double sim_problem_segments(const SimProblem *problem);

/* Time of one unit of work (sim_problem_work) on a core of 3 GHz, s; measured, right within a factor of three. */
#define SIM_WORK_SECONDS 2.5e-6
/* Work of one segment by `event`, or of one step or iteration of another scheme. The unit is a segment of a model with
 * one dof and without derivatives. The work depends only on the problem's sizes, so it is equal on all machines.
 * columns: number of derivatives computed along with the motion; 0: none. */
double sim_problem_work(const SimProblem *problem, int columns);

/* Limits that end a rollout early. `event` checks them in each segment. The other schemes check them every 1000 steps
 * with one dof, and more often with more. */
typedef struct SimInterrupt {
  void *context; /* argument of `stops`; borrowed */
  /* Whether to end the rollout with SIM_CANCELLED; NULL: never. The thread that runs the rollout calls it often, so it
   * must be fast (read a flag or a clock). Once true it must stay true until the call that runs rollouts has returned.
   * In a group all ranks have one, and the rollout ends if any of them returns true. */
  bool (*stops)(void *context);
  /* Largest work of a rollout, in units of sim_problem_work; 0: no limit. Beyond it the rollout ends with SIM_TOO_LONG,
   * whatever its kernel. Work is counted in segments by `event`, else in steps or solver iterations, whichever are
   * more. Counting starts when the rollout begins or is loaded, and includes the sweeps of an adjoint. */
  double most;
} SimInterrupt;
/* Sets the limits of all later rollouts of a workspace, alone or in a batch. *interrupt is copied; NULL removes them.
 * A cancelled rollout cannot continue, but sim_workspace_save then saves the last observed instant. */
void sim_workspace_interrupt(SimWorkspace *work, const SimInterrupt *interrupt);
/* Returns these limits, borrowed from the workspace; NULL if work is NULL. */
const SimInterrupt *sim_workspace_interruption(const SimWorkspace *work);
/* Examines later rollouts of a workspace (sim/residual.h), from their beginning or from where they were loaded; the
 * result is SimFinal.examined. A rollout with a residual above sim_residual_most ends with SIM_RESIDUAL_LARGE; all
 * others keep their bits. originals: borrowed; NULL ends this. SIM_OK, SIM_NO_MEMORY, or SIM_BAD_PROBLEM (nothing
 * changed) if the scheme is not `event`. */
SimStatus sim_workspace_examine(SimWorkspace *work, const SimOriginals *originals);

/* Largest closing error of the energies (SimEnergy) of a rollout with an observer, relative to the sum of |work|,
 * |surface|, |stored|, |numerical|, dissipated and impacts, each at its maximum so far. For `event` the limit is at
 * least 100 times its tolerance. A rollout beyond the limit ends with SIM_ENERGY_OPEN. */
#define SIM_CLOSURE 1e-6

/* Closing error of the energies of a rollout. */
typedef struct SimClosure {
  /* Largest closing error minus its possible rounding error, relative to the sum above. NAN: there was no observer,
   * the scheme computes no energies, or they are too large for a double. */
  double error;
  double time; /* instant of this largest error, s; with SIM_ENERGY_OPEN the first instant beyond the limit */
  /* Largest part of the closing error that rounding may cause, relative to the same sum: shows how many digits of the
   * energies are reliable. */
  double rounded;
  double kinetic; /* J, the largest kinetic energy; friction models, else 0 */
} SimClosure;

/* Where a motion has left the range of a law (SIM_OUT_OF_RANGE). */
typedef struct SimOutside {
  const char *key;   /* key of the law in a problem file; NULL: unknown, as on several ranks */
  int dof;           /* dof or link of the law, from 0 on */
  double elongation; /* the one that is beyond the range, or at its end, m */
  double time;       /* by which that happened, s: the end of the step */
} SimOutside;

/* Final state and statistics of a rollout. */
typedef struct SimFinal {
  double *x; /* [d] x(T), m; the caller's storage */
  double *v; /* [d] x'(T), m/s, as the scheme defines it; the caller's storage */
  /* Iterations of the step solver over all steps. `exact`: sweeps, or Newton steps with sparse matrices.
   * `fixed_point`: linear systems (1.13). */
  long iterations;
  /* Largest residual of the friction law over all steps. `exact`: max_i |lambda_i - P(lambda_i + s_i)|. `fixed_point`:
   * the last relative change (1.15), or for lie and strang the last change of lambda. Dash-pot: residual of its law,
   * m/s. */
  double residual;
  /* `event`: number of grazing contacts, where a velocity touches 0 or a friction force touches its threshold so
   * closely that rounding leaves open which dofs move afterwards. The motion continues with one of the possible
   * answers. */
  long grazes;
  /* SIM_OK, SIM_NOT_CONVERGED, SIM_NON_FINITE, SIM_EVENTS_ACCUMULATE, SIM_TOO_LONG, SIM_OUT_OF_RANGE, SIM_ENERGY_OPEN
   * or SIM_RESIDUAL_LARGE. To a search any of them is the outcome of a point; to a simulation all but SIM_OK are
   * errors. */
  SimStatus status;
  long impacts;         /* impacts on rigid stops; batches leave it unchanged if the model has no stops */
  long settled;         /* bounces that became ever smaller and were ended at rest; unchanged likewise */
  SimClosure closure;   /* closing error of the energies; batches leave it unchanged */
  SimResidual examined; /* result of sim_workspace_examine, else 0; batches leave it unchanged */
  SimOutside outside;   /* with SIM_OUT_OF_RANGE; batches leave it unchanged */
} SimFinal;

/* Energies of the discrete motion since t = 0, J. work + surface = stored + dissipated + impacts + numerical + closing
 * error. All are NAN if the scheme does not compute them. */
typedef struct SimEnergy {
  double work;   /* done by f + B u, minus a gear box's load */
  double stored; /* kinetic and elastic energy, relative to t = 0 */
  /* By friction and damping, at the velocity at which their law holds. It never decreases, except by
   * negative_dissipation. */
  double dissipated;
  /* Energy that friction returned, >= 0: from dofs and steps in which it drove the motion instead of braking it. Only
   * the regularized and the smooth multiplier and `fixed_point` have it. It is already subtracted from `dissipated`. */
  double negative_dissipation;
  /* Lost to the scheme itself, or gained if < 0. O(dt); 0 for centered with constant surface speeds; for event the
   * energy left over by jumps of the load on nodes without mass. */
  double numerical;
  double surface; /* done by moving surfaces through their friction force, -w C (lambda - gamma) per second */
  double impacts; /* lost in impacts on rigid stops; >= 0 except for errors of the steps */
} SimEnergy;

/* State at one instant of a rollout, passed to an observer. All pointers are borrowed and valid during the call. */
typedef struct SimStep {
  long n;               /* number of the instant, 0..N */
  double t;             /* s */
  const double *x;      /* [d] m */
  const double *v;      /* [d] m/s */
  const double *slide;  /* [d] sliding velocity, m/s: v minus the surface's velocity; exactly 0 for a dof that sticks */
  const double *lambda; /* [d] in [-1, 1] */
  /* [d] reaction of the stops on x_i, N. Schemes with steps return the mean over the last step, impacts included.
   * NULL: the model has no stops. */
  const double *reaction;
  const double *u;     /* [p] u(t), N; at a jump the value after it */
  const double *extra; /* [sim_kind_extras] additional results of the kind of model */
  bool contact;        /* dash-pot: the mass touches its support */
  /* [d] -1: slips backward, 0: sticks, 1: slips forward, by the branch of the friction law. The smooth law has no
   * branch that sticks; for it this is the sign of the velocity. */
  const signed char *slip;
  const SimEnergy *energy; /* energies up to t */
} SimStep;

/* Callbacks for one rollout. */
typedef struct SimObserver {
  void *context;                                    /* argument of step and event; borrowed */
  void (*step)(void *context, const SimStep *step); /* called at each instant n = 0..N */
  /* Called before `step` for each event since the previous instant, by a scheme that locates events. From t, s, on the
   * dof slips backward (slip -1) or forward (1) or sticks (0); other values are in the next enum. May be NULL. */
  void (*event)(void *context, double t, int dof, int slip);
} SimObserver;

/* Further values of `slip` in SimObserver.event. For a stop, a positive value is an event at the upper one, and its
 * negative the same event at the lower one. */
enum {
  SIM_MEETS = 2, /* a dash-pot's mass meets its support */
  SIM_LEAVES,    /* a dash-pot's mass leaves its support */
  SIM_BOUNCES,   /* the dof bounces off its stop */
  SIM_TOUCHES,   /* the dof stays at its stop from now on */
  SIM_SETTLES,   /* likewise, after ever smaller bounces */
  SIM_PARTS      /* the dof leaves its stop */
};
/* Whether a value of `slip` is an event at a stop. */
static inline bool sim_event_of_stop(int what) { return what > SIM_LEAVES || what < -1; }

/* Simulates the motion of one control [sim_model_controls], N, to T. control: borrowed; NULL: 0. observer may be NULL.
 * Returns final->status. */
SimStatus sim_rollout(const SimModel *model, SimWorkspace *work, const double *control, const SimObserver *observer,
                      SimFinal *final);

/* The next functions run a long rollout in parts. Call begin (n = 0), then run_to with increasing `until` <= N, then
 * end, which fills final as sim_rollout does. run_to may end early with a status other than SIM_OK. All calls get the
 * same observer, or all get NULL. The results have the same bits as those of sim_rollout. */
SimStatus sim_rollout_begin(const SimModel *model, SimWorkspace *work, const double *control,
                            const SimObserver *observer);
/* Continues until step `until` is done. Returns SIM_OK, or the status with which the rollout ended. */
SimStatus sim_rollout_run_to(const SimModel *model, SimWorkspace *work, const SimObserver *observer, long until);
/* Fills final, and returns its status. */
SimStatus sim_rollout_end(const SimModel *model, const SimWorkspace *work, SimFinal *final);
long sim_rollout_position(const SimWorkspace *work); /* number of steps done */

/* The next functions save the state of a rollout between two parts as bytes. A process of the same build loads them
 * into a workspace of the same model and continues bit for bit. In a group each rank saves and loads its own rows
 * (sim/core/rollout_save.h). */
size_t sim_workspace_saved_size(const SimModel *model);
/* Writes the state, sim_workspace_saved_size bytes. */
void sim_workspace_save(const SimModel *model, const SimWorkspace *work, void *bytes);
/* Loads a state. SIM_OK, or SIM_BAD_PROBLEM if the bytes cannot be a state of this model. */
SimStatus sim_workspace_load(const SimModel *model, SimWorkspace *work, const void *bytes, size_t size);

/* Quantities that final states can be differentiated by. */
typedef enum SimDependence {
  SIM_ON_CONTROL,  /* entries of a control, N */
  SIM_ON_POSITION, /* x0_i, m */
  SIM_ON_VELOCITY, /* v0_i, m/s */
  /* c_i, N; all thresholds are > 0 and constant in time and place. A bias (thresholds by direction) is held fixed. */
  SIM_ON_FRICTION,
  SIM_ON_MASS,    /* M_ii, kg; without moving surfaces and without steps by eigenvectors */
  SIM_ON_DAMPING, /* D_ii, N s/m; with damping and without moving surfaces */
  SIM_ON_BETA,    /* beta_i of gamma, all > 0 */
  /* F, N, in all rows of a SimFrictionTable, [columns][points]; c is held fixed. By `event` without a gear box. */
  SIM_ON_TABLE,
  /* T, s; segments of the control keep their u and their fraction of T. By `event` of friction and chains. */
  SIM_ON_END,
  /* lengths of the control's segments, s; each shifts all later segments and T. Supported as SIM_ON_END. */
  SIM_ON_LENGTH
} SimDependence;

/* Returns why a model does not support SIM_ON_END or SIM_ON_LENGTH: static text with a remedy. NULL: it does, `on` is
 * another dependence, or the scheme has no derivatives of such models at all. Both need thresholds that are constant in
 * time, and no moving surfaces. They hold f fixed at each t; f must not jump where a segment of the control starts. */
const char *sim_dependence_refused(const SimModel *model, SimDependence on);

/* Forward derivatives of x(T), v(T), computed along with a rollout. Like a workspace it is used by one thread at a
 * time. For each entry of on [n], in this order, there is a column for each of its numbers. Constants of the scheme
 * that have defaults, such as r, are held fixed. Schemes with steps differentiate their own discrete motion. */
typedef struct SimSensitivity SimSensitivity;
/* Whether a scheme can differentiate the motions of a problem, forward and by adjoints. */
bool sim_scheme_differentiates(const SimScheme *scheme, const SimProblem *problem);
/* Creates derivatives by the quantities on [n]. SIM_OK, SIM_NO_MEMORY, or SIM_BAD_PROBLEM: the model has no derivatives
 * (sim_scheme_differentiates) or no such quantities. */
SimStatus sim_sensitivity_create(const SimModel *model, int n, const SimDependence *on, SimSensitivity **sensitivity);
void sim_sensitivity_destroy(SimSensitivity *sensitivity);      /* may be NULL */
int sim_sensitivity_columns(const SimSensitivity *sensitivity); /* number of columns */
/* SimDerivative.smooth of the part of the rollout done so far. */
bool sim_sensitivity_smooth(const SimSensitivity *sensitivity);
/* Derivatives of the final state; the caller owns the arrays. In a group each rank has its own rows.
 *
 * A dof that sticks at T has zeros in its row of v, which says nothing about the time of its stop. Its row of `stop`
 * does: without the stop the velocity would be stop_acceleration (T - stop_time), and the row is the derivative of that
 * at fixed acceleration. So d stop_time = dT - row/stop_acceleration, with dT = 1 for columns of SIM_ON_END and
 * SIM_ON_LENGTH, else 0.
 *
 * With steps, a dof stops in the first step at the end of which it sticks. The acceleration is that of the step before,
 * or of this step if the former would not stop it. With a regularized multiplier and by `lie` and `strang`, a dof that
 * sticks creeps, and its derivatives do, too. */
typedef struct SimDerivative {
  double *state; /* [2 d][columns] derivatives of x(T), then of v(T) */
  /* [d][columns] derivatives of v_i just before dof i stopped, for dofs that slid before and stick at T; else 0 */
  double *stop;
  double *stop_time;         /* [d] time of that stop, s; NAN: the dof slides at T, or has never slid */
  double *stop_acceleration; /* [d] v_i' just before it, m/s^2, relative to the surface; 0 without a stop */
  /* Whether the derivatives exist. `event`: false if two dofs stopped at one instant, a dof touched rest without
   * stopping, or a dash-pot's law was at a fold or a tie. `moreau`: false if a dof without friction rests at a stop
   * that does not push it. */
  bool smooth;
} SimDerivative;
/* Simulates as sim_rollout does, bit for bit, with derivatives. Returns final->status. */
SimStatus sim_rollout_sensitivity(const SimModel *model, SimWorkspace *work, SimSensitivity *sensitivity,
                                  const double *control, SimFinal *final, SimDerivative *derivative);
/* Lets the next rollout in parts compute derivatives, from its beginning. sensitivity: borrowed; NULL ends this. */
void sim_workspace_differentiate(SimWorkspace *work, SimSensitivity *sensitivity);
/* Returns the derivatives of x, then v, at the position of that rollout, at fixed t (at its end: of x(T), v(T)): state
 * [2 d][columns]; a group's rank has its own rows. */
void sim_workspace_derivatives(const SimModel *model, SimWorkspace *work, double *state);

/* Adjoint derivatives: those of a weighted sum of the final state by all columns, at about the cost of one forward
 * column. One sweep computes several such sums side by side. An adjoint stores the record of one rollout, and many
 * sweeps can follow. It is used by one thread at a time; the model must outlive it. */
typedef struct SimAdjoint SimAdjoint;
/* Creates an adjoint by the quantities on [n]; columns and statuses as sim_sensitivity_create. T and lengths are
 * SIM_BAD_PROBLEM: they have forward derivatives only. */
SimStatus sim_adjoint_create(const SimModel *model, int n, const SimDependence *on, SimAdjoint **adjoint);
void sim_adjoint_destroy(SimAdjoint *adjoint);      /* may be NULL */
int sim_adjoint_columns(const SimAdjoint *adjoint); /* number of columns */
/* Simulates as sim_rollout does, bit for bit, and records what a sweep needs. The record grows with each segment or
 * step, so this rollout allocates. Returns final->status, or SIM_NO_MEMORY. */
SimStatus sim_rollout_record(const SimModel *model, SimWorkspace *work, SimAdjoint *adjoint, const double *control,
                             SimFinal *final);
/* Returns the stops of the recorded rollout: stop_time [rows], s (NAN: the dof slides at T, or has never slid), and
 * stop_acceleration [rows], m/s^2, as in SimDerivative. *smooth: whether derivatives exist; false if two dofs stopped
 * at one instant, or a dof touched rest without stopping. */
void sim_adjoint_stops(const SimAdjoint *adjoint, double *stop_time, double *stop_acceleration, bool *smooth);
/* Largest number of sums of one sweep. */
int sim_adjoint_together(const SimAdjoint *adjoint);
/* Computes gradients [n][columns] of n weighted sums. weights: [n][3][rows], for x(T), for v(T), and for v_i just
 * before the stop in which dof i still is at T. Collective over the problem's group. SIM_OK; SIM_NON_FINITE;
 * SIM_TOO_LONG if it takes more work than SimInterrupt.most; or the status of the recorded rollout or of a failed
 * solve, with gradients NAN. */
SimStatus sim_adjoint_sweep(SimAdjoint *adjoint, int n, const double *weights, double *gradients);

/* Simulates n controls, [n][sim_model_controls]. final[i] has the same bits as sim_rollout of row i, for any n. */
void sim_batch(const SimModel *model, SimWorkspace *work, int n, const double *control, SimFinal *final);

/* One rollout of a batch of models. */
typedef struct SimRun {
  const SimModel *model; /* all pointers are borrowed */
  SimWorkspace *work;    /* of the model; several runs of one model may share it */
  const double *control; /* [sim_model_controls]; NULL: 0 */
} SimRun;

/* Simulates several models, each with its own control. final[i] has the same bits as sim_rollout of run i, whatever the
 * other runs are. Consecutive runs are computed side by side if their models differ only in numbers (M, D, A, c, gamma,
 * f, B, x0, v0) and the scheme is `moreau` or `centered` with the exact solver. All others run one after another. */
void sim_batch_models(int n, const SimRun *runs, SimFinal *final);

/* Names of the kernels of sim_batch; NULL beyond the last. Kernel 0 is `ref`, one sim_rollout after another. The others
 * run several controls side by side, a later kernel more of them. */
const char *sim_kernel_name(int k);
bool sim_kernel_runs(int k); /* whether this processor can run kernel k; false beyond the last */
/* Selects the kernel of a workspace; `ref` if the processor cannot run kernel k. The default is the widest that it can
 * run. All kernels give the same bits. */
void sim_workspace_set_kernel(SimWorkspace *work, int k);
/* Name of the kernel that sim_batch uses for a model: `ref` if the others do not support it. */
const char *sim_batch_kernel(const SimModel *model, const SimWorkspace *work);
/* Number of controls that this kernel runs side by side. A batch of a multiple of it leaves no lane idle. */
int sim_batch_lanes(const SimModel *model, const SimWorkspace *work);

SIM_API_END

#endif
