/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/bound/newton.h"

#include "control/bound/chain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* STEPS: maximum number of Newton steps. STALL_STEPS: number of consecutive steps without progress after which the
 * solver ends. */
enum { STEPS = 150, STALL_STEPS = 5 };
/* Slack of all matrices Q at the start. The slack of a matrix is a variable s >= 0: the program adds s times the unit
 * matrix to Q, at a price, so that Q is positive definite. A larger slack at the start saves steps, until round-off
 * dominates. */
static const double INITIAL_SLACK = 1e6;
/* The matrix of the Newton system may be singular up to round-off. Then a fraction of each diagonal entry is added to
 * the entry, the smallest of DEPENDENT, 10 DEPENDENT, .. with which the matrix can be factored. If none below
 * DEPENDENT_MOST suffices, there is no Newton step. */
static const double DEPENDENT = 1e-14, DEPENDENT_MOST = 1e-8;
/* Limit of the residual of the dual equations, relative to their terms, below which the moments are computed. */
static const double MOMENTS_RESIDUAL = 0.1;
/* A Newton step makes progress if it is longer than STALL_LENGTH and reduces the duality gap or the residual below
 * STALL_REDUCTION times the lowest value so far. */
static const double STALL_LENGTH = 1e-3, STALL_REDUCTION = 0.9;

typedef struct Solver {
  const BoundProgram *program;
  BoundChain chain;
  BoundWork work;
  BoundBlock *block; /* blocks (lmi.h) of all time points, in the order of the time points */
  int *first;        /* [places + 1] index of the first block of each time point */
  double *value;     /* workspace for the variables of a time point */
  double *g, *d;     /* [places][largest number of variables of a time point] each: right-hand sides g and Newton steps
                      * d of the variables of all time points */
  double *node;      /* [nodes][node_size] right-hand side of the variables of V at the nodes, overwritten by their
                      * Newton step */
  int most;          /* largest number of variables of a time point */
  double dependent;  /* fraction of each diagonal entry of the Newton system that is added to the entry */
  double missing;    /* residual of the dual equations, relative to their terms */
} Solver;

static const BoundKind *kind_of(const Solver *s, int place) { return &s->program->kind[s->program->place[place].kind]; }

static void solver_clear(Solver *s) {
  for (int b = 0; s->block && s->first && b < s->first[s->program->places]; b++) bound_block_clear(&s->block[b]);
  free(s->block);
  free(s->first);
  free(s->value);
  bound_work_clear(&s->work);
  bound_chain_clear(&s->chain);
}

static SimStatus solver_create(const BoundProgram *program, Solver *s) {
  int places = program->places, blocks = 0;
  *s = (Solver){.program = program, .missing = 1};
  s->first = calloc((size_t)places + 1, sizeof *s->first);
  if (!s->first) return SIM_NO_MEMORY;
  for (int p = 0; p < places; p++) {
    int size = bound_kind_size(program, kind_of(s, p));
    s->most = size > s->most ? size : s->most;
    s->first[p + 1] = blocks += kind_of(s, p)->lmis;
  }
  size_t most = (size_t)s->most, all = (size_t)(program->nodes * program->node_size);
  s->block = calloc((size_t)blocks, sizeof *s->block);
  s->value = calloc(most + 2 * most * (size_t)places + all, sizeof *s->value);
  if (!s->block || !s->value) return SIM_NO_MEMORY;
  s->g = s->value + most;
  s->d = s->g + most * (size_t)places;
  s->node = s->d + most * (size_t)places;
  SimStatus status = bound_work_init(program, &s->work);
  if (status == SIM_OK) status = bound_chain_init(program, &s->chain);
  for (int p = 0; p < places && status == SIM_OK; p++)
    for (int l = 0; l < kind_of(s, p)->lmis && status == SIM_OK; l++)
      status = bound_block_init(&kind_of(s, p)->lmi[l], &program->place[p], &s->block[s->first[p] + l]);
  return status;
}

/* Computes the matrix Q and its inverse W for all blocks (lmi.h). Returns false if some Q is not positive definite. */
static bool evaluate_matrices(Solver *s, const BoundValues *values) {
  for (int p = 0; p < s->program->places; p++) {
    bound_place_values(s->program, p, values, s->value, NULL, NULL);
    for (int b = s->first[p]; b < s->first[p + 1]; b++) {
      bound_block_matrix(&s->block[b], s->value, s->block[b].own, &s->work, s->block[b].Q);
      if (!bound_block_invert(&s->block[b])) return false;
    }
  }
  return true;
}

/* Sets the starting point. The own variables (those of single matrices) are small. The slack variables, which are added
 * to the diagonals of the matrices Q, are so large that all Q are positive definite. The dual matrices X are on the
 * central path, with a barrier weight that about equals the price of the slacks. Returns false if some Q is not
 * positive definite. */
static bool set_start(Solver *s, const BoundValues *values) {
  double least = 1;
  for (int p = 0; p < s->program->places; p++) least = fmin(least, s->program->place[p].share);
  for (int b = 0; b < s->first[s->program->places]; b++) {
    BoundBlock *block = &s->block[b];
    int own = bound_lmi_own(block->lmi);
    for (int k = 0; k < own; k++) block->own[k] = INITIAL_SLACK * least / block->share / (k == own - 1 ? 1 : 16 * own);
  }
  if (!evaluate_matrices(s, values)) return false;
  for (int b = 0; b < s->first[s->program->places]; b++) {
    BoundBlock *block = &s->block[b];
    int n = block->lmi->n;
    for (int i = 0; i < n * n; i++) block->X[i] = INITIAL_SLACK * least * block->W[i];
    for (int k = 0; k < bound_lmi_own(block->lmi); k++) block->own_dual[k] = INITIAL_SLACK * least / block->own[k];
  }
  return true;
}

static bool factor_with(Solver *s) {
  s->chain.dependent = s->dependent;
  bound_chain_start(&s->chain);
  for (int p = 0; p < s->program->places; p++) {
    double *H = bound_chain_place(&s->chain, p);
    int size = bound_kind_size(s->program, kind_of(s, p));
    for (int b = s->first[p]; b < s->first[p + 1]; b++)
      if (!bound_block_hessian(&s->block[b], &s->work, size, H)) return false;
    if (!bound_chain_add(&s->chain, p)) return false;
  }
  return bound_chain_factor(&s->chain);
}

/* Factors the Newton system. Adds the smallest multiple of the diagonal for which the factorisation succeeds in spite
 * of round-off. Returns false if none succeeds. */
static bool factor_system(Solver *s) {
  for (s->dependent = fmax(DEPENDENT, s->dependent / 10); s->dependent < DEPENDENT_MOST; s->dependent *= 10)
    if (factor_with(s)) return true;
  return false;
}

/* Computes the Newton step for a barrier with weight mu: s->d, s->node, and the steps of all blocks (lmi.h). */
static void find_step(Solver *s, double mu) {
  const BoundProgram *program = s->program;
  int nv = program->node_size;
  memset(s->node, 0, (size_t)(program->nodes * nv) * sizeof *s->node);
  for (int v = 0; v < nv; v++) {
    s->node[v] += program->first[v];
    s->node[(program->nodes - 1) * nv + v] += program->last[v];
  }
  for (int p = 0; p < program->places; p++) {
    double *g = s->g + (size_t)p * (size_t)s->most;
    memset(g, 0, (size_t)s->most * sizeof *g);
    for (int v = 0; v < kind_of(s, p)->local; v++) g[v] = kind_of(s, p)->gain[v];
    for (int b = s->first[p]; b < s->first[p + 1]; b++) bound_block_right_side(&s->block[b], &s->work, mu, g);
    bound_chain_reduce(&s->chain, p, g, s->node);
  }
  bound_chain_solve(&s->chain, s->node);
  for (int p = 0; p < program->places; p++) {
    double *d = s->d + (size_t)p * (size_t)s->most;
    bound_place_parts(program, p, s->node, d + kind_of(s, p)->local, NULL);
    bound_chain_local(&s->chain, p, s->g + (size_t)p * (size_t)s->most, d);
    for (int b = s->first[p]; b < s->first[p + 1]; b++) bound_block_step(&s->block[b], &s->work, mu, d);
  }
}

static double gap_of(const Solver *s) {
  double sum = 0;
  for (int b = 0; b < s->first[s->program->places]; b++) sum += bound_block_gap(&s->block[b]);
  return sum;
}

/* Returns the duality gap after a step of length along_Q in the matrices Q and of length along_X in the dual matrices
 * X. */
static double gap_after(const Solver *s, double along_Q, double along_X) {
  double sum = 0;
  for (int b = 0; b < s->first[s->program->places]; b++) {
    const BoundBlock *block = &s->block[b];
    for (int i = 0; i < block->lmi->n * block->lmi->n; i++)
      sum += (block->X[i] + along_X * block->dX[i]) * (block->Q[i] + along_Q * block->dQ[i]);
    for (int k = 0; k < bound_lmi_own(block->lmi); k++)
      sum += (block->own[k] + along_Q * block->d_own[k]) * (block->own_dual[k] + along_X * block->d_dual[k]);
  }
  return sum;
}

static void step_lengths(Solver *s, double part, double *along_Q, double *along_X) {
  *along_Q = *along_X = 1;
  for (int b = 0; b < s->first[s->program->places]; b++)
    bound_block_lengths(&s->block[b], &s->work, part, along_Q, along_X);
}

static void move_values(Solver *s, double along_Q, double along_X, BoundValues *values) {
  const BoundProgram *program = s->program;
  double *local = values->local;
  for (int v = 0; v < program->nodes * program->node_size; v++) values->node[v] += along_Q * s->node[v];
  for (int p = 0; p < program->places; p++)
    for (int v = 0; v < kind_of(s, p)->local; v++) *local++ += along_Q * s->d[(size_t)p * (size_t)s->most + (size_t)v];
  for (int b = 0; b < s->first[program->places]; b++) {
    BoundBlock *block = &s->block[b];
    for (int i = 0; i < block->lmi->n * block->lmi->n; i++) block->X[i] += along_X * block->dX[i];
    for (int k = 0; k < bound_lmi_own(block->lmi); k++) {
      block->own[k] += along_Q * block->d_own[k];
      block->own_dual[k] += along_X * block->d_dual[k];
    }
  }
}

/* Returns the value that the program maximises, (2) of program.h. */
static double program_value(const Solver *s, const BoundValues *values) {
  const BoundProgram *program = s->program;
  const double *last = values->node + (program->nodes - 1) * program->node_size, *local = values->local;
  double sum = 0;
  for (int v = 0; v < program->node_size; v++) sum += program->first[v] * values->node[v] + program->last[v] * last[v];
  for (int p = 0; p < program->places; p++) {
    for (int v = 0; v < kind_of(s, p)->local; v++) sum += kind_of(s, p)->gain[v] * *local++;
    for (int b = s->first[p]; b < s->first[p + 1]; b++)
      sum -= s->block[b].share * s->block[b].lmi->price * s->block[b].own[bound_lmi_own(s->block[b].lmi) - 1];
  }
  return sum;
}

/* Makes one Newton step. Returns false if it made no progress. */
static bool newton_step(Solver *s, double degree, BoundValues *values) {
  double along_Q, along_X, gap = gap_of(s), mu = gap / degree;
  int blocks = s->first[s->program->places];
  for (int b = 0; b < blocks; b++) bound_block_correct(&s->block[b], &s->work, true);
  if (!factor_system(s)) return false;
  find_step(s, 0);
  step_lengths(s, 1, &along_Q, &along_X);
  double left = fmax(0, gap_after(s, along_Q, along_X) / gap), centre = left * left * left;
  if (fmin(along_Q, along_X) < 0.1) centre = fmax(centre, 0.5);
  centre = fmin(1, fmax(centre, 1e-4));
  for (int b = 0; b < blocks; b++) bound_block_correct(&s->block[b], &s->work, false);
  find_step(s, centre * mu);
  step_lengths(s, 0.95, &along_Q, &along_X);
  if (!(along_Q >= 0 && along_X >= 0)) return false;
  move_values(s, along_Q, along_X, values);
  s->missing *= 1 - along_X;
  return evaluate_matrices(s, values) && fmax(along_Q, along_X) > STALL_LENGTH;
}

static double degree_of(const Solver *s) {
  double degree = 0;
  for (int b = 0; b < s->first[s->program->places]; b++) degree += s->block[b].lmi->n + bound_lmi_own(s->block[b].lmi);
  return degree;
}

/* Copies the values of all variables to `out`: those of nodes and time points from `values`, and the own variables of
 * single matrices from the blocks. */
static void copy_values(const Solver *s, const BoundValues *values, BoundValues *out) {
  double *own = out->own;
  memcpy(out->node, values->node, (size_t)(values->own - values->node) * sizeof *out->node);
  for (int b = 0; b < s->first[s->program->places]; b++) {
    int count = bound_lmi_own(s->block[b].lmi);
    memcpy(own, s->block[b].own, (size_t)count * sizeof *own);
    own += count;
  }
}

/* Computes the moments (newton.h) from the dual matrices X of those blocks that have rows for the control. The first
 * rows of these blocks belong to 1 and x. */
static void take_moments(const Solver *s, BoundMoments *moments) {
  int d = moments->dofs, size = bound_moments_size(moments);
  for (int p = 0; p < s->program->places; p++) {
    double *m = moments->of + p * size;
    memset(m, 0, (size_t)size * sizeof *m);
    for (int b = s->first[p]; b < s->first[p + 1]; b++) {
      const BoundBlock *block = &s->block[b];
      if (!block->lmi->u) continue;
      m[0] += block->X[0];
      for (int i = 0; i < d; i++) {
        m[1 + i] += block->X[1 + i];
        m[1 + d + i] += block->X[(1 + i) * block->lmi->n + 1 + i];
      }
      for (int j = 0; j < moments->controls; j++) m[1 + 2 * d + j] += block->X[block->lmi->u + j];
    }
  }
}

/* Makes Newton steps from the values `now` of all variables. best: set to the best values so far, because round-off may
 * spoil the last steps. */
static SimStatus make_steps(Solver *s, double gap, double enough, const BoundStop *stop, BoundValues *now,
                            BoundValues *best, int *steps) {
  double degree = degree_of(s), least = INFINITY, least_missing = INFINITY, most = -INFINITY;
  for (int k = 0, slow = 0;; k++) {
    double J = program_value(s, now);
    if (J > most) copy_values(s, now, best);
    most = fmax(most, J);
    if (k == STEPS || slow == STALL_STEPS || J >= enough || (s->missing < gap && gap_of(s) < gap)) return SIM_OK;
    if (stop && stop->stopped && stop->stopped(stop->context)) return SIM_NOT_FINISHED;
    if (stop && stop->late && stop->late(stop->context)) return SIM_OK;
    bool nearer = gap_of(s) < STALL_REDUCTION * least || s->missing < STALL_REDUCTION * least_missing;
    least = fmin(least, gap_of(s));
    least_missing = fmin(least_missing, s->missing);
    slow = newton_step(s, degree, now) && nearer ? 0 : slow + 1;
    if (steps) *steps = k + 1;
  }
}

SimStatus bound_solve(const BoundProgram *program, double gap, double enough, const BoundStop *stop,
                      BoundValues *values, int *steps, BoundMoments *moments) {
  Solver s;
  BoundValues now = {0};
  SimStatus status = solver_create(program, &s);
  if (status == SIM_OK) status = bound_values_init(program, &now);
  if (status == SIM_OK && set_start(&s, &now)) {
    status = make_steps(&s, gap, enough, stop, &now, values, steps);
    if (moments && s.missing < MOMENTS_RESIDUAL) take_moments(&s, moments);
  }
  bound_values_clear(&now);
  solver_clear(&s);
  return status;
}

double bound_step_operations(const BoundProgram *program) {
  double sum = 0, width = 0;
  for (int p = 0; p < program->places; p++) {
    const BoundKind *kind = &program->kind[program->place[p].kind];
    double local = kind->local, rest = program->parts * program->node_size;
    width = fmax(width, program->place[p].span * program->node_size);
    for (int l = 0; l < kind->lmis; l++) {
      const BoundLmi *lmi = &kind->lmi[l];
      double n = lmi->n, own = bound_lmi_own(lmi), shared = lmi->shared, terms = lmi->terms;
      sum += 5 * terms * terms + own * own * own / 3 + own * own * shared + own * shared * shared + 60 * n * n * n;
    }
    sum += local * local * local / 3 + local * local * rest + local * rest * rest + 6 * rest * rest;
  }
  return sum + program->nodes * program->node_size * width * width;
}
