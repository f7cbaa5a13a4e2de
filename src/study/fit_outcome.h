/* What is known of an identification's answer: values, errors, residuals, what cannot be told. */
#ifndef SRC_STUDY_FIT_OUTCOME_H
#define SRC_STUDY_FIT_OUTCOME_H

#include "src/results/results.h"
#include "src/study/evaluation.h"

typedef struct FitOutcome {
  const Evaluation *evaluation; /* borrowed, as the next */
  const Labels *labels;
  double p[FIT_PARAMETERS_MAX];
  bool bound[FIT_PARAMETERS_MAX];
  double error[FIT_PARAMETERS_MAX];
  double correlation[FIT_PARAMETERS_MAX * FIT_PARAMETERS_MAX], combination[FIT_PARAMETERS_MAX * FIT_PARAMETERS_MAX];
  CtlFitStatistics statistics; /* of these arrays */
  double *r;                   /* [m] residuals; owned */
  long starts, best_start;     /* which start has led here */
  const double *sums;          /* [starts] sums of squares; borrowed */
  long simulations;            /* of all ranks */
} FitOutcome;

/* Of the parameters outcome->p. Returns 0, EXIT_UNSOLVED where there is no motion, or EXIT_INTERNAL, after telling. */
int outcome_find(Evaluation *evaluation, FitOutcome *outcome, Diagnostics *diagnostics);
void outcome_clear(FitOutcome *outcome);

/* Whether the least sum has been found: to a hundredth of the standard errors. */
bool outcome_converged(const FitOutcome *outcome);

/* Whether the model can be that of what was measured: residuals are at most twice the deviations given. */
bool outcome_fits(const FitOutcome *outcome);

void outcome_print(const FitOutcome *outcome, FILE *out);
/* summary.json's `identification`; NULL: no memory. */
json_t *outcome_json(const FitOutcome *outcome);
/* fit.csv: t, and for each column of the measured file what was measured, what is simulated, and the difference; nan where nothing was
 * measured. Returns 0 or EXIT_INTERNAL. */
int outcome_write_fit(const FitOutcome *outcome, const Results *results);

#endif
