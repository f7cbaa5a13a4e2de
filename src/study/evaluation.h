/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares a measured motion with the motion of a model that depends on some parameters. Computes the residuals and
 * their derivatives. Each evaluation uses a model of its own: the problem file with the present values of the
 * parameters. */
#ifndef SRC_STUDY_EVALUATION_H
#define SRC_STUDY_EVALUATION_H

#include "control/fit.h"
#include "src/file/sections/file.h"
#include "src/file/sections/identification.h"

enum { NUMBER_SIZE = 32, FIT_DEPENDENCES = 7 };

/* The problem at a point of the parameters, and the problems in which one parameter is below or above its value at that
 * point. */
typedef enum EvaluationVariant { VARIANT_AT, VARIANT_BELOW, VARIANT_ABOVE, EVALUATION_VARIANTS } EvaluationVariant;

/* Derivatives of the physical quantities in the problem, such as masses and thresholds, by the fitted parameters. They
 * include only quantities by which the simulation can differentiate a motion. The derivatives are computed at one point
 * of the parameters. They are valid at another point if the quantities there equal their linear extrapolation. */
typedef struct FitRates {
  bool known;
  bool has[FIT_DEPENDENCES];    /* for each kind of quantity, whether the simulation has derivatives by it */
  double p[FIT_PARAMETERS_MAX]; /* the point at which the rates were computed */
  int count;                    /* number of quantities: d of each kind, followed by those of a friction table */
  double *numbers;              /* [count] values of the quantities at that point; owned, in one block of memory with
                                 * the next three arrays */
  double *rates;                /* [count][n] derivatives of the quantities by the parameters */
  double *low, *high;           /* [count] quantities for one parameter below and above its value */
} FitRates;

/* A number in the problem file that depends linearly on a parameter p: it is value + rate p. */
typedef struct EvaluatedNumber {
  Node *node;
  const char *path; /* path of the number; borrowed */
  int parameter;
  double value, rate;
  const char *written;    /* text of the number in the file; it is restored at the end */
  char text[NUMBER_SIZE]; /* present text of the number */
} EvaluatedNumber;

typedef struct Evaluation {
  Document *document;       /* document of the problem file, in which the numbers that depend on parameters are
                             * replaced; borrowed */
  const Identification *id; /* parameters and measured values; borrowed, as is the next member */
  const double *control;    /* [variables] control of the motion; NULL: 0 */
  int d;                    /* number of degrees of freedom */
  EvaluatedNumber *numbers; /* [n_numbers] the numbers that depend on parameters; owned */
  int n_numbers;
  Problem variants[EVALUATION_VARIANTS]; /* problems with the values of the parameters inserted; if its kind is NULL, a
                                          * problem has not been read */
  double near_zero; /* fraction of a parameter's range. A parameter that is smaller counts as close to 0: its step for
                     * finite differences is then computed from this fraction instead of from its value */
  double lower[FIT_PARAMETERS_MAX], upper[FIT_PARAMETERS_MAX];
  bool differences[FIT_PARAMETERS_MAX]; /* for each parameter, whether the derivatives by it are finite differences */
  /* Whether all derivatives of the last evaluation were finite differences, since the motion has no derivatives. This
   * happens if two joints come to rest at the same instant, or a joint stops without staying at rest. */
  bool rough;
  FitRates rates;
  long simulations, too_long; /* number of simulations, and number of those that exceeded the limit of work */
  bool no_memory;             /* whether an evaluation has failed because there was no memory */
} Evaluation;

/* Prepares the evaluation of a problem, which must have a document, for the parameters [id->n] with their bounds. Like
 * the next two functions, returns 0, or EXIT_INTERNAL after reporting an error. The caller calls evaluation_close in
 * each case. */
int evaluation_open(Evaluation *evaluation, const Identification *id, const Problem *problem, Diagnostics *diagnostics);
/* Adds a number of the document that depends on parameter p: it is value + rate p. path: path of the number; borrowed.
 * All numbers must be added before the first evaluation. */
int evaluation_add(Evaluation *evaluation, const char *path, int parameter, double value, double rate,
                   Diagnostics *diagnostics);
/* Prepares the evaluation of a problem for the parameters in its section identify. */
int evaluation_open_identification(Evaluation *evaluation, const Problem *problem, Diagnostics *diagnostics);
void evaluation_close(Evaluation *evaluation);

/* Returns the least-squares problem, which borrows the evaluation. Derivatives that were found before (FitRates) are no
 * longer used. The residuals are (simulated - measured)/deviation, in the order of id->measured. */
CtlFit evaluation_fit(Evaluation *evaluation);

/* Returns the problem with parameters p. The parameters are set in memory if possible (problem_can_set); otherwise the
 * file is read again. The result is borrowed until the same variant is requested again. Returns NULL if the file with
 * these values has errors, which are reported to diagnostics (NULL: not reported). */
const SimProblem *evaluation_variant(Evaluation *evaluation, EvaluationVariant which, const double *p,
                                     Diagnostics *diagnostics);

/* Reads all sections of the problem with parameters p. The caller clears the problem. Returns whether it could be
 * read. */
bool evaluation_problem(Evaluation *evaluation, const double *p, Problem *problem, Diagnostics *diagnostics);

/* Simulates the model with a control (NULL: 0). Fills the residuals r [id->m] and, unless sensitivity is NULL, rows
 * [id->m] with the columns of sensitivity. Both are divided by the deviations. Between two steps x is a cubic function
 * of t, and v is linear. Returns SIM_OK, SIM_NO_MEMORY, or the status of the failed motion. Defined in fit_motion.c. */
SimStatus fit_motion(const SimProblem *problem, const SimModel *model, SimSensitivity *sensitivity,
                     const double *control, const Identification *id, double *r, double *rows);

/* Fills the points [id->starts][id->n] from which least squares start: the values in the file, the best point of a
 * direct search on all ranks, and points that are spread evenly within the bounds. They have the same bits for any
 * number of ranks. Collective over all ranks. Returns 0, or EXIT_INTERNAL after reporting an error. Defined in
 * fit_starts.c. */
int fit_starts_find(Evaluation *evaluation, double *points, Diagnostics *diagnostics);

#endif
