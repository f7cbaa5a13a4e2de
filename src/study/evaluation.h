/* Residuals of a measured motion with respect to the motion that some parameters give, and their derivatives. Each evaluation has a model of its
 * own: that of the problem file with the numbers of the parameters. */
#ifndef SRC_STUDY_EVALUATION_H
#define SRC_STUDY_EVALUATION_H

#include "control/fit.h"
#include "src/file/sections/file.h"
#include "src/file/sections/identification.h"

enum { NUMBER_SIZE = 32, FIT_DEPENDENCES = 7 };

/* The problem at a point, and at the two neighbours of a difference. */
typedef enum EvaluationVariant { VARIANT_AT, VARIANT_BELOW, VARIANT_ABOVE, EVALUATION_VARIANTS } EvaluationVariant;

/* Rates of those numbers of the problem by which motions have derivatives. They are computed at a point and reused at other points as long as the
 * numbers there follow from them. */
typedef struct FitRates {
  bool known;
  bool has[FIT_DEPENDENCES];    /* whether the model has derivatives with respect to these numbers */
  double p[FIT_PARAMETERS_MAX]; /* the point */
  int count;                    /* numbers: d of each dependence, then those of a friction table */
  double *numbers;              /* [count] at the point; owned, in one block with the next three */
  double *rates;                /* [count][n] derivatives of the numbers with respect to the parameters */
  double *low, *high;           /* [count] numbers at the two neighbours in one parameter */
} FitRates;

/* A number of the document: value + rate p of a parameter. */
typedef struct EvaluatedNumber {
  Node *node;
  const char *path; /* borrowed */
  int parameter;
  double value, rate;
  const char *written;    /* its text in the document, restored at the end */
  char text[NUMBER_SIZE]; /* its text at present */
} EvaluatedNumber;

typedef struct Evaluation {
  Document *document;       /* with the numbers; borrowed */
  const Identification *id; /* parameters and measured values; borrowed, like the next */
  const double *control;    /* [variables] of the motion; NULL: 0 */
  int d;                    /* degrees of freedom */
  EvaluatedNumber *numbers; /* [n_numbers] owned */
  int n_numbers;
  Problem variants[EVALUATION_VARIANTS]; /* problems with the numbers of some parameters; kind NULL: not read yet */
  double near_zero; /* below this part of its range, the step of a parameter's difference is that of this part */
  double lower[FIT_PARAMETERS_MAX], upper[FIT_PARAMETERS_MAX];
  bool differences[FIT_PARAMETERS_MAX]; /* whether the derivatives by a parameter are differences */
  /* All last derivatives were differences: the motion has none where two joints come to rest at one instant, or one
   * only touches rest. */
  bool rough;
  FitRates rates;
  long simulations, too_long; /* motions; motions that exceeded the limit of work */
  bool no_memory;             /* an evaluation has failed for lack of memory */
} Evaluation;

/* Prepares the evaluation of a problem, which has a document, for parameters [id->n] with their bounds. Returns 0, or EXIT_INTERNAL after reporting,
 * like the next two functions. evaluation_close follows in each case. */
int evaluation_open(Evaluation *evaluation, const Identification *id, const Problem *problem, Diagnostics *diagnostics);
/* Adds a number of the document by its path (borrowed): value + rate p of a parameter. All numbers are added before
 * the first evaluation. */
int evaluation_add(Evaluation *evaluation, const char *path, int parameter, double value, double rate,
                   Diagnostics *diagnostics);
/* Prepares the evaluation of a problem with the parameters of its section identify. */
int evaluation_open_identification(Evaluation *evaluation, const Problem *problem, Diagnostics *diagnostics);
void evaluation_close(Evaluation *evaluation);

/* Returns the least-squares problem, borrowed from the evaluation; rates of earlier ones are forgotten. Its residuals are (simulated -
 * measured)/deviation, in the order of id->measured. */
CtlFit evaluation_fit(Evaluation *evaluation);

/* Returns the problem with parameters p: set in memory where the rows allow it (problem_can_set), else read again. NULL: the checks of the file
 * refuse them; the errors go to diagnostics (NULL: nowhere). Borrowed, until the same variant is requested again. */
const SimProblem *evaluation_variant(Evaluation *evaluation, EvaluationVariant which, const double *p,
                                     Diagnostics *diagnostics);

/* Reads the problem with parameters p, all sections included; the caller clears it. Returns whether it could be
 * read. */
bool evaluation_problem(Evaluation *evaluation, const double *p, Problem *problem, Diagnostics *diagnostics);

/* fit_motion.c: simulates the model under a control (NULL: 0). Fills the residuals r [id->m] and, unless sensitivity is NULL, rows [id->m][its columns],
 * both divided by the deviations. Between two steps x is a cubic in t and v is linear. SIM_OK, SIM_NO_MEMORY, or why there is no motion. */
SimStatus fit_motion(const SimProblem *problem, const SimModel *model, SimSensitivity *sensitivity,
                     const double *control, const Identification *id, double *r, double *rows);

/* fit_starts.c: fills the starting points of least squares, points [id->starts][id->n]: the values of the file, the best point of a direct search on
 * all ranks, and points spread within the bounds. They are the same bits for any number of ranks. Collective over all ranks. Returns 0, or
 * EXIT_INTERNAL after reporting. */
int fit_starts_find(Evaluation *evaluation, double *points, Diagnostics *diagnostics);

#endif
