/* SPDX-License-Identifier: BSD-2-Clause */
/* Time-stepping schemes with steps of the same form and different weights. The schemes with velocities (moreau, and
 * those of chains) know x and v at the start of a step; the scheme with differences (centered) knows the positions x-
 * and x at two times. Each step solves a friction problem for the unknown w, on which friction acts,
 *
 *   E w + force C lambda = force (f + B u + C gamma(v)) + carry K y - pull A x,
 *
 * and then updates the state:
 *
 *                y       w         state after the step                            state before the step
 *   velocities   v       v+        x+ = x + ahead w + behind y, v+ = w             x, v
 *   differences  x - x-  x+ - x-   x+ = x- + w, v = rate w                         x-, x
 *
 * where x+ and v+ are the position and the velocity after the step, f is the external force, B u the control force, A
 * the stiffness matrix, and C lambda the friction force with the thresholds C and the multiplier lambda in [-1, 1]. E
 * is the effective mass matrix of the step, and K contains the mass. A StepForm has the weights force, carry, pull,
 * ahead, behind and rate of these formulas. The plan (form.c), the step (form_step.c), its derivatives (form_tangent.c,
 * form_adjoint.c) and vector lanes (sim/lanes/form.h) are written once, in terms of these weights. */
#ifndef SIM_FRICTION_FORM_H
#define SIM_FRICTION_FORM_H

#include "sim/friction/load.h"
#include "sim/joint/surface.h"

/* Adds the energies of the solved step n to work->energy; NULL: the scheme computes none. f: the force of this step.
 * The function overwrites the vectors b, y and x_before of FormLevels. For differences, b has C (lambda - gamma) before
 * the call. */
typedef void FormWatch(const SimModel *model, SimWorkspace *work, const StepForce *f, long n);

typedef struct StepForm {
  OperatorSum matrix;   /* effective mass matrix E of the step: M plus terms of damping and stiffness */
  OperatorSum inertia;  /* matrix K, which multiplies y in the right side; for differences, K is E if there is no D and
                         * all dofs have mass */
  double damping;       /* weight of the damping matrix D in the matrix E */
  double carry;         /* weight of K y in the right side: how much of y carries over into the step */
  double pull;          /* weight of the stiffness force A x in the right side of a step */
  double force;         /* weight of the forces f, B u and C (lambda - gamma) in a step */
  double ahead, behind; /* factors of w and y in x+, the position after the step, in s; for differences 1 and 0, without
                         * unit */
  double rate;          /* for differences: factor of the displacement w in the velocity v = rate w, in 1/s */
  double theta;         /* weight of the step's end in the mean of spring laws, and, for velocities, in the mean of f */
  double alpha;         /* for differences: weight of x- and of x+ in the stiffness force */
  double projection;    /* factor in StepLaw.projection_weight: weight of dof i in the projection of its multiplier,
                      * divided by c_i */
  double fresh;         /* for the regularized law: weight of the new multiplier in lambda; 1: the law is not
                      * regularized */
  bool differences;     /* whether the scheme is that with differences (see above) */
  FormWatch *watch;
  /* Sweeps back from the positions x^1 and x^0 to the start n = 0; NULL: nothing to do. */
  SimStatus (*start_back)(SimAdjoint *adjoint);
} StepForm;

typedef struct FormPlan {
  StepForm form;
  Operator *mass, *stiffness, *damping; /* mass matrix M, stiffness matrix A, damping matrix D; damping and its
                                         * transpose are NULL without damping */
  Operator *damping_transposed;         /* transpose of D; only for differences */
  Operator *inertia;                    /* matrix K, which multiplies y in the right side */
  Operator *matrix;                     /* effective mass matrix E of the step, E w = right side; the same object as
                                         * inertia if E = K */
  Operator *carry;                      /* matrix carry K; the same object as inertia if carry is 1 */
  Operator *pull;                       /* matrix pull A */
  const double *dense_carry;            /* [d][d] entries of `carry` if it is dense, else NULL */
  const double *dense_pull;             /* [d][d] entries of `pull` if it is dense, else NULL */
  Load load;                            /* force f of the steps, times form.force */
  FrictionSolver solver;                /* solver of the steps */
  /* matrix of the friction problem at n = 0: for the scheme centered K, or a separate operator if some dofs have no
   * mass; for moreau M or E (moreau_start.h). It is one of the operators above, or owned. */
  Operator *start;
  FrictionSolver first;   /* solver at n = 0: for centered the unknown is x^1 - x^0 - dt v0; ops is NULL if the scheme
                           * has no such solver */
  double *light;          /* [d] A_ii for this rank's dofs without mass, 0 for others; NULL: all dofs have mass */
  double *first_friction; /* [count] thresholds C_e of dofs that the solver `first` may hold at rest, 0 for others;
                           * NULL: those of all dofs */
} FormPlan;

/* Vectors of a step, [count] each, as views into the workspace. */
typedef struct FormLevels {
  double *x;    /* x^n, the position before the step */
  double *base; /* position to which w is added: x^n; for differences x^{n-1} */
  double *y, *w, *b;
  double *x_before; /* for velocities: x before the step, if energies, stops or springs with a law need it */
  double *numbers;  /* single values of the scheme; their number is SimScheme.scratch_numbers */
} FormLevels;
enum { FORM_VELOCITIES = 3, FORM_DIFFERENCES = 4 }; /* values of SimScheme.scratch_vectors */

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

/* Returns the time in s at which step n evaluates its thresholds. */
static inline double form_time(bool differences, const SimProblem *p, long n) {
  return differences ? (double)n * p->step : surface_time(p, n);
}

/* Returns the number of the plan's solvers. solvers: set to pointers to them. apart[k]: set to [count], > 0 for the
 * dofs with friction that acts in solver k; NULL: all dofs (thresholds.h). */
int form_solvers(const FormPlan *plan, const FrictionSolver **solvers, const double **apart);

/* Whether dof i of this rank has no mass. For differences, the row of such a dof in the matrix carry K is multiplied by
 * 1/2. */
static inline bool form_light(const FormPlan *plan, const SimProblem *p, int i) {
  return plan->light && plan->light[p->first + i] > 0;
}
/* Whether the rows of dofs without mass in the matrix carry K are halved (form_light). */
static inline bool form_halves(const FormPlan *plan) { return plan->light && plan->form.differences; }
/* Computes the right side of a step, b = load + carry K y - pull A x, where load is the weighted force f + B u.
 * form_combine_halves is for form_halves. */
void form_combine_halves(const FormPlan *plan, OperatorLoad load, const double *y, const double *x, double *b);
static inline void form_combine(const FormPlan *plan, OperatorLoad load, const double *y, const double *x, double *b) {
  if (form_halves(plan))
    form_combine_halves(plan, load, y, x, b);
  else
    operator_combine(load, plan->carry, y, plan->pull, x, b);
}
/* form_add_carry adds (carry K) y to `to`, form_add_carry_back the product with the transposed matrix. y and `to` are
 * blocks [count][width], of which the first n columns are used. */
void form_add_carry(const FormPlan *plan, int n, int width, const double *y, double *to);
void form_add_carry_back(const FormPlan *plan, int width, double *y, double *to);

/* Functions that are the same in SimScheme for all schemes with a StepForm: prepare, release, equip, equip_sensitivity,
 * equip_adjoint, step. */
SimStatus form_prepare(SimModel *model, StepForm form);
void form_release(SimModel *model);
/* Returns whether dof i may be at rest at n = 0. */
typedef bool FormRests(const SimProblem *problem, int i);
/* Prepares the solver `first` for the matrix plan->start. Its thresholds are those of dofs that may be at rest times
 * `threshold`, and 0 for others. Returns SIM_OK, SIM_NO_MEMORY or SIM_BAD_PROBLEM. */
SimStatus form_prepare_first(const SimModel *model, FormPlan *plan, double threshold, FormRests *rests);
SimStatus form_equip(const SimModel *model, SimWorkspace *work);
SimStatus form_equip_sensitivity(const SimModel *model, SimSensitivity *sensitivity);
SimStatus form_equip_adjoint(const SimModel *model, SimAdjoint *adjoint);
SimStatus form_step(const SimModel *model, SimWorkspace *work, long n); /* implements SimScheme.step */
/* Implements StepForm.start_back for schemes that compute the state at t = 0 by a step n = 0, after which v = 0. */
SimStatus form_start_back(SimAdjoint *adjoint);
/* Solves step n, for which the vectors b, y, w, x and x_before (FormLevels) are set: computes w, lambda and, with
 * stops, x+. */
SimStatus form_solve(const SimModel *model, SimWorkspace *work, long n);

/* Computes friction [count] = C (lambda - gamma), in N, with gamma at the velocity v. */
void form_friction(const SimProblem *problem, const double *lambda, const double *v, double *friction);

#endif
