/* SPDX-License-Identifier: BSD-2-Clause */
/* stiction's simulation library: motions of mechanical systems with dry friction,
 *
 *     M x'' + D x' + A x + C (lambda - gamma(x')) = f(t) + B u,   lambda_i in sgn(x'_i),                     (1)
 *     x(0) = x0,  x'(0) = v0
 *
 * M is symmetric positive definite, or has rows of zeros for degrees of freedom without mass. A is symmetric positive
 * semi-definite. D + D' is positive semi-definite, and a sparse D is symmetric. C = diag(c) with c_i >= 0; where
 * c_i = 0, lambda_i = 0. All quantities are in SI units (kg, m, s, N). Matrices are dense and row-major, or sparse and
 * stored by rows. "dof" stands for degree of freedom, d is their number.
 *
 * Use: create a SimProblem, set its numbers by the keys of problem files, and call stiction_simulate. For many
 * simulations of one problem, or derivatives, use a SimModel (sim/simulations.h). The library neither prints nor opens
 * files.
 *
 *     stiction_problem_create(SIM_FRICTION, 1, 0, &problem);
 *     stiction_problem_set_value(problem, "model.mass", 1);
 *     stiction_problem_set_value(problem, "model.friction", 4);
 *     stiction_problem_set_value(problem, "time.end", 10);
 *     stiction_problem_set_value(problem, "time.step", 0.001);
 *     stiction_problem_set_force(problem, pull, NULL);
 *     if (stiction_simulate(problem, NULL, NULL, &final) != SIM_OK) ..
 *
 * Invalid arguments never abort. Functions that return SimStatus return SIM_BAD_ARGUMENT, and stiction_status_text then
 * names the function and the argument or key. All other functions do nothing and return 0 or NULL.
 *
 * Groups (sim/ranks.h): a problem may be distributed over several MPI ranks. All ranks of the group then call
 * stiction_problem_finalize, and every function that creates, runs or destroys models and workspaces, together. Each
 * rank gets the same status. Arrays marked [d] then have an entry for each row of this rank. Without a group every call
 * is local.
 *
 * Threads: several threads may share a model with dense matrices. Any other object (problem, workspace, sensitivity,
 * results) may be used by one thread at a time. Sparse matrices and sim/ranks.h use PETSc and MPI, so only one thread
 * of the process may use them at a time. The thread that runs a model also calls the user's functions. */
#ifndef SIM_SIM_H
#define SIM_SIM_H

#include "sim/observer.h"

#include <stddef.h>

SIM_API_BEGIN

/* Kinds of models. */
typedef enum SimKind {
  SIM_FRICTION, /* dry friction in joints, equation (1) */
  SIM_DASHPOT,  /* one mass on a spring with a dash-pot and, optionally, a support (Gotika) */
  SIM_CHAIN,    /* a chain that slides on a rough support (Bastien-Lamarque) */
  SIM_MECHANISM /* any equations of motion with M(q), and dry friction in their coordinates */
} SimKind;

/* Springs, in addition to A, with a force law g(e) of their elongation e. SIM_ANCHORS: from each dof to a fixed
 * point (e = x_i, and g pulls the dof back). SIM_LINKS: between neighbours (e = x_{i+1} - x_i, and g pulls them
 * together); dense storage only. SIM_SPRING_PLACES: their number. */
typedef enum SimSpringPlace { SIM_ANCHORS, SIM_LINKS, SIM_SPRING_PLACES } SimSpringPlace;

/* Position or elongation that the threshold of dof i depends on. SIM_OWN_PLACE: x_i. SIM_SPRING_BEFORE: x_i - x_{i-1}.
 * SIM_SPRING_BEHIND: x_{i+1} - x_i. If there is no such neighbour, the elongation is 0. */
typedef enum SimElongation { SIM_OWN_PLACE, SIM_SPRING_BEFORE, SIM_SPRING_BEHIND } SimElongation;

/* A problem: everything that a model is made of, with its time grid and its scheme. It owns its arrays. */
typedef struct SimProblem SimProblem;

/* The ranks that evaluate one model together (sim/ranks.h). */
typedef struct SimGroup SimGroup;

/* Creates a problem of a kind with d dofs and p = n_control entries of u, with the kind's default scheme. All numbers
 * are 0 or the defaults of problem files; B has 1 on its diagonal. Returns SIM_OK, SIM_NO_MEMORY or SIM_BAD_ARGUMENT;
 * *problem is NULL unless SIM_OK. */
SimStatus stiction_problem_create(SimKind kind, int d, int n_control, SimProblem **problem);
/* Creates a problem of kind SIM_FRICTION with sparse matrices, and with rows first .. first + count - 1 on this rank.
 * group: the ranks that hold consecutive rows; borrowed, and it must outlive the problem; NULL: this process alone
 * holds all rows. */
SimStatus stiction_problem_create_sparse(SimGroup *group, int d, int first, int count, int n_control,
                                         SimProblem **problem);
/* Creates a copy of a problem, which borrows the same group and force. Returns SIM_OK, SIM_NO_MEMORY or
 * SIM_BAD_ARGUMENT. */
SimStatus stiction_problem_clone(const SimProblem *problem, SimProblem **copy);
void stiction_problem_destroy(SimProblem *problem);        /* may be NULL */
int stiction_problem_size(const SimProblem *problem);      /* returns d */
int stiction_problem_controls(const SimProblem *problem);  /* returns p, the number of entries of u */
int stiction_problem_variables(const SimProblem *problem); /* returns the number of variables of a control, p S */

/* Keys are those of problem files (`man stiction-problem`), for example "model.friction", "model.stops.lower",
 * "scheme.theta", "time.end", "control.matrix". If a key is unknown or has another form, or if a number is not finite
 * or out of range, the function returns SIM_BAD_ARGUMENT and changes nothing; stiction_status_text then names the key
 * and the values that are allowed. stiction_problem_finalize finds errors that involve several keys.
 *
 * Sets a key to one number. A vector gets this number in all entries, and a matrix becomes the number times the
 * identity. "time.step" also sets the number of steps, and "time.steps" the step, in either order with "time.end";
 * later changes of "time.end" keep the number of steps. */
SimStatus stiction_problem_set_value(SimProblem *problem, const char *key, double value);
/* Sets a key to n numbers, values [n], which are copied. A vector has [d] numbers, the springs of a chain [d + 1]. A
 * dense matrix is given as [d][d] or as its diagonal [d], "control.matrix" as [d][p]. "control.signal.lengths" [S], in
 * s, are the lengths of the segments, and T becomes their sum; n = 0 makes all lengths T/S again.
 * "model.friction.forward" and ".backward" [d] are thresholds by direction. NAN means no stop in "model.stops.lower"
 * and ".upper", and a rigid stop in ".stiffness". "model.viscous" must be set after "model.damping", and only once. */
SimStatus stiction_problem_set_values(SimProblem *problem, const char *key, int n, const double *values);
/* Sets a key to a word: "scheme.name" (the keys of the scheme then have their defaults), "scheme.solver",
 * "model.stribeck.law".
 *
 * "control.signal.kind" is the time course of u, in S = "control.signal.segments" segments of length h = T/S, or of
 * given lengths. A control has p S variables u_1, .., u_S with p entries each, one after another: u_k is the value
 * of u in segment k, or at its end.
 *     constant              S = 1
 *     piecewise_constant    u(t) = u_k for (k-1) h <= t < k h
 *     piecewise_linear      continuous: u(k h) = u_k, u(0) = 0 */
SimStatus stiction_problem_set_word(SimProblem *problem, const char *key, const char *word);
/* Sets "model.mass", "model.stiffness" or "model.damping" of sparse matrices. Row i of this rank has the entries
 * start[i] .. start[i+1] - 1, with ascending columns 0 .. d-1. start [count+1] begins with 0; column and value
 * [start[count]]. All arrays are copied. */
SimStatus stiction_problem_set_matrix(SimProblem *problem, const char *key, const int *start, const int *column,
                                      const double *value);
/* Returns the number of a key, the first number of a vector, or the number that stands for a word. NAN: there is no
 * such key. Constants of the scheme with computed defaults (r, epsilon) are 0 before stiction_problem_finalize. */
double stiction_problem_get_value(const SimProblem *problem, const char *key);
/* Returns the numbers of a key, borrowed until the problem changes, and sets *n to how many there are: those of a
 * vector, or of a dense matrix as [d][d]. Returns NULL, with *n = 0, if there is no such key. */
const double *stiction_problem_get_values(const SimProblem *problem, const char *key, int *n);
/* Returns the word of a key; static storage. NULL: there is no such key, or its value is no word. */
const char *stiction_problem_get_word(const SimProblem *problem, const char *key);

/* A function of time. Some functions below use it as a function of an elongation instead; their comments say so. */
typedef struct SimLoad {
  void *context; /* argument of `at`; borrowed; it must outlive the problem and its models */
  /* whether f does not depend on t; f is then evaluated at t = 0 only */
  bool constant;
  /* Computes f(t) [d], or as many numbers as the function that gets this SimLoad requires. It is called by one thread
   * at a time, unless several threads create or run models at the same time. NULL: f = 0. */
  void (*at)(void *context, double t, double *f);
  /* Number of additional equidistant times at which the pieces computed from `at` are verified. A feature of f that is
   * narrower than their distance and lies between the sample times may be missed. */
  long looks;
} SimLoad;

/* Sets f(t) [d], in N, as a function, and replaces any force set before. NULL: f = 0. It is called at the times of the
 * scheme's steps, or at any time by the scheme `event`; f must then be smooth, or use stiction_problem_set_pieces for
 * jumps and kinks. context: argument of force; borrowed as long as the problem and its models exist. Not supported for
 * chains with a scheme that also needs the rate of the force. Returns SIM_OK or SIM_BAD_ARGUMENT. */
SimStatus stiction_problem_set_force(SimProblem *problem, void (*force)(void *context, double t, double *f),
                                     void *context);
/* Sets f(t) = load->at [d], in N, for the scheme `event`: as piecewise polynomials, accurate to rounding error.
 * load->at is called at any times in 0..T. Pieces end at each of the n breaks (ascending, in 0..T), and wherever else f
 * jumps or has a kink. T and the scheme must be set before. Returns SIM_OK; SIM_NO_MEMORY; SIM_NON_FINITE: f is not
 * finite at the time *where; SIM_NOT_CONVERGED: f oscillates so fast near *where that more than n + 2^17/d pieces would
 * be needed. All errors leave the problem without pieces. */
SimStatus stiction_problem_set_pieces(SimProblem *problem, const SimLoad *load, int n, const double *breaks,
                                      double *where);

/* Sets the surfaces' speeds w(t) = velocity->at, in m/s. The function returns `columns` numbers, one for all dofs or
 * one for each, and is called at any times in 0..T. breaks: n times at which w may have kinks, ascending. If w is
 * always 0, no surface moves. Returns SIM_BAD_PROBLEM if w jumps at the time *where, otherwise one of the statuses of
 * stiction_problem_set_pieces. After an error no surface moves. */
SimStatus stiction_problem_set_surface(SimProblem *problem, int columns, const SimLoad *velocity, int n,
                                       const double *breaks, double *where);

/* Sets thresholds that vary in time, in N, for SIM_FRICTION. thresholds->at returns `columns` numbers, one for all dofs
 * or one for each. If "model.friction.forward" is set, these are the thresholds for slipping forward, and are followed
 * by as many for slipping backward. Thresholds may jump. breaks: n times at which they may have jumps or kinks,
 * ascending. Returns SIM_BAD_PROBLEM if a threshold is negative at the time *where, otherwise one of the statuses of
 * stiction_problem_set_pieces. After an error the thresholds are constant. */
SimStatus stiction_problem_set_thresholds(SimProblem *problem, int columns, const SimLoad *thresholds, int n,
                                          const double *breaks, double *where);
/* Adds h(e) = law->at(e), in N, to the thresholds, which must be set before. law->at returns `columns` numbers, one for
 * all dofs or one for each; it is defined for lower <= e <= upper, in m, and may have kinks at the n breaks. A motion
 * that leaves the range ends with SIM_OUT_OF_RANGE. Returns one of the statuses of stiction_problem_set_springs;
 * SIM_BAD_PROBLEM is returned also if a threshold is negative at the elongation *where. */
SimStatus stiction_problem_set_rise(SimProblem *problem, SimElongation of, int columns, const SimLoad *law,
                                    double lower, double upper, int n, const double *breaks, double *where);

/* For SIM_FRICTION: sets the law of gamma to a table of measured friction [columns][n], in N, at ascending speeds [n],
 * in m/s. Below the first speed friction is constant. friction[..][0] must be > 0, all others >= 0. The threshold c is
 * unchanged. Returns SIM_OK; SIM_BAD_PROBLEM if a number is invalid, with *where set to its index in speed, or to n +
 * its index in friction; or SIM_NO_MEMORY. Both errors leave no law. */
SimStatus stiction_problem_set_friction_table(SimProblem *problem, int n, int columns, const double *speed,
                                              const double *friction, long *where);

/* Sets the law g(e) = law->at(e), in N, of the springs of a place (SimSpringPlace). law->at returns `columns` numbers,
 * one for all springs or one for each; it is defined for lower <= e <= upper, in m, and may have kinks at the n
 * ascending breaks. A motion beyond the range ends with SIM_OUT_OF_RANGE. Returns one of the statuses of
 * stiction_problem_set_surface. After an error there are no springs of this place. */
SimStatus stiction_problem_set_springs(SimProblem *problem, SimSpringPlace place, int columns, const SimLoad *law,
                                       double lower, double upper, int n, const double *breaks, double *where);

/* A user-defined friction law. force returns F_i(s), in N, at the sliding speed s >= 0, in m/s, and sets *slope to
 * F_i'(s), in N s/m. i: the dof, or 0 if all dofs share one law. */
typedef struct SimFrictionLaw {
  void *context;                                                      /* argument of force; borrowed */
  double (*force)(void *context, int i, double speed, double *slope); /* F_i(s) in N */
} SimFrictionLaw;

/* Sets the law of gamma to `columns` user-defined functions, 1 or d, for speeds 0..most; above `most` friction is
 * constant. This call samples the functions, halving intervals of speed until cubics through values and slopes agree
 * with the functions within 1e-9 F(0). The functions are not called later, so all schemes, kernels and derivatives
 * support the law as they support a table. c is unchanged. Kinks are allowed. Returns SIM_OK; SIM_BAD_PROBLEM, near the
 * speed *where, if a number is not finite, F(0) <= 0, F(s) < 0, F jumps, or the slope is not the derivative of F; or
 * SIM_NO_MEMORY. Both errors leave the problem without a law. */
SimStatus stiction_problem_set_friction_law(SimProblem *problem, int columns, const SimFrictionLaw *law, double most,
                                            double *where);

/* Makes all checks, reports each error, and sets constants of the scheme that are 0 to their computed defaults. Call it
 * before stiction_model_create, and again after any change except of the force. stiction_simulate calls it for a copy.
 * report may be NULL. Collective over the problem's group. Returns SIM_OK, SIM_BAD_PROBLEM, SIM_NO_MEMORY or
 * SIM_BAD_ARGUMENT. */
SimStatus stiction_problem_finalize(SimProblem *problem, const SimReport *report);

/* Returns the number of additional results of a kind of model (SimStep.extra), and their names for column headers in
 * *names (static storage). A dash-pot has f_d, f_s and lambda_contact; a chain has the reactions at its ends and the
 * displacement of its right end. */
int stiction_kind_extras(SimKind kind, const char *const **names);
const char *stiction_kind_extra_unit(SimKind kind, int k); /* returns the unit of additional result k, "N" or "m" */

/* Returns the friction force of dof i at time t, in N, on the left side of (1): c_i (lambda - gamma_i(v)), with a gear
 * box included. x [d], v (SimStep.slide) and lambda are those of an observer. x may be NULL unless thresholds depend on
 * position. */
double stiction_friction_force(const SimProblem *problem, int i, double t, const double *x, double v, double lambda);

/* Simulates the motion of one control [stiction_problem_variables], in N, to T, in one call: checks the problem unless
 * it is finalized, creates a model and runs it. control: NULL: 0. observer: receives the motion as it is computed; may
 * be NULL. Fills *final; its arrays x and v [d] are the caller's. Returns final->status; or SIM_BAD_PROBLEM
 * (stiction_status_text names the first error), SIM_NO_MEMORY or SIM_BAD_ARGUMENT. */
SimStatus stiction_simulate(const SimProblem *problem, const double *control, const SimObserver *observer,
                            SimFinal *final);

SIM_API_END

#endif
