/* Schemes whose step has one form with different numbers. Each step solves a friction problem for the w at which
 * friction acts,
 *
 *     E w + force C lambda = force (f + B u + C gamma(v)) + carry K y - pull A x,
 *
 * and then updates the state:
 *
 *                   y         w           behind the step                              known at the start
 *     velocities    v         v+          x+ = x + ahead w + behind y,   v+ = w        x, v
 *     differences   x - x-    x+ - x-     x+ = x- + w,                   v = rate w    x-, x
 *
 * A StepForm is these numbers. The plan (form.c), the step (form_step.c), its derivatives (form_tangent.c,
 * form_adjoint.c) and lanes (sim/lanes/form.h) are written once, in terms of them. */
#ifndef SIM_FRICTION_FORM_H
#define SIM_FRICTION_FORM_H

#include "sim/friction/load.h"
#include "sim/joint/surface.h"

/* Adds the energies of the solved step n to work->energy; NULL: the scheme computes none. f: its force. Overwrites the
 * levels' b, y and x_before; for differences b is C (lambda - gamma). */
typedef void FormWatch(const SimModel *model, SimWorkspace *work, const StepForce *f, long n);

typedef struct StepForm {
  OperatorSum matrix;   /* E */
  OperatorSum inertia;  /* K; for differences it is E if there is no D and all dofs have mass */
  double damping;       /* weight of D in E */
  double carry;         /* weight of K y */
  double pull;          /* weight of A x */
  double force;         /* weight of f, B u and C (lambda - gamma) */
  double ahead, behind; /* weights of w and y in x+; differences: 1, 0 */
  double rate;          /* differences: weight of w in v */
  double theta;         /* weight of a step's end in the mean of spring laws, and of f with velocities */
  double alpha;         /* differences: weight of the outer levels in A's force */
  double projection;    /* projection_weight of the solver, per c_i */
  double fresh;         /* `fresh` of the law; 1: unregularized */
  bool differences;     /* whether the second of the two rows above */
  FormWatch *watch;
  /* adjoint of the start: sweeps from x^1 and x^0 to n = 0; NULL: nothing to do */
  SimStatus (*start_back)(SimAdjoint *adjoint);
} StepForm;

typedef struct FormPlan {
  StepForm form;
  Operator *mass, *stiffness, *damping; /* damping: NULL without damping, like the next */
  Operator *damping_transposed;         /* D'; only for differences */
  Operator *inertia;                    /* K */
  Operator *matrix;                     /* E; may be K */
  Operator *carry;                      /* carry K; may be K */
  Operator *pull;                       /* pull A */
  const double *dense_carry;            /* [d][d] entries of these two if dense, else NULL */
  const double *dense_pull;             /* [d][d] */
  Load load;                            /* force of the steps, times form.force */
  FrictionSolver solver;                /* solver of the steps */
  Operator *start;                      /* centered: operator of n = 0, K; separate if dofs have no mass */
  FrictionSolver first;                 /* solver with that operator, for x^1 - x^0 - dt v0 */
  double *light;                        /* [d] a_ii of this rank's rows without mass, else 0; NULL: all have mass */
  double *first_friction;               /* [count] c of dofs that it may hold at rest, else 0; NULL: all of c */
} FormPlan;

/* Views into the workspace, [count] each. */
typedef struct FormLevels {
  double *x;    /* x^n, before the step */
  double *base; /* start of the update of x+: x^n; differences: x^{n-1} */
  double *y, *w, *b;
  double *x_before; /* velocities: x before the step, if needed for energies, stops or springs with a law */
  double *numbers;  /* the scheme's own numbers, SimScheme.scratch_numbers */
} FormLevels;
enum { FORM_VELOCITIES = 3, FORM_DIFFERENCES = 4 }; /* SimScheme.scratch_vectors */

static inline const StepForm *form_of(const SimModel *model) { return &((const FormPlan *)model->plan)->form; }

static inline FormLevels form_levels_of(bool differences, const SimModel *model, const SimWorkspace *work) {
  size_t d = (size_t)model->problem.count;
  double *s = work->scratch;
  return (FormLevels){.x = differences ? s + 2 * d : work->x,
                      .base = work->x,
                      .y = s + d,
                      .w = differences ? s + 3 * d : work->v,
                      .b = s,
                      .x_before = s + 2 * d,
                      .numbers = s + 4 * d};
}

static inline FormLevels form_levels(const SimModel *model, const SimWorkspace *work) {
  return form_levels_of(form_of(model)->differences, model, work);
}

/* Time at which step n evaluates its thresholds. */
static inline double form_time(bool differences, const SimProblem *p, long n) {
  return differences ? (double)n * p->step : surface_time(p, n);
}

/* Returns the number of the plan's solvers; the solvers, and the dofs where they have friction (thresholds.h). */
int form_solvers(const FormPlan *plan, const FrictionSolver **solvers, const double **apart);

/* Whether this rank's dof i has no mass. For differences its row of carry K is half of that. */
static inline bool form_light(const FormPlan *plan, const SimProblem *p, int i) {
  return plan->light && plan->light[p->first + i] > 0;
}
/* b = load + carry K y - pull A x */
void form_combine(const FormPlan *plan, OperatorLoad load, const double *y, const double *x, double *b);
/* to += (carry K) y for n columns, or the product with the transposed matrix. */
void form_add_carry(const FormPlan *plan, int n, int width, const double *y, double *to);
void form_add_carry_back(const FormPlan *plan, int width, double *y, double *to);

/* Functions of SimScheme for a form: prepare; release; equip; equip_sensitivity; equip_adjoint. */
SimStatus form_prepare(SimModel *model, StepForm form);
void form_release(SimModel *model);
SimStatus form_equip(const SimModel *model, SimWorkspace *work);
SimStatus form_equip_sensitivity(const SimModel *model, SimSensitivity *sensitivity);
SimStatus form_equip_adjoint(const SimModel *model, SimAdjoint *adjoint);
SimStatus form_step(const SimModel *model, SimWorkspace *work, long n); /* step */
/* Solves step n, whose b, y, w, x and x_before (form_levels) are set: computes w, lambda and, with stops, x+. */
SimStatus form_solve(const SimModel *model, SimWorkspace *work, long n);

/* friction = C (lambda - gamma), gamma at the velocity v; [count] */
void form_friction(const SimProblem *problem, const double *lambda, const double *v, double *friction);

#endif
