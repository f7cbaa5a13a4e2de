/* A SimProblem: everything that a model is made of, the functions that set it, and its checks. A part of sim/sim.h,
 * which has equation (1). */
#ifndef SIM_PROBLEM_H
#define SIM_PROBLEM_H
#include "sim/kinds.h"
#include "sim/signal.h"

#include <stdbool.h>
#include <stddef.h>

SIM_API_BEGIN

/* Result of a call. */
typedef enum SimStatus {
  SIM_OK = 0,
  SIM_NOT_CONVERGED,     /* the friction problem of a step was not solved to its tolerance */
  SIM_NON_FINITE,        /* a state is not a finite number */
  SIM_EVENTS_ACCUMULATE, /* more events than the scheme `event` allows */
  SIM_OUT_OF_RANGE,      /* a spring is longer or shorter than the range of its law */
  SIM_RESIDUAL_LARGE,    /* an examined motion by `event` does not satisfy its equation (sim/residual.h) */
  SIM_ENERGY_OPEN,       /* the energy balance of an observed rollout does not close (SIM_CLOSURE) */
  SIM_NO_MEMORY,
  SIM_NOT_FINISHED, /* no answer in time; returned by drives of a search, never by a simulation */
  SIM_BAD_ARGUMENT, /* an argument is NULL, out of range or does not fit the others; nothing was done */
  SIM_BAD_PROBLEM,  /* the problem is invalid; the SimReport has received the reasons */
  SIM_CANCELLED,    /* a stop request ended the evaluation; a search gets no outcome for this point */
  SIM_TOO_LONG      /* a rollout took more work than SimInterrupt.most */
} SimStatus;

/* Returns a short English phrase for a status; static storage. For SIM_BAD_ARGUMENT it names the function and the
 * argument of this thread's last such call. */
const char *sim_status_text(SimStatus status);

/* Receives the errors that a check finds. key: dotted path as "model.mass". Both texts are valid during the call. */
typedef struct SimReport {
  void *context;                                                      /* argument of complain; borrowed */
  void (*complain)(void *context, const char *key, const char *text); /* called for each error */
} SimReport;

typedef struct SimParameter SimParameter; /* sim/parameter.h */

/* A time discretisation, or the scheme `event` without steps. Each has a file in the folder of its kind, and its name
 * in sim/setup/schemes.c. */
typedef struct SimScheme SimScheme;

/* The ranks that evaluate one model together (sim/group.h). */
typedef struct SimGroup SimGroup;

/* Quantities that determine stability and the convergence of a step's iteration. `stiction check` prints them. */
typedef struct SimBounds {
  double mass_min;          /* smallest eigenvalue of M, kg, of dofs with mass */
  double mass_max;          /* largest eigenvalue of M, kg */
  double stiffness_max;     /* largest eigenvalue of A, N/m */
  double frequency_squared; /* nu: largest eigenvalue of M^-1 A, 1/s^2, with dofs without mass held */
  /* Largest eigenvalue of E^-1 C^2, where C includes a gear box's contribution and E is the scheme's step operator. The
   * fixed point converges for 0 < r < 4/(delta dt).
   *     centered       E = M + dt/2 D + dt^2 alpha A
   *     moreau         E = (M + dt D + dt^2 theta^2 A)/2
   *     lie, strang    E = dt/(2 tau) M, tau the friction substep: the bound is 2/(tau beta_d), (4.23) */
  double delta;
  double step_limit;     /* stability bound of dt, s; INFINITY: none */
  bool semidefinite;     /* sparse matrices: A and D are proven positive semi-definite; other models: always checked */
  bool estimated;        /* sparse matrices: all fields are Gershgorin's bounds, on the safe side */
  double friction_limit; /* largest dt for which friction of a table does not overshoot in a step, s; INFINITY: none */
  double spring_limit;   /* largest dt for which a step with spring laws has a single solution, s; INFINITY: none */
} SimBounds;

/* Everything that a model is made of: data of all kinds, data of its kind, parameters of its scheme. The SimProblem
 * owns its arrays: sim_problem_init allocates them with zeros (control_matrix with 1 on its diagonal), and
 * sim_problem_clear frees them. */
typedef struct SimProblem {
  SimKind kind; /* kind of model */
  int d;        /* degrees of freedom, >= 1 */
  /* In a group this rank holds rows first .. first + count - 1 of the system; the ranks hold consecutive rows. Arrays
   * marked [d], here, in the kind's struct, in SimFinal and in SimStep, then have [count] entries. */
  SimGroup *group;  /* NULL: this process alone, with all rows; borrowed, must outlive problem and model */
  int first;        /* first row of this rank, from 0 */
  int count;        /* number of rows of this rank */
  int n_control;    /* entries p of u, >= 0 */
  SimSignal signal; /* time course of u */
  int segments;     /* S of the signal, >= 1; at most `steps` except for event */
  double *starts;   /* [start_count] s, t_0 = 0..t_S = T of unequal segments; set by sim_problem_set_lengths */
  int start_count;  /* S + 1; 0: all segments have the length T/S */

  double *friction;       /* [d] threshold c, N */
  double *x0;             /* [d] m */
  double *v0;             /* [d] m/s */
  double *control_matrix; /* [d][p] B */

  /* Data of the kind; the structs of the other kinds are zero. */
  SimSystem system;   /* SIM_FRICTION */
  SimDashpot dashpot; /* SIM_DASHPOT */
  SimChain chain;     /* SIM_CHAIN */

  double end;  /* T, s */
  double step; /* dt, s; end = steps * step */
  long steps;  /* N >= 1 */

  const SimScheme *scheme; /* set by sim_problem_set_scheme */
  void *parameters;        /* the scheme's own struct, described by its rows of keys; owned; NULL: no keys */

  /* [sim_force_count][count] f, N, at the times sim_force_time(k). NULL before sim_problem_alloc_force, or if `load`
   * has the force. */
  double *force;
  SimLoad load; /* the force as a function, if `force` is NULL */

  /* f as polynomials in time, for schemes that need it so (sim_force_in_pieces). A row has sim_piece_size numbers:
   * start of the piece, s; order of the polynomial; coefficients [SIM_PIECE_ORDER + 1][d] by powers of the elapsed
   * fraction 0..1 of the piece. NULL before sim_problem_set_pieces. */
  double *pieces;
  long piece_count; /* number of rows of pieces */

  /* Moving surfaces, SIM_FRICTION: friction acts on x' - w(t), with w in m/s. All dofs share one surface, or each has
   * its own. A row has sim_curve_size numbers: start and width of the piece, s; order of its polynomials; their origin,
   * s, here the start; distance [columns] that the surfaces have moved until then, m; coefficients
   * [SIM_PIECE_ORDER + 1][columns] by powers of the elapsed fraction. NULL: no surface moves. */
  double *surface;
  long surface_pieces; /* number of rows of surface */
  int surface_columns; /* 1 or count */

  /* Thresholds by direction, SIM_FRICTION. The friction force is (c_i + bias_i) (lambda_i - gamma_i) forward and
   * (c_i - bias_i) (lambda_i - gamma_i) backward: c_i = friction[i] is half the sum of both thresholds, bias_i half
   * their difference, |bias_i| <= c_i. */
  bool by_direction;     /* if false, friction_bias is ignored */
  double *friction_bias; /* [d] N */

  /* Viscous friction b (x' - w), SIM_FRICTION. b is part of D's diagonal, and is stored here again for moving
   * surfaces. */
  bool drags;      /* if false, viscous is NULL; set by sim_problem_set_viscous */
  double *viscous; /* [d] N s/m */

  SimSpringLaw springs[SIM_SPRING_PLACES]; /* SIM_FRICTION; none before sim_problem_set_springs */
  SimStops stops;                          /* SIM_FRICTION with dense storage */
  /* Thresholds that vary in time, SIM_FRICTION; friction[i] is then the maximum of c_i, and the bias 0. All dofs share
   * one time course, or with dense storage each has its own; with by_direction the same number follows for slipping
   * backward. Rows as of pieces. NULL: constant. */
  double *thresholds;
  long threshold_pieces; /* number of rows of thresholds */
  int threshold_columns; /* 1 or count */
  /* Thresholds that depend on a position or on the elongation of a spring, SIM_FRICTION: c_i + h_i(e_i), with h_i
   * stored as a spring law. friction[i] is then the maximum of c_i + h_i, and the bias 0. Without rows they do not
   * depend on it. */
  SimSpringLaw rise;
  SimElongation rise_of; /* which elongation e_i is */
  double *rise_base;     /* [2][count] c and bias without h, N */

  SimBounds bounds;             /* set by sim_problem_finalize */
  unsigned long long finalized; /* checksum of the checked data, set by sim_problem_finalize; 0: not finalized */
} SimProblem;

enum { SIM_PIECE_ORDER = 16, SIM_PIECE_HEAD = 2 /* numbers of a row before its coefficients */ };
static inline size_t sim_piece_size(int d) { return SIM_PIECE_HEAD + (SIM_PIECE_ORDER + 1) * (size_t)d; }
enum { SIM_CURVE_HEAD = 4 /* numbers of a row before its integrals */ };
static inline size_t sim_curve_size(int columns) { return SIM_CURVE_HEAD + (SIM_PIECE_ORDER + 2) * (size_t)columns; }

/* Number of time courses of varying thresholds. */
static inline int sim_threshold_courses(const SimProblem *p) {
  return p->by_direction ? 2 * p->threshold_columns : p->threshold_columns;
}

/* Initialises a problem with kind, d, p and the kind's default scheme. All other data are zero or the defaults of the
 * keys of problem files. SIM_NO_MEMORY leaves it cleared. */
SimStatus sim_problem_init(SimProblem *problem, SimKind kind, int d, int n_control);
/* Likewise for SIM_FRICTION with sparse storage and this rank's rows. All matrices are zero; B is 1 where row =
 * column. */
SimStatus sim_problem_init_sparse(SimProblem *problem, SimGroup *group, int d, int first, int count, int n_control);

/* Selects the kind's scheme of this name, with its defaults. SIM_BAD_PROBLEM (no such scheme) and SIM_NO_MEMORY change
 * nothing. */
SimStatus sim_problem_set_scheme(SimProblem *problem, const char *name);
/* Returns the value of a key of the scheme, as in problem files; for a choice, the value that stands for its word. r
 * and epsilon are 0 as long as they have their defaults. NAN: the scheme has no such key. */
double sim_problem_get(const SimProblem *problem, const char *key);
/* Returns the word of a choice; NULL: no such key, or not a choice. */
const char *sim_problem_word(const SimProblem *problem, const char *key);
/* Sets the value of a key of the scheme. SIM_BAD_PROBLEM, nothing changed: the scheme has no such key, or the key needs
 * a whole number. sim_problem_check checks the range. */
SimStatus sim_problem_set(SimProblem *problem, const char *key, double value);
/* Sets a choice by its word. SIM_BAD_PROBLEM also if the scheme does not offer this word. */
SimStatus sim_problem_choose(SimProblem *problem, const char *key, const char *word);

/* Allocates a matrix of this number of rows and entries, all zero. */
SimStatus sim_matrix_alloc(SimMatrix *matrix, int rows, long entries);
void sim_matrix_clear(SimMatrix *matrix); /* frees its arrays */
/* Computes sum = matrix + diag(diagonal [rows]) of rows `first` .. first + rows - 1 of a square matrix. SIM_NO_MEMORY
 * leaves sum empty. */
SimStatus sim_matrix_add_diagonal(const SimMatrix *matrix, int first, int rows, const double *diagonal, SimMatrix *sum);
/* Divides d rows evenly among `size` ranks, and returns the rows of one rank. */
void sim_share(int d, int size, int rank, int *first, int *count);

/* Sets mass, stiffness and friction of a problem from sim_problem_init_sparse to those of a string of this length, m.
 * Both ends are fixed, and d interior nodes lie at s_i = i h, i = 1..d, h = length/(d+1):
 *     m_i = density(s_i) h,   (A x)_i = (T_{i-1/2} (x_i - x_{i-1}) - T_{i+1/2} (x_{i+1} - x_i)) / h,   c_i =
 * friction(s_i) h The arrays have this rank's rows; row k is node k + 1. density [count], kg/m; tension [count+1], N,
 * at s_i - h/2 and at s_i + h/2 of the last node; friction [count], N/m. The force f_i = f(s_i, t) h is the caller's
 * SimLoad. */
SimStatus sim_string_fill(SimProblem *problem, double length, const double *density, const double *tension,
                          const double *friction);
/* Estimates from above the bytes of memory that problem, model, workspace and one SimFinal need on this rank. entries:
 * of M, A, D together. For the solver `exact`, one rank and tridiagonal matrices, whose factors have no fill-in. */
double sim_sparse_memory(int rows, long entries, int n_control);

/* Sets f(t) [count], N, as a function, and replaces any force set before. NULL: f = 0. sim_model_create calls it at the
 * times sim_force_time(k); with sparse storage the motion itself calls it. A scheme that needs f in pieces calls it at
 * any time; f must then be smooth, or use sim_problem_set_pieces for jumps and kinks. context: borrowed as long as the
 * problem and its models. Not for chains whose scheme also needs the rate of the force. */
SimStatus sim_problem_set_force(SimProblem *problem, void (*force)(void *context, double t, double *f), void *context);

/* Allocates problem->force with zeros, unless the scheme needs f in pieces, and the kind's arrays of samples at the
 * same times. kind, a chain's case, end, step, steps and scheme must be set. SIM_NO_MEMORY leaves them NULL. */
SimStatus sim_problem_alloc_force(SimProblem *problem);
void sim_problem_clear(SimProblem *problem); /* frees all that it owns */
/* Copies a problem. The copy borrows the same group and load. SIM_NO_MEMORY leaves it cleared. */
SimStatus sim_problem_copy(const SimProblem *problem, SimProblem *copy);

/* Number of force samples that the scheme needs. end, step, steps and scheme must be set. */
long sim_force_count(const SimProblem *problem);
double sim_force_time(const SimProblem *problem, long k); /* time of sample k, s */

/* Whether the scheme needs f as pieces of polynomials instead of samples. */
bool sim_force_in_pieces(const SimProblem *problem);
/* Computes these pieces from f(t) = load->at, to rounding error. load->at is called at any times in 0..end. Pieces end
 * at each of the n breaks (ascending, in 0..end), and wherever else f jumps or has a kink. d and end must be set.
 * SIM_NO_MEMORY; SIM_NON_FINITE: f is not finite at *where; SIM_NOT_CONVERGED: f oscillates so fast near *where that
 * more than n + 2^17/d pieces would be needed. All errors leave the problem without pieces. */
SimStatus sim_problem_set_pieces(SimProblem *problem, const SimLoad *load, int n, const double *breaks, double *where);

/* Sets the surfaces' speeds w(t) = velocity->at, m/s: one number for all rows or one for each, called at any times in
 * 0..end. breaks: as above, times at which w may have kinks. If w is always 0, no surface moves. SIM_BAD_PROBLEM: w
 * jumps at *where; else as sim_problem_set_pieces. Errors leave no moving surface. */
SimStatus sim_problem_set_surface(SimProblem *problem, int columns, const SimLoad *velocity, int n,
                                  const double *breaks, double *where);

/* Sets thresholds that vary in time, N, SIM_FRICTION. thresholds->at returns `columns` numbers, one for all rows or one
 * for each; with by_direction the same number follows for slipping backward. They may jump. breaks: as above.
 * SIM_BAD_PROBLEM: one is negative at *where; else as sim_problem_set_pieces. Errors leave them constant. */
SimStatus sim_problem_set_thresholds(SimProblem *problem, int columns, const SimLoad *thresholds, int n,
                                     const double *breaks, double *where);
/* Adds h(e) = law->at(e), N, to the thresholds, which must be set before: one number for all rows or one for each, for
 * lower <= e <= upper, with arguments as sim_problem_set_springs. A motion that leaves the range ends with
 * SIM_OUT_OF_RANGE. Statuses as there; SIM_BAD_PROBLEM also if a threshold is negative at *where. */
SimStatus sim_problem_set_rise(SimProblem *problem, SimElongation of, int columns, const SimLoad *law, double lower,
                               double upper, int n, const double *breaks, double *where);
/* Adds viscous friction b [d], N s/m, SIM_FRICTION, to D, which must exist, and to viscous. SIM_NO_MEMORY changes
 * nothing. */
SimStatus sim_problem_set_viscous(SimProblem *problem, const double *b);

/* Sets the law of gamma to a table of measured friction [columns][n], N, at ascending speeds [n], m/s, SIM_FRICTION.
 * Below the first speed friction is constant. friction[..][0] > 0, all others >= 0. c is unchanged. SIM_BAD_PROBLEM: an
 * invalid number, whose index in speed, or n + index in friction, is in *where; SIM_NO_MEMORY. Both leave no law. */
SimStatus sim_problem_set_friction_table(SimProblem *problem, int n, int columns, const double *speed,
                                         const double *friction, long *where);

/* Sets the law g(e) = law->at(e), N, of the springs of a place: one number for all or one for each, for
 * lower <= e <= upper, m. breaks: n ascending elongations at which it may have kinks. A motion beyond the range ends
 * with SIM_OUT_OF_RANGE. Statuses as sim_problem_set_surface. Errors leave no such springs. */
SimStatus sim_problem_set_springs(SimProblem *problem, SimSpringPlace place, int columns, const SimLoad *law,
                                  double lower, double upper, int n, const double *breaks, double *where);

/* Whether the scheme also needs chain.force_rate: implicit_euler if nodes of a chain have no mass. */
bool sim_force_rate_wanted(const SimProblem *problem);

/* Finalizes a problem, the last call before sim_model_create. Checks everything but the force, reports each error,
 * fills problem->bounds, and sets constants of the scheme that are 0 to their computed defaults (r, epsilon: see their
 * rows). Call it again after any change but of the force. Collective over the problem's group. SIM_OK, SIM_BAD_PROBLEM,
 * SIM_NO_MEMORY, SIM_BAD_ARGUMENT. */
SimStatus sim_problem_finalize(SimProblem *problem, const SimReport *report);

/* Finalizes with the same result, but faster if M, A and D are dense and equal to those of the finalized problem
 * `like`: their eigenvalues are not computed again. */
SimStatus sim_problem_finalize_like(SimProblem *problem, const SimProblem *like, const SimReport *report);

/* The part of finalizing that needs neither r nor epsilon, whose defaults depend on the bounds: reports each error, and
 * fills *bounds if there is none. Collective and with statuses as sim_problem_finalize. */
SimStatus sim_problem_check(const SimProblem *problem, const SimReport *report, SimBounds *bounds);

/* Estimated time of the eigenvalues in these two functions for dense matrices, s, on a core of 3 GHz: O(d^3), less for
 * narrow bands. */
double sim_problem_check_seconds(const SimProblem *problem);

/* Friction threshold of dof i, N: c_i, and with a gear box |k_i| (b_i - a_i)/2 more. */
double sim_problem_threshold(const SimProblem *problem, int i);

/* Friction force of dof i at time t, N, on the left of (1): c_i (lambda - gamma_i(v)), gear box included. x [count], v
 * (SimStep.slide) and lambda are those of an observer. x may be NULL unless thresholds depend on position. */
double sim_friction_force(const SimProblem *problem, int i, double t, const double *x, double v, double lambda);

/* Packs a SimProblem with its force into bytes, for other processes of the same build. A `load` is not packed. 0 bytes
 * with sparse storage, which cannot be packed. */
size_t sim_problem_packed_size(const SimProblem *problem);
void sim_problem_pack(const SimProblem *problem, void *bytes); /* writes sim_problem_packed_size bytes */
SimStatus sim_problem_unpack(SimProblem *problem, const void *bytes, size_t size); /* reads packed bytes */
SIM_API_END
#endif
