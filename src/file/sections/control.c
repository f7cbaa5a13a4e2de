/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the section control, except its matrix, which determines the number of controls (src/file/model/read.c). */
#include "src/file/model/mechanism.h"
#include "src/file/sections/motion_plan_read.h"
#include "src/file/sections/saved_control.h"

#include <math.h>
#include <string.h>

enum { VECTOR = SIM_FORM_NUMBER | SIM_FORM_LIST };

static const SimChoice objectives[] = {
    {"nominal", CTL_NOMINAL, "the least effort that meets the target with the file's own numbers"},
    {"mean", CTL_MEAN, "the least mean of E1 + E2 over the scenarios; of a plan, of what is minimised"},
    {"worst_case", CTL_WORST, "the least of what the worst scenario misses by; of a plan, of what it costs"},
    {0}};

static const SimParameter quantile_keys[] = {{"quantile", SIM_FORM_NUMBER, NULL,
                                              "the least E1 + E2 that this part of the scenarios does not exceed",
                                              SIM_BETWEEN(0, 1), .required = true, SIM_MEMBER(CtlProblem, quantile)},
                                             {0}};

const SimParameter control_parameters[] = {
    {"matrix", SIM_FORM_NUMBER | SIM_FORM_ROWS | SIM_FORM_FILE | SIM_FORM_SHAPES, NULL,
     "B: a row a degree of freedom, a column a control; or its columns as shapes, expressions in i, of a string in s",
     .default_text = "identity; to be given for a string and sparse matrices"},
    {"on", SIM_FORM_NAMES, NULL, "names of the degrees of freedom on which a control acts, in place of matrix",
     .default_text = "all"},
    {"weight", SIM_FORM_MATRIX, NULL, "N of the cost J, positive semi-definite; a number is that times the identity",
     .default_text = "identity", SIM_ARRAY(CtlProblem, weight, SIM_SQUARE)},
    {"target", SIM_FORM_SECTION, NULL, "where the motion is to end; what is not named is free",
     .parts = ctl_target_parameters, .default_text = "to be given, but with minimize, limits, initial or periodic"},
    {"minimize", SIM_FORM_CHOICE | SIM_FORM_SECTION, NULL,
     "what is to be least, as in least effort, least time: a word, or a weighted sum",
     .choices = planned_minimize_words, .parts = planned_minimize_parameters},
    {"limits", SIM_FORM_SECTION, NULL, "of the motion at all times", .parts = planned_limits_parameters,
     .default_text = "none"},
    {"initial", SIM_FORM_SECTION, NULL, "an initial state that is found, too", .parts = planned_initial_parameters,
     .default_text = "the model's"},
    {"periodic", SIM_FORM_CHOICE | SIM_FORM_SECTION, NULL, "whether the motion ends as it begins, but for an advance",
     .choices = planned_periodic_words, .parts = planned_periodic_parameters},
    {"signal", SIM_FORM_SECTION, NULL, "how u goes in time", .parts = signal_parameters, .default_text = "constant"},
    {"start", VECTOR | SIM_FORM_ROWS | SIM_FORM_FROM, "N",
     "u at the first point of the search: p numbers, a row of them for each segment, from results, or hold: what holds "
     "a "
     "mechanism against its weight at its start",
     .default_text = "0, or the bound next to it"},
    {"bounds", SIM_FORM_SECTION, NULL, "what u may be", .parts = ctl_limit_parameters, .default_text = "none"},
    {"objective", SIM_FORM_CHOICE | SIM_FORM_SECTION, NULL,
     "what the control minimises; all but nominal are taken over the scenarios", .choices = objectives,
     .parts = quantile_keys, .preset = CTL_NOMINAL, SIM_MEMBER(CtlProblem, statistic)},
    {"effort_at_most", SIM_FORM_NUMBER, NULL, "J, of another objective than nominal", SIM_ABOVE(0),
     .default_text = "none", .zero_is_none = true, SIM_MEMBER(CtlProblem, effort_at_most)},
    {0}};

/* Reports an entry of control.bounds that names a degree of freedom directly instead of below `lower` or `upper`. */
static void refuse_names(Reader *reader, Node *section) {
  for (Node *entry = section ? section->first : NULL; entry && reader->d; entry = entry->next)
    if (!sim_parameter_find(ctl_limit_parameters, entry->key) &&
        labels_find(&reader->problem->labels, reader->d, entry->key) > 0) {
      key_get(reader, section, entry->key);
      value_error(reader, entry, "no side (expected lower: {%.40s: NUMBER} or upper: {%.40s: NUMBER})", entry->key,
                  entry->key);
    }
}

/* Reads the bounds of u, which are the same in all segments. A null entry means that there is no bound, or that the
 * bound in a robot's file holds. Such an entry is NAN until it is resolved. */
static void read_bounds(Reader *reader, Node *section) {
  CtlProblem *control = &reader->problem->control;
  refuse_names(reader, section);
  for (const SimParameter *row = ctl_limit_parameters; row->key; row++) {
    double *bound = sim_parameter_array(row, control);
    read_controls(reader, section, row, bound);
    bool rate = strcmp(row->key, "rate") == 0;
    for (int i = 0; i < control->p; i++)
      if (isnan(bound[i]) || isinf(bound[i]))
        bound[i] = rate ? row->preset : copysign(mechanism_effort(reader->problem, i), row->preset);
  }
  for (int i = control->p; i < control->n; i++) {
    control->lower[i] = control->lower[i - control->p];
    control->upper[i] = control->upper[i - control->p];
  }
}

/* Reads {nodes: [..], values: [..]}, which sets the entries of a vector at some nodes. */
static void read_nodes(Reader *reader, Node *node, double *vector) {
  Values nodes = values_read(reader, node, "nodes", SIM_FORM_LIST),
         values = values_read(reader, node, "values", VECTOR);
  int d = reader->d, n = nodes.good ? nodes.rows : 0;
  if (!values.node) value_error(reader, node, "nodes without values (expected values: [..])");
  if (values.good && nodes.good && values.form == SIM_FORM_LIST && values.rows != n)
    value_error(reader, values.node, "%d values for %d nodes", values.rows, n);
  else if (values.good && nodes.good && d)
    for (int k = 0; k < n; k++) {
      double at = nodes.data[k];
      if (!(at >= 1 && at <= d && at == floor(at)))
        value_error(reader, nodes.node, "no node %g (expected integers from 1 to %d)", at, d);
      else if (!isnan(vector[(int)at - 1]))
        value_error(reader, nodes.node, "node %g twice", at);
      else
        vector[(int)at - 1] = values.data[values.form == SIM_FORM_LIST ? k : 0];
    }
  values_clear(&nodes);
  values_clear(&values);
}

/* Reads a vector with an entry for each degree of freedom, or for some nodes only. Returns the node from which the
 * vector is read; NULL if the key is absent. */
static Node *read_entries(Reader *reader, Node *section, const SimParameter *row) {
  double *vector = sim_parameter_array(row, &reader->problem->control);
  Node *node = key_get(reader, section, row->key);
  if (node && node->kind == NODE_MAPPING && key_get(reader, node, "nodes"))
    read_nodes(reader, node, vector);
  else if (node)
    read_vector(reader, section, row, reader->d, vector);
  return node;
}

/* Reads target number k, 0 for the position and 1 for the velocity, and its scale. Sets *spacing if the target is a
 * function of the position along a string. */
static void read_target(Reader *reader, Node *target, Node *scales, int k, double *spacing) {
  Problem *problem = reader->problem;
  const char *key = ctl_target_parameters[k].key;
  char path[NODE_PATH_SIZE];
  const SimParameter *scale_keys = sim_parameter_find(ctl_target_parameters, "scale")->parts;
  const Node *scale = read_entries(reader, scales, &scale_keys[k]);
  const Node *node = key_get(reader, target, key);
  if (!planned_has_intervals(node)) node = read_entries(reader, target, &ctl_target_parameters[k]);
  if (problem->plan) planned_read_target(reader, target, k, &ctl_target_parameters[k]);
  if (node && problem->written) json_object_set_new(problem->written, key, node_echo(reader, node));
  if (node && node->kind == NODE_SCALAR) *spacing = problem->spacing;
  if (scale && *spacing > 0 && scale->kind != NODE_SCALAR)
    value_error(reader, scale, "not a number (expected one for a target that is an expression in s)");
  snprintf(path, sizeof path, "control.target.%s", key);
  /* a finite entry marks the target as given, so that its absence is not reported as a second error */
  if (is_wrong(reader, path)) sim_parameter_array(&ctl_target_parameters[k], &problem->control)[0] = 0;
}

/* Reads control.objective: a word, or {quantile: NUMBER}; also control.effort_at_most. */
static void read_objective(Reader *reader, Node *section) {
  CtlProblem *control = &reader->problem->control;
  Node *node = key_get(reader, section, "objective");
  double value;
  if (node && node->kind == NODE_MAPPING) {
    if (parameter_read(reader, node, quantile_keys, control))
      control->statistic = CTL_QUANTILE;
    else if (!key_get(reader, node, "quantile"))
      value_error(reader, node, "no quantile (expected {quantile: NUMBER})");
  } else if (node && parameter_value(reader, node, sim_parameter_find(control_parameters, "objective"), &value))
    control->statistic = (CtlStatistic)value;
  parameter_read(reader, section, sim_parameter_find(control_parameters, "effort_at_most"), control);
  Node *effort = key_get(reader, section, "effort_at_most");
  /* the limit is 0 if the key is absent or infinite, which means no limit */
  if (effort && effort->kind == NODE_SCALAR && control->effort_at_most == 0)
    value_error(reader, effort, "0 (expected > 0)");
}

void read_control(Reader *reader, Node *root) {
  CtlProblem *control = &reader->problem->control;
  const SimProblem *sim = &reader->problem->sim;
  /* Without a section control, the section search is still read in order to report its errors. They do not depend on
   * the number of controls, which is then set to 0. */
  if (!reader->problem->has_control) reader->p = 0;
  bool has_control = reader->problem->has_control;
  Node *section = key_get(reader, root, "control");
  read_signal(reader, section);
  if (ctl_problem_init_signal(control, reader->p ? reader->p : 1, sim->signal, sim->segments,
                              has_control ? sim->d : 1) != SIM_OK) {
    reader->diagnostics->no_memory = true;
    return;
  }
  int most = reader->ranks.limits.variables;
  if (section && most && control->n > most)
    value_error(reader, section, "%d variables (expected at most %d, --max-variables)", control->n, most);
  control->end = sim->end;
  read_matrix(reader, section, sim_parameter_find(control_parameters, "weight"), reader->p, control->weight);
  read_start(reader, section, control->start);
  read_bounds(reader, read_section(reader, section, "bounds"));
  if (section) read_objective(reader, section);
  /* without the key `start`, the values are the default 0 within the bounds, and the resolved problem does not have the
   * key */
  if (!section || !key_get(reader, section, "start"))
    for (int i = 0; i < control->n; i++) control->start[i] = fmin(fmax(0, control->lower[i]), control->upper[i]);
  Node *target = read_section(reader, section, "target");
  Node *scales = read_section(reader, target, "scale");
  read_target(reader, target, scales, 0, &control->position_spacing);
  read_target(reader, target, scales, 1, &control->velocity_spacing);
  if (scales && reader->problem->written)
    json_object_set_new(reader->problem->written, "scale", node_echo(reader, scales));
  if (target && !reader->d)
    control->position[0] = 0; /* after errors the number of entries is not known; a finite entry marks the target as
                               * given */
  if (section) planned_read_control(reader, section);
}

/* Returns whether a vector has a finite entry. row: key of the vector, or of several vectors (row->parts). */
static bool has_entry(const SimParameter *row, const CtlProblem *control, int n) {
  for (const SimParameter *part = row->parts; part && part->key; part++)
    if (has_entry(part, control, n)) return true;
  for (int i = 0; i < n && !row->parts; i++)
    if (isfinite(sim_parameter_array(row, control)[i])) return true;
  return false;
}

/* Returns the vectors of a table of keys as JSON. They are numbers if this process knows all their entries; otherwise
 * they are repeated as written in the file. Vectors without a finite entry are left out. Returns NULL if there is no
 * memory. */
static json_t *echo_vectors(const SimParameter *rows, const CtlProblem *control, const json_t *written, int n) {
  json_t *object = json_object();
  bool good = object;
  for (const SimParameter *row = rows; row->key && good; row++) {
    json_t *value = NULL;
    if (row->forms & (SIM_FORM_LISTED | SIM_FORM_NAMED_LISTS))
      continue; /* a motion plan has functions of its own for reading this key and adding it to the resolved problem */
    if (written ? !json_object_get(written, row->key) : !has_entry(row, control, n)) continue;
    if (written)
      value = json_incref(json_object_get(written, row->key));
    else
      value =
          row->parts ? echo_vectors(row->parts, control, NULL, n) : echo_vector(n, sim_parameter_array(row, control));
    good = json_object_set_new(object, row->key, value) == 0;
  }
  return json_if(good, object);
}

static json_t *echo_objective(const CtlProblem *control) {
  if (control->statistic == CTL_QUANTILE) return json_pack("{s:f}", "quantile", control->quantile);
  return json_string(sim_parameter_word(sim_parameter_find(control_parameters, "objective"), (int)control->statistic));
}

json_t *echo_control(const Problem *problem) {
  const SimProblem *sim = &problem->sim;
  const CtlProblem *control = &problem->control;
  const json_t *written = problem->written;
  json_t *on = written ? json_incref(json_object_get(written, "on")) : NULL;
  json_t *matrix = written ? json_incref(json_object_get(written, "matrix"))
                           : echo_rows(sim->d, sim->n_control, sim->control_matrix);
  json_t *effort = control->effort_at_most > 0 ? json_real(control->effort_at_most) : NULL;
  json_t *section = json_pack(
      "{s:o*, s:o*, s:o, s:o, s:o, s:o, s:o, s:o, s:o*}", "on", on, "matrix", matrix, "weight",
      echo_matrix(control->p, control->weight), "start", signal_values(sim, control->segments, control->start),
      "bounds", echo_vectors(ctl_limit_parameters, control, NULL, control->p), "signal", echo_signal(problem), "target",
      echo_vectors(ctl_target_parameters, control, written, control->d), "objective", echo_objective(control),
      "effort_at_most", effort);
  return problem->plan ? json_if(section && planned_echo_control(problem, section), section) : section;
}
