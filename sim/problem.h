/* SPDX-License-Identifier: BSD-2-Clause */
/* A SimProblem: everything that a model is made of, the functions that set it, and its checks. sim/sim.h has equation
 * (1), to which the comments refer. Included by sim/internal.h. */
#ifndef SIM_PROBLEM_H
#define SIM_PROBLEM_H
#include "sim/kinds.h"
#include "sim/parameter.h"
#include "sim/signal.h"

#include <stdbool.h>
#include <stddef.h>

/* A time discretisation, or the scheme `event`, which has no time steps. Each scheme has a file in the folder of its
 * kind, and its name in sim/setup/schemes.c. */
typedef struct SimScheme SimScheme;
/* Functions and tables of a kind of model (sim/core/kind.h) */
typedef struct SimKindOps SimKindOps;

/* Quantities that determine stability and the convergence of a step's iteration. `stiction check` prints them. */
typedef struct SimBounds {
  double mass_min;          /* smallest eigenvalue of M, in kg, for dofs with mass */
  double mass_max;          /* largest eigenvalue of M, in kg */
  double stiffness_max;     /* largest eigenvalue of A, in N/m */
  double frequency_squared; /* nu: largest eigenvalue of M^-1 A, in 1/s^2, with dofs without mass held at rest */
  /* Largest eigenvalue of E^-1 C^2, where C includes the contribution of a gear box and E is the scheme's step
   * operator. The fixed-point iteration converges for 0 < r < 4/(delta dt).
   *   centered       E = M + dt/2 D + dt^2 alpha A
   *   moreau         E = (M + dt D + dt^2 theta^2 A)/2
   *   lie, strang    E = dt/(2 tau) M, tau the friction substep: the bound is 2/(tau beta_d), Shiau-Glowinski (4.23) */
  double delta;
  double step_limit; /* largest stable step dt in s; INFINITY: no limit */
  /* for sparse matrices: whether A and D are proven positive semi-definite; other models are always checked */
  bool semidefinite;
  bool estimated;        /* for sparse matrices: whether all fields are estimates by Gershgorin's theorem, which are on
                          * the safe side */
  double friction_limit; /* largest dt for which friction of a table does not overshoot in a step, in s; INFINITY:
                          * none */
  double spring_limit;   /* largest dt for which a step with spring laws has a single solution, in s; INFINITY: none */
} SimBounds;

/* Everything that a model is made of: data of all kinds, data of its kind, parameters of its scheme. The SimProblem
 * owns its arrays: sim_problem_init allocates them with zeros (control_matrix with 1 on its diagonal), and
 * sim_problem_clear frees them. */
struct SimProblem {
  SimKind kind;          /* kind of model */
  const SimKindOps *ops; /* functions and tables of the kind, set by sim_problem_init */
  int d;                 /* number of degrees of freedom, >= 1 */
  /* In a group, this rank holds rows first .. first + count - 1 of the system; the ranks hold consecutive rows. Arrays
   * marked [d], here, in the kind's struct, in SimFinal and in SimStep, then have [count] entries. */
  /* group of ranks; NULL: this process alone, with all rows; borrowed, must outlive problem and model */
  SimGroup *group;
  int first;        /* index of this rank's first row, from 0 */
  int count;        /* number of rows of this rank */
  int n_control;    /* number of entries p of u, >= 0 */
  SimSignal signal; /* time course of u */
  int segments;     /* number of segments S of u's time course, >= 1; at most `steps`, except for the scheme event */
  /* [start_count] times t_0 = 0..t_S = T at which unequal segments start, in s; set by sim_problem_set_lengths */
  double *starts;
  int start_count; /* number of entries of starts, S + 1; 0: all segments have the length T/S */

  double *friction;       /* [d] threshold c in N */
  double *x0;             /* [d] initial positions, m */
  double *v0;             /* [d] initial velocities, m/s */
  double *control_matrix; /* [d][p] matrix B */

  /* Data of the problem's kind; the structs of the other kinds are zero. */
  SimSystem system;       /* data of SIM_FRICTION */
  SimDashpot dashpot;     /* data of SIM_DASHPOT */
  SimChain chain;         /* data of SIM_CHAIN */
  SimEquations equations; /* data of SIM_MECHANISM; set by sim_problem_set_mechanism */

  double end;  /* end time T in s */
  double step; /* time step dt in s; end = steps * step */
  long steps;  /* number of steps N >= 1 */

  const SimScheme *scheme; /* scheme, set by sim_problem_set_scheme */
  /* struct with the scheme's parameters, described by the scheme's table of keys; owned; NULL: the scheme has no
   * keys */
  void *parameters;

  /* [sim_force_count][count] force f, in N, at the times sim_force_time(k). NULL before sim_problem_alloc_force, or if
   * `load` gives the force. */
  double *force;
  SimLoad load; /* the force as a function, if `force` is NULL */

  /* f as polynomials in time, for schemes that need this form (sim_force_in_pieces). A row has sim_piece_size numbers:
   * start of the piece, in s; order of the polynomial; coefficients [SIM_PIECE_ORDER + 1][d] of powers of the fraction
   * 0..1 of the piece that has elapsed. NULL before stiction_problem_set_pieces. */
  double *pieces;
  long piece_count; /* number of rows of pieces */

  /* Moving surfaces, for SIM_FRICTION: friction acts on x' - w(t), with the surface's velocity w in m/s. All dofs share
   * one surface, or each has its own. A row has sim_curve_size numbers: start and width of the piece, in s; order of
   * its polynomials; the time about which they are expanded, in s, here the start; distances [columns] that the
   * surfaces have moved until then, in m; coefficients [SIM_PIECE_ORDER + 1][columns] of powers of the elapsed
   * fraction. NULL: no surface moves. */
  double *surface;
  long surface_pieces; /* number of rows of surface */
  int surface_columns; /* number of surfaces: 1 (all dofs share it) or count */

  /* Thresholds by direction, for SIM_FRICTION. The friction force is (c_i + bias_i) (lambda_i - gamma_i) forward and
   * (c_i - bias_i) (lambda_i - gamma_i) backward: c_i = friction[i] is half the sum of both thresholds, bias_i half
   * their difference, |bias_i| <= c_i. */
  bool by_direction;     /* whether thresholds depend on the direction; if not, friction_bias is ignored */
  double *friction_bias; /* [d] bias, in N */

  /* Viscous friction b (x' - w), for SIM_FRICTION, with the surface's velocity w. b is part of D's diagonal; it is
   * stored here a second time because moving surfaces need it separately. */
  bool drags;      /* whether there is viscous friction; if not, viscous is NULL; set by sim_problem_set_viscous */
  double *viscous; /* [d] b, in N s/m */

  /* laws of springs, for SIM_FRICTION; none before stiction_problem_set_springs */
  SimSpringLaw springs[SIM_SPRING_PLACES];
  SimStops stops; /* stops, for SIM_FRICTION with dense storage */
  /* Thresholds that vary in time, for SIM_FRICTION; friction[i] is then the maximum of c_i, and the bias is 0. All dofs
   * share one time course; with dense storage each may have its own. If thresholds depend on the direction, the columns
   * for forward motion are followed by as many for backward motion. Rows have the form of rows of `pieces`. NULL:
   * constant. */
  double *thresholds;
  long threshold_pieces; /* number of rows of thresholds */
  int threshold_columns; /* number of time courses: 1 (all dofs share it) or count */
  /* Thresholds that depend on a position or on the elongation of a spring, for SIM_FRICTION: c_i + h_i(e_i), with h_i
   * stored as a spring law. friction[i] is then the maximum of c_i + h_i, and the bias is 0. No rows: thresholds do not
   * depend on a position. */
  SimSpringLaw rise;
  SimElongation rise_of; /* the position or elongation e_i on which the threshold of dof i depends */
  double *rise_base;     /* [2][count] thresholds c and bias without the part h that depends on position, in N */

  SimBounds bounds;             /* set by stiction_problem_finalize */
  unsigned long long finalized; /* checksum of the checked data, set by stiction_problem_finalize; 0: the problem is not
                                 * finalized */
};

enum { SIM_PIECE_ORDER = 16, SIM_PIECE_HEAD = 2 /* number of doubles in a row of `pieces` before the coefficients */ };
static inline size_t sim_piece_size(int d) { return SIM_PIECE_HEAD + (SIM_PIECE_ORDER + 1) * (size_t)d; }
enum { SIM_CURVE_HEAD = 4 /* number of doubles in a row of `surface` before the distances (integrals) */ };
static inline size_t sim_curve_size(int columns) { return SIM_CURVE_HEAD + (SIM_PIECE_ORDER + 2) * (size_t)columns; }

/* Returns the number of columns in the rows of `thresholds`. */
static inline int sim_threshold_courses(const SimProblem *p) {
  return p->by_direction ? 2 * p->threshold_columns : p->threshold_columns;
}

/* Gives the S segments of the control their own lengths [S], in s, all > 0. Supported by `event` for friction models
 * and chains. Sets T to their sum, and the step to T/steps if `steps` is set; set signal and segments before. NULL: all
 * segments get the length T/S again. Returns SIM_OK; SIM_NO_MEMORY or SIM_BAD_ARGUMENT (a length is not finite or not >
 * 0), with no change. */
SimStatus sim_problem_set_lengths(SimProblem *problem, const double *lengths);

/* Initialises a problem with kind, d, p and the kind's default scheme. All other data are zero or the defaults of the
 * keys of problem files. After SIM_NO_MEMORY the problem is cleared. */
SimStatus sim_problem_init(SimProblem *problem, SimKind kind, int d, int n_control);
/* Initialises a problem of kind SIM_FRICTION with sparse storage and this rank's rows, as sim_problem_init does. All
 * matrices are zero; B is 1 where row = column. */
SimStatus sim_problem_init_sparse(SimProblem *problem, SimGroup *group, int d, int first, int count, int n_control);

/* Returns the rows of the keys of a kind in the section `model`; NULL: no such kind. */
const SimParameter *sim_kind_parameters(SimKind kind);
/* Selects the scheme of this name for the problem's kind, with its default parameters. Returns SIM_OK; SIM_BAD_PROBLEM
 * if there is no such scheme, or SIM_NO_MEMORY, after which the problem is unchanged. */
SimStatus sim_problem_set_scheme(SimProblem *problem, const char *name);
/* Returns the value of a key of the scheme, as in problem files; for a choice, the number that stands for its word. r
 * and epsilon are 0 as long as they have their defaults. NAN: the scheme has no such key. */
double sim_problem_get(const SimProblem *problem, const char *key);
/* Returns the word of a key that is a choice; NULL: there is no such key, or it is no choice. */
const char *sim_problem_word(const SimProblem *problem, const char *key);
/* Sets the value of a key of the scheme. Returns SIM_OK, or SIM_BAD_PROBLEM, after which nothing is changed, if the
 * scheme has no such key or the key needs a whole number. sim_problem_check checks the range. */
SimStatus sim_problem_set(SimProblem *problem, const char *key, double value);
/* Sets a key that is a choice by its word. Returns SIM_BAD_PROBLEM also if the scheme does not offer this word. */
SimStatus sim_problem_choose(SimProblem *problem, const char *key, const char *word);

/* Allocates a matrix with the given numbers of rows and entries, all zero. */
SimStatus sim_matrix_alloc(SimMatrix *matrix, int rows, long entries);
void sim_matrix_clear(SimMatrix *matrix); /* frees its arrays */
/* Computes sum = matrix + diag(diagonal [rows]) for the rows `first` .. first + rows - 1 of a square matrix. After
 * SIM_NO_MEMORY sum is empty. */
SimStatus sim_matrix_add_diagonal(const SimMatrix *matrix, int first, int rows, const double *diagonal, SimMatrix *sum);
/* Divides d rows evenly among `size` ranks, and returns the rows of one rank. */
void sim_share(int d, int size, int rank, int *first, int *count);

/* Sets mass, stiffness and friction of a problem from sim_problem_init_sparse to those of a string of this length, in
 * m. Both ends are fixed, and d interior nodes lie at s_i = i h, i = 1..d, h = length/(d+1):
 *
 *   m_i = density(s_i) h, (A x)_i = (T_{i-1/2} (x_i - x_{i-1}) - T_{i+1/2} (x_{i+1} - x_i)) / h, c_i = friction(s_i) h
 *
 * T is the tension. The arrays have this rank's rows; row k is node k + 1. density [count], kg/m; tension [count+1], in
 * N, at s_i - h/2 of each node, and at s_i + h/2 of the last node; friction [count] in N/m. The caller sets the force
 * f_i = f(s_i, t) h as a SimLoad. */
SimStatus sim_string_fill(SimProblem *problem, double length, const double *density, const double *tension,
                          const double *friction);
/* Returns an upper estimate of the memory, in bytes, that a problem, its model, a workspace and one SimFinal need on
 * this rank. entries: number of entries of M, A and D together. The estimate holds for the solver `exact`, one rank and
 * tridiagonal matrices, which have factors without additional entries. */
double sim_sparse_memory(int rows, long entries, int n_control);

/* Allocates problem->force with zeros, unless the scheme needs f in pieces, and the kind's arrays of samples at the
 * same times. kind, end, step, steps and scheme must have been set before, and chain_case for a chain. After
 * SIM_NO_MEMORY the arrays are NULL. */
SimStatus sim_problem_alloc_force(SimProblem *problem);
void sim_problem_clear(SimProblem *problem); /* frees all memory that the problem owns */
/* Copies a problem. The copy borrows the same group and load. After SIM_NO_MEMORY the copy is cleared. */
SimStatus sim_problem_copy(const SimProblem *problem, SimProblem *copy);

/* Returns the number of force samples that the scheme needs. end, step, steps and scheme must be set. */
long sim_force_count(const SimProblem *problem);
double sim_force_time(const SimProblem *problem, long k); /* returns the time of sample k, in s */

/* Whether the scheme needs the force f as pieces of polynomials instead of samples. */
bool sim_force_in_pieces(const SimProblem *problem);
/* Adds viscous friction b [d], in N s/m, of a problem of kind SIM_FRICTION to the matrix D, which must exist, and to
 * problem->viscous. After SIM_NO_MEMORY nothing is changed. */
SimStatus sim_problem_set_viscous(SimProblem *problem, const double *b);

/* Whether the scheme also needs chain.force_rate: true for the scheme implicit_euler if nodes of the chain have no
 * mass. */
bool sim_force_rate_wanted(const SimProblem *problem);

/* Finalizes a problem with the same result as stiction_problem_finalize. It is faster if M, A and D are dense and equal
 * to those of the finalized problem `like`, as their eigenvalues are not computed again. */
SimStatus sim_problem_finalize_like(SimProblem *problem, const SimProblem *like, const SimReport *report);

/* Makes those checks of stiction_problem_finalize that need neither r nor epsilon, since the defaults of these depend
 * on the bounds. Reports each error, and fills *bounds if there is none. Collective; returns the same statuses. */
SimStatus sim_problem_check(const SimProblem *problem, const SimReport *report, SimBounds *bounds);

/* Estimates the time, in s, that sim_problem_check and stiction_problem_finalize need for the eigenvalues of dense
 * matrices, on a core of 3 GHz. It is O(d^3), less for narrow bands. */
double sim_problem_check_seconds(const SimProblem *problem);

/* Returns the friction threshold of dof i, in N: c_i, plus |k_i| (b_i - a_i)/2 with a gear box. */
double sim_problem_threshold(const SimProblem *problem, int i);

/* sim_problem_pack copies a SimProblem with its force to bytes, for other processes of the same build.
 * sim_problem_packed_size returns their number. A `load` is not packed. A problem with sparse storage cannot be packed;
 * the number of bytes is then 0. */
size_t sim_problem_packed_size(const SimProblem *problem);
void sim_problem_pack(const SimProblem *problem, void *bytes); /* writes sim_problem_packed_size bytes */
SimStatus sim_problem_unpack(SimProblem *problem, const void *bytes, size_t size); /* reads packed bytes */
#endif
