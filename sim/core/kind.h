/* A kind of model: one file kind.c of a room that fills a SimKindOps, its struct in sim/problem.h, and one line of the table
 * in sim/setup/kinds.c. */
#ifndef SIM_KIND_H
#define SIM_KIND_H

#include "sim/operator/check.h"
#include "sim/sim.h"

/* An array of a problem's: where SimProblem has the pointer, and how many doubles it has (0: none, the pointer is NULL). */
typedef struct KindArray {
  size_t offset;
  size_t (*length)(const SimProblem *problem);
  bool over_time; /* allocated by sim_problem_alloc_force, NULL before */
} KindArray;
#define KIND_ARRAY(member, doubles) .offset = offsetof(SimProblem, member), .length = (doubles)

typedef struct SimKindOps {
  const KindArray *arrays; /* of the kind's own struct; ends with a length NULL */
  /* Rows of the keys of the section `model`, of which a SimProblem has the defaults to begin with. */
  const SimParameter *parameters;
  /* Frees what it has besides arrays; NULL: nothing. */
  void (*clear)(SimProblem *problem);
  /* Whether models borrow the problem's arrays, because they may be large, and it is never packed; NULL: no. */
  bool (*borrowed)(const SimProblem *problem);
  /* Tells the mistakes in what is the kind's own (B, time and the scheme have been checked); fills *bounds when there are
   * none anywhere, those before it among them. Returns SIM_OK, SIM_BAD_PROBLEM (told) or SIM_NO_MEMORY. */
  SimStatus (*check)(Check *check, SimBounds *bounds);
  /* Energies of which round-off is a part, J, of this rank's rows at x, v [count]: sum_i m_ii v_i^2 + a_ii x_i^2 + dt d_ii v_i^2, and
   * what springs hold besides. */
  double (*energy_size)(const SimModel *model, const double *x, const double *v);
  bool has_multiplier;            /* lambda is a result */
  int n_extra;                    /* values of SimStep.extra */
  const char *const *extra;       /* [n_extra] their names, for column headers */
  const char *const *extra_units; /* [n_extra] */
  /* Fills work->extra at t_n from x, for whoever looks on. NULL: its schemes do. */
  void (*publish)(const SimModel *model, SimWorkspace *work, long n);
} SimKindOps;

#endif
