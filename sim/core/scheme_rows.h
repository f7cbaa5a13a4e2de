/* SPDX-License-Identifier: BSD-2-Clause */
/* Problem-file keys that several schemes share: the struct with their values, and the rows that describe them in tables
 * of parameters. */
#ifndef SIM_SCHEME_ROWS_H
#define SIM_SCHEME_ROWS_H

#include "sim/internal.h"
#include "sim/parameter.h"

#include <math.h>

/* Parameters that every scheme of SIM_FRICTION has. The struct of each scheme begins with these members, so that the
 * rows below apply to all of them. */
typedef struct FrictionParameters {
  SimMultiplier multiplier; /* law of the multiplier: (1.10) or (1.18) of Glowinski-Kearsley */
  SimSolver solver;
  double tolerance; /* for the solver fixed_point: eta of (1.15) of Glowinski-Kearsley; for lie and strang: limit of the
                     * change of lambda */
  double r; /* r of (1.10) of Glowinski-Kearsley, 1/(N m/s); for lie and strang: rho of Shiau-Glowinski (4.21); 0: the
             * scheme's default */
} FrictionParameters;

/* Returns the parameters of a problem of kind SIM_FRICTION. */
static inline const FrictionParameters *friction_parameters(const SimProblem *problem) { return problem->parameters; }

/* Variables that expressions in a scheme's keys may use: the step dt, the end time T, and delta, the bound of
 * eigenvalues for the fixed-point iteration (SimBounds). */
#define SCHEME_VARIABLES "step, T, delta"

/* Choices for the law of the multiplier lambda. */
#define CHOICE_UNREGULARIZED                                                                                           \
  { "unregularized", SIM_UNREGULARIZED, "lambda in sgn(v): what sticks does not move" }
#define CHOICE_REGULARIZED                                                                                             \
  {                                                                                                                    \
    "regularized", SIM_REGULARIZED,                                                                                    \
        "lambda follows with a lag of about epsilon, and what sticks creeps at epsilon lambda'/(r c)"                  \
  }
#define CHOICE_SMOOTH                                                                                                  \
  { "smooth", SIM_SMOOTH, "v/sqrt(eta^2 + v^2) for sgn(v): nothing sticks quite; exact solver only" }

#define ROW_MULTIPLIER(list, law)                                                                                      \
  SIM_ROW(FrictionParameters, multiplier, .forms = SIM_FORM_CHOICE, .choices = (list), .preset = (law),                \
          .sentence = "the law between velocity and friction multiplier lambda")
#define ROW_SOLVER                                                                                                     \
  SIM_ROW(FrictionParameters, solver, .forms = SIM_FORM_CHOICE, .choices = scheme_solvers, .preset = SIM_EXACT,        \
          .sentence = "how a step's friction problem is solved")
#define ROW_TOLERANCE                                                                                                  \
  SIM_ROW(FrictionParameters, tolerance, .forms = SIM_FORM_NUMBER, SIM_ABOVE(0), .preset = 1.5e-8,                     \
          .sentence = "of fixed_point: on the change of x, of lie and strang on that of lambda")
#define ROW_R(text, function)                                                                                          \
  SIM_ROW(FrictionParameters, r, .forms = SIM_FORM_FORMULA, .variables = SCHEME_VARIABLES, SIM_ABOVE(0),               \
          .unit = "1/(N m/s)", .default_text = (text), .derive = (function),                                           \
          .sentence = "lambda = P(lambda + r c v), of fixed_point and of the regularized law; fixed_point converges "  \
                      "for 0 < r < 4/(delta step)")
/* Row of the key alpha in a scheme's table of parameters. type: the scheme's struct, which has a member alpha. */
#define ROW_ALPHA(type)                                                                                                \
  SIM_ROW(type, alpha, .forms = SIM_FORM_NUMBER, SIM_FROM_TO(0, 0.5), .preset = 0.25,                                  \
          .sentence = "weight of a step's two ends in the elastic force; stable at any step from 1/4 on")

extern const SimChoice scheme_solvers[];

/* These functions return defaults of the relaxation parameter r: one half, and three quarters, of the largest r with
 * which the fixed-point iteration converges; 1 without friction. */
double scheme_r_half(const SimProblem *problem, const SimBounds *bounds);
double scheme_r_three_quarters(const SimProblem *problem, const SimBounds *bounds);

#endif
