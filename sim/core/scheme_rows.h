/* Keys that several schemes take: their struct, and their rows for tables of parameters. */
#ifndef SIM_SCHEME_ROWS_H
#define SIM_SCHEME_ROWS_H

#include "sim/parameter.h"
#include "sim/sim.h"

#include <math.h>

/* What every scheme of SIM_FRICTION takes: the head of its struct of parameters, so that the rows below serve them all. */
typedef struct FrictionParameters {
  SimMultiplier multiplier; /* (1.10) or (1.18) of Glowinski-Kearsley */
  SimSolver solver;
  double tolerance; /* fixed_point: eta of (1.15); lie, strang: on the change of lambda */
  double r; /* the r of (1.10), 1/(N m/s); lie, strang: rho of Shiau-Glowinski (4.21); 0: the scheme's default */
} FrictionParameters;

/* problem: of SIM_FRICTION. */
static inline const FrictionParameters *friction_parameters(const SimProblem *problem) { return problem->parameters; }

/* What the expressions of a scheme's keys may use: dt, the end of time, and the bounds' delta. */
#define SCHEME_VARIABLES "step, T, delta"

/* Laws of the multiplier, for lists of choices. */
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
/* type: the scheme's struct, which has an alpha. */
#define ROW_ALPHA(type)                                                                                                \
  SIM_ROW(type, alpha, .forms = SIM_FORM_NUMBER, SIM_FROM_TO(0, 0.5), .preset = 0.25,                                  \
          .sentence = "weight of a step's two ends in the elastic force; stable at any step from 1/4 on")

extern const SimChoice scheme_solvers[];

/* Defaults of r: half, or three quarters, of what the fixed point converges below; 1 without friction. */
double scheme_r_half(const SimProblem *problem, const SimBounds *bounds);
double scheme_r_three_quarters(const SimProblem *problem, const SimBounds *bounds);

#endif
