/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks for all kinds of models. Each one reports and counts the errors that it finds. */
#ifndef SIM_CHECK_H
#define SIM_CHECK_H

#include "sim/internal.h"
#include "sim/parameter.h"

/* Reports one error (report may be NULL); returns 1, for counting. */
int sim_complain(const SimReport *report, const char *key, const char *format, ...);

typedef struct Check {
  const SimProblem *problem;
  const SimProblem *like; /* a finalized problem, from which the bounds of equal matrices are copied; NULL: none */
  const SimReport *report;
  int mistakes;
  bool no_memory; /* whether memory was lacking, so that a check could not be made */
} Check;

/* Returns the result of a check: SIM_OK, SIM_NO_MEMORY, or SIM_BAD_PROBLEM if there are errors. */
SimStatus check_status(const Check *check);
/* Returns whether a quantity that a check needs could be computed, which has returned `status`. If not, records that
 * memory was lacking, or reports a failure of LAPACK. */
bool check_found(Check *check, const char *key, const char *what, SimStatus status);

void check_complain(Check *check, const char *key, const char *format, ...);

/* Checks that every value is finite and in the range of a row (NULL: any range). Reports the first invalid value, with
 * its number counted from `first`. */
void check_values(Check *check, const char *key, const SimParameter *row, long first, long n, const double *values);
/* Checks all values of a problem against a table of keys, except matrices and absent sections. section: the key of the
 * section to which the table belongs. */
void check_rows(Check *check, const char *section, const SimParameter *rows);

/* Checks a symmetric matrix [d][d] for eigenvalues >= 0 (> 0 if definite). Returns whether it is valid, and sets
 * *smallest and *largest to its extreme eigenvalues. Returns false also if there is no memory. */
bool check_matrix(Check *check, const char *key, const double *a, bool definite, double *smallest, double *largest);
/* Checks a matrix [d][d], not necessarily symmetric, for x'a x >= 0. */
void check_dissipation(Check *check, const char *key, const double *a);

#endif
