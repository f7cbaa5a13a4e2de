/* Schemes whose step is one form with other numbers. Each solves one friction problem for a w at which friction acts,
 *
 *     E w + force C lambda = force (f + B u + C gamma(v)) + carry K y - pull A x,
 *
 * and goes on by it:
 *
 *                   y         w           behind the step                              known at the start
 *     velocities    v         v+          x+ = x + ahead w + behind y,   v+ = w        x, v
 *     differences   x - x-    x+ - x-     x+ = x- + w,                   v = rate w    x-, x
 *
 * A StepForm is these numbers. The plan (form.c), the step (form_step.c), its derivatives (form_tangent.c, form_adjoint.c)
 * and lanes (sim/lanes/form.h) are written once, by them. */
#ifndef SIM_FRICTION_FORM_H
#define SIM_FRICTION_FORM_H

#include "sim/friction/load.h"
#include "sim/joint/surface.h"

/* Adds step n, which has been solved, to work->energy. f: its force. Overwrites the levels' b, y and x_before; of
 * differences b is C (lambda - gamma). */
typedef void FormWatch(const SimModel *model, SimWorkspace *work, const StepForce *f, long n);

typedef struct StepForm {
  OperatorSum matrix;   /* E */
  OperatorSum inertia;  /* K; differences: it is E where there is no D, and all dofs have mass */
  double damping;       /* of D in E */
  double carry;         /* of K y */
  double pull;          /* of A x */
  double force;         /* of f, B u and C (lambda - gamma) */
  double ahead, behind; /* of w and y in x+; differences: 1, 0 */
  double rate;          /* differences: of w in v */
  double theta;         /* springs with a law, and f of velocities: weight of a step's end in their mean */
  double alpha;         /* differences: weight of the outer levels in A's force */
  double projection;    /* the solver's projection_weight, per c_i */
  double fresh;         /* of the law: 1 unregularized */
  bool differences;     /* which of the two rows above */
  FormWatch *watch;
  SimStatus (*start_back)(SimAdjoint *adjoint); /* of a sweep, from x^1 and x^0 to n = 0; NULL: it is there */
} StepForm;

typedef struct FormPlan {
  StepForm form;
  Operator *mass, *stiffness, *damping; /* damping: NULL without, as the next */
  Operator *damping_transposed;         /* D'; differences alone */
  Operator *inertia;                    /* K */
  Operator *matrix;                     /* E; may be K */
  Operator *carry;                      /* carry K; may be K */
  Operator *pull;                       /* pull A */
  const double *dense_carry;            /* [d][d] the entries of these two where they are dense, else NULL */
  const double *dense_pull;             /* [d][d] */
  Load load;                            /* force f */
  FrictionSolver solver;                /* of the steps */
  Operator *start;                      /* centered: of n = 0, K; without mass somewhere K apart */
  FrictionSolver first;                 /* with that, for x^1 - x^0 - dt v0 */
  double *light;                        /* [d] a_ii of this rank's rows without mass, else 0; NULL: all have mass */
  double *first_friction;               /* [count] c of what that may hold, else 0; NULL: all of c */
} FormPlan;

/* Views into the workspace, [count] each. */
typedef struct FormLevels {
  double *x;    /* x^n, before the step */
  double *base; /* what x+ goes on from: x^n; differences: x^{n-1} */
  double *y, *w, *b;
  double *
      x_before; /* velocities: x before the step, where energies are wanted, or stops or springs with a law are there */
  double *numbers; /* of the scheme's own, SimScheme.scratch_numbers */
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

/* t_n at which a step has its thresholds. */
static inline double form_time(bool differences, const SimProblem *p, long n) {
  return differences ? (double)n * p->step : surface_time(p, n);
}

/* The plan's solvers, and where they have friction (thresholds.h). Returns how many. */
int form_solvers(const FormPlan *plan, const FrictionSolver **solvers, const double **apart);

/* Whether this rank's dof i has no mass. Of differences its row of carry K is half of that. */
static inline bool form_light(const FormPlan *plan, const SimProblem *p, int i) {
  return plan->light && plan->light[p->first + i] > 0;
}
/* b = load + carry K y - pull A x */
void form_combine(const FormPlan *plan, OperatorLoad load, const double *y, const double *x, double *b);
/* to += (carry K) y, or its transpose's product, of n columns. */
void form_add_carry(const FormPlan *plan, int n, int width, const double *y, double *to);
void form_add_carry_back(const FormPlan *plan, int width, double *y, double *to);

/* A SimScheme's prepare, of a form; release; equip; equip_sensitivity; equip_adjoint. */
SimStatus form_prepare(SimModel *model, StepForm form);
void form_release(SimModel *model);
SimStatus form_equip(const SimModel *model, SimWorkspace *work);
SimStatus form_equip_sensitivity(const SimModel *model, SimSensitivity *sensitivity);
SimStatus form_equip_adjoint(const SimModel *model, SimAdjoint *adjoint);
SimStatus form_step(const SimModel *model, SimWorkspace *work, long n); /* its step */
/* The solve of step n, whose b, y, w, x and x_before (form_levels) stand: w, lambda, and, where there are stops, x+. */
SimStatus form_solve(const SimModel *model, SimWorkspace *work, long n);

/* friction = C (lambda - gamma), gamma at the velocity v; [count] */
void form_friction(const SimProblem *problem, const double *lambda, const double *v, double *friction);

#endif
