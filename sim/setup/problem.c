#include "sim/setup/tables.h"
#include "sim/version.h"

#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 24 };

/* At least one, so that no array of a rank without rows is NULL. */
static size_t at_least_one(size_t n) { return n ? n : 1; }
static size_t rows(const SimProblem *p) { return at_least_one((size_t)p->count); }
static size_t controls(const SimProblem *p) { return at_least_one((size_t)p->count * (size_t)p->n_control); }
static size_t pieces(const SimProblem *p) { return (size_t)p->piece_count * sim_piece_size(p->d); }
static size_t surfaces(const SimProblem *p) { return (size_t)p->surface_pieces * sim_curve_size(p->surface_columns); }
static size_t thresholds(const SimProblem *p) {
  return (size_t)p->threshold_pieces * sim_piece_size(sim_threshold_courses(p));
}
static size_t laws(const SimSpringLaw *law) { return (size_t)law->pieces * sim_curve_size(law->columns); }
static size_t anchors(const SimProblem *p) { return laws(&p->springs[SIM_ANCHORS]); }
static size_t links(const SimProblem *p) { return laws(&p->springs[SIM_LINKS]); }
static size_t forces(const SimProblem *p) {
  return sim_force_in_pieces(p) ? 0 : (size_t)sim_force_count(p) * (size_t)p->count;
}

static const KindArray common[] = {{KIND_ARRAY(friction, rows)},
                                   {KIND_ARRAY(x0, rows)},
                                   {KIND_ARRAY(v0, rows)},
                                   {KIND_ARRAY(control_matrix, controls)},
                                   {KIND_ARRAY(pieces, pieces)},
                                   {KIND_ARRAY(surface, surfaces)},
                                   {KIND_ARRAY(thresholds, thresholds)},
                                   {KIND_ARRAY(springs[SIM_ANCHORS].rows, anchors)},
                                   {KIND_ARRAY(springs[SIM_LINKS].rows, links)},
                                   {KIND_ARRAY(force, forces), .over_time = true}};
enum { N_COMMON = sizeof common / sizeof *common };

/* The k-th array of a problem, of what all kinds have and then of its kind; NULL beyond the last. */
static const KindArray *array_at(const SimProblem *p, int k) {
  const KindArray *array = k < N_COMMON ? &common[k] : &sim_kind(p->kind)->arrays[k - N_COMMON];
  return array->length ? array : NULL;
}

static double **place(SimProblem *p, const KindArray *array) { return (double **)(void *)((char *)p + array->offset); }

static bool is_there(const SimProblem *p, const KindArray *array) {
  SimProblem pointers = *p;
  return *place(&pointers, array) != NULL;
}

static size_t bytes_of(const SimProblem *p, const KindArray *array) {
  return array->over_time && !is_there(p, array) ? 0 : array->length(p) * sizeof(double);
}

/* Whether sim_problem_alloc_force has made something. */
static bool has_over_time(const SimProblem *p) {
  const KindArray *array;
  for (int k = 0; (array = array_at(p, k)) != NULL; k++)
    if (array->over_time && is_there(p, array)) return true;
  return false;
}

/* Those over time, or the others. */
static void release(SimProblem *p, bool over_time) {
  const KindArray *array;
  for (int k = 0; (array = array_at(p, k)) != NULL; k++)
    if (array->over_time == over_time) {
      free(*place(p, array));
      *place(p, array) = NULL;
    }
}

static SimStatus allocate(SimProblem *p, bool over_time) {
  const KindArray *array;
  for (int k = 0; (array = array_at(p, k)) != NULL; k++) {
    size_t length = array->over_time == over_time ? array->length(p) : 0;
    if (length && !(*place(p, array) = calloc(length, sizeof(double)))) return SIM_NO_MEMORY;
  }
  return SIM_OK;
}

/* The rest of a problem whose kind, storage, rows and n_control are set. */
static SimStatus init(SimProblem *problem) {
  const SimKindOps *kind = sim_kind(problem->kind);
  problem->segments = 1;
  sim_parameters_set_defaults(kind->parameters, problem);
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
  *problem = (SimProblem){.kind = kind, .d = d, .count = d, .n_control = n_control};
  return init(problem);
}

SimStatus sim_problem_init_sparse(SimProblem *problem, SimGroup *group, int d, int first, int count, int n_control) {
  *problem = (SimProblem){.kind = SIM_FRICTION,
                          .system = {.storage = SIM_SPARSE},
                          .group = group,
                          .d = d,
                          .first = first,
                          .count = count,
                          .n_control = n_control};
  return init(problem);
}

SimStatus sim_problem_alloc_force(SimProblem *problem) {
  SimStatus status = allocate(problem, true);
  if (status != SIM_OK) release(problem, true);
  return status;
}

void sim_problem_clear(SimProblem *problem) {
  const SimKindOps *kind = sim_kind(problem->kind);
  release(problem, false);
  release(problem, true);
  free(problem->parameters);
  if (kind->clear) kind->clear(problem);
  *problem = (SimProblem){0};
}

SimStatus sim_problem_set_viscous(SimProblem *p, const double *b) {
  double *kept = p->drags ? p->viscous : calloc((size_t)p->count + 1, sizeof *kept);
  bool sparse = p->system.storage == SIM_SPARSE;
  SimMatrix *damping = &p->system.sparse.damping, sum;
  SimStatus status = kept ? SIM_OK : SIM_NO_MEMORY;
  if (kept && sparse) status = sim_matrix_add_diagonal(damping, p->first, p->count, b, &sum);
  if (status != SIM_OK) {
    if (!p->drags) free(kept);
    return status;
  }
  if (sparse) {
    sim_matrix_clear(damping);
    *damping = sum;
  }
  for (int i = 0; i < p->count && !sparse; i++) p->system.damping[i * (p->d + 1)] += b[i];
  for (int i = 0; i < p->count; i++) kept[i] += b[i];
  p->viscous = kept;
  p->drags = true;
  return SIM_OK;
}

static bool borrowed(const SimProblem *problem) {
  const SimKindOps *kind = sim_kind(problem->kind);
  return kind->borrowed && kind->borrowed(problem);
}

/* Packed form: the struct itself (of its pointers only whether they are there), the scheme's name, its parameters, the arrays in
 * order. So problems that are the same are the same bytes. */
size_t sim_problem_packed_size(const SimProblem *problem) {
  const KindArray *array;
  if (borrowed(problem)) return 0;
  size_t size = sizeof *problem + NAME_SIZE + problem->scheme->parameters_size;
  for (int k = 0; (array = array_at(problem, k)) != NULL; k++) size += bytes_of(problem, array);
  return size;
}

static char *put(char *to, const void *from, size_t size) {
  if (size) memcpy(to, from, size);
  return to + size;
}

void sim_problem_pack(const SimProblem *problem, void *bytes) {
  static double there;
  const KindArray *array;
  SimProblem header = *problem, own = *problem;
  char name[NAME_SIZE] = {0};
  if (borrowed(problem)) return;
  header.load = (SimLoad){0};
  header.scheme = NULL;
  header.parameters = NULL;
  for (int k = 0; (array = array_at(problem, k)) != NULL; k++)
    *place(&header, array) = *place(&header, array) ? &there : NULL;
  strncpy(name, problem->scheme->name, NAME_SIZE - 1);
  char *to = put(put(bytes, &header, sizeof header), name, NAME_SIZE);
  to = put(to, problem->parameters, problem->scheme->parameters_size);
  for (int k = 0; (array = array_at(problem, k)) != NULL; k++)
    to = put(to, *place(&own, array), bytes_of(problem, array));
}

/* The numbers of a header from another process; its pointers stay those of a problem of the same kind and size. */
static void take_header(SimProblem *problem, const SimProblem *header) {
  const KindArray *array;
  SimProblem taken = *header;
  for (int k = 0; (array = array_at(problem, k)) != NULL; k++) *place(&taken, array) = *place(problem, array);
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
  const KindArray *array;
  *problem = (SimProblem){0};
  if (size < sizeof header + NAME_SIZE) return SIM_BAD_PROBLEM;
  const char *from = get(get(bytes, &header, sizeof header), name, NAME_SIZE);
  name[NAME_SIZE - 1] = 0;
  if (!sim_kind(header.kind) || header.d < 1 || header.n_control < 0) return SIM_BAD_PROBLEM;
  *problem = (SimProblem){.kind = header.kind,
                          .d = header.d,
                          .count = header.d,
                          .n_control = header.n_control,
                          .piece_count = header.piece_count,
                          .surface_pieces = header.surface_pieces,
                          .surface_columns = header.surface_columns,
                          .by_direction = header.by_direction,
                          .drags = header.drags,
                          .system.table = {header.system.table.points, header.system.table.columns, NULL},
                          .threshold_pieces = header.threshold_pieces,
                          .threshold_columns = header.threshold_columns};
  for (int k = 0; k < SIM_SPRING_PLACES; k++)
    problem->springs[k] = (SimSpringLaw){NULL, header.springs[k].pieces, header.springs[k].columns};
  SimStatus status = init(problem);
  if (status != SIM_OK) return status;
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
  for (int k = 0; (array = array_at(problem, k)) != NULL; k++)
    from = get(from, *place(problem, array), bytes_of(problem, array));
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

/* Only the parameters are the copy's own: what is left to its default there is filled in. */
static SimStatus borrow_problem(const SimProblem *problem, SimProblem *copy) {
  *copy = *problem;
  copy->parameters = NULL;
  SimStatus status = sim_problem_set_scheme(copy, problem->scheme->name);
  if (status == SIM_OK) put(copy->parameters, problem->parameters, problem->scheme->parameters_size);
  return status;
}

SimStatus model_problem_init(SimProblem *copy, const SimProblem *problem) {
  const SimLoad *load = &problem->load;
  if (borrowed(problem)) return borrow_problem(problem, copy);
  SimStatus status = copy_problem(problem, copy);
  if (status != SIM_OK || problem->force || problem->pieces) return status;
  if (sim_force_in_pieces(copy)) {
    double where;
    return sim_problem_set_pieces(copy, load, 0, NULL, &where);
  }
  status = sim_problem_alloc_force(copy);
  for (long k = 0; load->at && status == SIM_OK && k < sim_force_count(copy); k++)
    load->at(load->context, sim_force_time(copy, k), copy->force + k * copy->d);
  return status;
}

void model_problem_clear(SimProblem *copy) {
  if (borrowed(copy))
    free(copy->parameters);
  else
    sim_problem_clear(copy);
}

const char *sim_status_text(SimStatus status) {
  switch (status) {
  case SIM_OK: return "ok";
  case SIM_NOT_CONVERGED: return "a step's friction problem did not converge";
  case SIM_EVENTS_ACCUMULATE: return "events accumulate: more than scheme.max_events before the end";
  case SIM_OUT_OF_RANGE: return "a spring is longer or shorter than its law's range";
  case SIM_NOT_FINISHED: return "no answer in time";
  case SIM_NON_FINITE: return "the motion is not finite";
  case SIM_NO_MEMORY: return "out of memory";
  case SIM_BAD_PROBLEM: return "the problem is not valid";
  }
  return "unknown status";
}

const char *sim_version(void) { return STICTION_VERSION; }
