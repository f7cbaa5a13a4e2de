/* Who evaluates for a search: this process alone, or a pool of MPI ranks (pool.h). A driver asks the search for points,
 * has them evaluated, tells the outcomes, and calls its listener as the search goes on. The answer is the same, bit for
 * bit, whoever evaluates and in whatever order outcomes arrive. */
#ifndef CONTROL_EVALUATOR_H
#define CONTROL_EVALUATOR_H

#include "control/control.h"
#include "control/motion.h"

SIM_API_BEGIN

/* Turns controls into final states. Drivers know no more of it: it may simulate, or be anything of the same form. */
typedef struct CtlEvaluator {
  int n, d; /* as the search's problem, or no drive takes it */
  int m;    /* rows of derivatives: entries of x_T and v_T that are given; 0: none are wanted, ever */
  int segments; /* S of its signal, where points of fewer segments are evaluated, too (CtlWant.segments, a divisor of S); 0: not */
  const bool *smooth; /* whether the last point had derivatives to both sides; NULL: nobody tells */
  int block; /* points that take about as long as one without derivatives, >= 1: batches are multiples of it where they can be */
  void *context;
  /* count points, of all of which the same is wanted. controls: [count][n]; final[i].x, .v: [d] caller's storage, to be filled
   * with the rest of final[i]; rows: [count][m][ctl_row_size of ctl_evaluator_controls] likewise, as CtlOutcome.rows, NULL without
   * derivatives, and where m is 0. What it gives for a point must not depend on the points beside it. */
  void (*evaluate)(void *context, CtlWant want, int count, const double *controls, SimFinal *final, double *rows);
} CtlEvaluator;

/* An objective of one's own as an evaluator, for a problem of ctl_problem_init_values. */
typedef struct CtlFunction {
  int n, m; /* variables, values: as the problem has them, or no drive takes it */
  void *context;
  /* The values [m] of a point [n]; the same for the same point, bit for bit. Another status than SIM_OK, or a value that is not
   * finite: the point counts as +inf. But SIM_CANCELLED: the point is not told, and the drive ends as CtlListener.stopped would end it. */
  SimStatus (*values)(void *context, const double *point, double *values);
} CtlFunction;

CtlEvaluator ctl_function_evaluator(CtlFunction *function); /* borrows it */

/* Variables of a point: of fewer segments the first of its n. */
static inline int ctl_evaluator_controls(const CtlEvaluator *evaluator, CtlWant want) {
  return want.segments ? evaluator->n / evaluator->segments * want.segments : evaluator->n;
}

/* Numbers of a point's rows. */
static inline size_t ctl_evaluator_rows(const CtlEvaluator *evaluator, CtlWant want) {
  return want.derivatives ? (size_t)evaluator->m * ctl_row_size(ctl_evaluator_controls(evaluator, want)) : 0;
}

/* A motion that a CtlSimulation runs: the problem's, whose model and workspace are borrowed, or another, of which all is owned. */
typedef struct CtlSimulatedMotion {
  int motion, segments; /* as CtlWant */
  double *friction;     /* [2][rows] its thresholds, N, and their bias; NULL: the problem's */
  SimModel *model;      /* NULL: it is the problem's */
  SimWorkspace *work;
  SimSensitivity *sensitivity; /* NULL, like the next: derivatives have not been wanted yet */
  SimAdjoint *adjoint;         /* where it takes less than the other: many variables, few rows */
} CtlSimulatedMotion;

/* The evaluator that simulates, with a model and a workspace of its own; both borrowed, and the struct itself, too. Zero but for
 * these two it knows the problem's motion alone, without derivatives. Of a model of several ranks it is this rank's part: rows of
 * its own dofs. */
typedef struct CtlSimulation {
  const SimModel *model;
  SimWorkspace *work;
  const SimProblem *problem; /* the model's, of which other motions are made when they are first wanted; borrowed */
  int m, positions;          /* rows of derivatives; so many are of positions, the first ones */
  int *given;                /* [m] each row's dof, of this rank's; owned, as the rest */
  int *wanted;               /* [m] rows that are swept; in one block with the former */
  bool rest; /* v_T is rest all along a string: rows of most nodes at rest are left out; false unless set */
  SimDerivative derivative;   /* its arrays: [2 rows][n], [rows][n], [rows], [rows] */
  CtlSimulatedMotion own;     /* the problem's */
  CtlSimulatedMotion *others; /* [count] each made when it is first wanted */
  int count;
  struct PatternAnswers
      *patterns; /* what answers questions about patterns; owned; NULL until ctl_simulation_set_patterns */
} CtlSimulation;

/* One that gives derivatives, too, of those entries of x(T), v(T) that are given: [2][rows] of this rank; NULL: of none. problem: the
 * model's; borrowed. SIM_OK or SIM_NO_MEMORY (left cleared). */
SimStatus ctl_simulation_init(CtlSimulation *simulation, const SimProblem *problem, const SimModel *model,
                              SimWorkspace *work, const bool *given);
void ctl_simulation_clear(CtlSimulation *simulation);
/* Has it answer questions about patterns of stick and slip, too (control/motion.h), of this problem, borrowed. SIM_OK or SIM_NO_MEMORY. */
SimStatus ctl_simulation_set_patterns(CtlSimulation *simulation, const CtlProblem *problem);

CtlEvaluator ctl_simulator(CtlSimulation *simulation);

/* What is handed out in place of a search's points: tasks 0..count-1 that know nothing of one another. What the evaluator is given is
 * what `ask` says, or, without it, a task's number as its only control; its answer is final.x and final.v, two times d numbers, which
 * lie behind one another. */
typedef struct CtlTasks {
  long count;
  bool *
      done; /* [count] nobody wants them any more: before they are handed out, or once their answers have come; borrowed */
  long first;  /* a ticket is this plus the task's number: never the same twice */
  long next;   /* all before it have been handed out, or need not be; 0 at first */
  long left;   /* not handed out yet; set by ctl_tasks_init, as the next */
  long undone; /* without an answer */
  void *context;
  void (*ask)(void *context, long task, double *control); /* [n] of the evaluator; NULL: its number, and n is 1 */
  /* An answer, in any order, once for each task. Returns whether it will do: if not, the task stays undone. A negative value ends the
   * drive with its magnitude. */
  int (*tell)(void *context, long task, const CtlOutcome *outcome);
  /* All are done: lays out the tasks of another round, if there is one. The listener's `simplex` follows on it, without a state. NULL:
   * there is one round. */
  void (*ended)(void *context);
} CtlTasks;

/* Counts what is to be done. */
void ctl_tasks_init(CtlTasks *tasks);

/* The motions of many scenarios as one: their ends one behind the other. */
typedef struct CtlStack {
  int n, scenarios;
  int positions;            /* rows of a motion that are of positions */
  const CtlEvaluator *each; /* [scenarios] all of the same n, d, m; borrowed, as the next */
  const CtlSimulation
      *simulations; /* [scenarios] what they are the evaluators of, if they are; NULL, as at first: nobody knows */
  const CtlEvaluator
      *nominal; /* of the file's own numbers, borrowed; NULL, as at first: the first scenario's stand for them */
  double *rows; /* those of one motion; owned */
} CtlStack;

/* SIM_OK or SIM_NO_MEMORY. The rows are those of given entries of all x(T), in the order of scenarios, then of all v(T). */
SimStatus ctl_stack_init(CtlStack *stack, int scenarios, const CtlEvaluator *each, int positions);
void ctl_stack_clear(CtlStack *stack);
CtlEvaluator ctl_stacked(CtlStack *stack); /* borrows it */

typedef struct CtlListener {
  void *context;
  /* May be NULL, as all of them. After each simplex; after each round of tasks that come in rounds, state NULL. A non-zero return ends the drive with that value (an
   * output could not be written, say). */
  int (*simplex)(void *context, const CtlState *state, double seconds);
  /* Every now and then, busy: ranks with work in hand. May be NULL. */
  void (*tick)(void *context, const CtlSearch *search, double seconds, int busy);
  /* Asked every now and then: whether to stop soon. Nothing more is handed out then; what is under way is waited for,
   * and told, for `grace` seconds. May be NULL: never. */
  bool (*stopped)(void *context);
  double grace;
} CtlListener;

/* What a drive returns when it has not come to the search's end, besides what its listener returns (> 0). */
enum {
  CTL_DRIVE_NO_MEMORY = -1,
  CTL_DRIVE_STOPPED = -2,     /* as it was asked to */
  CTL_DRIVE_ABANDONED = -3,   /* likewise, but evaluations are still under way */
  CTL_DRIVE_BAD_ARGUMENT = -5 /* it has not begun: sim_status_text(SIM_BAD_ARGUMENT) tells which */
};

/* Where the time went, s. wall = evaluating + waiting + coordinating. */
typedef struct CtlTimes {
  double wall;         /* of the drive */
  double ivps;         /* evaluating, summed over the ranks that evaluate */
  double evaluating;   /* of these, the coordinator's */
  double waiting;      /* the coordinator had nothing to do */
  double coordinating; /* the coordinator's own work: asking, telling, messages, listener */
  long batches;        /* handed to workers */
  int evaluators;      /* ranks that evaluate, the coordinator among them if it does */
  long overdue;        /* points given to another rank because the first did not answer in time */
} CtlTimes;

/* Drives the search to its end by evaluating here. Returns 0, what the listener returned, CTL_DRIVE_NO_MEMORY or
 * CTL_DRIVE_STOPPED: looks whether to stop about every 50 ms, or between evaluations that take longer. listener, times: may be NULL. Local. */
int ctl_drive_serial(CtlSearch *search, const CtlEvaluator *evaluator, const CtlListener *listener, CtlTimes *times);

/* Likewise tasks, all in one block of memory a point: final.x, then final.v. */
int ctl_drive_tasks(CtlTasks *tasks, const CtlEvaluator *evaluator, const CtlListener *listener, CtlTimes *times);

/* Before a loaded search is driven: moves on through simplexes all of whose points it knows, and calls the listener for
 * each. Returns what the listener wants. */
int ctl_drive_resume(CtlSearch *search, const CtlListener *listener);

SIM_API_END

#endif
