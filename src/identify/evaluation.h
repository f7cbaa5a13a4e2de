/* A motion measured beside the one that some parameters make: residuals and their derivatives. Each evaluation has a model of its
 * own, read from the problem file with the parameters in place of its values. */
#ifndef SRC_IDENTIFY_EVALUATION_H
#define SRC_IDENTIFY_EVALUATION_H

#include "control/fit.h"
#include "src/problem/file.h"
#include "src/problem/identification.h"

enum { NUMBER_SIZE = 32 };

typedef struct Evaluation {
  Problem problem;          /* the file's, with its values; owned, as the next */
  Document *document;       /* in which the parameters stand */
  const Identification *id; /* of problem */
  Node *nodes[FIT_PARAMETERS_MAX];
  char texts[FIT_PARAMETERS_MAX][NUMBER_SIZE]; /* the parameters under way */
  double lower[FIT_PARAMETERS_MAX], upper[FIT_PARAMETERS_MAX];
  bool differences[FIT_PARAMETERS_MAX]; /* whose derivatives were differences, when last wanted */
  long simulations;
} Evaluation;

/* Reads a problem file, which must have something to identify. Returns 0, EXIT_USAGE or EXIT_INTERNAL after telling; clear it either
 * way. */
int evaluation_open(Evaluation *evaluation, const char *path, char *const *settings, int n_settings,
                    const WorkLimits *limits, Diagnostics *diagnostics);
void evaluation_close(Evaluation *evaluation);

/* Its least squares; borrowed from it. Residuals are in the order of measured, (simulated - measured)/deviation. */
CtlFit evaluation_fit(Evaluation *evaluation);

/* The problem with parameters p; cleared by the caller. False: the file's checks do not allow them. */
bool evaluation_problem(Evaluation *evaluation, const double *p, Problem *problem);

#endif
