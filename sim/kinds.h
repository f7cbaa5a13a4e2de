/* SPDX-License-Identifier: BSD-2-Clause */
/* The kinds of models and the data of each kind. sim/sim.h has equation (1), to which the comments refer. Included by
 * sim/internal.h. All arrays belong to the SimProblem (sim/problem.h). */
#ifndef SIM_KINDS_H
#define SIM_KINDS_H
#include "sim/laws.h"
#include "sim/matrix.h"
#include "sim/sim.h"

#include <stdbool.h>

/* How the matrices M, A, D are stored. */
typedef enum SimStorage {
  SIM_DENSE, /* arrays [d][d] in one process */
  SIM_SPARSE /* nonzero entries, with rows distributed over the ranks of a group; for strings and chains of blocks */
} SimStorage;

#define SIM_LAW_ENUMERATOR(law, ...) law, /* makes the enumerator of a row of sim/laws.h */

/* The law of gamma_i in (1), which describes the drop of friction with speed. gamma is odd and increasing, gamma(0) =
 * 0, with parameters 0 < beta < 1 and epsilon > 0 (m/s). */
typedef enum SimStribeck {
  SIM_STRIBECK_NONE,                    /* gamma = 0 */
  SIM_STRIBECK_LAWS(SIM_LAW_ENUMERATOR) /* the laws of sim/laws.h */
  SIM_STRIBECK_TABLE                    /* gamma(s) = (1 - F(|s|)/F(0)) sign(s), with F of the SimFrictionTable */
} SimStribeck;

/* The law between velocity and multiplier lambda. */
typedef enum SimMultiplier {
  SIM_UNREGULARIZED, /* lambda in sgn(v) */
  SIM_REGULARIZED,   /* for the scheme centered: law (1.18) of Glowinski-Kearsley */
  SIM_SMOOTH         /* for the schemes lie and strang: lambda = v / sqrt(eta^2 + v^2), Glowinski et al. (5) */
} SimMultiplier;
/* Solver of the friction problem of one step. */
typedef enum SimSolver { SIM_EXACT, SIM_FIXED_POINT } SimSolver;

/* Gear box of each dof. It adds k g(delta w) to the left side of (1), where w = x' and
 *
 *   g(s) = (a+b)/2 + (b-a)/2 (sgn s - gamma_gb(s)),  0 < a < b.
 *
 * The friction threshold is then c + |k| (b-a)/2, and the load k (a+b)/2 acts like a force. */
typedef struct SimGearbox {
  bool present;    /* whether there is a gear box; if not, the other fields are ignored */
  SimStribeck law; /* the law of gamma_gb, the drop of the gear box's friction with speed */
  double *delta;   /* [d] delta, the factor of the speed */
  double *k;       /* [d] k(delta), signed, odd and increasing in delta, in N */
  double *a;       /* [d] coefficient a in the formula of g above, > 0 */
  double *b;       /* [d] coefficient b in the formula of g above, > a */
  double *beta;    /* [d] beta of the gear box's gamma_gb, in (0, 1) */
  double *epsilon; /* [d] epsilon of the gear box's gamma_gb, > 0 */
  double exponent; /* exponent >= 1 of the gear box's gamma_gb, for a law that has one; 0: default, 1 */
} SimGearbox;

/* M, D, A, gamma and the gear box of equation (1) in sim/sim.h. C is problem->friction. */
typedef struct SimSystem {
  SimStorage storage; /* storage of the three matrices */
  double *mass;       /* [d][d] M in kg; dofs without mass have rows and columns of 0; NULL with sparse storage */
  double *stiffness;  /* [d][d] A in N/m; NULL with sparse storage */
  double *damping;    /* [d][d] D in N s/m; D + D' is positive semi-definite; NULL with sparse storage */
  SimSparse sparse;   /* the three matrices with sparse storage */

  SimStribeck stribeck;     /* the law of gamma */
  double *stribeck_beta;    /* [d] beta of gamma, in (0, 1) */
  double *stribeck_epsilon; /* [d] epsilon of gamma, in m/s */
  double stribeck_exponent; /* exponent >= 1, for a law that has one; 0: default, 1 */
  SimFrictionTable table;   /* table of the law SIM_STRIBECK_TABLE; the three fields above are then ignored */
  SimGearbox gearbox;
} SimSystem;

/* Laws of a dash-pot: the speed that a force f_d causes if |f_d| > f_crit (sim/laws.h). For smaller forces v = 0. */
typedef enum SimDashpotLaw { SIM_DASHPOT_LAWS(SIM_LAW_ENUMERATOR) } SimDashpotLaw;
/* Whether a law has a key of problem files: gamma, f_crit or selection. */
bool sim_dashpot_law_takes(SimDashpotLaw law, const char *key);

/* Choice between several solutions of a step with the non-monotone law: the solution with the velocity nearest to that
 * of the previous step, or the solution with the largest dissipation. */
typedef enum SimSelection { SIM_NEAREST_VELOCITY, SIM_MAX_DISSIPATION } SimSelection;

/* A mass on a spring and a dash-pot: m v' = f + B u - k x - f_d + lambda_contact, x' = v (d = 1). The threshold f_crit
 * of the force f_d is problem->friction. */
typedef struct SimDashpot {
  double mass;            /* m in kg */
  double stiffness;       /* k in N/m */
  SimDashpotLaw law;      /* law of the force f_d */
  SimSelection selection; /* choice among several solutions, for the law bingham_nonmonotone */
  double g;               /* the law's constant gamma > 0; its unit is m/(N s), divided by further powers of N for
                           * nonlinear laws */
  bool has_support; /* whether there is a support: lambda_contact = -support_stiffness max(0, x - support_position) */
  double support_position;  /* L in m */
  double support_stiffness; /* ks in N/m */
} SimDashpot;

/* Nodes of a chain that have mass: all (dynamical), the last one (semi-dynamical), none (quasistatic). */
typedef enum SimChainCase { SIM_CHAIN_DYNAMICAL, SIM_CHAIN_SEMI_DYNAMICAL, SIM_CHAIN_QUASISTATIC } SimChainCase;
/* Condition at the right end of a chain. */
typedef enum SimChainEnd {
  SIM_END_CLAMPED,     /* both ends are held */
  SIM_END_FREE,        /* the right end is free and pushed by the given force F_{n+1} */
  SIM_END_DISPLACEMENT /* the right end moves by the given displacement x(t) */
} SimChainEnd;

/* A chain of n = d nodes with stiffness matrix K = tridiag(-k_{i-1}, k_{i-1}+k_i, -k_i); if the right end is free, k_n
 * is 0 in the last entry. Thresholds alpha_i = problem->friction, displacements V = x, velocities W = v. problem->force
 * is the force F on the nodes with the contribution of the end added to F_n: F_n - F_{n+1}, or F_n + k_n x(t). A step
 * takes O(n) operations. */
typedef struct SimChain {
  SimChainCase chain_case; /* which nodes have mass */
  SimChainEnd end;         /* condition at the right end */
  double *springs;         /* [d+1] stiffnesses of the springs k_0..k_n, in N/m, >= 0 */
  double *held;            /* [d+1] in a SimModel: copy of `springs`, with k_n = 0 if the right end is free */
  /* [d] mass of each node, in kg; dynamical: all > 0; semi-dynamical: only the last > 0; quasistatic: 0 */
  double *node_mass;
  /* Samples at the same times as problem->force; both arrays are NULL before sim_problem_alloc_force. */
  /* [count][d] right-hand derivative F' of the force, including the end's contribution, N/s; NULL unless
   * sim_force_rate_wanted */
  double *force_rate;
  /* [count] force F_{n+1}, in N, or displacement x(t), in m, of the right end; 0 if the end is clamped; NULL means 0 */
  double *end_value;
} SimChain;

/* Equations of motion as nodes of an expression graph (sim/graph), stored as doubles. In this form they are copied,
 * packed and compared like all other values of a problem:
 *
 *     r_i(q, q', q'', t, p) - Q_i(q, q', t, p) - f_i - (B u)_i + c_i(q, q', t, p) lambda_i = 0,   lambda_i in sgn(q'_i)
 *
 * sim/mechanism/equations.h writes and reads them. q is x in SimProblem, and a threshold is friction[i] c_i, with a
 * factor friction[i] that is at first 1 where c_i is not 0. */
typedef struct SimEquations {
  int nodes;       /* number of nodes of the graph */
  int parameters;  /* number of parameters p */
  double *graph;   /* [nodes][6] kind, operands a, b, c, factor, offset */
  double *outputs; /* [3 d + 2] nodes of r, Q, c, and of the energy E and its power: dE/dt = q'.r + power */
  double *values;  /* [parameters] values of the parameters p */
} SimEquations;

/* The law g(e) of springs, force in N, as piecewise polynomials of the elongation e, in m. A row has sim_curve_size
 * numbers, laid out as in SimProblem.surface; instead of the distance it has the potential energy at the piece's
 * origin, in J. Near the zeros of g, where springs may rest, pieces are shorter and their origins are close to the
 * zeros. All springs share one law, or each has its own. */
typedef struct SimSpringLaw {
  double *rows; /* NULL: no law */
  long pieces;  /* number of rows */
  int columns;  /* number of laws: 1; or d for anchors, d - 1 for links */
} SimSpringLaw;

/* Stops that keep x_i in lower_i <= x_i <= upper_i (sim/joint/stops.h has the law of impact). */
typedef struct SimStops {
  bool present;      /* whether there are stops; if not, the other fields are ignored */
  double *lower;     /* [d] smallest x_i, in m, at most x0_i; NAN: none */
  double *upper;     /* [d] largest x_i, in m, at least x0_i and above lower; NAN: none */
  double *stiffness; /* [d] stiffness of the stops, in N/m; NAN: rigid */
  /* [d] coefficient of restitution e in [0, 1], the ratio of the speeds after and before an impact; 0 if the stop is
   * not rigid */
  double *restitution;
} SimStops;

#endif
