/* The section control, but for its matrix, which read_model.c reads: it tells the number of controls. */
#include "src/model/sparse_model.h"
#include "src/readback/saved_control.h"

#include <math.h>

enum { VECTOR = SIM_FORM_NUMBER | SIM_FORM_LIST, MATRIX = VECTOR | SIM_FORM_ROWS | SIM_FORM_FILE };

/* Bounds that are null, and so far NaN, are none; all segments have the same. */
static void read_bound(Reader *reader, Node *bounds, const char *key, int n, double none, double *bound) {
  int p = reader->problem->control.p;
  read_vector(reader, bounds, key, reader->p, VECTOR | SIM_FORM_NULLS, bound);
  for (int i = 0; i < n; i++)
    if (i >= p)
      bound[i] = bound[i - p];
    else if (isnan(bound[i]))
      bound[i] = none;
}

void read_control(Reader *reader, Node *root) {
  CtlProblem *control = &reader->problem->control;
  const SimProblem *sim = &reader->problem->sim;
  /* Without a control section the search section is still read, for its mistakes, whatever the number of
   * controls. */
  if (!reader->problem->has_control) reader->p = 0;
  bool has_control = reader->problem->has_control;
  Node *section = node_get(root, "control", reader->diagnostics);
  read_signal(reader, section);
  if (ctl_problem_init_signal(control, reader->p ? reader->p : 1, sim->signal, sim->segments,
                              has_control ? sim->d : 1) != SIM_OK) {
    reader->diagnostics->no_memory = true;
    return;
  }
  control->end = sim->end;
  read_matrix(reader, section, "weight", reader->p, MATRIX, control->weight);
  read_start(reader, section, control->start);
  Node *bounds = read_section(reader, section, "bounds");
  read_bound(reader, bounds, "lower", control->n, -INFINITY, control->lower);
  read_bound(reader, bounds, "upper", control->n, INFINITY, control->upper);
  read_bound(reader, bounds, "rate", control->p, INFINITY, control->rate);
  Node *target = read_section(reader, section, "target");
  if (reader->problem->sparse) {
    read_sparse_target(reader, target, "position", control->position, &control->position_spacing);
    read_sparse_target(reader, target, "velocity", control->velocity, &control->velocity_spacing);
  } else {
    read_vector(reader, target, "position", reader->d, VECTOR | SIM_FORM_NULLS, control->position);
    read_vector(reader, target, "velocity", reader->d, VECTOR | SIM_FORM_NULLS, control->velocity);
  }
  if (target && !reader->d) control->position[0] = 0; /* of unknown size: let it pass for given */
}

/* Adds a vector to an object, unless no entry of it is finite. */
static bool put_vector(json_t *object, const char *key, int n, const double *vector) {
  bool given = false;
  for (int i = 0; i < n; i++) given = given || isfinite(vector[i]);
  return !given || json_object_set_new(object, key, echo_vector(n, vector)) == 0;
}

json_t *echo_control(const Problem *problem) {
  const SimProblem *sim = &problem->sim;
  const CtlProblem *control = &problem->control;
  json_t *bounds = json_object(), *target = json_object();
  bool good = bounds && target && put_vector(bounds, "lower", control->p, control->lower) &&
              put_vector(bounds, "upper", control->p, control->upper) &&
              put_vector(bounds, "rate", control->p, control->rate);
  const SparseModel *sparse = problem->sparse; /* whose echo is as written: it may be long */
  if (good && sparse)
    good = (!sparse->position || json_object_set(target, "position", sparse->position) == 0) &&
           (!sparse->velocity || json_object_set(target, "velocity", sparse->velocity) == 0);
  else if (good)
    good = put_vector(target, "position", control->d, control->position) &&
           put_vector(target, "velocity", control->d, control->velocity);
  json_t *matrix = sparse ? json_incref(sparse->matrix) : echo_rows(sim->d, sim->n_control, sim->control_matrix);
  json_t *section = json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "matrix", matrix, "weight",
                              echo_matrix(control->p, control->weight), "start", signal_values(sim, control->start),
                              "bounds", bounds, "signal", echo_signal(sim), "target", target);
  return json_if(good && section, section);
}
