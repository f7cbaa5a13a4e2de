/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/base/argument.h"
#include "sim/operator/sparse.h"
#include "sim/setup/entries.h"
#include "sim/setup/hash.h"
#include "sim/setup/tables.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 24 };

/* Returns n, but at least 1, so that no array of a rank without rows is NULL. */
static size_t at_least_one(size_t n) { return n ? n : 1; }
static size_t rows(const SimProblem *p) { return at_least_one((size_t)p->count); }
static size_t controls(const SimProblem *p) { return at_least_one((size_t)p->count * (size_t)p->n_control); }
static size_t pieces(const SimProblem *p) { return (size_t)p->piece_count * sim_piece_size(p->d); }
static size_t starts(const SimProblem *p) { return (size_t)p->start_count; }
static size_t forces(const SimProblem *p) {
  return sim_force_in_pieces(p) ? 0 : (size_t)sim_force_count(p) * (size_t)p->count;
}

static const ProblemArray common[] = {{PROBLEM_ARRAY(friction, rows)},
                                      {PROBLEM_ARRAY(x0, rows)},
                                      {PROBLEM_ARRAY(v0, rows)},
                                      {PROBLEM_ARRAY(control_matrix, controls)},
                                      {PROBLEM_ARRAY(starts, starts)},
                                      {PROBLEM_ARRAY(pieces, pieces)},
                                      {PROBLEM_ARRAY(force, forces), .over_time = true},
                                      {0}};

/* Returns list k of a problem's arrays: those of all kinds, of each joint law, and of the kind; NULL if it is empty. */
static const ProblemArray *arrays_of(const SimProblem *p, int k) {
  if (k == 0) return common;
  return k <= JOINT_LAW_COUNT ? joint_arrays(k - 1) : p->ops->arrays;
}
#define EACH_ARRAY(array, p)                                                                                           \
  for (int list = 0; list < JOINT_LAW_COUNT + 2; list++)                                                               \
    for (const ProblemArray *array = arrays_of(p, list); array && array->length; array++)

static double **place(SimProblem *p, const ProblemArray *array) {
  return (double **)(void *)((char *)p + array->offset);
}

static const double *numbers_of(const SimProblem *p, const ProblemArray *array) {
  return *(double *const *)(const void *)((const char *)p + array->offset);
}

static bool is_there(const SimProblem *p, const ProblemArray *array) { return numbers_of(p, array) != NULL; }

static size_t bytes_of(const SimProblem *p, const ProblemArray *array) {
  return array->over_time && !is_there(p, array) ? 0 : array->length(p) * sizeof(double);
}

/* Whether sim_problem_alloc_force has allocated arrays of samples over time. */
static bool has_over_time(const SimProblem *p) {
  EACH_ARRAY(array, p)
  if (array->over_time && is_there(p, array)) return true;
  return false;
}

/* Frees the arrays of samples over time, or all other arrays. */
static void release(SimProblem *p, bool over_time) {
  EACH_ARRAY(array, p)
  if (array->over_time == over_time) {
    free(*place(p, array));
    *place(p, array) = NULL;
  }
}

static SimStatus allocate(SimProblem *p, bool over_time) {
  EACH_ARRAY(array, p) {
    size_t length = array->over_time == over_time ? array->length(p) : 0;
    if (length && !(*place(p, array) = calloc(length, sizeof(double)))) return SIM_NO_MEMORY;
  }
  return SIM_OK;
}

/* Initialises all members of a problem except kind, storage, rows and n_control, which must already be set. */
static SimStatus init(SimProblem *problem) {
  problem->ops = sim_kind(problem->kind);
  problem->segments = 1;
  sim_parameters_set_defaults(problem->ops->parameters, problem);
  SimStatus status = sim_problem_set_scheme(problem, sim_scheme_of_kind(problem->kind, 0)->name);
  if (status == SIM_OK) status = allocate(problem, false);
  if (status != SIM_OK) {
    sim_problem_clear(problem);
    return status;
  }
  int first = problem->first, p = problem->n_control;
  for (int i = 0; i < problem->count && first + i < p; i++) problem->control_matrix[i * p + first + i] = 1;
  return SIM_OK;
}

SimStatus sim_problem_init(SimProblem *problem, SimKind kind, int d, int n_control) {
  ARGUMENT_THERE(problem);
  *problem = (SimProblem){0};
  ARGUMENT(sim_kind(kind), "kind", "is none of the enum's");
  ARGUMENT(d >= 1, "d", "is below 1");
  ARGUMENT(n_control >= 0, "n_control", "is below 0");
  *problem = (SimProblem){.kind = kind, .d = d, .count = d, .n_control = n_control};
  return init(problem);
}

SimStatus sim_problem_init_sparse(SimProblem *problem, SimGroup *group, int d, int first, int count, int n_control) {
  ARGUMENT_THERE(problem);
  *problem = (SimProblem){0};
  ARGUMENT(d >= 1, "d", "is below 1");
  ARGUMENT(first >= 0 && count >= 0 && first <= d - count, "first, count", "are no rows of d");
  ARGUMENT(n_control >= 0, "n_control", "is below 0");
  *problem = (SimProblem){.kind = SIM_FRICTION,
                          .system = {.storage = SIM_SPARSE},
                          .group = group,
                          .d = d,
                          .first = first,
                          .count = count,
                          .n_control = n_control};
  return init(problem);
}

SimStatus stiction_problem_set_force(SimProblem *p, void (*force)(void *context, double t, double *f), void *context) {
  ARGUMENT(p && p->scheme, "problem", "is NULL, or not initialised");
  release(p, true);
  free(p->pieces);
  p->pieces = NULL;
  p->piece_count = 0;
  p->load = (SimLoad){.context = context, .at = force};
  return SIM_OK;
}

SimStatus sim_problem_alloc_force(SimProblem *problem) {
  ARGUMENT(problem && problem->scheme, "problem", "is NULL, or not initialised");
  ARGUMENT(problem->steps >= 1, "problem->steps", "is below 1");
  release(problem, true);
  SimStatus status = allocate(problem, true);
  if (status != SIM_OK) release(problem, true);
  return status;
}

void sim_problem_clear(SimProblem *problem) {
  if (!problem || !problem->ops) return;
  release(problem, false);
  release(problem, true);
  free(problem->parameters);
  if (problem->ops->clear) problem->ops->clear(problem);
  *problem = (SimProblem){0};
}

bool problem_borrowed(const SimProblem *problem) {
  return problem->ops && problem->ops->borrowed && problem->ops->borrowed(problem);
}

/* The packed form contains the struct itself, the scheme's name, its parameters, and the arrays in order. Pointers in
 * the packed struct only record whether they are NULL, so that equal problems have equal bytes. */
size_t sim_problem_packed_size(const SimProblem *problem) {
  if (problem_borrowed(problem)) return 0;
  size_t size = sizeof *problem + NAME_SIZE + problem->scheme->parameters_size;
  EACH_ARRAY(array, problem) size += bytes_of(problem, array);
  return size;
}

static char *put(char *to, const void *from, size_t size) {
  if (size) memcpy(to, from, size);
  return to + size;
}

/* Copies the struct of a problem without addresses: a pointer to an array is replaced by a mark whether it is NULL. */
static void header_of(const SimProblem *problem, SimProblem *header) {
  double *const there = (double *)(uintptr_t)sizeof(double);
  *header = *problem;
  header->load = (SimLoad){0};
  header->ops = NULL;
  header->scheme = NULL;
  header->parameters = NULL;
  EACH_ARRAY(array, problem)
  *place(header, array) = *place(header, array) ? there : NULL;
}

static uint64_t hash_matrix(uint64_t hash, const SimMatrix *m, int rows) {
  if (!m->start) return hash;
  size_t entries = (size_t)m->start[rows];
  hash = hash_bytes(hash, m->start, ((size_t)rows + 1) * sizeof *m->start);
  hash = hash_bytes(hash, m->column, entries * sizeof *m->column);
  return hash_bytes(hash, m->value, entries * sizeof *m->value);
}

static bool is_force(const ProblemArray *array) {
  return array->over_time || array->offset == offsetof(SimProblem, pieces);
}

/* Copies the struct of a problem without its force and without computed data, so that its bytes depend only on the data
 * from which the problem was made. */
static void shape_of(const SimProblem *p, SimProblem *header) {
  header_of(p, header);
  EACH_ARRAY(array, p)
  if (is_force(array)) *place(header, array) = NULL;
  header->piece_count = 0;
  header->group = NULL;
  header->finalized = 0;
  memset(&header->bounds, 0, sizeof header->bounds);
  memset(&header->system.sparse, 0, sizeof header->system.sparse);
}

bool problem_take_numbers(SimProblem *p, const SimProblem *from) {
  SimProblem header, other;
  shape_of(p, &header);
  shape_of(from, &other);
  if (p->scheme != from->scheme || memcmp(&header, &other, sizeof header) != 0) return false;
  EACH_ARRAY(array, p)
  if (!is_force(array)) put((char *)*place(p, array), numbers_of(from, array), bytes_of(p, array));
  put(p->parameters, from->parameters, p->scheme->parameters_size);
  p->bounds = from->bounds;
  p->finalized = from->finalized;
  return true;
}

unsigned long long problem_fingerprint(const SimProblem *p) {
  const SimSparse *sparse = &p->system.sparse;
  SimProblem header;
  shape_of(p, &header);
  uint64_t hash = hash_bytes(1, &header, sizeof header);
  hash = hash_bytes(hash, p->scheme->name, strlen(p->scheme->name));
  if (p->scheme->parameters_size) hash = hash_bytes(hash, p->parameters, p->scheme->parameters_size);
  EACH_ARRAY(array, p)
  if (!is_force(array) && is_there(p, array)) hash = hash_bytes(hash, numbers_of(p, array), bytes_of(p, array));
  hash = hash_matrix(hash_matrix(hash, &sparse->mass, p->count), &sparse->stiffness, p->count);
  return hash_matrix(hash, &sparse->damping, p->count) | 1; /* | 1: the result is never 0 */
}

void sim_problem_pack(const SimProblem *problem, void *bytes) {
  SimProblem header;
  char name[NAME_SIZE] = {0};
  if (problem_borrowed(problem)) return;
  header_of(problem, &header);
  strncpy(name, problem->scheme->name, NAME_SIZE - 1);
  char *to = put(put(bytes, &header, sizeof header), name, NAME_SIZE);
  to = put(to, problem->parameters, problem->scheme->parameters_size);
  EACH_ARRAY(array, problem)
  to = put(to, numbers_of(problem, array), bytes_of(problem, array));
}

/* Copies the numbers of a header (header_of) from another process to a problem of the same kind and size. The pointers
 * of the problem keep their values. */
static void take_header(SimProblem *problem, const SimProblem *header) {
  SimProblem taken = *header;
  EACH_ARRAY(array, problem) * place(&taken, array) = *place(problem, array);
  taken.scheme = problem->scheme;
  taken.parameters = problem->parameters;
  *problem = taken;
}

static const char *get(const char *from, void *to, size_t size) {
  if (size) memcpy(to, from, size);
  return from + size;
}

SimStatus sim_problem_unpack(SimProblem *problem, const void *bytes, size_t size) {
  SimProblem header;
  char name[NAME_SIZE];
  *problem = (SimProblem){0};
  if (size < sizeof header + NAME_SIZE) return SIM_BAD_PROBLEM;
  const char *from = get(get(bytes, &header, sizeof header), name, NAME_SIZE);
  name[NAME_SIZE - 1] = 0;
  if (!sim_kind(header.kind) || header.d < 1 || header.count != header.d || header.n_control < 0)
    return SIM_BAD_PROBLEM;
  *problem = header; /* the lengths of arrays depend on the numbers in the struct */
  problem->ops = sim_kind(header.kind);
  EACH_ARRAY(array, problem) * place(problem, array) = NULL;
  SimStatus status = init(problem);
  if (status != SIM_OK) return status;
  header.ops = problem->ops;
  status = sim_problem_set_scheme(problem, name);
  take_header(problem, &header);
  if (size < sizeof header + NAME_SIZE + problem->scheme->parameters_size) status = SIM_BAD_PROBLEM;
  if (status == SIM_OK) from = get(from, problem->parameters, problem->scheme->parameters_size);
  if (status == SIM_OK && has_over_time(&header)) status = sim_problem_alloc_force(problem);
  if (status == SIM_OK && size != sim_problem_packed_size(problem)) status = SIM_BAD_PROBLEM;
  if (status != SIM_OK) {
    sim_problem_clear(problem);
    return status;
  }
  EACH_ARRAY(array, problem)
  from = get(from, *place(problem, array), bytes_of(problem, array));
  return SIM_OK;
}

SimStatus problem_copy_parameters(const SimProblem *problem, SimProblem *copy) {
  size_t size = problem->parameters ? problem->scheme->parameters_size : 0;
  copy->parameters = size ? malloc(size) : NULL;
  if (size && !copy->parameters) return SIM_NO_MEMORY;
  if (size) memcpy(copy->parameters, problem->parameters, size);
  return SIM_OK;
}

/* Copies everything except sparse matrices, which the copy does not have. */
static SimStatus copy_arrays(const SimProblem *problem, SimProblem *copy) {
  *copy = *problem;
  memset(&copy->system.sparse, 0, sizeof copy->system.sparse);
  EACH_ARRAY(array, copy) * place(copy, array) = NULL;
  SimStatus status = problem_copy_parameters(problem, copy);
  EACH_ARRAY(array, problem) {
    const double *numbers = numbers_of(problem, array);
    size_t size = numbers && status == SIM_OK ? bytes_of(problem, array) : 0;
    if (size && !(*place(copy, array) = malloc(size))) status = SIM_NO_MEMORY;
    if (size && status == SIM_OK) memcpy(*place(copy, array), numbers, size);
  }
  return status;
}

SimStatus sim_problem_copy(const SimProblem *problem, SimProblem *copy) {
  ARGUMENT(problem && problem->scheme, "problem", "is NULL, or not initialised");
  ARGUMENT_THERE(copy);
  const SimSparse *sparse = &problem->system.sparse;
  SimStatus status = copy_arrays(problem, copy);
  SimSparse *own = &copy->system.sparse;
  if (status == SIM_OK) status = entries_copy(&sparse->mass, problem->count, &own->mass);
  if (status == SIM_OK) status = entries_copy(&sparse->stiffness, problem->count, &own->stiffness);
  if (status == SIM_OK) status = entries_copy(&sparse->damping, problem->count, &own->damping);
  if (status != SIM_OK) sim_problem_clear(copy);
  return status;
}

size_t sim_problem_room(const SimProblem *problem) {
  size_t doubles = (problem->scheme->parameters_size + sizeof(double) - 1) / sizeof(double);
  EACH_ARRAY(array, problem) doubles += numbers_of(problem, array) ? bytes_of(problem, array) / sizeof(double) : 0;
  return doubles * sizeof(double);
}

void sim_problem_copy_into(void *room, const SimProblem *problem, SimProblem *copy) {
  double *to = room;
  *copy = *problem;
  EACH_ARRAY(array, problem) {
    const double *numbers = numbers_of(problem, array);
    size_t size = numbers ? bytes_of(problem, array) : 0;
    *place(copy, array) = size ? to : NULL;
    put((char *)to, numbers, size);
    to += size / sizeof(double);
  }
  copy->parameters = to;
  put((char *)to, problem->parameters, problem->scheme->parameters_size);
}

SimStatus problem_copy_dense(const SimProblem *problem, SimProblem *dense) {
  *dense = *problem;
  dense->system.storage = SIM_DENSE;
  memset(&dense->system.sparse, 0, sizeof dense->system.sparse);
  dense->group = NULL;
  EACH_ARRAY(array, dense) * place(dense, array) = NULL;
  SimStatus status = problem_copy_parameters(problem, dense);
  if (status == SIM_OK) status = allocate(dense, false);
  if (status == SIM_OK && has_over_time(problem)) status = allocate(dense, true);
  if (status != SIM_OK) return status;
  EACH_ARRAY(array, dense)
  if (is_there(problem, array)) memcpy(*place(dense, array), numbers_of(problem, array), bytes_of(dense, array));
  sparse_entries(&problem->system.sparse.mass, dense->d, dense->system.mass);
  sparse_entries(&problem->system.sparse.stiffness, dense->d, dense->system.stiffness);
  sparse_entries(&problem->system.sparse.damping, dense->d, dense->system.damping);
  return SIM_OK;
}
