/* The insides of a model and a workspace, for schemes. */
#ifndef SIM_MODEL_H
#define SIM_MODEL_H

#include "sim/sim.h"
#include "sim/step/friction_solver.h"

struct SimModel {
  SimProblem problem; /* own copy */
  void *plan;         /* the scheme's operators and tables */
};

/* What stands at t_n after start(n = 0) and each step; the rest belongs to the scheme. */
struct SimWorkspace {
  double *x;         /* [d]; owned, in one block with the other doubles: sim_workspace_doubles */
  double *v;         /* [d] */
  double *lambda;    /* [d] */
  signed char *slip; /* [d] */
  double *extra;     /* [sim_kind_extras] */
  bool contact;
  double *push;              /* [d] B u, N: what the next step takes */
  double *scratch;           /* scheme->scratch() doubles */
  double *u;                 /* [p] u(t_n), N */
  double *node_u;            /* [signal_nodes][p] u and B u at the nodes of sim/core/signal_mix.h */
  double *node_push;         /* [signal_nodes][d]; none of SIM_SPARSE */
  StepScratch step;          /* empty for chains and SIM_SPARSE */
  struct SparseWork *sparse; /* SIM_SPARSE: see step_sparse.h */
  StepTally tally;
  long n;           /* steps done */
  SimStatus status; /* of the last */
  int kernel;       /* of sim_batch */
  double *lanes;    /* [batch_room], aligned, within lane_store */
  void *lane_store;
  bool watched;     /* the energies are wanted */
  SimEnergy energy; /* up to t_n */
};

size_t sim_workspace_doubles(const SimModel *model);

SimStatus sim_problem_copy(const SimProblem *problem, SimProblem *copy);

/* Tells one mistake (report may be NULL); returns 1, for counting. */
int sim_complain(const SimReport *report, const char *key, const char *format, ...);

/* C gamma(v), added with a factor: b += factor C gamma(v). */
void sim_add_stribeck(const SimProblem *problem, double factor, const double *v, double *b);

#endif
