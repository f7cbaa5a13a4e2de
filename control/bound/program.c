/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/bound/program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Reallocates an array of a matrix (BoundLmi), if necessary, so that it can hold one more element. Returns false if
 * memory is lacking. */
static bool grow_array(BoundLmi *lmi, void *array, int count, int *room, size_t size) {
  if (count < *room) return !lmi->no_memory;
  void **of = array, *more = realloc(*of, (size_t)(2 * count + 16) * size);
  if (!more) {
    lmi->no_memory = true;
    return false;
  }
  *of = more;
  *room = 2 * count + 16;
  return !lmi->no_memory;
}

static double *allocate_zeros(size_t count) { return calloc(count ? count : 1, sizeof(double)); }

void bound_lmi_init(BoundLmi *lmi, int n) {
  *lmi = (BoundLmi){.n = n, .price = n};
  lmi->start = allocate_zeros(2 * (size_t)(n * n));
  double *unit = allocate_zeros((size_t)n);
  lmi->no_memory = !lmi->start || !unit;
  if (lmi->start) lmi->start_off = lmi->start + n * n;
  for (int i = 0; i < n && unit; i++) {
    unit[i] = 1;
    bound_lmi_row(lmi, unit, NULL);
    unit[i] = 0;
  }
  free(unit);
}

int bound_lmi_row(BoundLmi *lmi, const double *row, const double *off) {
  int n = lmi->n, room = lmi->room_rows;
  size_t size = (size_t)n * sizeof *row;
  if (!grow_array(lmi, &lmi->row, lmi->rows, &room, size) ||
      !grow_array(lmi, &lmi->off, lmi->rows, &lmi->room_rows, size))
    return 0;
  memcpy(lmi->row + lmi->rows * n, row, size);
  if (off)
    memcpy(lmi->off + lmi->rows * n, off, size);
  else
    memset(lmi->off + lmi->rows * n, 0, size);
  return lmi->rows++;
}

void bound_lmi_column(BoundLmi *lmi, int variable) {
  int room = lmi->room_columns;
  if (!grow_array(lmi, &lmi->variable, lmi->columns + 1, &room, sizeof *lmi->variable)) return;
  if (!grow_array(lmi, &lmi->first, lmi->columns + 1, &lmi->room_columns, sizeof *lmi->first)) return;
  lmi->variable[lmi->columns] = variable;
  lmi->first[lmi->columns++] = lmi->terms;
  lmi->first[lmi->columns] = lmi->terms;
  lmi->shared += variable >= 0;
}

void bound_lmi_term(BoundLmi *lmi, int a, int b, double weight) {
  if (weight == 0 || !grow_array(lmi, &lmi->term, lmi->terms, &lmi->room_terms, sizeof *lmi->term)) return;
  lmi->term[lmi->terms++] = (BoundTerm){a, b, weight};
  lmi->first[lmi->columns] = lmi->terms;
}

void bound_lmi_product(BoundLmi *lmi, int a, int b) {
  bound_lmi_column(lmi, -1);
  bound_lmi_term(lmi, a, b, -1);
}

void bound_lmi_finish(BoundLmi *lmi) {
  bound_lmi_column(lmi, -1);
  for (int i = 0; i < lmi->n; i++) bound_lmi_term(lmi, i, i, 1);
}

void bound_lmi_clear(BoundLmi *lmi) {
  free(lmi->row);
  free(lmi->off);
  free(lmi->start);
  free(lmi->variable);
  free(lmi->first);
  free(lmi->term);
}

SimStatus bound_program_init(BoundProgram *program, int node_size, int parts, int nodes, int kinds, int places) {
  size_t weights = (size_t)parts * (BOUND_SPAN + 1);
  *program = (BoundProgram){.node_size = node_size, .parts = parts, .nodes = nodes, .kinds = kinds, .places = places};
  program->kind = calloc((size_t)kinds, sizeof *program->kind);
  program->place = calloc((size_t)places, sizeof *program->place);
  program->first = allocate_zeros(2 * (size_t)node_size);
  program->weights = allocate_zeros((size_t)places * weights);
  if (!program->kind || !program->place || !program->first || !program->weights) return SIM_NO_MEMORY;
  for (int p = 0; p < places; p++) {
    program->place[p].weight = program->weights + (size_t)p * weights;
    program->place[p].off = program->place[p].weight + parts * BOUND_SPAN;
  }
  program->last = program->first + node_size;
  return SIM_OK;
}

SimStatus bound_kind_init(BoundKind *kind, int lmis, int local) {
  *kind = (BoundKind){.lmis = lmis, .local = local};
  kind->lmi = calloc((size_t)lmis, sizeof *kind->lmi);
  kind->gain = allocate_zeros((size_t)local);
  return kind->lmi && kind->gain ? SIM_OK : SIM_NO_MEMORY;
}

void bound_program_clear(BoundProgram *program) {
  for (int k = 0; k < program->kinds && program->kind; k++) {
    for (int l = 0; l < program->kind[k].lmis && program->kind[k].lmi; l++) bound_lmi_clear(&program->kind[k].lmi[l]);
    free(program->kind[k].lmi);
    free(program->kind[k].gain);
  }
  free(program->kind);
  free(program->place);
  free(program->first);
  free(program->weights);
  free(program->costs);
  *program = (BoundProgram){0};
}

bool bound_program_whole(const BoundProgram *program) {
  for (int k = 0; k < program->kinds; k++)
    for (int l = 0; l < program->kind[k].lmis; l++)
      if (program->kind[k].lmi[l].no_memory) return false;
  return true;
}

int bound_kind_size(const BoundProgram *program, const BoundKind *kind) {
  return kind->local + program->parts * program->node_size;
}

long bound_program_own(const BoundProgram *program, int places) {
  long sum = 0;
  for (int p = 0; p < places; p++) {
    const BoundKind *kind = &program->kind[program->place[p].kind];
    for (int l = 0; l < kind->lmis; l++) sum += bound_lmi_own(&kind->lmi[l]);
  }
  return sum;
}

long bound_program_local(const BoundProgram *program, int places) {
  long sum = 0;
  for (int p = 0; p < places; p++) sum += program->kind[program->place[p].kind].local;
  return sum;
}

SimStatus bound_values_init(const BoundProgram *program, BoundValues *values) {
  long nodes = (long)program->nodes * program->node_size, local = bound_program_local(program, program->places);
  values->node = allocate_zeros((size_t)(nodes + local + bound_program_own(program, program->places)));
  if (!values->node) return SIM_NO_MEMORY;
  values->local = values->node + nodes;
  values->own = values->local + local;
  return SIM_OK;
}

void bound_values_clear(BoundValues *values) {
  free(values->node);
  *values = (BoundValues){0};
}

void bound_place_parts(const BoundProgram *program, int place, const double *node, double *part, double *magnitude) {
  const BoundPlace *at = &program->place[place];
  int nv = program->node_size;
  const double *first = node + (size_t)at->node * (size_t)nv;
  for (int k = 0; k < program->parts; k++)
    for (int v = 0; v < nv; v++) {
      double sum = 0, size = 0;
      for (int j = 0; j < at->span; j++) {
        double term = at->weight[k * BOUND_SPAN + j] * first[j * nv + v];
        sum += term;
        size += fabs(term);
      }
      part[k * nv + v] = sum;
      if (magnitude) magnitude[k * nv + v] = size;
    }
}

/* Returns the largest absolute value of one variable of V over the nodes of the interval to which a time point
 * belongs. */
static double largest_value(const BoundProgram *program, const BoundPlace *place, const double *node, int variable) {
  int first = place->node - place->before;
  double size = 0;
  for (int j = 0; j < place->around; j++) size = fmax(size, fabs(node[(first + j) * program->node_size + variable]));
  return size;
}

void bound_place_values(const BoundProgram *program, int place, const BoundValues *values, double *value,
                        double *magnitude, double *off) {
  const BoundPlace *at = &program->place[place];
  int nv = program->node_size, local = program->kind[at->kind].local;
  memcpy(value, values->local + bound_program_local(program, place), (size_t)local * sizeof *value);
  for (int v = 0; v < local && magnitude; v++) magnitude[v] = fabs(value[v]);
  bound_place_parts(program, place, values->node, value + local, magnitude ? magnitude + local : NULL);
  if (!off) return;
  memset(off, 0, (size_t)(local + program->parts * nv) * sizeof *off);
  for (int k = 0; k < program->parts; k++)
    for (int v = 0; v < nv && at->off[k] > 0; v++)
      off[local + k * nv + v] = at->off[k] * largest_value(program, at, values->node, v);
}
