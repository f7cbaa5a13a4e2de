/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/dfo/problems.h"

#include "bench/tools/random.h"
#include "control/base/hash.h"

#include <math.h>

static const double SIGMA = 1e-3;

const DfoProblem dfo_problems[DFO_PROBLEMS] = {
    {0, 9, 45, false},   {0, 9, 45, true},    {1, 7, 35, false},   {1, 7, 35, true},    {2, 7, 35, false},
    {2, 7, 35, true},    {3, 2, 2, false},    {3, 2, 2, true},     {4, 3, 3, false},    {4, 3, 3, true},
    {5, 4, 4, false},    {5, 4, 4, true},     {6, 2, 2, false},    {6, 2, 2, true},     {7, 3, 15, false},
    {7, 3, 15, true},    {8, 4, 11, false},   {9, 3, 16, false},   {10, 6, 31, false},  {10, 6, 31, true},
    {10, 9, 31, false},  {10, 9, 31, true},   {10, 12, 31, false}, {10, 12, 31, true},  {11, 3, 10, false},
    {12, 2, 10, false},  {13, 4, 20, false},  {13, 4, 20, true},   {14, 6, 6, false},   {14, 7, 7, false},
    {14, 8, 8, false},   {14, 9, 9, false},   {14, 10, 10, false}, {14, 11, 11, false}, {15, 10, 10, false},
    {16, 5, 33, false},  {17, 11, 65, false}, {17, 11, 65, true},  {18, 8, 8, false},   {18, 10, 12, false},
    {18, 11, 14, false}, {18, 12, 16, false}, {19, 5, 5, false},   {19, 6, 6, false},   {19, 8, 8, false},
    {20, 5, 5, false},   {20, 5, 5, true},    {20, 8, 8, false},   {20, 10, 10, false}, {20, 12, 12, false},
    {20, 12, 12, true},  {21, 8, 8, false},   {21, 8, 8, true},
};

const char *const dfo_form_names[DFO_FORMS] = {"smooth", "nondifferentiable", "deterministic-noise",
                                               "stochastic-noise"};

void dfo_start(const DfoProblem *problem, double *x) {
  dfo_functions[problem->function].start(problem->n, x);
  for (int j = 0; j < problem->n && problem->far; j++) x[j] *= 10;
}

/* Returns the noise phi(x), the cubic Chebyshev polynomial of z. */
static double oscillation(int n, const double *x) {
  double sum = 0, squares = 0, most = 0;
  for (int j = 0; j < n; j++) {
    sum += fabs(x[j]);
    squares += x[j] * x[j];
    most = fmax(most, fabs(x[j]));
  }
  double z = 0.9 * sin(100 * sum) * cos(100 * most) + 0.1 * cos(sqrt(squares));
  return z * (4 * z * z - 3);
}

void dfo_terms(const DfoProblem *problem, DfoForm form, const double *x, double *terms) {
  const DfoFunction *function = &dfo_functions[problem->function];
  double at[DFO_N_MAX] = {0};
  bool positive = form == DFO_NONDIFFERENTIABLE && function->positive;
  for (int j = 0; j < problem->n; j++) at[j] = positive && x[j] < 0 ? 0 : x[j] + 0.0; /* converts -0 to 0 */
  function->residuals(problem->n, problem->m, at, terms);
  double factor = form == DFO_DETERMINISTIC_NOISE ? sqrt(1 + SIGMA * oscillation(problem->n, x)) : 1;
  uint64_t seed = ctl_hash(problem->n, at);
  for (int i = 0; i < problem->m; i++) {
    if (form == DFO_NONDIFFERENTIABLE) terms[i] = fabs(terms[i]);
    if (form == DFO_STOCHASTIC_NOISE) factor = 1 + SIGMA * (2 * random_uniform(&seed) - 1);
    terms[i] *= factor;
  }
}

double dfo_sum(const DfoProblem *problem, DfoForm form, const double *terms) {
  double sum = 0;
  for (int i = 0; i < problem->m; i++) sum += form == DFO_NONDIFFERENTIABLE ? terms[i] : terms[i] * terms[i];
  return sum;
}

double dfo_value(const DfoProblem *problem, DfoForm form, const double *x) {
  double terms[DFO_M_MAX];
  dfo_terms(problem, form, x, terms);
  return dfo_sum(problem, form, terms);
}
