/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads control.signal, and control.start, the u at which a search starts. */
#include "src/file/sections/saved_control.h"

#include "src/file/model/mechanism.h"
#include "src/file/values/parameter.h"

#include <math.h>
#include <string.h>

/* Values of the section control.signal, as written in the file. */
typedef struct Signal {
  SimSignal kind;
  int segments, refine_to;
} Signal;

static const char *kind_name(int k) { return k <= SIM_PIECEWISE_LINEAR ? signal_name((SimSignal)k) : NULL; }
static const char *kind_about(int k) {
  static const char *const about[] = {[SIM_CONSTANT] = "u",
                                      [SIM_PIECEWISE_CONSTANT] = "u_k in segment k",
                                      [SIM_PIECEWISE_LINEAR] = "continuous, u_k at the end of segment k, and u(0) = 0"};
  return kind_name(k) ? about[k] : NULL;
}

static const SimChoice lengths[] = {{"equal", 0, "T/S each"}, {"free", 1, "found by the search"}, {0}};

const SimParameter signal_parameters[] = {
    {"kind", SIM_FORM_CHOICE, NULL, "what u(t) is made of", .word = kind_name, .about = kind_about,
     .preset = SIM_CONSTANT, SIM_MEMBER(Signal, kind)},
    {"segments", SIM_FORM_INTEGER, NULL, "S: how many of T/S each; there are p S variables, 4096 at most",
     SIM_FROM_TO(1, CTL_CONTROLS_MAX), .default_text = "to be given with pieces", SIM_MEMBER(Signal, segments)},
    {"refine_to", SIM_FORM_INTEGER, NULL,
     "S that the refined answer is to have: segments times a power of 2; they are halved again and again after the "
     "search",
     SIM_FROM_TO(1, CTL_CONTROLS_MAX), .default_text = "segments", SIM_MEMBER(Signal, refine_to)},
    {"lengths", SIM_FORM_CHOICE | SIM_FORM_LIST, "s",
     "of the segments; free: switching times are found, too; a list: free, and the search begins there",
     .choices = lengths, .default_text = "equal"},
    {0}};

/* Reports an error if a control with this number of segments has too many variables. */
static void check_variables(Reader *reader, const char *key, long segments) {
  long p = reader->p;
  if (p * segments > CTL_CONTROLS_MAX)
    key_error(reader, key, "%ld segments of %ld controls are %ld variables (expected at most %d)", segments, p,
              p * segments, CTL_CONTROLS_MAX);
}

/* Reports an error unless refine_to is the number of segments times a power of 2, and an error if the refined signal
 * has too many variables. */
static void check_doublings(Reader *reader, const Signal *signal) {
  static const char key[] = "control.signal.refine_to";
  long segments = signal->segments;
  while (segments < signal->refine_to) segments *= 2;
  if (segments != signal->refine_to)
    key_error(reader, key, "%d (expected %d times a power of 2)", signal->refine_to, signal->segments);
  else
    check_variables(reader, key, segments);
}

void read_signal(Reader *reader, Node *control) {
  Node *section = read_section(reader, control, "signal");
  SimProblem *sim = &reader->problem->sim;
  Signal signal = {.kind = SIM_CONSTANT};
  bool reported = parameter_read(reader, section, &signal_parameters[0], &signal),
       given = parameter_read(reader, section, &signal_parameters[1], &signal),
       refined = parameter_read(reader, section, &signal_parameters[2], &signal);
  if ((given || refined) && !reported)
    require(reader, section, "control.signal.kind", "piecewise_constant or piecewise_linear");
  if (signal.kind == SIM_CONSTANT && refined)
    key_error(reader, "control.signal.refine_to", "of a constant (expected pieces)");
  if (signal.kind == SIM_CONSTANT) return;
  if (!given) require(reader, section, "control.signal.segments", "into how many of equal length");
  if (given) check_variables(reader, "control.signal.segments", signal.segments);
  if (is_wrong(reader, "control.signal.segments")) return;
  if (given && refined) check_doublings(reader, &signal);
  sim->signal = signal.kind;
  sim->segments = reader->problem->refine_to = signal.segments;
  if (refined && !is_wrong(reader, "control.signal.refine_to")) reader->problem->refine_to = signal.refine_to;
}

/* Reads {from: DIR}: the search starts at the control in the results of another run. */
static void read_from(Reader *reader, Node *from, double *start) {
  char path[FILE_PATH_SIZE], message[SAVED_CONTROL_MESSAGE_SIZE];
  if (from->kind != NODE_SCALAR || node_is_null(from))
    value_error(reader, from, "not a directory (expected {from: DIR}, the results of a control)");
  else if (!file_beside(document_name(reader->document), from->text, path))
    value_error(reader, from, "a directory that reading is not confined to, or too long a name");
  else if (reader->p && !is_wrong(reader, "control.signal") && !is_wrong(reader, "time") &&
           !saved_control_read(path, &reader->problem->sim, true, start, message))
    value_error(reader, from, "%s", message);
  else if (!(reader->problem->start_from = strdup(path)))
    reader->diagnostics->no_memory = true;
}

/* Reads the word `hold`: the search starts at the forces that hold a mechanism at x0 against its weight, without
 * friction. The force of the controls on each coordinate then equals its load. */
static void read_hold(Reader *reader, const Node *node, double *start) {
  const SimProblem *sim = &reader->problem->sim;
  const Mechanism *mechanism = reader->problem->mechanism;
  int p = reader->p;
  if (!mechanism && !is_wrong(reader, "model"))
    value_error(reader, node, "hold without a mechanism (expected numbers; hold is for model.kind: mechanism)");
  if (!mechanism || !p || mechanism->start.d != sim->d || is_wrong(reader, "control.signal")) return;
  for (int i = 0; i < sim->d; i++) {
    const double load = mechanism->start.load[i], threshold = mechanism_local_threshold(&mechanism->start, i);
    int by = mechanism_control_of(sim, i);
    for (int k = 0; k < sim->segments && by >= 0; k++) start[k * p + by] = load / sim->control_matrix[i * p + by];
    if (by < 0 && fabs(load) > threshold) {
      value_error(reader, node, "hold, but no control acts on %s alone, which %g %s move (expected numbers)",
                  mechanism->sim->names[i], fabs(load), mechanism_force_unit(mechanism, i));
      return;
    }
  }
}

void read_start(Reader *reader, Node *control, double *start) {
  const SimProblem *sim = &reader->problem->sim;
  Node *node = key_get(reader, control, "start");
  Node *from = node && node->kind == NODE_MAPPING ? key_get(reader, node, "from") : NULL;
  if (from) {
    read_from(reader, from, start);
    return;
  }
  /* `from` was not given; other keys of the mapping are reported later as unknown */
  if (node && node->kind == NODE_MAPPING) {
    if (!node->first) value_error(reader, node, "empty (expected {from: DIR}, the results of a control)");
    return;
  }
  if (node && node->kind == NODE_SCALAR && strcmp(node->text, "hold") == 0) {
    read_hold(reader, node, start);
    return;
  }
  bool signal = sim->signal != SIM_CONSTANT, wrong = is_wrong(reader, "control.signal");
  Values values =
      values_read(reader, control, "start", SIM_FORM_NUMBER | SIM_FORM_LIST | (signal || wrong ? SIM_FORM_ROWS : 0));
  int p = wrong ? 0 : reader->p;
  if (values.form == SIM_FORM_ROWS) {
    values_to_matrix(reader, &values, sim->segments, p, 0, sim->segments, start);
  } else if (p) {
    values_to_vector(reader, &values, NULL, p, 0, p, start);
    for (int k = 1; k < sim->segments; k++) memcpy(start + k * p, start, (size_t)p * sizeof *start);
  }
  values_clear(&values);
}

json_t *echo_signal(const Problem *problem) {
  const SimProblem *sim = &problem->sim;
  if (sim->signal == SIM_CONSTANT) return json_pack("{s:s}", "kind", signal_name(sim->signal));
  int segments = problem->control.segments;
  json_t *refined = problem->refine_to > segments ? json_integer(problem->refine_to) : NULL;
  return json_pack("{s:s, s:i, s:o*}", "kind", signal_name(sim->signal), "segments", segments, "refine_to", refined);
}
