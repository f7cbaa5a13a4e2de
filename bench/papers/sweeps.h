/* The sweeps (src/sweep) that the control paper's tables are made of. */
#ifndef BENCH_PAPERS_SWEEPS_H
#define BENCH_PAPERS_SWEEPS_H

#include "bench/papers/papers.h"
#include "src/readback/sweep_results.h"

enum { PAPERS_TEXTS_MAX = 8 };

typedef struct PapersSweep {
  const char *name;    /* of its results */
  const char *problem; /* jobs/problems/PROBLEM.yaml */
  const char *settings[PAPERS_TEXTS_MAX], *varies[PAPERS_TEXTS_MAX], *columns[PAPERS_TEXTS_MAX]; /* NULL: no more */
  const char *control; /* of simulations; NULL: searches */
  bool keep_exact;     /* simulations' results, and those of the motion itself */
} PapersSweep;

/* Carries one out; what was in DIRECTORY/NAME is replaced. Collective. Ends the program when a run fails. */
void papers_sweep(const Papers *papers, const PapersSweep *sweep);

/* Rank 0: its table, of that many runs, to be cleared. Ends the program if there is none. */
void papers_sweep_read(const Papers *papers, const PapersSweep *sweep, long runs, SweepResults *results);
/* A cell; NAN: empty, or there is no such column. */
double papers_cell(const SweepResults *results, long run, const char *column);

/* What a search has come to. */
enum {
  SEARCH_SIMPLEXES,
  SEARCH_EVALUATIONS,
  SEARCH_IVPS,
  SEARCH_ITERATIONS, /* of the per-step solver: of the fixed point, or sweeps */
  SEARCH_E1,
  SEARCH_E2,
  SEARCH_J,
  SEARCH_SECONDS, /* of the simulations alone */
  SEARCH_TRUE_E1, /* of the motion itself under u */
  SEARCH_TRUE_E2,
  SEARCH_U,
  SEARCH_WIDTH = SEARCH_U + 3
};

/* A sweep of n searches, unrefined: rows [n], rank 0's, out. Columns: none. Likewise. */
void papers_searches(const Papers *papers, const PapersSweep *sweep, int n, double (*rows)[SEARCH_WIDTH]);

#endif
