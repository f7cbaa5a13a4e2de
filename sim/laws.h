/* The laws that problem files name, one row each: enumerators, names, keys, scalar code and lanes all come from the rows.
 * A new law is a new row. Beside them, what is measured. */
#ifndef SIM_LAWS_H
#define SIM_LAWS_H

#include "sim/api.h"

SIM_API_BEGIN

/* clang-format off: tables */

/* The Stribeck term gamma(s) of sim.h (1) and of its gear box; s, epsilon in m/s: odd, increasing, |gamma| <= beta. exponent: >= 1,
 * of the one law that takes it.
 * X(enumerator, name in problem files, sentence, gamma(s), gamma'(s)): gamma is compiled for a double and for vectors of
 * them, so it has only operators and the functions of sim/law/lane_vector.h and sim/law/friction_law.h; gamma' for a double. */
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

/* The speed v that a force f_d makes in a dash-pot beyond |f_d| > f = f_crit; below, v = 0. Of the excess w = |f_d| - f, |v|
 * is a polynomial with no constant; g: model.gamma, m/(N s) with the law's powers of N.
 * X(enumerator, name in problem files, sentence, keys of the model that it takes,
 *   degree, coefficients of w, w^2, .. (of degree 0, 0: w = 0 at any speed)) */
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

/* Friction measured at some speeds: F(s), N, of slipping at the speed s >= 0, the same both ways. Between two speeds a monotone cubic
 * (sim/monotone.h), constant beyond the last. Only its shape counts: c F(s)/F(0) is what acts on a dof of threshold c. */
typedef struct SimFrictionTable {
  int points;   /* 0: there is none */
  int columns;  /* 1: one for all; or one each, of dense storage */
  double *rows; /* [columns][points][SIM_TABLE_ROW]; NULL until sim_problem_set_friction_table */
} SimFrictionTable;
/* A row: the speed, m/s, from which it holds, the first 0; F there; gamma's coefficients by the powers of z = (s - speed)/width, the part
 * of the way to the next row's speed that has passed; beyond the last gamma is constant. */
enum {
  SIM_TABLE_SPEED,
  SIM_TABLE_FRICTION,
  SIM_TABLE_GAMMA,
  SIM_TABLE_ORDER = 3,
  SIM_TABLE_ROW = SIM_TABLE_GAMMA + SIM_TABLE_ORDER + 1
};

SIM_API_END

#endif
