/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/study/evaluation.h"

#include "src/file/sections/variant.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* STEP: change of a parameter in finite differences, relative to the value of the parameter. NEAR_ZERO: if the value is
 * smaller than this fraction of the parameter's range, the change is relative to this fraction instead. */
static const double STEP = 1e-5, NEAR_ZERO = 1e-3;
/* Quantities of the problem (masses, thresholds, ..) at a new point may differ by this relative error from the values
 * that their derivatives predict, as these derivatives are finite differences. */
static const double FOLLOWS = 1e-8;

/* The kinds of quantities of a problem by which motions have derivatives. */
static const SimDependence dependences[] = {SIM_ON_POSITION, SIM_ON_VELOCITY, SIM_ON_FRICTION, SIM_ON_MASS,
                                            SIM_ON_DAMPING,  SIM_ON_BETA,     SIM_ON_TABLE};
enum { DEPENDENCES = FIT_DEPENDENCES };
_Static_assert(sizeof dependences / sizeof *dependences == DEPENDENCES, "one each");

/* Returns how many quantities of kind j FitRates has. This is d; for the last kind it is the number of values in a
 * friction table. */
static int count_of(const SimProblem *p, int j) {
  return dependences[j] == SIM_ON_TABLE ? p->system.table.points * p->system.table.columns : p->d;
}

static double *table_number(const SimProblem *p, int i) {
  return p->system.table.rows + (ptrdiff_t)i * SIM_TABLE_ROW + SIM_TABLE_FRICTION;
}

/* Returns the index of the kind to which quantity number `number` of FitRates belongs. */
static size_t dependence_of(const Evaluation *e, size_t number) {
  size_t j = number / (size_t)e->d;
  return j < DEPENDENCES ? j : DEPENDENCES - 1;
}

/* Copies the quantities of FitRates (initial state, thresholds, masses, ..) from a problem or, if `back`, into the
 * problem. Values of a friction table are not copied back, since its cubic polynomials would not be changed. Quantities
 * that a kind of model does not have stay 0. */
static void copy_numbers(const SimProblem *p, double *numbers, bool back) {
  double *const arrays[] = {p->x0, p->v0, p->friction, p->system.mass, p->system.damping, p->system.stribeck_beta};
  for (int j = 0; j < DEPENDENCES - 1; j++) {
    int stride = dependences[j] == SIM_ON_MASS || dependences[j] == SIM_ON_DAMPING ? p->d + 1 : 1;
    for (int i = 0; arrays[j] && i < p->d; i++) {
      double *number = numbers + (ptrdiff_t)j * p->d + i, *own = &arrays[j][(ptrdiff_t)i * stride];
      *(back ? own : number) = *(back ? number : own);
    }
  }
  for (int i = 0; i < count_of(p, DEPENDENCES - 1) && !back; i++)
    numbers[(ptrdiff_t)(DEPENDENCES - 1) * p->d + i] = *table_number(p, i);
}

int evaluation_open(Evaluation *e, const Identification *id, const Problem *problem, Diagnostics *diagnostics) {
  const SimProblem *sim = &problem->sim;
  *e = (Evaluation){.id = id, .d = sim->d, .near_zero = NEAR_ZERO, .document = problem->document};
  for (int k = 0; k < id->n; k++) {
    e->lower[k] = id->parameters[k].lower;
    e->upper[k] = id->parameters[k].upper;
  }
  for (int j = 0; j < DEPENDENCES; j++) e->rates.count += count_of(sim, j);
  size_t numbers = (size_t)e->rates.count, n = (size_t)id->n;
  e->rates.numbers = calloc(numbers * (n + 3), sizeof *e->rates.numbers);
  e->rates.low = e->rates.numbers + numbers;
  e->rates.high = e->rates.low + numbers;
  e->rates.rates = e->rates.high + numbers;
  return e->rates.numbers ? 0 : diagnostics_no_memory(diagnostics);
}

int evaluation_add(Evaluation *e, const char *path, int parameter, double value, double rate,
                   Diagnostics *diagnostics) {
  Node *node = document_node(e->document, path);
  EvaluatedNumber *more = realloc(e->numbers, (size_t)(e->n_numbers + 1) * sizeof *more);
  assert(node); /* the node exists, since the problem was read from this document */
  if (!more) return diagnostics_no_memory(diagnostics);
  e->numbers = more;
  e->numbers[e->n_numbers++] = (EvaluatedNumber){
      .node = node, .path = path, .parameter = parameter, .value = value, .rate = rate, .written = node->text};
  return 0;
}

int evaluation_open_identification(Evaluation *e, const Problem *problem, Diagnostics *diagnostics) {
  const Identification *id = problem->identification;
  int code = evaluation_open(e, id, problem, diagnostics);
  for (int k = 0; !code && k < id->n; k++) code = evaluation_add(e, id->parameters[k].path, k, 0, 1, diagnostics);
  return code;
}

void evaluation_close(Evaluation *e) {
  free(e->rates.numbers);
  for (int k = 0; k < EVALUATION_VARIANTS; k++)
    if (e->variants[k].kind) problem_clear(&e->variants[k]);
  for (int k = 0; k < e->n_numbers; k++) e->numbers[k].node->text = e->numbers[k].written;
  free(e->numbers);
}

static double number_at(const EvaluatedNumber *number, const double *p) {
  return number->value + number->rate * p[number->parameter];
}

/* Sets the numbers that depend on parameters in a problem. Returns false if they cannot be set, so that the problem
 * must be read again. */
static bool set_numbers(const Evaluation *e, const double *p, Problem *problem) {
  bool set = problem->kind;
  for (int k = 0; k < e->n_numbers && set; k++)
    set = problem_set(problem, e->numbers[k].path, number_at(&e->numbers[k], p));
  return set;
}

const SimProblem *evaluation_variant(Evaluation *e, EvaluationVariant which, const double *p,
                                     Diagnostics *diagnostics) {
  Problem *problem = &e->variants[which];
  Diagnostics found = {0};
  if (!set_numbers(e, p, problem)) {
    if (problem->kind) problem_clear(problem);
    return evaluation_problem(e, p, problem, diagnostics) ? &problem->sim : NULL;
  }
  int code = problem_settle(problem, &found);
  e->no_memory = e->no_memory || code == EXIT_INTERNAL;
  if (diagnostics) diagnostics_pass(&found, diagnostics);
  diagnostics_clear(&found);
  return code ? NULL : &problem->sim;
}

bool evaluation_problem(Evaluation *e, const double *p, Problem *problem, Diagnostics *diagnostics) {
  Diagnostics found = {0};
  for (int k = 0; k < e->n_numbers; k++) {
    EvaluatedNumber *number = &e->numbers[k];
    snprintf(number->text, NUMBER_SIZE, "%.17g", number_at(number, p));
    number->node->text = number->text;
  }
  int code = problem_document_read(e->document, &found, problem);
  e->no_memory = e->no_memory || code == EXIT_INTERNAL;
  if (diagnostics) diagnostics_pass(&found, diagnostics);
  diagnostics_clear(&found);
  return code == 0;
}

/* Computes the residuals, and their derivatives by n kinds of quantities, listed in `on`. Sets e->rough if the motion
 * has no derivatives. */
static SimStatus simulate(Evaluation *e, const SimProblem *problem, int n, const SimDependence *on, double *r,
                          double *rows) {
  SimModel *model = NULL;
  SimSensitivity *sensitivity = NULL;
  SimStatus status = stiction_model_create(problem, NULL, &model);
  if (status == SIM_OK && n > 0) status = stiction_sensitivity_create(model, n, on, &sensitivity);
  if (status == SIM_OK) status = fit_motion(problem, model, sensitivity, e->control, e->id, r, rows);
  if (sensitivity) e->rough = status == SIM_OK && !sim_sensitivity_smooth(sensitivity);
  e->simulations += status != SIM_NO_MEMORY;
  e->too_long += status == SIM_TOO_LONG;
  e->no_memory = e->no_memory || status == SIM_NO_MEMORY;
  stiction_sensitivity_destroy(sensitivity);
  stiction_model_destroy(model);
  return status;
}

/* Computing derivatives by the parameters -------------------------------------------------------------------------- */

/* Two problems, in which one parameter is below and above its value, within its bounds. */
typedef struct Sides {
  const SimProblem *at[2];
  double p[2];
} Sides;

static bool find_sides(Evaluation *e, double *p, int k, Sides *sides) {
  double middle = p[k], h = STEP * fmax(fabs(middle), e->near_zero * (e->upper[k] - e->lower[k]));
  bool good = true;
  for (int side = 0; side < 2 && good; side++) {
    p[k] = sides->p[side] = side ? fmin(middle + h, e->upper[k]) : fmax(middle - h, e->lower[k]);
    sides->at[side] = evaluation_variant(e, side ? VARIANT_ABOVE : VARIANT_BELOW, p, NULL);
    good = sides->at[side];
  }
  p[k] = middle;
  return good;
}

/* Returns whether two problems have the same bytes. */
static bool are_alike(const SimProblem *a, const SimProblem *b) {
  size_t size = sim_problem_packed_size(a);
  if (size != sim_problem_packed_size(b)) return false;
  unsigned char *bytes = calloc(2, size);
  /* if there is no memory for the comparison, the problems count as different, and derivatives are finite
   * differences */
  if (!bytes) return false;
  sim_problem_pack(a, bytes);
  sim_problem_pack(b, bytes + size);
  bool same = memcmp(bytes, bytes + size, size) == 0;
  free(bytes);
  return same;
}

/* Returns whether two friction tables have the same speeds and size. */
static bool tables_alike(const SimProblem *a, const SimProblem *b) {
  int n = count_of(a, DEPENDENCES - 1);
  bool same = n == count_of(b, DEPENDENCES - 1) && a->system.table.columns == b->system.table.columns;
  for (int i = 0; i < n && same; i++)
    same = *(table_number(a, i) - SIM_TABLE_FRICTION + SIM_TABLE_SPEED) ==
           *(table_number(b, i) - SIM_TABLE_FRICTION + SIM_TABLE_SPEED);
  return same;
}

/* Finds the rates (derivatives) of all quantities by parameter k. Returns false if the parameter also affects other
 * parts of the problem, or the model lacks the derivatives. If steps are solved exactly, the constant r of the scheme
 * does not affect the motion and is ignored. */
static bool find_rates(const Evaluation *e, const Sides *sides, int k, FitRates *found) {
  SimProblem low = *sides->at[0], high = *sides->at[1];
  size_t n = (size_t)e->id->n;
  bool all_had = tables_alike(&low, &high);
  if (!all_had) return false;
  copy_numbers(&low, found->low, false);
  copy_numbers(&high, found->high, false);
  for (size_t j = 0; j < (size_t)found->count; j++) {
    double rate = (found->high[j] - found->low[j]) / (sides->p[1] - sides->p[0]);
    found->rates[j * n + (size_t)k] = rate;
    all_had = all_had && (rate == 0 || found->has[dependence_of(e, j)]);
  }
  if (!all_had) return false;
  bool exact = sim_problem_get(&low, "solver") == SIM_EXACT && sim_problem_get(&low, "multiplier") == SIM_UNREGULARIZED;
  double r = sim_problem_get(&high, "r");
  copy_numbers(&high, found->low, true);
  high.system.table = low.system.table;
  if (exact) sim_problem_set(&high, "r", sim_problem_get(&low, "r"));
  high.bounds = low.bounds; /* bounds are derived from the numbers, so they are not compared */
  high.finalized = low.finalized;
  bool alike = are_alike(&low, &high);
  copy_numbers(&high, found->high, true);
  if (exact) sim_problem_set(&high, "r", r);
  return alike;
}

/* Fills column k of the Jacobian by central differences between two motions. */
static bool difference(Evaluation *e, const Sides *sides, int k, double *r, double *jacobian) {
  size_t m = (size_t)e->id->m, n = (size_t)e->id->n;
  for (int i = 0; i < 2; i++)
    if (simulate(e, sides->at[i], 0, NULL, r + (size_t)i * m, NULL) != SIM_OK) return false;
  for (size_t j = 0; j < m; j++) jacobian[j * n + (size_t)k] = (r[m + j] - r[j]) / (sides->p[1] - sides->p[0]);
  return true;
}

/* Finds the kinds of quantities for which the model has derivatives. */
static void find_dependences(const SimProblem *problem, bool *has) {
  SimModel *model = NULL;
  if (stiction_model_create(problem, NULL, &model) != SIM_OK) return;
  for (int j = 0; j < DEPENDENCES; j++) {
    SimSensitivity *sensitivity = NULL;
    has[j] = stiction_sensitivity_create(model, 1, &dependences[j], &sensitivity) == SIM_OK;
    stiction_sensitivity_destroy(sensitivity);
  }
  stiction_model_destroy(model);
}

/* Returns whether the known rates (derivatives of quantities by parameters) are valid at another point: the quantities
 * at that point equal those predicted with the rates, and the model has derivatives by the same kinds of quantities. */
static bool still_hold(const Evaluation *e, const SimProblem *at, const double *p, const bool *has) {
  const FitRates *known = &e->rates;
  size_t n = (size_t)e->id->n;
  if (!known->known || memcmp(has, known->has, sizeof known->has) != 0) return false;
  copy_numbers(at, known->low, false);
  for (size_t j = 0; j < (size_t)known->count; j++) {
    double expected = known->numbers[j], size = fabs(expected);
    for (size_t k = 0; k < n; k++) {
      double change = known->rates[j * n + k] * (p[k] - known->p[k]);
      expected += change;
      size += fabs(change);
    }
    if (!(fabs(known->low[j] - expected) <= FOLLOWS * size)) return false;
  }
  return true;
}

/* Finds the rates by all parameters (derivatives of quantities), unless they are known already. For parameters without
 * rates, fills the columns by finite differences of motions. r [2][m]: buffer. */
static bool go_through(Evaluation *e, const SimProblem *at, const double *p, double *r, double *jacobian) {
  FitRates *found = &e->rates;
  bool good = true, has[DEPENDENCES] = {false};
  double point[FIT_PARAMETERS_MAX];
  find_dependences(at, has);
  bool hold = still_hold(e, at, p, has);
  memcpy(found->has, has, sizeof has);
  memcpy(point, p, (size_t)e->id->n * sizeof *point);
  for (int k = 0; k < e->id->n && good; k++) {
    Sides sides;
    if (hold && !e->differences[k]) continue;
    if (!find_sides(e, point, k, &sides)) return false;
    if (!hold) e->differences[k] = !find_rates(e, &sides, k, found);
    good = !e->differences[k] || difference(e, &sides, k, r, jacobian);
  }
  if (hold) return good;
  copy_numbers(at, found->numbers, false);
  memcpy(found->p, p, (size_t)e->id->n * sizeof *p);
  found->known = good;
  return good;
}

/* Chooses the kinds of quantities that at least one parameter affects. Marks them in wanted [DEPENDENCES] and lists
 * them in `on`. Returns their number. */
static int choose(const Evaluation *e, bool *wanted, SimDependence *on) {
  size_t n = (size_t)e->id->n;
  int count = 0;
  for (size_t j = 0; j < (size_t)e->rates.count * n; j++)
    if (!e->differences[j % n] && e->rates.rates[j] != 0) wanted[dependence_of(e, j / n)] = true;
  for (int q = 0; q < DEPENDENCES; q++)
    if (wanted[q]) on[count++] = dependences[q];
  return count;
}

/* Fills the columns of parameters that need no finite differences. They are products: derivatives of the motion by
 * quantities of the model, times rates of these quantities, i.e. their derivatives by the parameters. */
static void multiply(const Evaluation *e, const bool *wanted, const double *rows, int columns, double *jacobian) {
  size_t m = (size_t)e->id->m, n = (size_t)e->id->n;
  for (size_t k = 0; k < n; k++)
    for (size_t j = 0; j < m && !e->differences[k]; j++) {
      double sum = 0;
      const double *row = rows + j * (size_t)columns;
      for (size_t i = 0; i < (size_t)e->rates.count; i++)
        if (wanted[dependence_of(e, i)]) sum += *row++ * e->rates.rates[i * n + k];
      jacobian[j * n + k] = sum;
    }
}

/* Fills all columns by finite differences. r [2][m]: buffer. */
static bool difference_all(Evaluation *e, const double *p, double *r, double *jacobian) {
  double point[FIT_PARAMETERS_MAX];
  bool good = true;
  memcpy(point, p, (size_t)e->id->n * sizeof *point);
  for (int k = 0; k < e->id->n && good; k++) {
    Sides sides;
    if (!find_sides(e, point, k, &sides)) return false;
    good = difference(e, &sides, k, r, jacobian);
  }
  return good;
}

static bool differentiate(Evaluation *e, const SimProblem *at, const double *p, double *r, double *jacobian) {
  size_t m = (size_t)e->id->m;
  double *two = calloc(2 * m + 1, sizeof *two), *rows = NULL;
  bool wanted[DEPENDENCES] = {false}, good = two && go_through(e, at, p, two, jacobian);
  SimDependence on[DEPENDENCES];
  int count = good ? choose(e, wanted, on) : 0, columns = 0;
  for (int j = 0; j < DEPENDENCES; j++) columns += wanted[j] ? count_of(at, j) : 0;
  if (good) rows = calloc(m * (size_t)columns + 1, sizeof *rows);
  e->no_memory = e->no_memory || !two || (good && !rows);
  e->rough = false;
  good = rows && simulate(e, at, count, on, r, rows) == SIM_OK;
  if (good && e->rough)
    good = difference_all(e, p, two, jacobian);
  else if (good)
    multiply(e, wanted, rows, columns, jacobian);
  free(rows);
  free(two);
  return good;
}

static bool evaluate(void *context, const double *p, double *r, double *jacobian) {
  Evaluation *e = context;
  const SimProblem *at = evaluation_variant(e, VARIANT_AT, p, NULL);
  if (!at) return false;
  return jacobian ? differentiate(e, at, p, r, jacobian) : simulate(e, at, 0, NULL, r, NULL) == SIM_OK;
}

CtlFit evaluation_fit(Evaluation *e) {
  e->rates.known = false;
  return (CtlFit){
      .n = e->id->n, .m = (int)e->id->m, .lower = e->lower, .upper = e->upper, .context = e, .evaluate = evaluate};
}
