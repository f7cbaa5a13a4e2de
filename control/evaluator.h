/* SPDX-License-Identifier: BSD-2-Clause */
/* Evaluators and drives. An evaluator computes the outcomes of points: the final states of the motions, or the values
 * of a function. A drive takes points from a search, has them evaluated, passes the outcomes back and calls a listener.
 * This header has the drives of one process; pool.h has those of many MPI ranks. The answer has the same bits for any
 * evaluator and any order of outcomes. */
#ifndef CONTROL_EVALUATOR_H
#define CONTROL_EVALUATOR_H

#include "control/internal.h"
#include "control/motion.h"

/* An evaluator maps controls to final states, by simulation or by any other function of the same form. */
typedef struct CtlEvaluator {
  /* number of variables and of entries of x; they must equal the problem's n and d, otherwise drives refuse the
   * evaluator */
  int n, d;
  int m; /* number of rows of derivatives: one for each given entry of x_T and v_T, or for each value of a function;
          * 0: no derivatives */
  /* number S of segments of its signal, if it accepts points with fewer segments (CtlWant.segments); 0: it does not */
  int segments;
  const bool *smooth; /* whether the last point was differentiable (its motion was not at a kink); NULL: unknown */
  /* number of points, at least 1, that take about as long as one point without derivatives; batches are multiples of it
   * if possible */
  int block;
  void *context;
  /* Evaluates count points, all with the same `want`. controls: [count][n]. final[i].x, .v: [d] storage of the
   * caller; the function fills them and the other fields of final[i]. rows: [count][m][ctl_row_size of
   * ctl_evaluator_controls], as CtlOutcome.rows; NULL without derivatives or if m is 0. The results of a point must
   * not depend on the other points. */
  void (*evaluate)(void *context, CtlWant want, int count, const double *controls, SimFinal *final, double *rows);
} CtlEvaluator;

CtlEvaluator ctl_function_evaluator(CtlFunction *function); /* borrows it */

/* Returns the number of variables of a point that have an effect. With fewer segments these are the first of its n
 * variables. */
static inline int ctl_evaluator_controls(const CtlEvaluator *evaluator, CtlWant want) {
  return want.segments ? evaluator->n / evaluator->segments * want.segments : evaluator->n;
}

/* Returns the number of doubles in the rows (derivatives) of one point. */
static inline size_t ctl_evaluator_rows(const CtlEvaluator *evaluator, CtlWant want) {
  return want.derivatives ? (size_t)evaluator->m * ctl_row_size(ctl_evaluator_controls(evaluator, want)) : 0;
}

/* A motion that a CtlSimulation can run. The problem's motion borrows its model and workspace; other motions own all
 * they have. */
typedef struct CtlSimulatedMotion {
  int motion, segments; /* see CtlWant */
  /* [2][rows] thresholds of the motion, in N, and their bias (half the difference of the two directions); NULL: those of
   * the problem */
  double *friction;
  SimModel *model; /* model of the motion; NULL: that of the problem */
  SimWorkspace *work;
  SimSensitivity *sensitivity; /* forward derivatives; NULL until they are needed */
  SimAdjoint
      /* adjoint derivatives, used if they cost less, that is for many variables and few rows; NULL until they are
       * needed */
      *adjoint;
} CtlSimulatedMotion;

/* The evaluator that simulates with its own model and workspace. The caller keeps model, workspace and this struct
 * alive. Initialised to zero except model and work, it runs the problem's motion only and has no derivatives. For a
 * model of several ranks each rank has such a struct, with the rows of its dofs. */
typedef struct CtlSimulation {
  const SimModel *model;
  SimWorkspace *work;
  const SimProblem *problem; /* problem of the model, from which other motions are made; borrowed */
  int m;                     /* number of rows of derivatives */
  int positions;             /* number of rows that belong to positions; they come first */
  int *given;                /* [m] dof of each row, as an index among this rank's dofs; owned, like the fields below */
  int *wanted;               /* [m] rows that are computed; in one block with `given` */
  /* whether v_T is 0 all along a string: nodes at rest at T then meet it, and most of their rows of v are not computed;
   * default false */
  bool rest;
  SimDerivative derivative;   /* derivatives of the last point; its arrays are [2 rows][n], [rows][n], [rows], [rows] */
  CtlSimulatedMotion own;     /* the motion of the problem itself */
  CtlSimulatedMotion *others; /* [count] other motions, each of which is created at its first use */
  int count;
  /* object that answers pattern queries; NULL until ctl_simulation_set_patterns is called */
  struct PatternAnswers *patterns;
} CtlSimulation;

/* Initialises a simulation that supplies derivatives of the given entries of x(T), v(T). given: [2][rows] of this
 * rank, NULL: none. problem: the model's, borrowed. SIM_OK or SIM_NO_MEMORY (left cleared). */
SimStatus ctl_simulation_init(CtlSimulation *simulation, const SimProblem *problem, const SimModel *model,
                              SimWorkspace *work, const bool *given);
void ctl_simulation_clear(CtlSimulation *simulation);
/* Enables pattern queries (control/motion.h). problem: borrowed. Returns SIM_OK or SIM_NO_MEMORY. */
SimStatus ctl_simulation_set_patterns(CtlSimulation *simulation, const CtlProblem *problem);

CtlEvaluator ctl_simulator(CtlSimulation *simulation);

/* Independent tasks 0..count-1 that a drive hands out in place of a search's points. The input of a task is the control
 * that `ask` writes, or, without `ask`, the index of the task as the only control. The answer is final.x and final.v: 2
 * d values, contiguous. */
typedef struct CtlTasks {
  long count;
  bool *done;  /* [count] whether a task has been answered or is not needed; it may be set before the drive; borrowed */
  long first;  /* ticket of task 0; the other tickets follow it. A ticket is never used twice */
  long next;   /* index of the first task that may have to be handed out; 0 at first */
  long left;   /* number of tasks that have not been handed out; set by ctl_tasks_init, like the next field */
  long undone; /* number of tasks without an answer */
  void *context;
  void (*ask)(void *context, long task,
              /* writes the input of a task as a control [n] of the evaluator; NULL: the input is the index of the task,
               * with n = 1 */
              double *control);
  /* Accepts the answer of a task. Answers come in any order, one for each task. Returns whether the answer is
   * accepted; if not, the task stays undone. A negative value ends the drive with its magnitude. */
  int (*tell)(void *context, long task, const CtlOutcome *outcome);
  /* Called when all tasks are done: sets up the tasks of another round, if any. The drive then calls the listener's
   * `simplex` with state NULL. NULL: one round only. */
  void (*ended)(void *context);
} CtlTasks;

/* Sets `left` and `undone` from `done`. */
void ctl_tasks_init(CtlTasks *tasks);

/* An evaluator for many scenarios: simulates the motion of each, and concatenates their final states. */
typedef struct CtlStack {
  int n, scenarios;
  int positions;            /* number of rows of a motion that belong to positions */
  const CtlEvaluator *each; /* [scenarios] evaluators, all with the same n, d, m; borrowed */
  const CtlSimulation
      *simulations; /* [scenarios] simulations on which the evaluators are based; borrowed; NULL (default): unknown */
  const CtlEvaluator
      *nominal; /* evaluator for the unperturbed parameters; borrowed; NULL (default): that of the first scenario */
  double *rows; /* workspace for the derivatives of one motion; owned */
} CtlStack;

/* Initialises a stack. Its rows (derivatives) are those of the given entries of x(T) of all scenarios in order, then of
 * v(T). SIM_OK or SIM_NO_MEMORY. */
SimStatus ctl_stack_init(CtlStack *stack, int scenarios, const CtlEvaluator *each, int positions);
void ctl_stack_clear(CtlStack *stack);
CtlEvaluator ctl_stacked(CtlStack *stack); /* borrows it */

/* Callbacks of a drive. Each may be NULL. */
typedef struct CtlListener {
  void *context;
  /* Called after each simplex, and after each round of tasks with state NULL. A non-zero return value ends the drive
   * with that value (an output could not be written, for example). */
  int (*simplex)(void *context, const CtlState *state, double seconds);
  /* Called from time to time. busy: number of ranks that are evaluating. */
  void (*tick)(void *context, const CtlSearch *search, double seconds, int busy);
  /* Called from time to time. Returns whether to stop. After true the drive hands out no more points and waits for
   * outstanding outcomes, for at most `grace` seconds. NULL: never stop. */
  bool (*stopped)(void *context);
  double grace; /* s */
} CtlListener;

/* Results of a drive that ended before its search. Other results, > 0, are those of the listener. */
enum {
  CTL_DRIVE_NO_MEMORY = -1,
  CTL_DRIVE_STOPPED = -2,   /* the drive was stopped by `stopped` */
  CTL_DRIVE_ABANDONED = -3, /* the drive was stopped by `stopped`, but evaluations are still running */
  /* the drive did not start; stiction_status_text(SIM_BAD_ARGUMENT) names the invalid argument */
  CTL_DRIVE_BAD_ARGUMENT = -5
};

/* Times of a drive, in s. wall = evaluating + waiting + coordinating. */
typedef struct CtlTimes {
  double wall;         /* duration of the drive */
  double ivps;         /* time of evaluation, summed over all ranks that evaluate */
  double evaluating;   /* time during which the coordinator evaluated */
  double waiting;      /* time during which the coordinator was idle */
  double coordinating; /* time of the coordinator's own work: ask, tell, messages and listener */
  long batches;        /* number of batches sent to workers */
  int evaluators;      /* number of ranks that evaluate, including the coordinator if it does */
  long overdue;        /* number of points sent to another rank because the first one did not answer in time */
} CtlTimes;

/* Drives the search to its end and evaluates in this process. Returns 0, the listener's result, CTL_DRIVE_NO_MEMORY
 * or CTL_DRIVE_STOPPED. Checks `stopped` about every 50 ms, or between evaluations that take longer. listener,
 * times: may be NULL. Local. */
int ctl_drive_serial(CtlSearch *search, const CtlEvaluator *evaluator, const CtlListener *listener, CtlTimes *times);

/* Evaluates tasks until none is left, in the same way. */
int ctl_drive_tasks(CtlTasks *tasks, const CtlEvaluator *evaluator, const CtlListener *listener, CtlTimes *times);

/* Advances a loaded search as far as the outcomes that were saved allow, without evaluating any, and calls the listener
 * for each completed simplex. Call it before the search is driven. Returns 0 or the listener's result. */
int ctl_drive_resume(CtlSearch *search, const CtlListener *listener);

#endif
