/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads models with model.kind: string. The model is a string with fixed ends and dry friction along its length; in the
 * library sim it is a friction model with sparse matrices. */
#include "src/file/model/model.h"

#include <math.h>
#include <stdlib.h>

static const SimParameter thresholds[] = {
    {"forward", SIM_FORM_FORMULA | SIM_FORM_FORCE, "N/m", "c where it slips forward", SIM_AT_LEAST(0), .variables = "s",
     .required = true, .extent = SIM_EACH},
    {"backward", SIM_FORM_FORMULA | SIM_FORM_FORCE, "N/m", "c where it slips backward", SIM_AT_LEAST(0),
     .variables = "s", .required = true, .extent = SIM_EACH},
    {0}};

/* Required keys have defaults, too. After an error, reading continues with these valid values. */
static const SimParameter keys[] = {
    {"nodes", SIM_FORM_INTEGER, NULL, "masses between the ends", SIM_FROM_TO(1, 2000000000), .required = true},
    {"length", SIM_FORM_NUMBER, "m", "from end to end", SIM_ABOVE(0), .required = true},
    {"tension", SIM_FORM_FORMULA, "N", "T, taken halfway between nodes", SIM_ABOVE(0), .variables = "s",
     .required = true, .preset = 1, .extent = SIM_AROUND},
    {"density", SIM_FORM_FORMULA, "kg/m", "rho", SIM_ABOVE(0), .variables = "s", .required = true, .preset = 1,
     .extent = SIM_EACH},
    {"friction", SIM_FORM_FORMULA | SIM_FORM_FORCE | SIM_FORM_SECTION, "N/m",
     "c: the force along the string up to which it sticks; or one for each direction", SIM_AT_LEAST(0),
     .variables = "s", .default_text = "0", .parts = thresholds, .extent = SIM_EACH},
    {"viscous", SIM_FORM_FORMULA, "N s/m^2",
     "b: friction that grows with speed, along the string, b x' beside that of c", SIM_AT_LEAST(0), .variables = "s",
     .default_text = "0", .extent = SIM_EACH},
    {"x0", SIM_FORM_FORMULA, "m", "x at t = 0", .variables = "s", .default_text = "0",
     SIM_ARRAY(SimProblem, x0, SIM_EACH)},
    {"v0", SIM_FORM_FORMULA, "m/s", "x' at t = 0", .variables = "s", .default_text = "0",
     SIM_ARRAY(SimProblem, v0, SIM_EACH)},
    {"force", SIM_FORM_FORMULA, "N/m", "f", .variables = "s, t", .default_text = "0"},
    {"surface_velocity", SIM_FORM_FORCE, "m/s", "w: the speed of what it rubs on; friction acts on x' - w",
     .default_text = "0", .extent = SIM_ONE},
    {"stribeck", SIM_FORM_SECTION, NULL, "the drop of friction with speed", .parts = sim_stribeck_parameters,
     .default_text = "none", SIM_MEMBER(SimProblem, system.stribeck)},
    {"friction_table", SIM_FORM_SECTION, NULL, "friction measured at some speeds, N/m, in place of stribeck",
     .parts = sim_friction_table_parameters, .default_text = "none"},
    {0}};

static double length(Reader *reader, WrittenKeys *written) {
  const WrittenKey *key = keys_find(written, "length");
  double length = 1;
  if (key->node && !is_wrong(reader, "model.length")) parameter_value(reader, key->node, key->row, &length);
  return length;
}

static void read_string(Reader *reader, Node *model, WrittenKeys *written) {
  static const char *const variables[] = {"s", "t"};
  read_friction(reader, model, written);
  reader->problem->spacing = length(reader, written); /* distance between nodes */
  reader->problem->line_force = node_expression(reader, keys_find(written, "force")->node, 2, variables);
}

/* Evaluates a key at this rank's nodes, or at the midpoints before and after each node. The caller frees the result. */
static double *sample(Reader *reader, WrittenKeys *written, const char *name) {
  const WrittenKey *key = keys_find(written, name);
  const SimProblem *sim = &reader->problem->sim;
  bool around = key->row->extent == SIM_AROUND;
  int count = sim->count + around;
  double *values = diagnostics_calloc(reader->diagnostics, (size_t)count, sizeof *values);
  for (int i = 0; i < count && values; i++) values[i] = key->row->preset;
  if (values && key->values.formula)
    values_evaluate(reader, &key->values, key->row, sim->first + (around ? 0.5 : 1), count, values);
  return values;
}

static void fill_string(Reader *reader, Node *model, WrittenKeys *written) {
  SimProblem *sim = &reader->problem->sim;
  double *tension = sample(reader, written, "tension"), *density = sample(reader, written, "density"),
         *friction = sample(reader, written, "friction");
  if (tension && density && friction &&
      sim_string_fill(sim, length(reader, written), density, tension, friction) != SIM_OK)
    reader->diagnostics->no_memory = true;
  fill_thresholds(reader, written, reader->problem->spacing);
  fill_viscous(reader, written, reader->problem->spacing);
  fill_friction_table(reader, model, written, reader->problem->spacing);
  free(tension);
  free(density);
  free(friction);
}

const ModelKind model_string = {.name = "string",
                                .sentence = "an elastic string that slides with friction along its length",
                                .keys = keys,
                                .sim = SIM_FRICTION,
                                .storage = MODEL_BANDED,
                                .entries = 4,
                                .variable = "s",
                                .read = read_string,
                                .fill = fill_string};
