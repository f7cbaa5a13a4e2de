/* Problems with closed forms for bench-plans. */
#ifndef BENCH_PLANS_FORMS_H
#define BENCH_PLANS_FORMS_H

/* A problem file with settings. */
typedef struct Form {
  const char *name, *file; /* of jobs/problems, without .yaml */
  const char *settings[3]; /* NULL ends the list */
  int segments;            /* of the signal */
  double (*exact)(void);   /* least f, of any signal or of this one */
  double above;            /* f is at most so much more, relative */
  int met;                 /* starts of 20 that meet the conditions, at least */
} Form;

enum { FORMS = 37, QUICK_FORMS = 4 /* the first of them take seconds */ };
extern const Form forms[FORMS];

#endif
