/* What a model is made of, its setting and its checks: a part of sim/sim.h, which says what (1) is. */
#ifndef SIM_PROBLEM_H
#define SIM_PROBLEM_H
#include "sim/laws.h"
#include "sim/matrix.h"
#include "sim/signal.h"

#include <stdbool.h>
#include <stddef.h>

SIM_API_BEGIN

/* How a call has ended. */
typedef enum SimStatus {
  SIM_OK = 0,
  SIM_NOT_CONVERGED,     /* a step's friction problem was not solved to its tolerance */
  SIM_NON_FINITE,        /* a state is not a finite number */
  SIM_EVENTS_ACCUMULATE, /* more events than the scheme `event` allows */
  SIM_OUT_OF_RANGE,      /* a spring is longer or shorter than its law goes */
  SIM_RESIDUAL_LARGE,    /* an examined motion by `event` does not obey its equation: sim/residual.h */
  SIM_ENERGY_OPEN,       /* the energies of a watched rollout do not close: SIM_CLOSURE */
  SIM_NO_MEMORY,
  SIM_NOT_FINISHED, /* there was no answer in time: what a driver says, never a simulation */
  SIM_BAD_ARGUMENT, /* an argument is NULL, out of its range, or does not belong to the others; nothing has been done */
  SIM_BAD_PROBLEM,  /* the problem has a mistake; it has been told to the SimReport */
  SIM_CANCELLED, /* an evaluation was ended by a request to stop: nothing is known of its point, and no search is told of it */
  SIM_TOO_LONG /* a rollout has taken more work than it may: SimInterrupt.most */
} SimStatus;

/* A short English phrase for a status; static storage. Of SIM_BAD_ARGUMENT it names function and argument that this thread has refused last. */
const char *sim_status_text(SimStatus status);

/* Receives the mistakes that a check finds. key: dotted path, "model.mass". Both texts are valid during the call. */
typedef struct SimReport {
  void *context;                                                      /* passed to complain; borrowed */
  void (*complain)(void *context, const char *key, const char *text); /* called for each mistake */
} SimReport;

/* What moves. Each has a room of sim with its kind.c, a struct of its own below, and a line of sim/setup/kinds.c. */
typedef enum SimKind {
  SIM_FRICTION, /* (1) */
  SIM_DASHPOT,  /* one mass on a spring with a dash-pot and, if wanted, a support (Gotika) */
  SIM_CHAIN     /* a chain sliding on a rough support (Bastien-Lamarque) */
} SimKind;

/* How M, A, D of (1) are stored. */
typedef enum SimStorage {
  SIM_DENSE, /* [d][d], of one process */
  SIM_SPARSE /* the entries that are not 0, with the rows spread over the ranks of a group: a string, a chain of blocks */
} SimStorage;

#define SIM_LAW_ENUMERATOR(law, ...) law, /* the enumerator of a row of sim/laws.h */

/* The Stribeck term gamma_i of (1): odd, increasing, gamma(0) = 0, 0 < beta < 1, eps > 0 (m/s). */
typedef enum SimStribeck {
  SIM_STRIBECK_NONE,                    /* gamma = 0 */
  SIM_STRIBECK_LAWS(SIM_LAW_ENUMERATOR) /* see sim/laws.h */
  SIM_STRIBECK_TABLE                    /* gamma = 1 - F(|s|)/F(0) sign(s) of the SimFrictionTable */
} SimStribeck;

/* The law between velocity and multiplier. */
typedef enum SimMultiplier {
  SIM_UNREGULARIZED,
  SIM_REGULARIZED, /* centered: (1.18) of Glowinski-Kearsley */
  SIM_SMOOTH       /* lie, strang: v / sqrt(eta^2 + v^2) for sgn(v), Glowinski et al. (5) */
} SimMultiplier;
/* How a step's friction problem is solved. */
typedef enum SimSolver { SIM_EXACT, SIM_FIXED_POINT } SimSolver;

typedef struct SimParameter SimParameter; /* sim/parameter.h */

/* A time discretisation. One file in the room of its kind, and its name in sim/setup/schemes.c, each. */
typedef struct SimScheme SimScheme;

/* Gear box per degree of freedom: adds k g(delta w) to the left of (1), w = x',
 *     g(s) = (a+b)/2 + (b-a)/2 (sgn s - gamma_gb(s)),   0 < a < b.
 * The friction threshold is then c + |k| (b-a)/2; the load k (a+b)/2 acts like a force. */
typedef struct SimGearbox {
  bool present;    /* else none of this is looked at */
  SimStribeck law; /* of gamma_gb */
  double *delta;   /* [d] */
  double *k;       /* [d] k(delta), signed, odd and increasing in delta, N */
  double *a;       /* [d], > 0 */
  double *b;       /* [d], > a */
  double *beta;    /* [d] of gamma_gb, in (0, 1) */
  double *epsilon; /* [d] of gamma_gb, > 0 */
  double exponent; /* of gamma_gb, if its law takes one: >= 1; 0: none told, 1 */
} SimGearbox;

/* M, D, A, gamma and a gear box of (1); C is problem->friction. */
typedef struct SimSystem {
  SimStorage storage; /* of the three matrices */
  double *mass; /* [d][d] M, kg; rows and columns of 0: without mass; of dense storage, as the next two, else NULL */
  double *stiffness; /* [d][d] A, N/m */
  double *damping;   /* [d][d] D, N s/m; D + D' positive semi-definite */
  SimSparse sparse;  /* the same of sparse storage */

  SimStribeck stribeck;     /* the law of gamma */
  double *stribeck_beta;    /* [d] */
  double *stribeck_epsilon; /* [d] m/s */
  double stribeck_exponent; /* of a law that takes one: >= 1; 0: none told, 1 */
  SimFrictionTable table;   /* SIM_STRIBECK_TABLE; the three above are then not looked at */
  SimGearbox gearbox;       /* of dense storage */
} SimSystem;

/* The speed that a force f_d makes beyond |f_d| > f_crit; below, v = 0: see sim/laws.h. */
typedef enum SimDashpotLaw { SIM_DASHPOT_LAWS(SIM_LAW_ENUMERATOR) } SimDashpotLaw;
/* Whether a law takes a key: gamma, f_crit, selection. */
bool sim_dashpot_law_takes(SimDashpotLaw law, const char *key);

/* Which root of the non-monotone law a step takes. */
typedef enum SimSelection { SIM_NEAREST_VELOCITY, SIM_MAX_DISSIPATION } SimSelection;

/* m v' = f + B u - k x - f_d + lambda_contact, x' = v (d = 1); f_crit: problem->friction. */
typedef struct SimDashpot {
  double mass;              /* m, kg */
  double stiffness;         /* k, N/m */
  SimDashpotLaw law;        /* of the dash-pot's force */
  SimSelection selection;   /* of bingham_nonmonotone */
  double g;                 /* m/(N s), of the law (with its powers of N); > 0 */
  bool has_support;         /* lambda_contact = -support_stiffness max(0, x - support_position) */
  double support_position;  /* L, m */
  double support_stiffness; /* ks, N/m */
} SimDashpot;

/* Which nodes have mass: all, the last, none. */
typedef enum SimChainCase { SIM_CHAIN_DYNAMICAL, SIM_CHAIN_SEMI_DYNAMICAL, SIM_CHAIN_QUASISTATIC } SimChainCase;
/* What holds the right end. */
typedef enum SimChainEnd {
  SIM_END_CLAMPED,     /* both ends held */
  SIM_END_FREE,        /* right end free, pushed by the given end force F_{n+1} */
  SIM_END_DISPLACEMENT /* right end's displacement x(t) given */
} SimChainEnd;

/* n = d nodes, K = tridiag(-k_{i-1}, k_{i-1}+k_i, -k_i) (k_n = 0 in the last entry when the end is free), thresholds
 * alpha_i = problem->friction, displacements V = x, velocities W = v. problem->force holds F with the end's share
 * folded into F_n (F_n - F_{n+1}, or F_n + k_n x(t)). Nothing of a chain takes more than O(n). */
typedef struct SimChain {
  SimChainCase chain_case; /* which nodes have mass */
  SimChainEnd end;         /* of the right */
  double *springs;         /* [d+1] k_0..k_n, N/m, >= 0 */
  double *held;            /* the same of a model, with k_n = 0 where the end is free */
  double *node_mass;       /* [d] kg: all > 0 (dynamical), the last alone (semi_dynamical), 0 (quasistatic) */
  /* Beside problem->force, at its times; NULL until sim_problem_alloc_force: */
  double *force_rate; /* [count][d] F' with the end's share, N/s, from the right; if sim_force_rate_wanted, else NULL */
  double *end_value;  /* [count] F_{n+1} or x(t), 0 if clamped; NULL is 0, too */
} SimChain;

/* Springs whose force is a law g(e) of their elongation e, beside A: from each dof to what holds it (e = x_i, g pulls it back), and
 * between neighbours (e = x_{i+1} - x_i, g pulls them together; dense storage). */
typedef enum SimSpringPlace { SIM_ANCHORS, SIM_LINKS, SIM_SPRING_PLACES } SimSpringPlace;

/* g, N: polynomials, rows of sim_curve_size numbers as SimProblem.surface has them, but over e, m, with the potential at a piece's origin, J, in
 * place of the way. Pieces are refined about the elongations at which g is 0, where springs may rest, and their origins are nearest to these. One law for
 * all springs, or one each: of anchors d columns, of links d - 1. */
typedef struct SimSpringLaw {
  double *rows; /* NULL: there is none */
  long pieces;  /* number of rows */
  int columns;  /* number of laws */
} SimSpringLaw;

/* The elongation that the threshold of dof i depends on: x_i; or that of the spring to the neighbour before, x_i - x_{i-1}, or behind,
 * x_{i+1} - x_i: where there is none, 0. */
typedef enum SimElongation { SIM_OWN_PLACE, SIM_SPRING_BEFORE, SIM_SPRING_BEHIND } SimElongation;

/* Stops that keep x_i between two ends: see sim/joint/stops.h. moreau and event have them. */
typedef struct SimStops {
  bool present;        /* else none of this is looked at */
  double *lower;       /* [d] m, the least x_i, at most x0_i; NAN: none */
  double *upper;       /* [d] m, the largest x_i, at least x0_i and above lower; NAN: none */
  double *stiffness;   /* [d] N/m, NAN: rigid */
  double *restitution; /* [d] e in [0, 1]: x_i comes back with e times its speed; 0 if not rigid */
} SimStops;

/* The ranks that evaluate one model together: see sim/group.h. */
typedef struct SimGroup SimGroup;

/* Quantities that decide stability and the step's iteration; also what `stiction check` prints. */
typedef struct SimBounds {
  double mass_min;          /* least eigenvalue of M, kg; of dofs with mass */
  double mass_max;          /* largest eigenvalue of M, kg */
  double stiffness_max;     /* largest eigenvalue of A, N/m */
  double frequency_squared; /* nu: largest eigenvalue of M^-1 A, 1/s^2; dofs without mass stand still */
  double delta;             /* largest eigenvalue of E^-1 C^2, E the scheme's step operator (centered:
                              * M + dt/2 D + dt^2 alpha A; moreau: half of M + dt D + dt^2 theta^2 A; lie, strang:
                              * dt/(2 tau) M, tau the friction substep), C with a gear box's share, so that the fixed
                              * point converges for 0 < r < 4/(delta dt): for lie, strang 2/(tau beta_d), (4.23) */
  double step_limit;        /* stability bound on dt, s; INFINITY when there is none */
  bool semidefinite;        /* sparse matrices: A and D proven to be so; of other models that is always checked */
  bool estimated;           /* sparse matrices: all of these are Gershgorin's bounds, from the safe side */
  double friction_limit;    /* dt below which no step overshoots by friction of a table, s; INFINITY: none */
  double spring_limit;      /* dt up to which a step with spring laws has one solution, s; INFINITY: none */
} SimBounds;

/* What a model is made of: what all kinds have, the kind's own, the scheme's own. The arrays belong to the SimProblem:
 * sim_problem_init allocates them (zeroed, but for control_matrix, whose diagonal is 1), sim_problem_clear frees them. */
typedef struct SimProblem {
  SimKind kind; /* what moves */
  int d;        /* degrees of freedom, >= 1 */
  /* Rows first .. first + count - 1 of the system are this rank's; the ranks of the group have consecutive ones. All [d]
   * here, in the kind's struct and in SimFinal and SimStep, are then [count]. */
  SimGroup *group;  /* NULL: this process alone, with all rows; borrowed, outlives problem and model */
  int first;        /* row, from 0 */
  int count;        /* of rows */
  int n_control;    /* entries p of u, >= 0 */
  SimSignal signal; /* of u */
  int segments;     /* its S; 1..steps, but of `event` */

  double *friction;       /* [d] c, N */
  double *x0;             /* [d] m */
  double *v0;             /* [d] m/s */
  double *control_matrix; /* [d][p] B */

  /* The kind's; the others are zero. */
  SimSystem system;   /* SIM_FRICTION */
  SimDashpot dashpot; /* SIM_DASHPOT */
  SimChain chain;     /* SIM_CHAIN */

  double end;  /* T, s */
  double step; /* dt, s; end = steps * step */
  long steps;  /* N >= 1 */

  const SimScheme *scheme; /* set by sim_problem_set_scheme */
  void *parameters;        /* the scheme's own struct, which its rows describe; owned; NULL: it takes no key */

  double *force; /* [count][d] f, N, at the times sim_force_time(k), k = 0..sim_force_count - 1; NULL until
                  * sim_problem_alloc_force, or where load has it */
  SimLoad load;  /* where force is NULL */

  /* f of a scheme that takes it in pieces of time (sim_force_in_pieces), as polynomials: rows of sim_piece_size numbers, the
   * piece's start, s, the order of its polynomial, and its coefficients [SIM_PIECE_ORDER + 1][d] of the part of the piece that
   * has passed, 0..1. NULL until sim_problem_set_pieces. */
  double *pieces;
  long piece_count; /* number of rows of pieces */

  /* Surfaces that move, w(t) in m/s, of SIM_FRICTION: friction acts on x' - w. One for all rows, or one each. Polynomials: rows of
   * sim_curve_size numbers, a piece's start and width, s, the order of its polynomials, their origin, s, here the start, the way [columns] that the
   * surfaces have gone until then, m, and the coefficients [SIM_PIECE_ORDER + 1][columns] of the part of the piece that has passed since its origin.
   * NULL: none moves, until sim_problem_set_surface. */
  double *surface;
  long surface_pieces; /* number of rows of surface */
  int surface_columns; /* 1 or count */

  /* Thresholds that differ by direction, of SIM_FRICTION: friction's force is (c_i + bias_i) (lambda_i - gamma_i) forward and
   * (c_i - bias_i) (lambda_i - gamma_i) backward, |bias_i| <= c_i = friction[i]: half the difference and half the sum. */
  bool by_direction;     /* else friction_bias is not looked at */
  double *friction_bias; /* [d] N */

  /* Viscous friction of SIM_FRICTION, b (x' - w): b is a part of D's diagonal, and here once more, for surfaces that move. */
  bool drags;      /* else viscous is NULL: until sim_problem_set_viscous */
  double *viscous; /* [d] N s/m */

  SimSpringLaw springs[SIM_SPRING_PLACES]; /* of SIM_FRICTION; until sim_problem_set_springs none */
  SimStops stops;                          /* SIM_FRICTION of dense storage */
  /* Thresholds that change in time, of SIM_FRICTION: friction is then the greatest of each c, bias 0. One course
   * for all degrees of freedom, or of dense storage one each; by_direction as many again, backward. Rows of sim_piece_size as those of pieces.
   * NULL: they do not change, until sim_problem_set_thresholds. */
  double *thresholds;
  long threshold_pieces; /* number of rows of thresholds */
  int threshold_columns; /* 1 or count */
  /* Thresholds that depend on a place or on the force in a spring, of SIM_FRICTION: c_i + h_i(e_i), e_i as rise_of says, h as the law of springs. friction is
   * then the greatest of each c_i + h_i, bias 0. No rows: they do not, until sim_problem_set_rise. */
  SimSpringLaw rise;
  SimElongation rise_of; /* which elongation e_i is */
  double *rise_base;     /* [2][count] c and bias without the rise, N */

  SimBounds bounds;             /* by sim_problem_finalize */
  unsigned long long finalized; /* likewise: what it has found to be right; 0: not yet */
} SimProblem;

enum { SIM_PIECE_ORDER = 16, SIM_PIECE_HEAD = 2 /* numbers before its coefficients */ };
static inline size_t sim_piece_size(int d) { return SIM_PIECE_HEAD + (SIM_PIECE_ORDER + 1) * (size_t)d; }
enum { SIM_CURVE_HEAD = 4 /* numbers before its integrals */ };
static inline size_t sim_curve_size(int columns) { return SIM_CURVE_HEAD + (SIM_PIECE_ORDER + 2) * (size_t)columns; }

/* How many courses thresholds that change have. */
static inline int sim_threshold_courses(const SimProblem *p) {
  return p->by_direction ? 2 * p->threshold_columns : p->threshold_columns;
}

/* kind, d and p set, the kind's default scheme taken, everything else zero or the default of the problem file's keys.
 * SIM_NO_MEMORY leaves it cleared. */
SimStatus sim_problem_init(SimProblem *problem, SimKind kind, int d, int n_control);
/* The same for SIM_FRICTION of sparse storage with this rank's rows, all matrices zero, B 1 where row = column. */
SimStatus sim_problem_init_sparse(SimProblem *problem, SimGroup *group, int d, int first, int count, int n_control);

/* Takes the kind's scheme of that name and its defaults. SIM_BAD_PROBLEM (there is none), SIM_NO_MEMORY: no change. */
SimStatus sim_problem_set_scheme(SimProblem *problem, const char *name);
/* The value of a key of the scheme's, as in problem files, of a choice the value that its row gives the word; r and epsilon
 * are 0 while they are left to their defaults. NAN: the scheme takes no such key. */
double sim_problem_get(const SimProblem *problem, const char *key);
/* The word of a choice; NULL: no such key, or no choice. */
const char *sim_problem_word(const SimProblem *problem, const char *key);
/* Sets it. SIM_BAD_PROBLEM, which changes nothing: the scheme takes no such key, or it is not a whole number and has to be.
 * Whether it is in its range is told by sim_problem_check. */
SimStatus sim_problem_set(SimProblem *problem, const char *key, double value);
/* The same for a choice, by its word. SIM_BAD_PROBLEM, too, if the scheme does not offer it. */
SimStatus sim_problem_choose(SimProblem *problem, const char *key, const char *word);

/* Room for a matrix of so many rows and entries, zeroed. */
SimStatus sim_matrix_alloc(SimMatrix *matrix, int rows, long entries);
void sim_matrix_clear(SimMatrix *matrix); /* frees its arrays */
/* The rows from `first` on of a square matrix, and diagonal [rows] on them; SIM_NO_MEMORY leaves sum empty. */
SimStatus sim_matrix_add_diagonal(const SimMatrix *matrix, int first, int rows, const double *diagonal, SimMatrix *sum);
/* An even share of d rows for each of `size` ranks. */
void sim_share(int d, int size, int rank, int *first, int *count);

/* A string of this length (m) with fixed ends and d interior nodes s_i = i h, i = 1..d, h = length/(d+1): fills mass,
 * stiffness, friction of a problem from sim_problem_init_sparse by
 *     m_i = density(s_i) h,   (A x)_i = (T_{i-1/2} (x_i - x_{i-1}) - T_{i+1/2} (x_{i+1} - x_i)) / h,   c_i = friction(s_i) h
 * with this rank's rows, s_i of node row + 1: density [count] (kg/m), tension [count+1] (N, at s_i - h/2, and at the end
 * s_i + h/2 of the last), friction [count] (N/m). f_i = f(s_i, t) h is the caller's SimLoad. */
SimStatus sim_string_fill(SimProblem *problem, double length, const double *density, const double *tension,
                          const double *friction);
/* Bytes of memory that problem, model, workspace and one SimFinal take on this rank for so many rows and entries of M, A,
 * D together; an estimate from above for `exact` and one rank (tridiagonal M, A, D: no fill). */
double sim_sparse_memory(int rows, long entries, int n_control);

/* f(t) [count], N, as a function, in place of what was set before: asked by sim_model_create at sim_force_time(k), or, where the scheme takes f
 * in pieces, at any times (it may have no jumps or kinks then: else sim_problem_set_pieces); of sparse storage as the motion goes on. context: borrowed
 * as long. NULL: f = 0. Not of chains whose scheme wants the force's rate, too. */
SimStatus sim_problem_set_force(SimProblem *problem, void (*force)(void *context, double t, double *f), void *context);

/* Allocates problem->force, unless the scheme takes it in pieces, and what the kind has at the same times, zeroed; kind, a
 * chain's case, end, step, steps and scheme must be set. SIM_NO_MEMORY leaves them NULL. */
SimStatus sim_problem_alloc_force(SimProblem *problem);
void sim_problem_clear(SimProblem *problem); /* frees all that it owns */
/* A problem of its own with the same numbers; its group and its load are borrowed, as the other's. SIM_NO_MEMORY leaves it cleared. */
SimStatus sim_problem_copy(const SimProblem *problem, SimProblem *copy);

/* How many force samples the scheme wants, and when (s). end, step, steps and scheme must be set. */
long sim_force_count(const SimProblem *problem);
double sim_force_time(const SimProblem *problem, long k); /* when sample k is, s */

/* Whether the scheme takes f in pieces, not at times. */
bool sim_force_in_pieces(const SimProblem *problem);
/* Makes them, good to round-off, of f(t) = load->at, which is asked at any times inside 0..end: a piece ends at each of the n
 * breaks, ascending, inside 0..end, and wherever else f jumps or has a kink. d, end set. SIM_NO_MEMORY; at
 * *where, SIM_NON_FINITE: f is not finite, SIM_NOT_CONVERGED: f swings so fast that the pieces up to there are more than n and
 * 2^17/d. All leave the problem without pieces. */
SimStatus sim_problem_set_pieces(SimProblem *problem, const SimLoad *load, int n, const double *breaks, double *where);

/* Has the surfaces move with w(t) = velocity->at, one number for all rows or one each, which is asked at any times inside 0..end;
 * breaks as above, at which w may have kinks. Where w is 0 at all times none moves. SIM_BAD_PROBLEM: w jumps, at *where; else
 * as sim_problem_set_pieces. All of these leave no surface that moves. */
SimStatus sim_problem_set_surface(SimProblem *problem, int columns, const SimLoad *velocity, int n,
                                  const double *breaks, double *where);

/* Has thresholds change in time, N, of SIM_FRICTION: thresholds->at gives columns numbers, one for all rows or one each, and, where
 * by_direction is set, as many for slipping backward. They may jump. breaks as above. SIM_BAD_PROBLEM: one is below 0 at *where;
 * else as sim_problem_set_pieces. All of these leave none that change. */
SimStatus sim_problem_set_thresholds(SimProblem *problem, int columns, const SimLoad *thresholds, int n,
                                     const double *breaks, double *where);
/* Has thresholds rise by h(e) = law->at(e), N, one number for all rows or one each, over lower <= e <= upper, as sim_problem_set_springs has
 * laws; the thresholds themselves, constant or in time, have been set. Motions that leave the range end with SIM_OUT_OF_RANGE.
 * SIM_BAD_PROBLEM, too: a threshold is below 0 at *where. */
SimStatus sim_problem_set_rise(SimProblem *problem, SimElongation of, int columns, const SimLoad *law, double lower,
                               double upper, int n, const double *breaks, double *where);
/* Adds viscous friction b [d], N s/m, of SIM_FRICTION: to D, which must be there, and to viscous. SIM_NO_MEMORY leaves it as it was. */
SimStatus sim_problem_set_viscous(SimProblem *problem, const double *b);

/* Makes stribeck a table, of SIM_FRICTION: friction [columns][n], N, at ascending speeds [n], m/s; below the first speed it is what
 * it is there. friction[..][0] > 0, all others >= 0. c stays what it is. SIM_BAD_PROBLEM: a number is not so, its index in
 * speed, or behind n of friction, at *where; SIM_NO_MEMORY. Both leave the problem without a law. */
SimStatus sim_problem_set_friction_table(SimProblem *problem, int n, int columns, const double *speed,
                                         const double *friction, long *where);

/* Gives the springs of a place the law g(e) = law->at(e), one number for all or one each, over lower <= e <= upper; breaks as above,
 * at which it may have kinks. Motions that go beyond end with SIM_OUT_OF_RANGE. Statuses as of sim_problem_set_surface; those but
 * SIM_OK leave no such springs. */
SimStatus sim_problem_set_springs(SimProblem *problem, SimSpringPlace place, int columns, const SimLoad *law,
                                  double lower, double upper, int n, const double *breaks, double *where);

/* Whether the scheme wants chain.force_rate, too: implicit_euler where nodes of a chain have no mass. */
bool sim_force_rate_wanted(const SimProblem *problem);

/* The last step before sim_model_create: checks everything but the force, tells each mistake, fills problem->bounds, and puts their
 * defaults where constants of the scheme that have such (r, epsilon: see their rows) are 0. To be called again when anything but the
 * force has been changed. Collective over the problem's group. SIM_OK, SIM_BAD_PROBLEM, SIM_NO_MEMORY, SIM_BAD_ARGUMENT. */
SimStatus sim_problem_finalize(SimProblem *problem, const SimReport *report);

/* The same, with the same result, and quicker where M, A and D are dense, and those of a problem `like` that has been finalized: what is known of
 * them is not computed again. */
SimStatus sim_problem_finalize_like(SimProblem *problem, const SimProblem *like, const SimReport *report);

/* The part of it that does not depend on r and epsilon, which may depend on its bounds: reports each mistake; fills *bounds when there is none. As above. */
SimStatus sim_problem_check(const SimProblem *problem, const SimReport *report, SimBounds *bounds);

/* s, about, on a core of 3 GHz, that these two look for eigenvalues of dense matrices: O(d^3), less where they are narrow bands. */
double sim_problem_check_seconds(const SimProblem *problem);

/* The friction threshold of dof i, N: c_i, and a gear box's share |k_i| (b_i - a_i)/2. */
double sim_problem_threshold(const SimProblem *problem, int i);

/* The friction force of dof i at t, N, on the left of (1): c_i (lambda - gamma_i(v)), with a gear box's share; x [count], v, lambda as observers see
 * them (v: slide). x is read where thresholds depend on place, else it may be NULL. */
double sim_friction_force(const SimProblem *problem, int i, double t, const double *x, double v, double lambda);

/* A SimProblem with its force as bytes, and back, for other processes of the same build. Without load, not of sparse storage (size 0). */
size_t sim_problem_packed_size(const SimProblem *problem);
void sim_problem_pack(const SimProblem *problem, void *bytes); /* writes sim_problem_packed_size bytes */
SimStatus sim_problem_unpack(SimProblem *problem, const void *bytes, size_t size); /* reads them back */
SIM_API_END
#endif
