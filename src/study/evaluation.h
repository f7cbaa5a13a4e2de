/* A motion measured beside the one that some parameters make: residuals and their derivatives. Each evaluation has a model of its
 * own, of the file's problem with numbers that the parameters make in place of its own. */
#ifndef SRC_STUDY_EVALUATION_H
#define SRC_STUDY_EVALUATION_H

#include "control/fit.h"
#include "src/file/sections/file.h"
#include "src/file/sections/identification.h"

enum { NUMBER_SIZE = 32, FIT_DEPENDENCES = 7 };

/* The problem at a point, and of a derivative by differences those beside it. */
typedef enum EvaluationVariant { VARIANT_AT, VARIANT_BELOW, VARIANT_ABOVE, EVALUATION_VARIANTS } EvaluationVariant;

/* How the problem's numbers of which motions have derivatives depend on the parameters: found at a point, and taken for others as long
 * as the numbers there follow from them. */
typedef struct FitRates {
  bool known;
  bool has[FIT_DEPENDENCES];    /* whether the model has derivatives with regard to them */
  double p[FIT_PARAMETERS_MAX]; /* the point */
  int count;                    /* of numbers: d of each, and then those of a friction table */
  double *numbers;              /* [count] there; owned, with the next three in one block */
  double *rates;                /* [count][n] */
  double *low, *high;           /* [count] of the two sides of a parameter under way */
} FitRates;

/* A number of the document: value + rate p of a parameter. */
typedef struct EvaluatedNumber {
  Node *node;
  const char *path; /* borrowed */
  int parameter;
  double value, rate;
  const char *written;    /* as it stands in the document, which has that back in the end */
  char text[NUMBER_SIZE]; /* under way */
} EvaluatedNumber;

typedef struct Evaluation {
  Document *document;       /* in which the numbers stand; borrowed */
  const Identification *id; /* parameters, and what is measured; borrowed, as the next */
  const double *control;    /* [variables] of the motion; NULL: 0 */
  int d;                    /* degrees of freedom */
  EvaluatedNumber *numbers; /* [n_numbers] owned */
  int n_numbers;
  Problem
      variants[EVALUATION_VARIANTS]; /* with the numbers of some parameters; those that have been read have a kind */
  double near_zero; /* parameters below this part of their range have differences as if they were so large */
  double lower[FIT_PARAMETERS_MAX], upper[FIT_PARAMETERS_MAX];
  bool differences[FIT_PARAMETERS_MAX]; /* whose derivatives are differences */
  bool
      rough; /* all were, when last wanted: the motion had none, two dofs came to rest at one instant, or one only touched rest */
  FitRates rates;
  long simulations, too_long; /* of these, so many took more work than they may */
  bool no_memory;             /* some evaluation has failed for want of it */
} Evaluation;

/* Opens the document of a problem, borrowed, for parameters [id->n] with their bounds. Returns 0, or EXIT_INTERNAL after reporting, as the
 * next; close it either way. */
int evaluation_open(Evaluation *evaluation, const Identification *id, const Problem *problem, Diagnostics *diagnostics);
/* Adds a number of the document by its path, borrowed: value + rate p of a parameter. All are added before the first problem is asked for. */
int evaluation_add(Evaluation *evaluation, const char *path, int parameter, double value, double rate,
                   Diagnostics *diagnostics);
/* Opens a problem that has something to identify, with its own parameters. Likewise. */
int evaluation_open_identification(Evaluation *evaluation, const Problem *problem, Diagnostics *diagnostics);
void evaluation_close(Evaluation *evaluation);

/* Its least squares from now on, which do not depend on those before; borrowed from it. Residuals are in the order of measured, (simulated - measured)/deviation. */
CtlFit evaluation_fit(Evaluation *evaluation);

/* The problem with parameters p: set in memory where the rows allow that (problem_can_set), else read again. NULL: the file's checks do not
 * allow them, as reported to diagnostics (NULL: nowhere). Borrowed, until the same variant is asked for again. */
const SimProblem *evaluation_variant(Evaluation *evaluation, EvaluationVariant which, const double *p,
                                     Diagnostics *diagnostics);

/* The same with all that a file has, read again; cleared by the caller. */
bool evaluation_problem(Evaluation *evaluation, const double *p, Problem *problem, Diagnostics *diagnostics);

#endif
