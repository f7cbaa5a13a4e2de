/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the start x0, v0 of a mechanism, and checks whether a motion can begin there. */
#include "src/file/model/mechanism_making.h"

#include "sim/mechanism/equations.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Reads x0 or v0: a number for all coordinates, a list, or values by names. Coordinates without a value start at 0. */
static void read_start_vector(Making *making, const char *key, double *vector) {
  Reader *reader = making->reader;
  Values values = values_read(reader, making->model, key, SIM_FORM_NUMBER | SIM_FORM_LIST | SIM_FORM_WEIGHTED);
  values_to_vector(reader, &values, NULL, reader->d, 0, reader->d, vector);
  values_clear(&values);
}

/* Returns the key that defines the coordinates. Errors that concern the whole mechanism are reported for this key. */
static const char *source_of(const Making *making) {
  static const char *const sources[] = {"model.coordinates", "model.links", "model.urdf"};
  for (int k = 0; k < 2; k++)
    if (document_find(making->reader->document, sources[k])) return sources[k];
  return sources[2];
}

static void report_singular(Making *making, const MechanismLocal *start) {
  Reader *reader = making->reader;
  bool named = false;
  for (int i = 0; i < start->d; i++) {
    double mass = start->mass[i * start->d + i];
    if (mass > 0) continue;
    named = true;
    key_error(reader, source_of(making), "%s has %s at x0 (expected a body that it moves, inertia, or armature)",
              making->sim->names[i], mass < 0 ? "a negative mass" : "no mass");
  }
  if (!named)
    key_error(
        reader, source_of(making),
        "the mass matrix at x0 is not positive definite: some motion of several coordinates has no mass (expected "
        "bodies, inertia or armature that it moves)");
}

static void report(Making *making, MechanismFault fault, const MechanismLocal *start, int at, const char *why) {
  Reader *reader = making->reader;
  const char *name = fault == MECHANISM_NOT_FINITE || fault == MECHANISM_NEGATIVE ? making->sim->names[at] : "";
  if (fault == MECHANISM_NO_MEMORY) reader->diagnostics->no_memory = true;
  if (fault == MECHANISM_NO_SERIES) key_error(reader, source_of(making), "%s", why);
  if (fault == MECHANISM_SINGULAR) report_singular(making, start);
  if (fault == MECHANISM_NOT_FINITE)
    key_error(reader, source_of(making), "the equation of %s is not finite at x0, v0 and t = 0", name);
  if (fault == MECHANISM_NEGATIVE)
    key_error(reader, "model.friction", "%g of %s at x0, v0 and t = 0 (expected >= 0)",
              fmin(start->thresholds[at], start->thresholds[start->d + at]), name);
}

void making_start(Making *making) {
  Reader *reader = making->reader;
  SimProblem *sim = &reader->problem->sim;
  Mechanism *made = making->made;
  const char *why;
  int at = 0;
  read_start_vector(making, "x0", sim->x0);
  read_start_vector(making, "v0", sim->v0);
  if (is_wrong(reader, "model") || reader->diagnostics->no_memory) return;
  MechanismFault fault = mechanism_local(making->sim, 0, sim->x0, sim->v0, &made->start, &at, &why);
  if (fault == MECHANISM_GOOD) {
    note_memory(reader, sim_problem_set_mechanism(sim, making->sim));
    return;
  }
  report(making, fault, &made->start, at, why);
  mechanism_local_clear(&made->start);
}
