/* A kind of model: a file kind.c in its folder that fills a SimKindOps, its struct in sim/kinds.h, and a line of the
 * table in sim/setup/kinds.c. */
#ifndef SIM_KIND_H
#define SIM_KIND_H

#include "sim/internal.h"
#include "sim/operator/check.h"

/* An array of a problem: offset of its pointer in SimProblem, and its number of doubles (0: the pointer is NULL). */
typedef struct KindArray {
  size_t offset;
  size_t (*length)(const SimProblem *problem);
  bool over_time; /* allocated by sim_problem_alloc_force; NULL before */
} KindArray;
#define KIND_ARRAY(member, doubles) .offset = offsetof(SimProblem, member), .length = (doubles)

typedef struct SimKindOps {
  const KindArray *arrays; /* arrays of the kind's struct; ends with a length NULL */
  /* Rows of the keys of the section `model`. sim_problem_init sets their defaults. */
  const SimParameter *parameters;
  /* Frees data of the kind other than arrays; NULL: none. */
  void (*clear)(SimProblem *problem);
  /* Whether models borrow the problem's arrays because they may be large. Such a problem is never packed. NULL: no. */
  bool (*borrowed)(const SimProblem *problem);
  /* Reports each error in the data of this kind; B, times and scheme have been checked before. Fills *bounds if there
   * is no error, earlier ones included. SIM_OK, SIM_BAD_PROBLEM (reported) or SIM_NO_MEMORY. */
  SimStatus (*check)(Check *check, SimBounds *bounds);
  /* Size of the energies that rounding errors are relative to, J, of this rank's rows at x, v [count]: sum_i m_ii v_i^2
   * + a_ii x_i^2 + dt d_ii v_i^2, and the energies of springs with a law. work: of the model. */
  double (*energy_size)(const SimModel *model, SimWorkspace *work, const double *x, const double *v);
  bool has_multiplier;            /* lambda is a result of this kind */
  int n_extra;                    /* number of values of SimStep.extra */
  const char *const *extra;       /* [n_extra] their names, for column headers */
  const char *const *extra_units; /* [n_extra] */
  /* Fills work->extra at t_n from x for an observer. NULL: its schemes fill it. */
  void (*publish)(const SimModel *model, SimWorkspace *work, long n);
} SimKindOps;

#endif
