/* SPDX-License-Identifier: BSD-2-Clause */
/* The centred scheme of Glowinski-Kearsley (1.1)-(1.19), with viscous damping at the centred velocity:
 *
 *   M (x+ - 2x + x-)/dt^2 + D (x+ - x-)/(2dt) + A (alpha x+ + (1-2alpha) x + alpha x-) + C (lambda - gamma) = f + B u
 *
 * solved for w = x+ - x-, so that a stuck dof has w = 0 and x+ = x- exactly:
 *
 *   (K + dt/2 D) w + dt^2 C lambda = dt^2 (f + B u - A x + C gamma) + 2 K (x - x-), K = M + dt^2 alpha A
 *
 * gamma is evaluated at v^{n-1}, the last known centred velocity. v^n = w/(2dt), so a rollout takes one step past T.
 *
 * In the rows of dofs without mass, P, this equation would let errors alternate from step to step, since nothing damps
 * them. So these rows are those of backward Euler at the step's end,
 *
 *   D_PP w/(2dt) + A_P x+ + C (lambda - gamma) = f + B u,
 *
 * which balance the forces on P with the other dofs' positions at the same time. Such a dof, if it has no friction,
 * follows the others without changing the energy. With such rows the matrix E of the step is symmetric only if alpha is
 * 1, so models with such dofs use alpha = 1, whatever value the key has. The right sides of these rows contain K (x -
 * x-) once, not twice. */
#include "sim/friction/centered.h"
#include "sim/core/scheme.h"
#include "sim/core/scheme_rows.h"
#include "sim/friction/record.h"
#include "sim/operator/massless.h"

#include <math.h>

enum { N_ENERGY = 7 };

typedef enum CenteredStart { START_CONSISTENT, START_PAPER } CenteredStart;

typedef struct CenteredParameters {
  FrictionParameters friction;
  double alpha;   /* weight alpha of x+ and of x- in the force of A, in [0, 1/2] */
  double epsilon; /* time lag of the regularized multiplier, in s; 0: the default, step^(6/5) */
  CenteredStart start;
} CenteredParameters;

static const SimChoice starts[] = {
    {"consistent", START_CONSISTENT,
     "lambda^0 of a dof at rest by the friction law: what is loaded below its threshold "
     "stays"},
    {"paper", START_PAPER, "lambda^0 = 0 at rest, so that a loaded dof slides before it sticks"},
    {0}};
static const SimChoice multipliers[] = {CHOICE_REGULARIZED, CHOICE_UNREGULARIZED, {0}};

static double default_epsilon(const SimProblem *p, const SimBounds *bounds) {
  (void)bounds;
  return pow(p->step, 6.0 / 5);
}

static const SimParameter parameters[] = {
    ROW_ALPHA(CenteredParameters),
    SIM_ROW(CenteredParameters, start, .forms = SIM_FORM_CHOICE, .choices = starts, .preset = START_CONSISTENT,
            .sentence = "the multiplier at t = 0 of what is at rest"),
    ROW_MULTIPLIER(multipliers, SIM_REGULARIZED),
    SIM_ROW(CenteredParameters, epsilon, .forms = SIM_FORM_FORMULA, .variables = SCHEME_VARIABLES, SIM_ABOVE(0),
            .unit = "s", .default_text = "step^(6/5)", .derive = default_epsilon,
            .sentence = "time lag of the regularized multiplier, (1.18)"),
    ROW_R("2/(delta*step)", scheme_r_half),
    ROW_SOLVER,
    ROW_TOLERANCE,
    {0}};

/* Returns alpha, the weight of x+ and of x- in the force of A; 1 if some dofs have no mass. */
static double outer(const SimProblem *p) {
  const CenteredParameters *own = p->parameters;
  return massless_present(p) ? 1 : own->alpha;
}

/* Returns the largest stable step in s. Below it M/dt^2 + alpha A > A/4, so the energy at half steps is positive. nu:
 * largest eigenvalue of M^-1 A, in 1/s^2. */
static double step_limit(const SimProblem *p, double nu) {
  double below = 0.25 - outer(p);
  return below > 0 && nu > 0 ? 1 / sqrt(below * nu) : INFINITY;
}

static OperatorSum inertia(const SimProblem *p) {
  return (OperatorSum){.term = {{OPERATOR_MASS, 1}, {OPERATOR_STIFFNESS, p->step * p->step * outer(p)}}};
}

static OperatorSum step_operator(const SimProblem *p) {
  OperatorSum sum = inertia(p);
  sum.term[2] = (OperatorTerm){OPERATOR_DAMPING, p->step / 2};
  sum.bounds = massless_present(p);
  return sum;
}

static double rest_weight(const SimProblem *p) { return p->step * p->step / 2; }

/* Whether the first step may hold dof i at rest. A dof that moves has lambda = sign(v0). With start `consistent` a dof
 * at rest obeys the friction law: its lambda^0 is P((f^0 + B u - A x0)/c), but with the coupling by M, D and gamma of
 * the steps, so that a dof that sticks at n = 0 also sticks at n = 1. With start `paper` lambda^0 is 0 for any load. A
 * dof without mass always obeys the law, since it would otherwise make a large displacement in the first step. */
static bool rests(const SimProblem *p, int i) {
  const CenteredParameters *own = p->parameters;
  return (own->start == START_CONSISTENT && p->v0[i] == 0) || massless_dof(p, i);
}

static SimStatus prepare_first(const SimModel *model, FormPlan *plan) {
  SimStatus status = SIM_OK;
  if (plan->light && plan->start == plan->inertia) {
    OperatorSum apart = plan->form.inertia;
    apart.apart = true;
    status = operator_create(&model->problem, apart, &plan->start);
  }
  return status == SIM_OK ? form_prepare_first(model, plan, plan->form.force / 2, rests) : status;
}

static SimStatus prepare(SimModel *model) {
  const SimProblem *p = &model->problem;
  const CenteredParameters *own = p->parameters;
  double dt = p->step;
  bool regularized = own->friction.multiplier == SIM_REGULARIZED;
  const StepForm form = {
      .matrix = step_operator(p),
      .inertia = inertia(p),
      .damping = dt / 2,
      .carry = 2,
      .pull = dt * dt,
      .force = dt * dt,
      .ahead = 1,
      .rate = 1 / (2 * dt),
      .theta = 0.5,
      .alpha = outer(p),
      .projection = own->friction.r / (2 * dt),
      .fresh = regularized ? dt / (own->epsilon + dt) : 1,
      .differences = true,
      .watch = centered_watch,
      .start_back = centered_start_back,
  };
  SimStatus status = form_prepare(model, form);
  return status == SIM_OK ? prepare_first(model, model->plan) : status;
}

/* Returns the largest step, in s, for elastic stops with sqrt(stiffness/mass) <= rate. Below it dt^2 k < 2 M, so that a
 * step has one solution, which the iteration with the factors of E finds. */
static double end_limit(const SimProblem *p, double rate) { return (void)p, sqrt(2) / rate; }

#define CENTERED_TAKES                                                                                                 \
  (SIM_HAS(DENSE) | SIM_HAS(SPARSE) | SIM_HAS(RANKS) | SIM_HAS(MANY) | SIM_HAS(SIGNAL) | SIM_HAS(DAMPING) |            \
   SIM_HAS(SKEW) | SIM_HAS(MASSLESS) | SIM_HAS(VISCOUS) | SIM_HAS(BIAS) | SIM_HAS(COURSES) | SIM_HAS(RISE) |           \
   SIM_HAS(SURFACE) | SIM_HAS(DROP) | SIM_HAS(EXPONENT) | SIM_HAS(LAW) | SIM_HAS(TABLE) | SIM_HAS(GEARBOX) |           \
   SIM_HAS(REGULARIZED) | SIM_HAS(FIXED_POINT))

const SimScheme sim_scheme_centered = {
    .name = "centered",
    .kind = SIM_FRICTION,
    .sentence = "Glowinski and Kearsley's centred differences: its own energy closes exactly, lambda does not converge "
                "unless regularized",
    .takes = CENTERED_TAKES | SIM_HAS_SPRINGS | SIM_HAS(ELASTIC),
    .energies = true,
    .together = TOGETHER(RISE_STOPS) | TOGETHER(BIAS_GEARBOX) | TOGETHER(COURSES_GEARBOX) | TOGETHER(RISE_GEARBOX) |
                TOGETHER(STOPS_SPRINGS) | TOGETHER(MASSLESS_RISE),
    .derivatives = CENTERED_TAKES | SIM_HAS_SPRINGS,
    .parameters = parameters,
    .parameters_size = sizeof(CenteredParameters),
    .check = massless_refuse_ends,
    .lanes = LANES_FORM,
    .differences = true,
    .span = SPAN_CENTRED,
    .step_limit = step_limit,
    .end_limit = end_limit,
    .rest_weight = rest_weight,
    .step_operator = step_operator,
    .prepare = prepare,
    .prepares_again = true,
    .release = form_release,
    .scratch_vectors = FORM_DIFFERENCES,
    .scratch_numbers = N_ENERGY,
    .equip = form_equip,
    .equip_sensitivity = form_equip_sensitivity,
    .equip_adjoint = form_equip_adjoint,
    .resume = load_resume,
    .start = centered_start,
    .step = form_step,
};
