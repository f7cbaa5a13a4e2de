/* What the checks of all kinds of model share: each tells the mistakes it finds and counts them. */
#ifndef SIM_CHECK_H
#define SIM_CHECK_H

#include "sim/parameter.h"
#include "sim/sim.h"

/* Tells one mistake (report may be NULL); returns 1, for counting. */
int sim_complain(const SimReport *report, const char *key, const char *format, ...);

typedef struct Check {
  const SimProblem *problem;
  const SimProblem
      *like; /* finalized; where its matrices are the problem's, their bounds are known. NULL: there is none */
  const SimReport *report;
  int mistakes;
  bool no_memory; /* something was not checked */
} Check;

/* How a check has ended: SIM_OK, SIM_NO_MEMORY, or SIM_BAD_PROBLEM when there are mistakes. */
SimStatus check_status(const Check *check);
/* Whether something that a check wants could be computed: notes that there was no memory, tells what LAPACK has failed at. */
bool check_found(Check *check, const char *key, const char *what, SimStatus status);

void check_complain(Check *check, const char *key, const char *format, ...);

/* Every entry finite, and in the range of a row (NULL: any); tells the first that is not, counted from `first`. */
void check_values(Check *check, const char *key, const SimParameter *row, long first, long n, const double *values);
/* All that a table of keys says of a problem's values: `section` is the key that the table's are below. But for matrices,
 * of sections those that are there. */
void check_rows(Check *check, const char *section, const SimParameter *rows);

/* A symmetric matrix [d][d] with eigenvalues >= 0 (> 0 when definite). Returns whether it is, with its extreme
 * eigenvalues; false, too, without memory. */
bool check_matrix(Check *check, const char *key, const double *a, bool definite, double *smallest, double *largest);
/* Any matrix [d][d] with x'a x >= 0. */
void check_dissipation(Check *check, const char *key, const double *a);

#endif
