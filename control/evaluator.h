/* SPDX-License-Identifier: BSD-2-Clause */
/* Evaluators, and the functions that drive a search. An evaluator computes the outcomes of points: the final states of
 * the motions, or the values of a user-defined function. A driver, also called a drive, takes points from a search, has
 * an evaluator evaluate them, passes the outcomes back to the search and calls a listener. This header has the drives
 * of one process; pool.h has those of many MPI ranks. The result of a search has the same bits for any order of the
 * outcomes and for any evaluator that computes the same function. */
#ifndef CONTROL_EVALUATOR_H
#define CONTROL_EVALUATOR_H

#include "control/internal.h"
#include "control/motion.h"

/* An evaluator maps controls to final states, by simulation or by any other function of the same form. */
typedef struct CtlEvaluator {
  /* number n of variables of a point and number d of entries of x; they must equal the problem's n and d, otherwise
   * drives refuse the evaluator */
  int n, d;
  int m; /* number of rows of derivatives, one for each entry of x_T and v_T with a target, or one for each value of a
          * user-defined function; 0: no derivatives */
  /* number S of segments of the control signal, if the evaluator accepts points with fewer segments (CtlWant.segments);
   * 0: it does not */
  int segments;
  const bool *smooth; /* whether the last point was differentiable (its motion was not at a kink); NULL: the evaluator
                       * does not know */
  /* number of points, at least 1, that take about as long together as one point without derivatives; batches are
   * multiples of it if possible */
  int block;
  void *context;
  /* Evaluates `count` points, all with the same `want`. controls: [count][n]. final[i].x, .v: [d] arrays of the caller,
   * which the function fills; it also sets the other fields of final[i]. rows: [count][m][ctl_row_size of
   * ctl_evaluator_controls], with the meaning of CtlOutcome.rows; NULL without derivatives or if m is 0. The results of
   * a point must not depend on the other points. */
  void (*evaluate)(void *context, CtlWant want, int count, const double *controls, SimFinal *final, double *rows);
} CtlEvaluator;

CtlEvaluator ctl_function_evaluator(CtlFunction *function); /* returns the evaluator of a user-defined function;
                                                             * function: borrowed */

/* Returns how many variables of a point have an effect. With fewer segments than S these are the first of its n
 * variables. */
static inline int ctl_evaluator_controls(const CtlEvaluator *evaluator, CtlWant want) {
  return want.segments ? evaluator->n / evaluator->segments * want.segments : evaluator->n;
}

/* Returns the number of doubles in the rows (derivatives) of one point. */
static inline size_t ctl_evaluator_rows(const CtlEvaluator *evaluator, CtlWant want) {
  return want.derivatives ? (size_t)evaluator->m * ctl_row_size(ctl_evaluator_controls(evaluator, want)) : 0;
}

/* A motion that a CtlSimulation can run. The motion of the problem borrows its model and workspace from the caller;
 * other motions own their models and workspaces. */
typedef struct CtlSimulatedMotion {
  int motion, segments; /* the fields of CtlWant that select this motion */
  /* [2][rows], for each row (degree of freedom) of this rank: threshold of friction in this motion, in N, and its bias,
   * half the difference of the thresholds of the two directions; NULL: those of the problem */
  double *friction;
  SimModel *model; /* model of this motion; NULL: the problem's model */
  SimWorkspace *work;
  SimSensitivity *sensitivity; /* forward derivatives; NULL until they are first needed */
  SimAdjoint
      /* adjoint derivatives, used where they cost less than forward ones, for many variables and few derivative rows;
       * NULL until they are first needed */
      *adjoint;
} CtlSimulatedMotion;

/* Data of the evaluator that simulates with its own model and workspace. The caller keeps model, workspace and this
 * struct alive. If all fields but model and work are zero, it runs only the problem's motion and has no derivatives.
 * For a model that is distributed over several ranks each rank has such a struct, with the degrees of freedom of this
 * rank. */
typedef struct CtlSimulation {
  const SimModel *model;
  SimWorkspace *work;
  const SimProblem *problem; /* problem from which the model was made and from which the models of other motions are
                              * made; borrowed */
  int m;                     /* number of rows of derivatives */
  int positions;             /* number of derivative rows that belong to positions; they come before those of
                              * velocities */
  int *given;                /* [m] degree of freedom of each derivative row, as an index among this rank's dofs; owned,
                              * like the fields below */
  int *wanted;               /* [m] list of the derivative rows that are computed; in the same allocation as `given` */
  /* whether the target velocity v_T is 0 all along a string; nodes at rest at T then meet it, and most of their
   * velocity rows are not computed; default false */
  bool rest;
  SimDerivative derivative;   /* derivatives of the last point; with r rows its arrays are [2 r][n], [r][n], [r], [r] */
  CtlSimulatedMotion own;     /* the motion of the problem */
  CtlSimulatedMotion *others; /* [count] other motions, each of which is created at its first use */
  int count;
  /* data for pattern queries (control/motion.h); NULL until ctl_simulation_set_patterns is called */
  struct PatternAnswers *patterns;
} CtlSimulation;

/* Initialises a simulation that supplies derivatives of the given entries of x(T) and v(T). given: [2][rows of this
 * rank], for positions and for velocities whether the entry has a target; NULL: no derivatives. problem: the problem of
 * the model, borrowed. Returns SIM_OK or SIM_NO_MEMORY (the simulation is then cleared). */
SimStatus ctl_simulation_init(CtlSimulation *simulation, const SimProblem *problem, const SimModel *model,
                              SimWorkspace *work, const bool *given);
void ctl_simulation_clear(CtlSimulation *simulation);
/* Enables pattern queries (control/motion.h). problem: borrowed. Returns SIM_OK or SIM_NO_MEMORY. */
SimStatus ctl_simulation_set_patterns(CtlSimulation *simulation, const CtlProblem *problem);

CtlEvaluator ctl_simulator(CtlSimulation *simulation);

/* Independent tasks 0..count-1 that a drive hands out in place of a search's points. The input of a task is the control
 * that `ask` writes or, without `ask`, the index of the task as the only entry. The result of a task is in final.x and
 * final.v: 2 d contiguous values. */
typedef struct CtlTasks {
  long count;
  bool *done;  /* [count] whether the result of a task has been accepted or is not needed; the caller may set entries
                * before the drive; borrowed */
  long first;  /* ticket (a number that identifies a task in messages) of task 0; the other tickets follow it. A ticket
                * is never used twice */
  long next;   /* index of the first task that may still have to be handed out; 0 at first */
  long left;   /* number of tasks that have not been handed out; like `undone` it is set by ctl_tasks_init */
  long undone; /* number of tasks without an accepted result */
  void *context;
  void (*ask)(void *context, long task,
              /* writes the input of a task as a control [n] of the evaluator; NULL: the input is the index of the task,
               * with n = 1 */
              double *control);
  /* Accepts the result of a task. Results come in any order, one for each task. Returns whether the result is accepted;
   * if not, the task stays undone, and the drive ends with CTL_DRIVE_STOPPED. A negative return value -k ends the
   * drive, which then returns k. */
  int (*tell)(void *context, long task, const CtlOutcome *outcome);
  /* Called when all tasks are done. It sets up the tasks of another round, if there is one. The drive then calls the
   * listener's `simplex` with state NULL. The callback may be NULL: one round only. */
  void (*ended)(void *context);
} CtlTasks;

/* Sets the fields `left` and `undone` from `done`. */
void ctl_tasks_init(CtlTasks *tasks);

/* An evaluator for many scenarios: it simulates the motion of each scenario and concatenates the final states. */
typedef struct CtlStack {
  int n, scenarios;
  int positions;            /* number of derivative rows of one motion that belong to positions */
  const CtlEvaluator *each; /* [scenarios] evaluators, all with the same n, d, m; borrowed */
  const CtlSimulation
      *simulations; /* [scenarios] simulations on which the evaluators are based; borrowed; NULL (default): unknown */
  const CtlEvaluator
      *nominal; /* evaluator of the motion with unperturbed parameters; borrowed; NULL (default): that of the first
                 * scenario */
  double *rows; /* workspace for the derivatives of one motion; owned */
} CtlStack;

/* Initialises a stack. Its derivative rows belong to the given entries of x(T) of all scenarios in order, then to those
 * of v(T). Returns SIM_OK or SIM_NO_MEMORY. */
SimStatus ctl_stack_init(CtlStack *stack, int scenarios, const CtlEvaluator *each, int positions);
void ctl_stack_clear(CtlStack *stack);
CtlEvaluator ctl_stacked(CtlStack *stack); /* returns the evaluator of a stack; stack: borrowed */

/* Callbacks of a drive. Each may be NULL. */
typedef struct CtlListener {
  void *context;
  /* Called after each simplex, and after each round of tasks with state NULL. A non-zero return value, for example
   * because an output could not be written, ends the drive, which returns this value. */
  int (*simplex)(void *context, const CtlState *state, double seconds);
  /* Called from time to time. busy: number of ranks that are evaluating. */
  void (*tick)(void *context, const CtlSearch *search, double seconds, int busy);
  /* Called from time to time. Returns whether to stop. After true the drive hands out no more points and waits for
   * outstanding outcomes, for at most `grace` seconds. NULL: never stop. */
  bool (*stopped)(void *context);
  double grace; /* longest wait for outstanding outcomes, in s */
} CtlListener;

/* Results of a drive that ended before its search did. Positive results are those of the listener. */
enum {
  CTL_DRIVE_NO_MEMORY = -1,
  CTL_DRIVE_STOPPED = -2,   /* the drive was stopped by `stopped` */
  CTL_DRIVE_ABANDONED = -3, /* the drive was stopped by `stopped`, but evaluations are still running */
  /* the drive did not start because of an invalid argument; stiction_status_text(SIM_BAD_ARGUMENT) names it */
  CTL_DRIVE_BAD_ARGUMENT = -5
};

/* Times of a drive, in s. wall = evaluating + waiting + coordinating. */
typedef struct CtlTimes {
  double wall;         /* duration of the drive */
  double ivps;         /* evaluation time, summed over all ranks that evaluate */
  double evaluating;   /* time during which the coordinator (the process that runs the search) evaluated */
  double waiting;      /* time during which the coordinator was idle */
  double coordinating; /* time of the coordinator's own work: ask, tell, messages and listener */
  long batches;        /* number of batches sent to workers */
  int evaluators;      /* number of ranks that evaluate, including the coordinator if it does */
  long overdue;        /* number of points sent to another rank because the first one did not return them in time */
} CtlTimes;

/* Drives the search to its end; this process evaluates all points. Returns 0, the listener's result,
 * CTL_DRIVE_NO_MEMORY, CTL_DRIVE_STOPPED or CTL_DRIVE_BAD_ARGUMENT. Calls `stopped` about every 50 ms, or between
 * evaluations if they take longer. listener, times: may be NULL. Not collective. */
int ctl_drive_serial(CtlSearch *search, const CtlEvaluator *evaluator, const CtlListener *listener, CtlTimes *times);

/* Evaluates tasks in this process until none is left. Arguments and results are those of ctl_drive_serial. */
int ctl_drive_tasks(CtlTasks *tasks, const CtlEvaluator *evaluator, const CtlListener *listener, CtlTimes *times);

/* Advances a loaded search as far as the outcomes saved with it allow, without evaluating any point, and calls the
 * listener for each completed simplex. Call this function before the search is driven. Returns 0 or the listener's
 * result. */
int ctl_drive_resume(CtlSearch *search, const CtlListener *listener);

#endif
