#include "sim/setup/tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N_ARRAYS = 20, N_TABLES = 3, NAME_SIZE = 24 };

typedef struct Array {
  double **data;
  size_t length;
} Array;

/* Every array of a problem with its length; the N_TABLES over time last (length 0 while there are none). */
static void list_arrays(SimProblem *p, Array list[N_ARRAYS]) {
  bool dense = problem_is_dense(p), chain = p->kind == SIM_CHAIN;
  size_t d = (size_t)p->count, controls = (size_t)p->n_control, nodes = chain ? d : 0;
  size_t gears = dense && p->kind == SIM_FRICTION ? d : 0, square = dense && !chain ? d * d : 0;
  size_t times = p->force ? (size_t)sim_force_count(p) : 0, chain_times = nodes ? times : 0;
  size_t rates = p->force && sim_force_rate_wanted(p) ? times : 0;
  SimGearbox *gear = &p->gearbox;
  const Array arrays[N_ARRAYS] = {{&p->mass, square},
                                  {&p->stiffness, square},
                                  {&p->damping, square},
                                  {&p->friction, d},
                                  {&p->x0, d},
                                  {&p->v0, d},
                                  {&p->stribeck_beta, d},
                                  {&p->stribeck_epsilon, d},
                                  {&p->control_matrix, d * controls},
                                  {&gear->delta, gears},
                                  {&gear->k, gears},
                                  {&gear->a, gears},
                                  {&gear->b, gears},
                                  {&gear->beta, gears},
                                  {&gear->epsilon, gears},
                                  {&p->chain.springs, nodes ? nodes + 1 : 0},
                                  {&p->chain.node_mass, nodes},
                                  {&p->force, times * d},
                                  {&p->force_rate, rates * d},
                                  {&p->end_value, chain_times}};
  memcpy(list, arrays, sizeof arrays);
}

/* Of all the kind's schemes, so that another one may be taken; the first, its default, has the last word. */
static void set_scheme_defaults(SimProblem *problem) {
  int n = 0;
  while (sim_scheme_of_kind(problem->kind, n)) n++;
  while (n-- > 0) sim_problem_set_scheme(problem, sim_scheme_of_kind(problem->kind, n)->name);
}

/* The rest of a problem whose kind, storage, rows and n_control are set. */
static SimStatus init(SimProblem *problem) {
  *problem = (SimProblem){.kind = problem->kind,
                          .storage = problem->storage,
                          .group = problem->group,
                          .d = problem->d,
                          .first = problem->first,
                          .count = problem->count,
                          .n_control = problem->n_control,
                          .segments = 1,
                          .dashpot = {.g = 1}};
  set_scheme_defaults(problem);
  Array list[N_ARRAYS];
  list_arrays(problem, list);
  for (int i = 0; i < N_ARRAYS - N_TABLES; i++) {
    *list[i].data = calloc(list[i].length ? list[i].length : 1, sizeof(double));
    if (!*list[i].data) {
      sim_problem_clear(problem);
      return SIM_NO_MEMORY;
    }
  }
  int first = problem->first, p = problem->n_control;
  for (int i = 0; i < problem->count && first + i < p; i++) problem->control_matrix[i * p + first + i] = 1;
  return SIM_OK;
}

SimStatus sim_problem_init(SimProblem *problem, SimKind kind, int d, int n_control) {
  *problem = (SimProblem){.kind = kind, .storage = SIM_DENSE, .d = d, .count = d, .n_control = n_control};
  return init(problem);
}

SimStatus sim_problem_init_sparse(SimProblem *problem, SimGroup *group, int d, int first, int count, int n_control) {
  *problem = (SimProblem){.kind = SIM_FRICTION,
                          .storage = SIM_SPARSE,
                          .group = group,
                          .d = d,
                          .first = first,
                          .count = count,
                          .n_control = n_control};
  return init(problem);
}

SimStatus sim_problem_alloc_force(SimProblem *problem) {
  size_t times = (size_t)sim_force_count(problem), d = (size_t)problem->d;
  bool chain = problem->kind == SIM_CHAIN, rates = sim_force_rate_wanted(problem);
  problem->force = calloc(times * d, sizeof(double));
  problem->force_rate = rates ? calloc(times * d, sizeof(double)) : NULL;
  problem->end_value = chain ? calloc(times, sizeof(double)) : NULL;
  if (problem->force && (!rates || problem->force_rate) && (!chain || problem->end_value)) return SIM_OK;
  free(problem->force);
  free(problem->force_rate);
  free(problem->end_value);
  problem->force = problem->force_rate = problem->end_value = NULL;
  return SIM_NO_MEMORY;
}

void sim_problem_clear(SimProblem *problem) {
  Array list[N_ARRAYS];
  SimProblem timeless = *problem;
  timeless.force = NULL; /* the tables' length may not be known yet */
  list_arrays(&timeless, list);
  for (int i = 0; i < N_ARRAYS - N_TABLES; i++) free(*list[i].data);
  free(problem->force);
  free(problem->force_rate);
  free(problem->end_value);
  sim_matrix_clear(&problem->sparse.mass);
  sim_matrix_clear(&problem->sparse.stiffness);
  sim_matrix_clear(&problem->sparse.damping);
  *problem = (SimProblem){0};
}

/* Packed form: the struct itself (its pointers mean nothing elsewhere), the scheme's name, the arrays in
 * order. */
size_t sim_problem_packed_size(const SimProblem *problem) {
  if (!problem_is_dense(problem)) return 0;
  SimProblem copy = *problem;
  Array list[N_ARRAYS];
  list_arrays(&copy, list);
  size_t size = sizeof copy + NAME_SIZE;
  for (int i = 0; i < N_ARRAYS; i++) size += list[i].length * sizeof(double);
  return size;
}

void sim_problem_pack(const SimProblem *problem, void *bytes) {
  if (!problem_is_dense(problem)) return;
  SimProblem copy = *problem;
  Array list[N_ARRAYS];
  list_arrays(&copy, list);
  char *to = bytes;
  memset(to, 0, sizeof copy + NAME_SIZE);
  copy.load = (SimLoad){0};
  memcpy(to, &copy, sizeof copy);
  to += sizeof copy;
  strncpy(to, copy.scheme->name, NAME_SIZE - 1);
  to += NAME_SIZE;
  for (int i = 0; i < N_ARRAYS; i++) {
    size_t size = list[i].length * sizeof(double);
    if (size) memcpy(to, *list[i].data, size);
    to += size;
  }
}

SimStatus sim_problem_unpack(SimProblem *problem, const void *bytes, size_t size) {
  const char *from = bytes;
  SimProblem header;
  char name[NAME_SIZE];
  *problem = (SimProblem){0};
  if (size < sizeof header + NAME_SIZE) return SIM_BAD_PROBLEM;
  memcpy(&header, from, sizeof header);
  memcpy(name, from + sizeof header, NAME_SIZE);
  name[NAME_SIZE - 1] = 0;
  from += sizeof header + NAME_SIZE;

  SimStatus status = sim_problem_init(problem, header.kind, header.d, header.n_control);
  if (status != SIM_OK) return status;
  /* The scalars from the header, the arrays from init: header's own pointers are another process's. */
  bool has_force = header.force != NULL;
  Array mine[N_ARRAYS], theirs[N_ARRAYS];
  header.force = header.force_rate = header.end_value = NULL;
  list_arrays(problem, mine);
  list_arrays(&header, theirs);
  for (int i = 0; i < N_ARRAYS - N_TABLES; i++) *theirs[i].data = *mine[i].data;
  *problem = header;
  problem->scheme = sim_scheme_for(problem->kind, name);
  if (!problem->scheme)
    status = SIM_BAD_PROBLEM;
  else if (has_force)
    status = sim_problem_alloc_force(problem);
  if (status == SIM_OK && size != sim_problem_packed_size(problem)) status = SIM_BAD_PROBLEM;
  if (status != SIM_OK) {
    sim_problem_clear(problem);
    return status;
  }
  Array list[N_ARRAYS];
  list_arrays(problem, list);
  for (int i = 0; i < N_ARRAYS; i++) {
    size_t length = list[i].length * sizeof(double);
    if (length) memcpy(*list[i].data, from, length);
    from += length;
  }
  return SIM_OK;
}

static SimStatus copy_problem(const SimProblem *problem, SimProblem *copy) {
  size_t size = sim_problem_packed_size(problem);
  void *bytes = malloc(size);
  if (!bytes) return SIM_NO_MEMORY;
  sim_problem_pack(problem, bytes);
  SimStatus status = sim_problem_unpack(copy, bytes, size);
  free(bytes);
  return status;
}

SimStatus model_problem_init(SimProblem *copy, const SimProblem *problem) {
  const SimLoad *load = &problem->load;
  if (!problem_is_dense(problem)) {
    *copy = *problem;
    return SIM_OK;
  }
  SimStatus status = copy_problem(problem, copy);
  if (status != SIM_OK || problem->force) return status;
  status = sim_problem_alloc_force(copy);
  for (long k = 0; load->at && status == SIM_OK && k < sim_force_count(copy); k++)
    load->at(load->context, sim_force_time(copy, k), copy->force + k * copy->d);
  return status;
}

void model_problem_clear(SimProblem *copy) {
  if (problem_is_dense(copy)) sim_problem_clear(copy);
}

const char *sim_status_text(SimStatus status) {
  switch (status) {
  case SIM_OK: return "ok";
  case SIM_NOT_CONVERGED: return "a step's friction problem did not converge";
  case SIM_NOT_FINISHED: return "no answer in time";
  case SIM_NON_FINITE: return "the motion is not finite";
  case SIM_NO_MEMORY: return "out of memory";
  case SIM_BAD_PROBLEM: return "the problem is not valid";
  }
  return "unknown status";
}
