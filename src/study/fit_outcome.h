/* SPDX-License-Identifier: BSD-2-Clause */
/* The result of an identification: values of the parameters, their standard errors, residuals, and combinations of
 * parameters that the data do not determine. */
#ifndef SRC_STUDY_FIT_OUTCOME_H
#define SRC_STUDY_FIT_OUTCOME_H

#include "src/base/options.h"
#include "src/results/results.h"
#include "src/study/evaluation.h"
#include "src/study/fit_bias.h"

typedef struct FitOutcome {
  const Evaluation *evaluation; /* borrowed, as is the next member */
  const Labels *labels;
  const char *kind; /* kind of the model; borrowed */
  double p[FIT_PARAMETERS_MAX];
  bool bound[FIT_PARAMETERS_MAX];
  double error[FIT_PARAMETERS_MAX];
  double correlation[FIT_PARAMETERS_MAX * FIT_PARAMETERS_MAX], combination[FIT_PARAMETERS_MAX * FIT_PARAMETERS_MAX];
  CtlFitStatistics statistics; /* statistics computed from the arrays below */
  double *r;                   /* [m] residuals, followed by [m][n] their derivatives; owned */
  FitBias bias;                /* estimate of how far errors of time steps move the values */
  long starts, best_start;     /* number of starts, and number of the start that has led to the result */
  const double *sums;          /* [starts] sum of squared residuals reached from each start; borrowed */
  long simulations;            /* number of simulations on all ranks */
} FitOutcome;

/* Computes the statistics of the parameters outcome->p, and the bias by time steps. found: the problem at p. Returns 0;
 * or EXIT_UNSOLVED, if there is no motion, or EXIT_INTERNAL after reporting an error. */
int fit_outcome_find(Evaluation *evaluation, const Problem *found, FitOutcome *outcome, Diagnostics *diagnostics);
void fit_outcome_clear(FitOutcome *outcome);

/* Returns whether the values minimise the sum of squares, up to a hundredth of their standard errors. */
bool fit_outcome_converged(const FitOutcome *outcome);

/* Returns whether the model fits the data, i.e. the residuals are at most twice the given deviations. */
bool fit_outcome_fits(const FitOutcome *outcome);

void fit_outcome_print(const FitOutcome *outcome, FILE *out);
/* Returns the member `identification` of summary.json. The caller owns the reference; NULL: no memory. */
json_t *fit_outcome_json(const FitOutcome *outcome);
/* Writes fit.csv. It has t and, for each measured column, the measured value, the simulated value and their difference.
 * The columns have nan where nothing was measured. Returns 0 or EXIT_INTERNAL. */
int fit_outcome_write(const FitOutcome *outcome, const Results *results);

/* Writes identified.yaml: the text of the problem file with the values found, and with paths of files that are valid in
 * any folder. If this text would be read as another problem than the one found, e.g. because of --set, or since aliases
 * refer to the values, writes the resolved problem instead. Returns 0 or EXIT_INTERNAL. Defined in
 * identified_file.c. */
int identified_file_write(const Options *options, const FitOutcome *outcome, const Problem *found,
                          const Results *results);

#endif
