/* The section control, but for its matrix, which read_model.c reads: it tells the number of controls. */
#include "src/model/sparse_model.h"
#include "src/readback/saved_control.h"

#include <math.h>

enum { VECTOR = SIM_FORM_NUMBER | SIM_FORM_LIST, MATRIX = VECTOR | SIM_FORM_ROWS | SIM_FORM_FILE };

static const SimParameter bound_keys[] = {
    {.key = "lower",
     .forms = VECTOR | SIM_FORM_NULLS,
     .unit = "N",
     .default_text = "none",
     .sentence = "least u; a point beyond counts as infinite to pds, local methods have theirs moved inside"},
    {.key = "upper",
     .forms = VECTOR | SIM_FORM_NULLS,
     .unit = "N",
     .default_text = "none",
     .sentence = "largest u, likewise"},
    {.key = "rate",
     .forms = VECTOR | SIM_FORM_NULLS,
     .unit = "N/s",
     .default_text = "none",
     .sentence = "of a signal: the largest change from segment to segment over a segment's length"},
    {0}};

static const SimParameter target_keys[] = {
    {.key = "position",
     .forms = VECTOR | SIM_FORM_NULLS | SIM_FORM_NODES | SIM_FORM_FORMULA,
     .variables = "s",
     .unit = "m",
     .default_text = "free",
     .sentence = "x(T); null entries are free; of a string an expression in s, or nodes, the others free"},
    {.key = "velocity",
     .forms = VECTOR | SIM_FORM_NULLS | SIM_FORM_NODES | SIM_FORM_FORMULA,
     .variables = "s",
     .unit = "m/s",
     .default_text = "free",
     .sentence = "x'(T), likewise"},
    {0}};

const SimParameter control_parameters[] = {
    {.key = "matrix",
     .forms = SIM_FORM_NUMBER | SIM_FORM_ROWS | SIM_FORM_FILE | SIM_FORM_SHAPES,
     .default_text = "identity; to be given for a string and sparse matrices",
     .sentence =
         "B: a row a degree of freedom, a column a control; of a string its columns as shapes, expressions in s"},
    {.key = "weight",
     .forms = MATRIX,
     .default_text = "identity",
     .sentence = "N of the cost J; a number is that times the identity"},
    {.key = "target",
     .forms = SIM_FORM_SECTION,
     .parts = target_keys,
     .required = true,
     .sentence = "where the motion is to end; what is not named is free"},
    {.key = "signal",
     .forms = SIM_FORM_SECTION,
     .parts = signal_parameters,
     .default_text = "constant",
     .sentence = "how u goes in time"},
    {.key = "start",
     .forms = VECTOR | SIM_FORM_ROWS | SIM_FORM_FROM,
     .unit = "N",
     .default_text = "0",
     .sentence = "u at the first point of the search: p numbers, a row of them for each segment, or from results"},
    {.key = "bounds",
     .forms = SIM_FORM_SECTION,
     .parts = bound_keys,
     .default_text = "none",
     .sentence = "what u may be"},
    {0}};

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
