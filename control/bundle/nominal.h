/* The least effort for the file's own numbers, by SQP (control/sqp) from a few starts side by side: a point that a statistic of scenarios is
 * made small from, too. It is not held to effort_at_most: the run that begins there is. */
#ifndef CONTROL_NOMINAL_H
#define CONTROL_NOMINAL_H

#include "control/motion.h"
#include "control/sqp/sqp.h"

enum { CTL_NOMINAL_STARTS = 4 };

typedef struct CtlNominalTrail {
  CtlSqp sqp;
  CtlMotion motion; /* of the file's numbers, by which it runs now */
} CtlNominalTrail;

typedef struct CtlNominal {
  CtlProblem problem; /* of one motion; its arrays are those of all scenarios */
  int scenarios;
  CtlSqpShared shared;
  CtlNominalTrail trails[CTL_NOMINAL_STARTS]; /* the first `active` are under way */
  int active;
  long begun;           /* starts, so far */
  double *given, *free; /* [n] the first start; what there is without friction; owned, in one block with the next two */
  double *best;         /* [n] the least J that meets the target, or what misses it by least */
  double *rows;         /* those of one motion */
  double misses, J;     /* of best; INFINITY: there is none */
  bool free_known;
} CtlNominal;

/* problem: with scenarios, borrowed. Returns false when out of memory; to be cleared, too. */
bool ctl_nominal_init(CtlNominal *nominal, const CtlProblem *problem);
void ctl_nominal_clear(CtlNominal *nominal);
void ctl_nominal_start(CtlNominal *nominal, const double *given);
/* The end of a trial's motion, which stands for that of each scenario: x, v, rows of all of these; x NULL: it failed. */
void ctl_nominal_tell(CtlNominal *nominal, int trail, const double *x, const double *v, const double *rows);
/* All trials are told: trails that have ended go on by the next motion or leave, and others begin. */
void ctl_nominal_go_on(CtlNominal *nominal);
void ctl_nominal_serialize(CtlNominal *nominal, CtlBytes *bytes);

#endif
