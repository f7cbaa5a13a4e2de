/* stiction's simulation library: mechanical systems with dry friction,
 *
 *     M x'' + D x' + A x + C (lambda - gamma(x')) = f(t) + B u,   lambda_i in sgn(x'_i),                     (1)
 *     x(0) = x0,  x'(0) = v0
 *
 * M symmetric positive definite, or with rows of 0 (SIM_HAS_MASSLESS), A symmetric positive semi-definite, D + D' positive semi-definite (a sparse D symmetric),
 * C = diag(c) with c_i >= 0, lambda_i = 0 where c_i = 0. SI units throughout (kg, m, s, N). Matrices are dense and row-major, or stored by rows.
 *
 * Use: fill a SimProblem, sim_problem_finalize it (all checks), create a SimModel (factorisations and
 * allocations) and one SimWorkspace per evaluator, then sim_rollout as often as wanted: stepping allocates
 * nothing. Nothing here prints or opens files, and no argument ends the process: NULL where it may not be, or a number out of its range is
 * SIM_BAD_ARGUMENT (sim_status_text tells which), or of a function without a status does nothing and gives 0 or NULL. Every function is local to its caller, but for a problem with a
 * group (sim/group.h): sim_problem_finalize, and all that makes, runs or destroys models and workspaces, are then called by all
 * ranks of the group together, and return the same status on each. Several threads may call at once: a model of dense storage serves all of them;
 * everything else that a call is given (problem, workspace, sensitivity, results) belongs to one thread at a time, and so do sparse storage
 * and sim/group.h, of PETSc and MPI, in the whole process. Functions of one's own are called by the thread that runs the model. */
#ifndef SIM_SIM_H
#define SIM_SIM_H

#include "sim/features.h"
#include "sim/problem.h"
#include "sim/residual.h"
#include "sim/schemes.h"

SIM_API_BEGIN

/* M, A, C, B, the tabulated force, factored operators. Immutable: one serves all evaluators of a process. */
typedef struct SimModel SimModel;

/* Copies what it needs from a finalized problem; the problem may be cleared afterwards (sparse storage: borrows the problem's
 * arrays, which must outlive the model). force NULL and no load: f = 0. SIM_OK, SIM_NO_MEMORY, or SIM_BAD_PROBLEM (told to
 * report): the problem has not been finalized, or has been changed since; the force is not what the scheme takes, or not finite; a
 * factorisation failed. */
SimStatus sim_model_create(const SimProblem *problem, const SimReport *report, SimModel **model);
void sim_model_destroy(SimModel *model);       /* may be NULL */
int sim_model_size(const SimModel *model);     /* d */
int sim_model_rows(const SimModel *model);     /* this rank's, of d */
int sim_model_controls(const SimModel *model); /* variables of a control, p S */

/* How many values SimStep.extra has for a kind of model, and their names for column headers: static storage.
 * dashpot: f_d, f_s, lambda_contact; chain: the reactions and the end's displacement. */
int sim_kind_extras(SimKind kind, const char *const **names);
const char *sim_kind_extra_unit(SimKind kind, int k); /* of the k-th, "N" or "m" */
/* Whether lambda is a result of its own for the kind (it is not for a dash-pot, whose f_d is). */
bool sim_kind_has_multiplier(SimKind kind);

/* All that one evaluator writes while it steps. Never shared; nothing is allocated after its creation. */
typedef struct SimWorkspace SimWorkspace;
/* Creates a workspace of a model, which must outlive it. SIM_OK or SIM_NO_MEMORY. */
SimStatus sim_workspace_create(const SimModel *model, SimWorkspace **work);
void sim_workspace_destroy(SimWorkspace *work); /* may be NULL */
/* Gives a model, and its only workspace, the numbers of another finalized problem in place: those of its arrays, the constants of its scheme,
 * its bounds. The force stays the model's. Motions are those of a model created of it. SIM_OK; SIM_BAD_ARGUMENT, and nothing is done: it
 * differs in more than these, or the scheme does not take them in place (`moreau` and `centered` with dense matrices do, without gear box, stops,
 * springs with a law, surfaces that move and thresholds that vary). SIM_NO_MEMORY, SIM_BAD_PROBLEM: both can be destroyed only. */
SimStatus sim_model_set_numbers(SimModel *model, SimWorkspace *work, const SimProblem *problem);

/* Where the processor time of a friction model's steps goes, by centered and moreau, summed over all that a workspace steps. */
typedef struct SimProfile {
  long linear;     /* iterations of the linear solver, where it iterates */
  double solves;   /* s: linear solves, with the branches found on the way; by fixed_point, the whole step problem */
  double friction; /* s: the rest of the step's friction problem: its check, and the ways out where Newton cycles */
  double steps;    /* s: the steps as a whole */
} SimProfile;
/* From now on adds to profile what the workspace's steps take (NULL: no more); borrowed. */
void sim_workspace_profile(SimWorkspace *work, SimProfile *profile);

/* About how many segments a motion by `event` has whose fastest decay or oscillation makes them short: of a finalized problem, within a factor of
 * three where that is what makes them short; events, pieces of the force and laws add to them. 0: nobody knows, or another scheme. */
double sim_problem_segments(const SimProblem *problem);

#define SIM_WORK_SECONDS 2.5e-6 /* s that work of 1 takes on a core of 3 GHz, within a factor of three as measured */
/* How much work a segment by `event`, a step or an iteration of another scheme is: that of a segment of one degree of freedom without
 * derivatives is 1. It depends on the problem's sizes alone, so that it is the same anywhere. columns: of derivatives that go along; 0: none. */
double sim_problem_work(const SimProblem *problem, int columns);

/* What ends rollouts before their time. By `event` it is looked at in each segment, by the other schemes after some steps: 1000 of one degree
 * of freedom, fewer of more. */
typedef struct SimInterrupt {
  void *context; /* passed to stops; borrowed */
  /* Whether to end with SIM_CANCELLED. Asked often, so it must not take long (a flag, a clock), by the thread that runs the rollout; of a
   * group all ranks have one, and the rollout ends when one of them says so. Once true it must stay so until the call that runs rollouts
   * has come back. NULL: never. */
  bool (*stops)(void *context);
  double
      most; /* work, as of sim_problem_work, beyond which a rollout ends with SIM_TOO_LONG, whatever its kernel: of segments by `event`, else of
              * steps or iterations of their solver, whichever are more; counted since its beginning, or since it was loaded, and with the sweeps back
              * along it. 0: any */
} SimInterrupt;
/* From now on for all rollouts of a workspace, alone or in a batch (NULL: no more); copied. One that is cancelled cannot go on, but
 * sim_workspace_save then has the last instant shown. */
void sim_workspace_interrupt(SimWorkspace *work, const SimInterrupt *interrupt);
/* That; borrowed from the workspace. NULL: of no workspace. */
const SimInterrupt *sim_workspace_interruption(const SimWorkspace *work);
/* From now on a workspace's rollouts, from their beginning on or as loaded, are examined (sim/residual.h): SimFinal.examined. One that
 * is beyond sim_residual_most ends with SIM_RESIDUAL_LARGE; no bit of others changes. originals: borrowed; NULL: no more. SIM_OK;
 * SIM_NO_MEMORY; SIM_BAD_PROBLEM: the scheme is another than `event`, and nothing has changed. */
SimStatus sim_workspace_examine(SimWorkspace *work, const SimOriginals *originals);

/* By how much the energies (SimEnergy) of a watched rollout may fail to close: as a part of the sum of |work|, |surface|, |stored|,
 * |numerical|, dissipated and impacts, each at its largest so far (of `event` at least 100 times its tolerance). A rollout beyond it ends
 * there with SIM_ENERGY_OPEN. */
#define SIM_CLOSURE 1e-6

/* How well they closed. */
typedef struct SimClosure {
  double
      error; /* the largest closing error, less what round-off may be, as a part of that sum; NAN: there was no observer, the scheme
                 * computes no energies, or they are too large for a double */
  double time; /* s, when that was; of SIM_ENERGY_OPEN the first instant at which they did not close */
  double
      rounded; /* the largest closing error that round-off may be, as a part of that sum: how many digits energies have left */
  double kinetic; /* J, the largest kinetic energy, of friction models; else 0 */
} SimClosure;

/* How a rollout ended. */
typedef struct SimFinal {
  double *x; /* [d] x(T), m; caller's storage */
  double *v; /* [d] x'(T), m/s, as the scheme defines it; caller's storage */
  long
      iterations; /* of the per-step solver, all steps: sweeps (exact; sparse storage: steps of Newton) or linear systems
                     * (1.13) (fixed_point) */
  double residual; /* largest residual of the friction law over the steps: exact: max_i |lambda_i - P(lambda_i + s_i)|;
                     * fixed_point: the last relative change (1.15), or change of lambda (lie, strang); dashpot: of the
                     * law, m/s */
  long grazes; /* by `event`: how often who moves from then on was left open, to round-off, by all derivatives that were
                    * looked at: a dof that touches rest, or its threshold. The motion goes on by one of the answers */
  SimStatus
      status; /* SIM_OK, SIM_NOT_CONVERGED, SIM_NON_FINITE, SIM_EVENTS_ACCUMULATE, SIM_TOO_LONG, SIM_OUT_OF_RANGE, SIM_ENERGY_OPEN or SIM_RESIDUAL_LARGE: data for a search, an error for a simulation */
  /* Of a model with stops; left as they are by batches of others. */
  long impacts;         /* on rigid stops */
  long settled;         /* how often bounces that grew ever smaller were taken to have ended at a stop */
  SimClosure closure;   /* left as it is by batches, as the next */
  SimResidual examined; /* by sim_workspace_examine; else 0 */
} SimFinal;

/* Energies of the discrete motion since t = 0, J. work + surface = stored + dissipated + impacts + numerical + (closing error). All NAN: the
 * scheme computes none. */
typedef struct SimEnergy {
  double work;       /* of f + B u, less a gear box's load */
  double stored;     /* kinetic and elastic, now less at t = 0 */
  double dissipated; /* by friction and damping, at the velocity at which their law holds: never decreases, but for
                      * what follows */
  double negative_dissipation; /* what friction gave back, >= 0, of dof and step where it drove instead of braking:
                                * regularized, smooth or by fixed_point alone. dissipated has it, subtracted */
  double numerical;            /* taken out by the scheme itself, or < 0; O(dt), 0 for centered if no w varies;
                      * event: what jumps of the load on nodes without mass leave over */
  double surface;              /* done by surfaces that move: of friction's force on them, -w C (lambda - gamma) */
  double impacts;              /* lost in impacts on rigid stops, >= 0 but for what steps make of it */
} SimEnergy;

/* One instant of a rollout, as an observer sees it; all borrowed, valid during the call. */
typedef struct SimStep {
  long n;               /* 0..N */
  double t;             /* s */
  const double *x;      /* [d] */
  const double *v;      /* [d] */
  const double *slide;  /* [d] m/s at which friction acts: v less the surface's, 0 of what sticks */
  const double *lambda; /* [d] in [-1, 1] */
  const double
      *reaction; /* [d] N: of stops on x_i; by steps their mean over the last one, with impacts; NULL: there are none */
  const double *u;     /* [p] u(t), N; at a jump from the right */
  const double *extra; /* [sim_kind_extras] what else the kind of model tells */
  bool contact;        /* dash-pot: the mass touches its support */
  const signed char
      *slip; /* [d] -1 slips backward, 0 sticks, +1 slips forward, by the friction law's own branch (the smooth law
                            * has none that sticks: the sign of its velocity) */
  const SimEnergy *energy; /* up to t */
} SimStep;

/* Sees each instant of one rollout, n = 0..N. */
typedef struct SimObserver {
  void *context;                                    /* passed to step and event; borrowed */
  void (*step)(void *context, const SimStep *step); /* called at each instant */
  /* Before that, each event since the instant before, by a scheme that knows when it was: a dof that from t, s, on slips
   * backward (-1) or forward (1), or sticks (0); or what the next enum has. NULL: of no interest. */
  void (*event)(void *context, double t, int dof, int slip);
} SimObserver;

/* SimObserver.event: a dash-pot's mass meets its support, or leaves it. A dof bounces off its upper stop, is at it from then on, or is
 * so after bounces that have come to their end; the negative of these: its lower one; it is no longer. */
enum { SIM_MEETS = 2, SIM_LEAVES, SIM_BOUNCES, SIM_TOUCHES, SIM_SETTLES, SIM_PARTS };
static inline bool sim_event_of_stop(int what) { return what > SIM_LEAVES || what < -1; }

/* Runs one control, [sim_model_controls], N (NULL: 0; borrowed), to T; observer may be NULL. Returns final->status. */
SimStatus sim_rollout(const SimModel *model, SimWorkspace *work, const double *control, const SimObserver *observer,
                      SimFinal *final);

/* A rollout in pieces, for those that take long: begin (n = 0), then run_to with rising `until` <= N, which may end
 * early with a status other than SIM_OK, then end, which fills final as sim_rollout does. The observer, NULL or not, must
 * be the same throughout. */
SimStatus sim_rollout_begin(const SimModel *model, SimWorkspace *work, const double *control,
                            const SimObserver *observer);
/* Goes on until step `until` is done. SIM_OK, or how the rollout has ended. */
SimStatus sim_rollout_run_to(const SimModel *model, SimWorkspace *work, const SimObserver *observer, long until);
/* Fills final, and returns its status. */
SimStatus sim_rollout_end(const SimModel *model, const SimWorkspace *work, SimFinal *final);
long sim_rollout_position(const SimWorkspace *work); /* n: steps done */

/* The state of a rollout between two pieces as bytes, for a process of the same build; one loaded into a workspace of the
 * same model goes on bit for bit. Of a group each rank saves and loads its own rows: see rollout_save.h. Load: SIM_OK, or
 * SIM_BAD_PROBLEM when the bytes cannot be such a state. */
size_t sim_workspace_saved_size(const SimModel *model);
/* Writes the state, sim_workspace_saved_size bytes. */
void sim_workspace_save(const SimModel *model, const SimWorkspace *work, void *bytes);
/* Reads the state. SIM_OK or SIM_BAD_PROBLEM. */
SimStatus sim_workspace_load(const SimModel *model, SimWorkspace *work, const void *bytes, size_t size);

/* What the end of a motion depends on. */
typedef enum SimDependence {
  SIM_ON_CONTROL,  /* the entries of a control, N */
  SIM_ON_POSITION, /* x0_i, m */
  SIM_ON_VELOCITY, /* v0_i, m/s */
  SIM_ON_FRICTION, /* c_i, N, where all thresholds are above 0 and change neither in time nor with place; a bias stays as it is */
  SIM_ON_MASS,    /* M_ii, kg, where no surface moves, and no step is by eigenvectors */
  SIM_ON_DAMPING, /* D_ii, N s/m, where there is damping and no surface moves */
  SIM_ON_BETA,    /* of gamma, where there is one and all are above 0 */
  SIM_ON_TABLE /* F, N, of all rows of a SimFrictionTable, [columns][points]; by `event` where there is no gear box; c stays as it is */
} SimDependence;

/* Derivatives of x(T), v(T), which go along with a rollout; one evaluator's, like a workspace. A column for each number of each
 * of on [n], in their order. Constants of the scheme that have defaults, as r, stay as they are. By a scheme with steps they are
 * those of what the steps make of these numbers. SIM_BAD_PROBLEM: the model has none (sim_scheme_differentiates), or no such
 * numbers. */
typedef struct SimSensitivity SimSensitivity;
/* Whether motions of a problem have derivatives, forward and backward, by a scheme of its kind. */
bool sim_scheme_differentiates(const SimScheme *scheme, const SimProblem *problem);
/* Creates derivatives with regard to the numbers of on [n]. SIM_OK, SIM_NO_MEMORY or SIM_BAD_PROBLEM. */
SimStatus sim_sensitivity_create(const SimModel *model, int n, const SimDependence *on, SimSensitivity **sensitivity);
void sim_sensitivity_destroy(SimSensitivity *sensitivity);      /* may be NULL */
int sim_sensitivity_columns(const SimSensitivity *sensitivity); /* how many numbers those are */
/* SimDerivative.smooth, of a rollout in pieces as far as it has gone. */
bool sim_sensitivity_smooth(const SimSensitivity *sensitivity);
/* Derivatives of where a rollout ends; arrays of the caller's. A dof that has come to rest and sticks at T has a row of zeros in
 * v: what its velocity would do if it came to rest a little later is told by its row just before the stop. Gone on with as if it
 * had not stopped, its velocity is stop_acceleration (T - stop_time), and its `stop` row is the derivative of that at a fixed
 * acceleration, as d stop_time = -row/stop_acceleration. By a scheme with steps the dof has come to rest within the first step at
 * whose end it sticks, with the acceleration of the step before, or, where that would not stop it, of this one; regularized,
 * and by `lie` and `strang`, what sticks creeps, and so do its rows. d: a group's rank has its own rows. */
typedef struct SimDerivative {
  double *state; /* [2 d][columns] of x(T), then v(T) */
  double *stop; /* [d][columns] of v_i just before dof i came to rest, of those that have slid and stick at T; else 0 */
  double *stop_time;         /* [d] when that was, s; NAN: it slides at T, or has never slid */
  double *stop_acceleration; /* [d] v_i' just before, m/s^2, less its surface's; 0 where there is no stop */
  bool smooth;               /* by `event`: else two dofs came to rest at one instant, or one touched rest only, or a
               * dash-pot's law a fold or a tie, where no derivative need exist;
               * by `moreau`: else one without friction rests at an end that does not push */
} SimDerivative;
/* A rollout as sim_rollout, bit for bit, and its derivatives. Returns final->status. */
SimStatus sim_rollout_sensitivity(const SimModel *model, SimWorkspace *work, SimSensitivity *sensitivity,
                                  const double *control, SimFinal *final, SimDerivative *derivative);
/* The same on the way: has a rollout in pieces, from its beginning on, take derivatives along; NULL: no more. Borrowed. */
void sim_workspace_differentiate(SimWorkspace *work, SimSensitivity *sensitivity);
/* Those of x, then v, where that rollout stands: state [2 d][columns], of a group's rank its own rows. */
void sim_workspace_derivatives(const SimModel *model, SimWorkspace *work, double *state);

/* The same backwards: derivatives of a number, a weighted sum of where a rollout ends, with regard to all columns at about the cost
 * of one of them. Several such sums go side by side. An adjoint keeps a record of one rollout, of which there may be many sweeps; one evaluator's, like a
 * workspace. Columns and statuses as of sim_sensitivity_create. The model must outlive it. */
typedef struct SimAdjoint SimAdjoint;
/* Creates an adjoint with regard to the numbers of on [n]. SIM_OK, SIM_NO_MEMORY or SIM_BAD_PROBLEM. */
SimStatus sim_adjoint_create(const SimModel *model, int n, const SimDependence *on, SimAdjoint **adjoint);
void sim_adjoint_destroy(SimAdjoint *adjoint);      /* may be NULL */
int sim_adjoint_columns(const SimAdjoint *adjoint); /* how many numbers those are */
/* A rollout as sim_rollout, bit for bit, and on record what the way back needs of it. The record grows with the rollout, by
 * segments or steps: this rollout allocates. Returns final->status, or SIM_NO_MEMORY. */
SimStatus sim_rollout_record(const SimModel *model, SimWorkspace *work, SimAdjoint *adjoint, const double *control,
                             SimFinal *final);
/* Of the rollout on record; [rows] each: when the stop in which a dof still is at T began, s (NAN: it slides at T, or has never slid),
 * and v' just before, m/s^2. *smooth: there are derivatives; else two dofs came to rest at one instant, or one touched rest
 * only. */
void sim_adjoint_stops(const SimAdjoint *adjoint, double *stop_time, double *stop_acceleration, bool *smooth);
/* How many sums a sweep takes at most. */
int sim_adjoint_together(const SimAdjoint *adjoint);
/* gradients [n][columns] of n sums of weights [n][3][rows] times x(T), v(T) and v_i just before the stop in which dof i still is at T.
 * Collective over the problem's group. SIM_OK; SIM_NON_FINITE; SIM_TOO_LONG: it would take more work than SimInterrupt.most; the status of the
 * rollout on record, or of a solve, if that failed: gradients are then NAN. */
SimStatus sim_adjoint_sweep(SimAdjoint *adjoint, int n, const double *weights, double *gradients);

/* Runs n controls, [n][sim_model_controls]. final[i] is as sim_rollout gives it for row i, bit for bit, whatever n. */
void sim_batch(const SimModel *model, SimWorkspace *work, int n, const double *control, SimFinal *final);

/* One rollout of a batch. */
typedef struct SimRun {
  const SimModel *model; /* borrowed, as the other two */
  SimWorkspace *work;    /* of the model; several runs of one model may share it */
  const double *control; /* [sim_model_controls]; NULL: 0 */
} SimRun;

/* Runs of several models, each with its own control: final[i] is as sim_rollout gives it for run i, bit for bit, whatever stands beside
 * it. Neighbours go side by side where their models differ in their numbers alone (M, D, A, c, gamma, f, B, x0, v0), by `moreau` and
 * `centered` with the exact solver; the others go one by one. */
void sim_batch_models(int n, const SimRun *runs, SimFinal *final);

/* The kernels of sim_batch by name: 0 is `ref`, one sim_rollout after another; the others run several controls side by side,
 * the wider the later. NULL beyond the last. */
const char *sim_kernel_name(int k);
bool sim_kernel_runs(int k); /* whether this processor runs kernel k; beyond the last: no */
/* Which kernel a workspace takes: the widest that runs, unless told otherwise; `ref` if told one that does not run. All give
 * the same bits. */
void sim_workspace_set_kernel(SimWorkspace *work, int k);
/* The one that sim_batch in fact takes for a model: `ref` where the others do not serve. */
const char *sim_batch_kernel(const SimModel *model, const SimWorkspace *work);
/* How many controls that kernel runs side by side: batches of multiples of it waste nothing. */
int sim_batch_lanes(const SimModel *model, const SimWorkspace *work);

SIM_API_END

#endif
