/* The section search. */
#include "src/values/reader.h"

#include <stddef.h>
#include <string.h>

static const Choice penalties[] = {{"P", CTL_PENALTY_P}, {"Pi", CTL_PENALTY_PI}, {NULL, 0}};
static const Choice norms[] = {{"2", CTL_NORM_2}, {"1", CTL_NORM_1}, {"inf", CTL_NORM_INF}, {NULL, 0}};
static const Choice updates[] = {{"constant", CTL_RHO_CONSTANT}, {"dynamic", CTL_RHO_DYNAMIC}, {NULL, 0}};
static const Choice simplexes[] = {{"right", CTL_SIMPLEX_RIGHT}, {"regular", CTL_SIMPLEX_REGULAR}, {NULL, 0}};
static const Choice sizes[] = {{"auto", 0}, {"paper", CTL_SCHEME_PAPER}, {NULL, 0}};
/* Numbers that go straight into a CtlProblem. Zero limits are none, and are not echoed. */
typedef struct Field {
  const char *key;
  size_t offset;
  bool limit;
} Field;

static const Field reals[] = {
    {"step", offsetof(CtlProblem, step), false},
    {"tolerance", offsetof(CtlProblem, tolerance), false},
    {"accept", offsetof(CtlProblem, accept), false},
    {"relative_tolerance", offsetof(CtlProblem, relative_tolerance), true},
    {"stop_at", offsetof(CtlProblem, stop_at), true},
    {"max_seconds", offsetof(CtlProblem, max_seconds), true},
    {"evaluation_timeout", offsetof(CtlProblem, evaluation_timeout), true},
};
static const Field integers[] = {
    {"max_evaluations", offsetof(CtlProblem, max_evaluations), true},
    {"max_simplexes", offsetof(CtlProblem, max_simplexes), true},
};
enum { N_REALS = sizeof reals / sizeof *reals, N_INTEGERS = sizeof integers / sizeof *integers };

static void *field_of(CtlProblem *control, const Field *field) { return (char *)control + field->offset; }

static int read_word(Reader *reader, Node *section, const char *key, const Choice *choices, int value) {
  read_choice(reader, section, key, choices, &value);
  return value;
}

static void read_scheme_size(Reader *reader, Node *section, CtlProblem *control) {
  int word;
  const Node *node = node_get(section, "scheme_size", reader->diagnostics);
  bool letter = node && node->kind == NODE_SCALAR && choice_find(sizes, node->text, &word);
  if (letter)
    control->scheme_size = word;
  else if (node && !read_integer(reader, section, "scheme_size", 1, CTL_SCHEME_MAX, &control->scheme_size))
    control->scheme_size = 2L * control->n; /* the least: any budget is large enough for it */
}

/* A list is the edges of the user's own simplex. */
static void read_simplex(Reader *reader, Node *section, CtlProblem *control) {
  const Node *node = node_get(section, "simplex", reader->diagnostics);
  if (!node || node->kind == NODE_SCALAR) {
    control->simplex = (CtlSimplexKind)read_word(reader, section, "simplex", simplexes, (int)control->simplex);
    return;
  }
  Values edges = values_read(reader, section, "simplex", FORM_ROWS);
  int n = reader->p ? control->n : 0; /* p entries of each segment */
  values_to_matrix(reader, &edges, n, n, control->edges);
  if (reader->p && !is_wrong(reader, "search.simplex")) control->simplex = CTL_SIMPLEX_USER;
  values_clear(&edges);
}

/* In any case: NLopt's own names are in capitals. */
static int find_method(const Node *node) {
  return node && node->kind == NODE_SCALAR ? ctl_method_find(node->text) : -1;
}

static void read_method(Reader *reader, Node *section, CtlProblem *control) {
  enum { METHODS_MAX = 32 };
  Choice choices[METHODS_MAX + 1] = {{NULL, 0}};
  int method = find_method(node_get(section, "method", reader->diagnostics));
  for (int k = 0; k < METHODS_MAX && ctl_method_name(k); k++) choices[k] = (Choice){ctl_method_name(k), k};
  if (method >= 0)
    control->method = method;
  else
    read_choice(reader, section, "method", choices, &control->method);
}

bool search_wants_petsc(Node *section, Diagnostics *diagnostics) {
  return ctl_method_wants_petsc(find_method(node_get(section, "method", diagnostics)));
}

void read_search(Reader *reader, Node *root) {
  CtlProblem *control = &reader->problem->control;
  Node *section = read_section(reader, root, "search");
  long restarts = control->restarts, local_starts = control->local_starts;
  read_method(reader, section, control);
  control->penalty = (CtlPenaltyKind)read_word(reader, section, "penalty", penalties, (int)control->penalty);
  control->norm = (CtlNorm)read_word(reader, section, "norm", norms, (int)control->norm);
  control->rho_update = (CtlRhoUpdate)read_word(reader, section, "rho_update", updates, (int)control->rho_update);
  if (control->rho_update == CTL_RHO_DYNAMIC) control->rho = 1e5;
  read_number(reader, section, "rho", &control->rho);
  for (int i = 0; i < N_REALS; i++) read_number(reader, section, reals[i].key, field_of(control, &reals[i]));
  for (int i = 0; i < N_INTEGERS; i++)
    read_integer(reader, section, integers[i].key, 0, 1000000000000, field_of(control, &integers[i]));
  read_integer(reader, section, "restarts", 0, 1000, &restarts);
  control->restarts = (int)restarts;
  read_integer(reader, section, "local_starts", 1, CTL_LOCALS_MAX, &local_starts);
  control->local_starts = (int)local_starts;
  long *ranks = &reader->problem->ranks_per_evaluation;
  *ranks = 1;
  bool together = read_integer(reader, section, "ranks_per_evaluation", 1, 1000000, ranks) && *ranks > 1;
  if (together && !reader->problem->sparse)
    document_error(reader->document, reader->diagnostics, "search.ranks_per_evaluation",
                   "%ld, but one rank simulates such a model (expected 1; a string, or sparse matrices, for more)",
                   *ranks);
  read_scheme_size(reader, section, control);
  read_simplex(reader, section, control);
}

json_t *echo_search(const Problem *problem) {
  CtlProblem copy = problem->control, *control = &copy; /* field_of takes no const */
  json_t *simplex = control->simplex == CTL_SIMPLEX_USER ? echo_rows(control->n, control->n, control->edges)
                                                         : json_string(choice_name(simplexes, (int)control->simplex));
  json_t *section = json_pack(
      "{s:s, s:s, s:s, s:f, s:s, s:I, s:o, s:i, s:i, s:I}", "method", ctl_method_name(control->method), "penalty",
      choice_name(penalties, (int)control->penalty), "norm", choice_name(norms, (int)control->norm), "rho",
      control->rho, "rho_update", choice_name(updates, (int)control->rho_update), "scheme_size",
      (json_int_t)control->scheme_size, "simplex", simplex, "restarts", control->restarts, "local_starts",
      control->local_starts, "ranks_per_evaluation", (json_int_t)problem->ranks_per_evaluation);
  bool good = section != NULL;
  for (int i = 0; i < N_REALS && good; i++) {
    double value = *(double *)field_of(control, &reals[i]);
    if (value != 0 || !reals[i].limit) good = json_object_set_new(section, reals[i].key, json_real(value)) == 0;
  }
  for (int i = 0; i < N_INTEGERS && good; i++) {
    long value = *(long *)field_of(control, &integers[i]);
    if (value != 0) good = json_object_set_new(section, integers[i].key, json_integer(value)) == 0;
  }
  return json_if(good, section);
}
