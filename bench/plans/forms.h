/* SPDX-License-Identifier: BSD-2-Clause */
/* Problems for bench-plans of which the least objective is known in closed form. */
#ifndef BENCH_PLANS_FORMS_H
#define BENCH_PLANS_FORMS_H

/* A problem file with settings. */
typedef struct Form {
  const char *name, *file; /* name of the problem, and of its file in jobs/problems, without .yaml */
  const char *settings[3]; /* NULL ends the list */
  int segments;            /* of the signal */
  double (*exact)(void);   /* returns the least objective of all controls, or of those with this number of segments */
  double above;            /* largest accepted excess of the objective found over the exact one, as a fraction of the
                            * latter */
  int met;                 /* least number of the 20 starts from which the search must meet the conditions */
} Form;

/* QUICK_FORMS: number of problems at the beginning of the list that take seconds */
enum { FORMS = 37, QUICK_FORMS = 4 };
extern const Form forms[FORMS];

#endif
