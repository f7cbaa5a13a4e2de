/* Keys that several schemes take, for their tables of parameters. */
#ifndef SIM_SCHEME_ROWS_H
#define SIM_SCHEME_ROWS_H

#include "sim/parameter.h"
#include "sim/sim.h"

#include <math.h>

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
  {                                                                                                                    \
    .key = "multiplier", .forms = SIM_FORM_CHOICE, .choices = (list), .preset = (law),                                 \
    .sentence = "the law between velocity and friction multiplier lambda", SIM_MEMBER(SimProblem, multiplier)          \
  }
#define ROW_SOLVER                                                                                                     \
  {                                                                                                                    \
    .key = "solver", .forms = SIM_FORM_CHOICE, .choices = scheme_solvers, .preset = SIM_EXACT,                         \
    .sentence = "how a step's friction problem is solved", SIM_MEMBER(SimProblem, solver)                              \
  }
#define ROW_TOLERANCE                                                                                                  \
  {                                                                                                                    \
    .key = "tolerance", .forms = SIM_FORM_NUMBER, SIM_ABOVE(0), .preset = 1.5e-8,                                      \
    .sentence = "of fixed_point: on the change of x, of lie and strang on that of lambda",                             \
    SIM_MEMBER(SimProblem, tolerance)                                                                                  \
  }
#define ROW_R(text, function)                                                                                          \
  {                                                                                                                    \
    .key = "r", .forms = SIM_FORM_FORMULA, .variables = SCHEME_VARIABLES, SIM_ABOVE(0), .unit = "1/(N m/s)",           \
    .default_text = (text), .derive = (function),                                                                      \
    .sentence = "lambda = P(lambda + r c v), of fixed_point and of the regularized law; fixed_point converges for "    \
                "0 < r < 4/(delta step)",                                                                              \
    SIM_MEMBER(SimProblem, r)                                                                                          \
  }
#define ROW_ALPHA                                                                                                      \
  {                                                                                                                    \
    .key = "alpha", .forms = SIM_FORM_NUMBER, SIM_FROM_TO(0, 0.5), .preset = 0.25,                                     \
    .sentence = "weight of a step's two ends in the elastic force; stable at any step from 1/4 on",                    \
    SIM_MEMBER(SimProblem, alpha)                                                                                      \
  }

/* Of lie and strang. */
#define ROW_FRICTION_SUBSTEPS(number, text)                                                                            \
  {                                                                                                                    \
    .key = "friction_substeps", .forms = SIM_FORM_INTEGER, SIM_FROM_TO(1, 1000000), .preset = (number),                \
    .sentence = (text), SIM_MEMBER(SimProblem, friction_substeps)                                                      \
  }
#define ROW_ELASTIC_SUBSTEPS                                                                                           \
  {                                                                                                                    \
    .key = "elastic_substeps", .forms = SIM_FORM_INTEGER, SIM_FROM_TO(1, 1000000), .preset = 2,                        \
    .sentence = "steps of the elastic part in a step", SIM_MEMBER(SimProblem, elastic_substeps)                        \
  }
#define ROW_ELASTIC                                                                                                    \
  {                                                                                                                    \
    .key = "elastic", .forms = SIM_FORM_CHOICE, .choices = scheme_elastics,                                            \
    .sentence = "how the elastic part is solved", SIM_MEMBER(SimProblem, elastic_exact)                                \
  }
#define ROW_ETA                                                                                                        \
  {                                                                                                                    \
    .key = "eta", .forms = SIM_FORM_FORMULA, .variables = SCHEME_VARIABLES, SIM_ABOVE(0), .zero_is_none = true,        \
    .unit = "m/s", .default_text = "none: to be given with multiplier: smooth",                                        \
    .sentence = "width of the smooth multiplier", SIM_MEMBER(SimProblem, eta)                                          \
  }

extern const SimChoice scheme_solvers[], scheme_elastics[];

/* Defaults of r: half, or three quarters, of what the fixed point converges below; 1 without friction. */
double scheme_r_half(const SimProblem *problem, const SimBounds *bounds);
double scheme_r_three_quarters(const SimProblem *problem, const SimBounds *bounds);

#endif
