/* Least effort for the unperturbed parameters, by SQP (control/sqp) from a few starts side by side. Its answer is a
 * start for the minimisation of a statistic. effort_at_most is not enforced here, but in the run that begins at the
 * answer. */
#ifndef CONTROL_NOMINAL_H
#define CONTROL_NOMINAL_H

#include "control/motion.h"
#include "control/sqp/sqp.h"

enum { CTL_NOMINAL_STARTS = 4 };

typedef struct CtlNominalTrail {
  CtlSqp sqp;
  CtlMotion motion; /* nominal motion of the current run */
} CtlNominalTrail;

typedef struct CtlNominal {
  CtlProblem problem; /* problem of one motion; its arrays are those of all scenarios */
  int scenarios;
  CtlSqpShared shared;
  CtlNominalTrail trails[CTL_NOMINAL_STARTS]; /* the first `active` are running */
  int active;
  long begun;           /* number of starts so far */
  double *given, *free; /* [n] first start; control without friction; owned, in one block with the next two */
  double *best;         /* [n] least J that meets the target, otherwise smallest miss */
  double *rows;         /* rows of one motion */
  double misses, J;     /* sum of misses and J of `best`; INFINITY: none */
  bool free_known;
} CtlNominal;

/* problem: with scenarios, borrowed. Returns false when out of memory; clear it then, too. */
bool ctl_nominal_init(CtlNominal *nominal, const CtlProblem *problem);
void ctl_nominal_clear(CtlNominal *nominal);
void ctl_nominal_start(CtlNominal *nominal, const double *given);
/* Accepts the final state of a trial's motion, repeated for each scenario: x, v, rows of all of them; x NULL: it
 * failed. */
void ctl_nominal_tell(CtlNominal *nominal, int trail, const double *x, const double *v, const double *rows);
/* After all trials of a round: continues ended trails with the next motion or removes them, and begins others. */
void ctl_nominal_go_on(CtlNominal *nominal);
void ctl_nominal_serialize(CtlNominal *nominal, CtlBytes *bytes);

#endif
