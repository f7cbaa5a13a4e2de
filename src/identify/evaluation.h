/* A motion measured beside the one that some parameters make: residuals and their derivatives. Each evaluation has a model of its
 * own, read from the problem file with the parameters in place of its values. */
#ifndef SRC_IDENTIFY_EVALUATION_H
#define SRC_IDENTIFY_EVALUATION_H

#include "control/fit.h"
#include "src/problem/file.h"
#include "src/problem/identification.h"

enum { NUMBER_SIZE = 32, FIT_DEPENDENCES = 6 };

/* How the problem's numbers of which motions have derivatives depend on the parameters: found at a point, and taken for others as long
 * as the numbers there follow from them. */
typedef struct FitRates {
  bool known;
  bool has[FIT_DEPENDENCES];    /* whether the model has derivatives with regard to them */
  double p[FIT_PARAMETERS_MAX]; /* the point */
  double *numbers;              /* [FIT_DEPENDENCES][d] there; owned, with the next three in one block */
  double *rates;                /* [FIT_DEPENDENCES][d][n] */
  double *low, *high;           /* [FIT_DEPENDENCES][d] of the two sides of a parameter under way */
} FitRates;

typedef struct Evaluation {
  Problem problem;          /* the file's, with its values; owned, as the next */
  Document *document;       /* in which the parameters stand */
  const Identification *id; /* of problem */
  Node *nodes[FIT_PARAMETERS_MAX];
  char texts[FIT_PARAMETERS_MAX][NUMBER_SIZE]; /* the parameters under way */
  double lower[FIT_PARAMETERS_MAX], upper[FIT_PARAMETERS_MAX];
  bool differences[FIT_PARAMETERS_MAX]; /* whose derivatives are differences */
  bool
      rough; /* all were, when last wanted: the motion had none, two dofs came to rest at one instant, or one only touched rest */
  FitRates rates;
  long simulations;
  bool no_memory; /* some evaluation has failed for want of it */
} Evaluation;

/* Reads a problem file, which must have something to identify. Returns 0, EXIT_USAGE or EXIT_INTERNAL after telling; clear it either
 * way. */
int evaluation_open(Evaluation *evaluation, const char *path, char *const *settings, int n_settings,
                    const WorkLimits *limits, Diagnostics *diagnostics);
void evaluation_close(Evaluation *evaluation);

/* Its least squares from now on, which do not depend on those before; borrowed from it. Residuals are in the order of measured, (simulated - measured)/deviation. */
CtlFit evaluation_fit(Evaluation *evaluation);

/* The problem with parameters p; cleared by the caller. False: the file's checks do not allow them. */
bool evaluation_problem(Evaluation *evaluation, const double *p, Problem *problem);

#endif
