/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares a measured motion with the motion of a model that depends on some parameters. Computes the residuals and
 * their derivatives. Each evaluation has its own model: that of the problem file with the present values of the
 * parameters. */
#ifndef SRC_STUDY_EVALUATION_H
#define SRC_STUDY_EVALUATION_H

#include "control/fit.h"
#include "src/file/sections/file.h"
#include "src/file/sections/identification.h"

enum { NUMBER_SIZE = 32, FIT_DEPENDENCES = 7 };

/* The problem at a point of the parameters, and with one parameter below or above its value there. */
typedef enum EvaluationVariant { VARIANT_AT, VARIANT_BELOW, VARIANT_ABOVE, EVALUATION_VARIANTS } EvaluationVariant;

/* Derivatives by the fitted parameters of the physical quantities in the problem, such as masses and thresholds.
 * Included are only quantities by which the simulation can differentiate a motion. The derivatives are computed at one
 * point of the parameters. They are valid at another point if the quantities there equal their linear extrapolation. */
typedef struct FitRates {
  bool known;
  bool has[FIT_DEPENDENCES];    /* whether the simulation has derivatives by each kind of quantity */
  double p[FIT_PARAMETERS_MAX]; /* the point at which the rates were computed */
  int count;                    /* number of quantities: d of each kind, then those of a friction table */
  double *numbers;              /* [count] values of the quantities at that point; owned, in one block with the next
                                 * three arrays */
  double *rates;                /* [count][n] derivatives of the quantities by the parameters */
  double *low, *high;           /* [count] quantities with one parameter below and above its value */
} FitRates;

/* A number in the problem file that depends linearly on a parameter p: number = value + rate p. */
typedef struct EvaluatedNumber {
  Node *node;
  const char *path; /* path of the number; borrowed */
  int parameter;
  double value, rate;
  const char *written;    /* text of the number in the file, restored at the end */
  char text[NUMBER_SIZE]; /* present text of the number */
} EvaluatedNumber;

typedef struct Evaluation {
  Document *document;       /* document of the problem file, in which the numbers that depend on parameters are changed;
                             * borrowed */
  const Identification *id; /* parameters and measured values; borrowed, like the next */
  const double *control;    /* [variables] control of the motion; NULL: 0 */
  int d;                    /* number of degrees of freedom */
  EvaluatedNumber *numbers; /* [n_numbers] the numbers that depend on parameters; owned */
  int n_numbers;
  Problem variants[EVALUATION_VARIANTS]; /* problems with the parameters' values inserted; kind NULL: not read yet */
  double near_zero; /* share of a parameter's range. A parameter below this share counts as close to 0: its step for
                     * finite differences is then computed from the share instead of from its value */
  double lower[FIT_PARAMETERS_MAX], upper[FIT_PARAMETERS_MAX];
  bool differences[FIT_PARAMETERS_MAX]; /* for each parameter, whether the derivatives by it are differences */
  /* Whether all derivatives of the last evaluation were differences. The motion has no derivatives if two joints come
   * to rest at the same instant, or a joint stops without staying at rest. */
  bool rough;
  FitRates rates;
  long simulations, too_long; /* number of simulations, and of those that exceeded the limit of work */
  bool no_memory;             /* whether an evaluation has failed for lack of memory */
} Evaluation;

/* Prepares the evaluation of a problem, which has a document, for the parameters [id->n] with their bounds. Returns 0,
 * or EXIT_INTERNAL after reporting an error, as the next two functions. Call evaluation_close in each case. */
int evaluation_open(Evaluation *evaluation, const Identification *id, const Problem *problem, Diagnostics *diagnostics);
/* Adds a number of the document, given by its path (borrowed), that is value + rate p for a parameter p. All numbers
 * must be added before the first evaluation. */
int evaluation_add(Evaluation *evaluation, const char *path, int parameter, double value, double rate,
                   Diagnostics *diagnostics);
/* Prepares the evaluation of a problem with the parameters of its section identify. */
int evaluation_open_identification(Evaluation *evaluation, const Problem *problem, Diagnostics *diagnostics);
void evaluation_close(Evaluation *evaluation);

/* Returns the least-squares problem, which borrows the evaluation. Rates found before are forgotten. The residuals are
 * (simulated - measured)/deviation, in the order of id->measured. */
CtlFit evaluation_fit(Evaluation *evaluation);

/* Returns the problem with parameters p. They are set in memory if possible (problem_can_set); otherwise the file is
 * read again. NULL: the file with these values has errors, which are reported to diagnostics (NULL: not reported).
 * Borrowed, until the same variant is requested again. */
const SimProblem *evaluation_variant(Evaluation *evaluation, EvaluationVariant which, const double *p,
                                     Diagnostics *diagnostics);

/* Reads the problem with parameters p, with all its sections; the caller clears it. Returns whether it could be
 * read. */
bool evaluation_problem(Evaluation *evaluation, const double *p, Problem *problem, Diagnostics *diagnostics);

/* Simulates the model under a control (NULL: 0). Fills the residuals r [id->m] and, unless sensitivity is NULL, rows
 * [id->m] with its columns; both are divided by the deviations. Between two steps x is a cubic in t, and v is linear.
 * Returns SIM_OK, SIM_NO_MEMORY, or the status of the failed motion. In fit_motion.c. */
SimStatus fit_motion(const SimProblem *problem, const SimModel *model, SimSensitivity *sensitivity,
                     const double *control, const Identification *id, double *r, double *rows);

/* Fills the points [id->starts][id->n] from which least squares start: the values in the file, the best point of a
 * direct search on all ranks, and points spread within the bounds. They have the same bits for any number of ranks.
 * Collective over all ranks. Returns 0, or EXIT_INTERNAL after reporting an error. In fit_starts.c. */
int fit_starts_find(Evaluation *evaluation, double *points, Diagnostics *diagnostics);

#endif
