/* What the checks of all kinds of model share: each tells the mistakes it finds and counts them. */
#ifndef SIM_CHECK_H
#define SIM_CHECK_H

#include "sim/sim.h"

/* Tells one mistake (report may be NULL); returns 1, for counting. */
int sim_complain(const SimReport *report, const char *key, const char *format, ...);

typedef struct Check {
  const SimProblem *problem;
  const SimReport *report;
  int mistakes;
} Check;

void check_complain(Check *check, const char *key, const char *format, ...);

/* Every entry finite and at least `least`; tells the first that is not. */
void check_values(Check *check, const char *key, long n, const double *values, double least);

/* A symmetric matrix [d][d] with eigenvalues >= 0 (> 0 when definite). Returns whether it is, with its extreme
 * eigenvalues. */
bool check_matrix(Check *check, const char *key, const double *a, bool definite, double *smallest, double *largest);

#endif
