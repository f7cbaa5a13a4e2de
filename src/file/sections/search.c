/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the section search. */
#include "src/file/sections/motion_plan_read.h"

const SimParameter search_parameters[] = {{"ranks_per_evaluation", SIM_FORM_INTEGER, NULL,
                                           "ranks that simulate one point together; of a string or sparse matrices",
                                           SIM_FROM_TO(1, 1000000), .preset = 1,
                                           SIM_MEMBER(Problem, ranks_per_evaluation)},
                                          {0}};

/* Reads search.simplex, if it is a list of the edges of the first simplex. */
static void read_simplex(Reader *reader, Node *section, CtlProblem *control) {
  const Node *node = key_get(reader, section, "simplex");
  if (!node || node->kind == NODE_SCALAR) return;
  if (control->n > CTL_SIMPLEX_CONTROLS_MAX) {
    key_error(reader, "search.simplex", "edges of %d variables (expected at most %d)", control->n,
              CTL_SIMPLEX_CONTROLS_MAX);
    return;
  }
  Values edges = values_read(reader, section, "simplex", SIM_FORM_ROWS);
  int n = reader->p ? control->n : 0; /* number of variables, which is the number of entries of an edge */
  values_to_matrix(reader, &edges, n, n, 0, n, control->edges);
  if (reader->p && !is_wrong(reader, "search.simplex")) control->simplex = CTL_SIMPLEX_USER;
  values_clear(&edges);
}

bool search_wants_petsc(Node *section, bool derivatives, Diagnostics *diagnostics) {
  const Node *node = section ? node_get(section, "method", diagnostics) : NULL;
  if (node && node->kind != NODE_SCALAR) return false;
  CtlProblem problem = {.derivatives = derivatives,
                        .method = node ? ctl_method_find(node->text)
                                       : (int)sim_parameter_find(ctl_search_parameters, "method")->preset};
  bool by_derivatives = derivatives && ctl_problem_wants_derivatives(&problem);
  return !by_derivatives && ctl_method_wants_petsc(problem.method);
}

/* Returns the table of keys of the section search for this kind of problem. */
static const SimParameter *rows_of(const Problem *problem) {
  return problem->plan || problem->control.roles ? ctl_values_search_parameters : ctl_search_parameters;
}

void read_search(Reader *reader, Node *root) {
  CtlProblem *control = &reader->problem->control;
  Problem *problem = reader->problem;
  Node *section = read_section(reader, root, "search");
  if (problem->plan) {
    sim_parameters_set_defaults(rows_of(problem), control);
    planned_refuse_search(reader, section);
  } else {
    read_simplex(reader, section, control);
  }
  parameters_read(reader, section, rows_of(problem), control);
  control->rho = ctl_problem_rho(control);
  /* If search.scheme_size is wrong, a size is set for which no second error can follow: any budget is large enough for
   * it. */
  if (is_wrong(reader, "search.scheme_size")) control->scheme_size = 2L * control->n;
  sim_parameters_set_defaults(search_parameters, problem);
  if (control->roles) return;
  parameters_read(reader, section, search_parameters, problem);
  if (problem->ranks_per_evaluation > 1 && !problem->storage)
    key_error(reader, "search.ranks_per_evaluation",
              "%ld, but one rank simulates such a model (expected 1; a string, or sparse matrices, for more)",
              problem->ranks_per_evaluation);
  else if (problem->ranks_per_evaluation > 1 && problem->plan)
    key_error(reader, "search.ranks_per_evaluation", "%ld with %s (expected 1: each rank simulates motions of its own)",
              problem->ranks_per_evaluation, motion_plan_key(reader->document));
}

json_t *echo_search(const Problem *problem) {
  const CtlProblem *control = &problem->control;
  json_t *section = json_object();
  bool good = section && parameters_echo(rows_of(problem), control, section) &&
              (control->roles || parameters_echo(search_parameters, problem, section));
  if (good && control->simplex == CTL_SIMPLEX_USER)
    good = json_object_set_new(section, "simplex", echo_rows(control->n, control->n, control->edges)) == 0;
  return json_if(good, section);
}
