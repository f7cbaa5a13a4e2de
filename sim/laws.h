/* SPDX-License-Identifier: BSD-2-Clause */
/* The friction laws that problem files can name, one row each. Enumerators, names, keys, scalar code and vector code
 * are all generated from the rows; a new law is a new row. This file also has tables of measured friction. */
#ifndef SIM_LAWS_H
#define SIM_LAWS_H

/* clang-format off: these are tables */

/* The Stribeck term gamma(s) of equation (1) in sim.h and of its gear box. It is odd and increasing, with |gamma| <=
 * beta; s and epsilon in m/s; exponent >= 1, for the one law that has it. A row is X(enumerator, name in problem files,
 * description, gamma(s), gamma'(s)). gamma is compiled for a double and for vectors of doubles, so it may use only
 * operators and the functions of sim/law/lane_vector.h and sim/law/friction_law.h. gamma' is compiled for a double. */
#define SIM_STRIBECK_LAWS(X)                                                                                           \
  X(SIM_STRIBECK_SQRT, "sqrt", "gamma(s) = beta s/sqrt(epsilon^2 + s^2)",                                              \
    beta *s / simd_root(epsilon * epsilon + s * s),                                                                    \
    beta * epsilon * epsilon / ((epsilon * epsilon + s * s) * sqrt(epsilon * epsilon + s * s)))                        \
  X(SIM_STRIBECK_RAMP, "ramp", "gamma(s) = beta s/epsilon up to |s| = epsilon, beta sign(s) beyond",                   \
    simd_choose(simd_at_most(simd_abs(s), simd_of(epsilon)), beta *s / epsilon, beta * friction_sign(s)),              \
    fabs(s) <= epsilon ? beta / epsilon : 0)                                                                           \
  X(SIM_STRIBECK_EXPONENTIAL, "exponential", "gamma(s) = beta sign(s) (1 - exp(-|s/epsilon|^exponent))",               \
    beta *friction_sign(s) * friction_saturation(exponent, simd_abs(s) / epsilon),                                     \
    beta / epsilon * friction_saturation_slope(exponent, fabs(s) / epsilon))

/* The speed v that a force f_d causes in a dash-pot if |f_d| > f = f_crit; otherwise v = 0. |v| is a polynomial of the
 * excess w = |f_d| - f without a constant term. g is model.gamma, in m/(N s) with the law's powers of N. A row is
 * X(enumerator, name in problem files, description, keys of the model that the law has, degree, coefficients of w, w^2,
 * ..). Degree 0 with the coefficient 0 means w = 0 at any speed. */
#define SIM_DASHPOT_LAWS(X)                                                                                            \
  X(SIM_VISCOUS, "viscous", "v = g f_d", TAKES_GAMMA, 1, g)                                                            \
  X(SIM_BINGHAM, "bingham", "v = g (f_d - sign(f_d) f_crit)", TAKES_GAMMA | TAKES_F_CRIT, 1, g)                        \
  X(SIM_BINGHAM_CUBIC, "bingham_cubic", "v = g f_d^2 (f_d - sign(f_d) f_crit), (4.7b)", TAKES_GAMMA | TAKES_F_CRIT, 3, \
    g * f * f, 2 * g * f, g)                                                                                           \
  X(SIM_BINGHAM_NONMONOTONE, "bingham_nonmonotone",                                                                    \
    "v = g q(f_d^2) (f_d - sign(f_d) f_crit), q(s) = 1 + (s-4)(s-9)/10, f_crit = 1, (5.16)",                           \
    TAKES_GAMMA | TAKES_F_CRIT | TAKES_SELECTION, 5, g * 34 / 10, g * -22 / 10, g * -7 / 10, g * 4 / 10, g * 1 / 10)   \
  X(SIM_COULOMB, "coulomb", "f_d in f_crit sgn(v)", TAKES_F_CRIT, 0, 0)

/* clang-format on */

/* Friction measured at some speeds: F(s), in N, at the sliding speed s >= 0, equal in both directions. Between two
 * given speeds F is a monotone cubic (sim/monotone.h); above the largest speed it is constant. Only the shape of F
 * matters: on a dof with threshold c the friction is c F(s)/F(0). */
typedef struct SimFrictionTable {
  int points;   /* number of speeds; 0: there is no table */
  int columns;  /* number of functions: 1 if all dofs share one; otherwise d, with dense storage */
  double *rows; /* [columns][points][SIM_TABLE_ROW] rows; NULL until stiction_problem_set_friction_table is called */
} SimFrictionTable;
/* A row of the table: the speed from which it holds, in m/s (0 in the first row); F at that speed, in N; coefficients
 * of gamma by powers of z = (s - speed)/width, where width is the distance to the next row's speed. In the last row
 * gamma is constant. */
enum {
  SIM_TABLE_SPEED,
  SIM_TABLE_FRICTION,
  SIM_TABLE_GAMMA,
  SIM_TABLE_ORDER = 3,
  SIM_TABLE_ROW = SIM_TABLE_GAMMA + SIM_TABLE_ORDER + 1
};

#endif
