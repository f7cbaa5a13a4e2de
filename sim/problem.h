/* SPDX-License-Identifier: BSD-2-Clause */
/* A SimProblem: everything that a model is made of, the functions that set it, and its checks. A part of
 * sim/internal.h, which has equation (1). */
#ifndef SIM_PROBLEM_H
#define SIM_PROBLEM_H
#include "sim/kinds.h"
#include "sim/parameter.h"
#include "sim/signal.h"

#include <stdbool.h>
#include <stddef.h>

/* A time discretisation, or the scheme `event` without steps. Each has a file in the folder of its kind, and its name
 * in sim/setup/schemes.c. */
typedef struct SimScheme SimScheme;
/* Functions and tables of a kind of model (sim/core/kind.h) */
typedef struct SimKindOps SimKindOps;

/* Quantities that determine stability and the convergence of a step's iteration. `stiction check` prints them. */
typedef struct SimBounds {
  double mass_min;          /* smallest eigenvalue of M, in kg, for dofs with mass */
  double mass_max;          /* largest eigenvalue of M, in kg */
  double stiffness_max;     /* largest eigenvalue of A, in N/m */
  double frequency_squared; /* nu: largest eigenvalue of M^-1 A, in 1/s^2, with dofs without mass held at rest */
  /* Largest eigenvalue of E^-1 C^2, where C includes a gear box's contribution and E is the scheme's step operator. The
   * fixed point converges for 0 < r < 4/(delta dt).
   *     centered       E = M + dt/2 D + dt^2 alpha A
   *     moreau         E = (M + dt D + dt^2 theta^2 A)/2
   *     lie, strang    E = dt/(2 tau) M, tau the friction substep: the bound is 2/(tau beta_d), (4.23) */
  double delta;
  double step_limit; /* largest stable step dt in s; INFINITY: no limit */
  /* for sparse matrices: whether A and D are proven positive semi-definite; other models are always checked */
  bool semidefinite;
  bool estimated;        /* for sparse matrices: whether all fields are Gershgorin's bounds, on the safe side */
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
  /* In a group this rank holds rows first .. first + count - 1 of the system; the ranks hold consecutive rows. Arrays
   * marked [d], here, in the kind's struct, in SimFinal and in SimStep, then have [count] entries. */
  /* group of ranks; NULL: this process alone, with all rows; borrowed, must outlive problem and model */
  SimGroup *group;
  int first;        /* index of this rank's first row, from 0 */
  int count;        /* number of rows of this rank */
  int n_control;    /* number of entries p of u, >= 0 */
  SimSignal signal; /* time course of u */
  int segments;     /* number of segments S of the signal, >= 1; at most `steps` except for event */
  /* [start_count] times t_0 = 0..t_S = T at which unequal segments start, in s; set by sim_problem_set_lengths */
  double *starts;
  int start_count; /* number of entries of starts, S + 1; 0: all segments have the length T/S */

  double *friction;       /* [d] threshold c in N */
  double *x0;             /* [d] m */
  double *v0;             /* [d] m/s */
  double *control_matrix; /* [d][p] B */

  /* Data of the kind; the structs of the other kinds are zero. */
  SimSystem system;       /* SIM_FRICTION */
  SimDashpot dashpot;     /* SIM_DASHPOT */
  SimChain chain;         /* SIM_CHAIN */
  SimEquations equations; /* SIM_MECHANISM; set by sim_problem_set_mechanism */

  double end;  /* T in s */
  double step; /* time step dt in s; end = steps * step */
  long steps;  /* N >= 1 */

  const SimScheme *scheme; /* scheme, set by sim_problem_set_scheme */
  /* struct with the scheme's parameters, which its rows of keys describe; owned; NULL: it has no keys */
  void *parameters;

  /* [sim_force_count][count] f, in N, at the times sim_force_time(k). NULL before sim_problem_alloc_force, or if `load`
   * has the force. */
  double *force;
  SimLoad load; /* the force as a function, if `force` is NULL */

  /* f as polynomials in time, for schemes that need it so (sim_force_in_pieces). A row has sim_piece_size numbers:
   * start of the piece, in s; order of the polynomial; coefficients [SIM_PIECE_ORDER + 1][d] by powers of the elapsed
   * fraction 0..1 of the piece. NULL before stiction_problem_set_pieces. */
  double *pieces;
  long piece_count; /* number of rows of pieces */

  /* Moving surfaces, SIM_FRICTION: friction acts on x' - w(t), with w in m/s. All dofs share one surface, or each has
   * its own. A row has sim_curve_size numbers: start and width of the piece, in s; order of its polynomials; their
   * origin, in s, here the start; distance [columns] that the surfaces have moved until then, in m; coefficients
   * [SIM_PIECE_ORDER + 1][columns] by powers of the elapsed fraction. NULL: no surface moves. */
  double *surface;
  long surface_pieces; /* number of rows of surface */
  int surface_columns; /* 1 or count */

  /* Thresholds by direction, SIM_FRICTION. The friction force is (c_i + bias_i) (lambda_i - gamma_i) forward and
   * (c_i - bias_i) (lambda_i - gamma_i) backward: c_i = friction[i] is half the sum of both thresholds, bias_i half
   * their difference, |bias_i| <= c_i. */
  bool by_direction;     /* whether thresholds depend on the direction; if not, friction_bias is ignored */
  double *friction_bias; /* [d] N */

  /* Viscous friction b (x' - w), SIM_FRICTION. b is part of D's diagonal, and is stored here again for moving
   * surfaces. */
  bool drags;      /* whether there is viscous friction; if not, viscous is NULL; set by sim_problem_set_viscous */
  double *viscous; /* [d] N s/m */

  /* laws of springs, for SIM_FRICTION; none before stiction_problem_set_springs */
  SimSpringLaw springs[SIM_SPRING_PLACES];
  SimStops stops; /* stops, for SIM_FRICTION with dense storage */
  /* Thresholds that vary in time, SIM_FRICTION; friction[i] is then the maximum of c_i, and the bias 0. All dofs share
   * one time course, or with dense storage each has its own. If thresholds depend on the direction, as many columns for
   * backward motion follow those for forward motion. Rows have the form of those of pieces. NULL: constant. */
  double *thresholds;
  long threshold_pieces; /* number of rows of thresholds */
  int threshold_columns; /* 1 or count */
  /* Thresholds that depend on a position or on the elongation of a spring, SIM_FRICTION: c_i + h_i(e_i), with h_i
   * stored as a spring law. friction[i] is then the maximum of c_i + h_i, and the bias 0. Without rows they do not
   * depend on it. */
  SimSpringLaw rise;
  SimElongation rise_of; /* elongation on which the threshold depends */
  double *rise_base;     /* [2][count] thresholds c and bias without the part h that depends on position, in N */

  SimBounds bounds;             /* set by stiction_problem_finalize */
  unsigned long long finalized; /* checksum of the checked data, set by stiction_problem_finalize; 0: not finalized */
};

enum { SIM_PIECE_ORDER = 16, SIM_PIECE_HEAD = 2 /* number of doubles in a row before its coefficients */ };
static inline size_t sim_piece_size(int d) { return SIM_PIECE_HEAD + (SIM_PIECE_ORDER + 1) * (size_t)d; }
enum { SIM_CURVE_HEAD = 4 /* number of doubles in a row before its integrals */ };
static inline size_t sim_curve_size(int columns) { return SIM_CURVE_HEAD + (SIM_PIECE_ORDER + 2) * (size_t)columns; }

/* Number of time courses of varying thresholds. */
static inline int sim_threshold_courses(const SimProblem *p) {
  return p->by_direction ? 2 * p->threshold_columns : p->threshold_columns;
}

/* Gives the S segments of the control their own lengths [S], in s, all > 0: for `event` with friction and chains. Sets
 * T to their sum, and the step to T/steps if steps are set; set signal and segments before. NULL: all segments have the
 * length T/S again. SIM_OK; SIM_NO_MEMORY or SIM_BAD_ARGUMENT (a length is not finite and > 0), with no change. */
SimStatus sim_problem_set_lengths(SimProblem *problem, const double *lengths);

/* Initialises a problem with kind, d, p and the kind's default scheme. All other data are zero or the defaults of the
 * keys of problem files. SIM_NO_MEMORY leaves it cleared. */
SimStatus sim_problem_init(SimProblem *problem, SimKind kind, int d, int n_control);
/* Initialises a problem of kind SIM_FRICTION with sparse storage and this rank's rows, as sim_problem_init does. All
 * matrices are zero; B is 1 where row = column. */
SimStatus sim_problem_init_sparse(SimProblem *problem, SimGroup *group, int d, int first, int count, int n_control);

/* Returns the rows of the keys of a kind in the section `model`; NULL: no such kind. */
const SimParameter *sim_kind_parameters(SimKind kind);
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

/* Sets mass, stiffness and friction of a problem from sim_problem_init_sparse to those of a string of this length, in
 * m. Both ends are fixed, and d interior nodes lie at s_i = i h, i = 1..d, h = length/(d+1):
 *     m_i = density(s_i) h,   (A x)_i = (T_{i-1/2} (x_i - x_{i-1}) - T_{i+1/2} (x_{i+1} - x_i)) / h,   c_i =
 * friction(s_i) h The arrays have this rank's rows; row k is node k + 1. density [count], kg/m; tension [count+1], in
 * N, at s_i - h/2 and at s_i + h/2 of the last node; friction [count] in N/m. The force f_i = f(s_i, t) h is the
 * caller's SimLoad. */
SimStatus sim_string_fill(SimProblem *problem, double length, const double *density, const double *tension,
                          const double *friction);
/* Returns an upper estimate of the memory, in bytes, that problem, model, workspace and one SimFinal need on this rank.
 * entries: number of entries of M, A and D together. For the solver `exact`, one rank and tridiagonal matrices, as
 * their factors have no additional entries. */
double sim_sparse_memory(int rows, long entries, int n_control);

/* Allocates problem->force with zeros, unless the scheme needs f in pieces, and the kind's arrays of samples at the
 * same times. kind, a chain's case, end, step, steps and scheme must be set. SIM_NO_MEMORY leaves them NULL. */
SimStatus sim_problem_alloc_force(SimProblem *problem);
void sim_problem_clear(SimProblem *problem); /* frees all that the problem owns */
/* Copies a problem. The copy borrows the same group and load. SIM_NO_MEMORY leaves it cleared. */
SimStatus sim_problem_copy(const SimProblem *problem, SimProblem *copy);

/* Returns the number of force samples that the scheme needs. end, step, steps and scheme must be set. */
long sim_force_count(const SimProblem *problem);
double sim_force_time(const SimProblem *problem, long k); /* returns the time of sample k, in s */

/* Whether the scheme needs the force f as pieces of polynomials instead of samples. */
bool sim_force_in_pieces(const SimProblem *problem);
/* Adds viscous friction b [d], in N s/m, SIM_FRICTION, to D, which must exist, and to viscous. SIM_NO_MEMORY changes
 * nothing. */
SimStatus sim_problem_set_viscous(SimProblem *problem, const double *b);

/* Whether the scheme also needs chain.force_rate: implicit_euler if nodes of a chain have no mass. */
bool sim_force_rate_wanted(const SimProblem *problem);

/* Finalizes with the same result, but faster if M, A and D are dense and equal to those of the finalized problem
 * `like`: their eigenvalues are not computed again. */
SimStatus sim_problem_finalize_like(SimProblem *problem, const SimProblem *like, const SimReport *report);

/* The part of finalizing that needs neither r nor epsilon, as their defaults depend on the bounds: reports each error,
 * and fills *bounds if there is none. Collective and with statuses as stiction_problem_finalize. */
SimStatus sim_problem_check(const SimProblem *problem, const SimReport *report, SimBounds *bounds);

/* Estimates the time, in s, that sim_problem_check and stiction_problem_finalize need for the eigenvalues of dense
 * matrices, on a core of 3 GHz. It is O(d^3), less for narrow bands. */
double sim_problem_check_seconds(const SimProblem *problem);

/* Returns the friction threshold of dof i, in N: c_i, and with a gear box |k_i| (b_i - a_i)/2 more. */
double sim_problem_threshold(const SimProblem *problem, int i);

/* Packs a SimProblem with its force into bytes, for other processes of the same build. A `load` is not packed. 0 bytes
 * with sparse storage, which cannot be packed. */
size_t sim_problem_packed_size(const SimProblem *problem);
void sim_problem_pack(const SimProblem *problem, void *bytes); /* writes sim_problem_packed_size bytes */
SimStatus sim_problem_unpack(SimProblem *problem, const void *bytes, size_t size); /* reads packed bytes */
#endif
