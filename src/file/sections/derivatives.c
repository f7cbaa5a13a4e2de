/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/file/sections/resolve.h"

#include "src/file/model/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool derivatives_refine(const Problem *problem) {
  const SimProblem *sim = &problem->sim;
  const SimScheme *event = sim_scheme_for(sim->kind, "event");
  bool exact = problem->control.refine == CTL_REFINE_EXACT && event && sim_scheme_serves(event, sim) &&
               sim->system.storage == SIM_DENSE; /* the function problem_takes_event has the same condition */
  return problem->control.derivatives || (exact && sim_scheme_differentiates(event, sim));
}

/* Returns whether a mass may be 0. Masses are written as a list, as rows with a diagonal, or as a formula. */
static bool may_lack_mass(const Node *mass) {
  double value;
  if (!mass) return false;
  if (mass->kind == NODE_SCALAR) {
    char *end;
    value = strtod(mass->text, &end);
    return *end != 0 || value == 0;
  }
  int k = 0;
  for (const Node *row = mass->first; row; row = row->next, k++) {
    const Node *entry = row->kind == NODE_SEQUENCE ? row->first : row;
    for (int i = 0; i < k && entry && row->kind == NODE_SEQUENCE; i++) entry = entry->next;
    if (!entry || entry->kind != NODE_SCALAR || may_lack_mass(entry)) return true;
  }
  return false;
}

/* Returns whether the model may have a feature for which only some schemes have derivatives. The decision is based on
 * the text of the file, before values are read. */
static bool may_lack_derivatives(Node *model, const SimScheme *chosen, Diagnostics *diagnostics) {
  bool rises = node_get(model, "friction_rise", diagnostics) != NULL,
       stops = node_get(model, "stops", diagnostics) != NULL;
  return may_lack_mass(node_get(model, "mass", diagnostics)) ||
         (rises && (stops || strcmp(sim_scheme_name(chosen), "centered") == 0));
}

bool derivatives_may_be(Node *root, Diagnostics *diagnostics) {
  Node *model = node_get(root, "model", diagnostics), *scheme = node_get(root, "scheme", diagnostics);
  const Node *kind = model ? node_get(model, "kind", diagnostics) : NULL,
             *name = scheme ? node_get(scheme, "name", diagnostics) : NULL;
  bool friction = false;
  for (int k = 0; kind && kind->kind == NODE_SCALAR && model_kind(k); k++)
    friction = friction || (strcmp(model_kind(k)->name, kind->text) == 0 && model_kind(k)->sim == SIM_FRICTION);
  if (!friction || (name && name->kind != NODE_SCALAR)) return false;
  const SimScheme *chosen = name ? sim_scheme_for(SIM_FRICTION, name->text) : sim_scheme_of_kind(SIM_FRICTION, 0);
  const SimProblem like = {.springs = {{.pieces = node_get(model, "springs", diagnostics) != NULL}},
                           .stops.present = node_get(model, "stops", diagnostics) != NULL};
  return chosen && !may_lack_derivatives(model, chosen, diagnostics) && sim_scheme_differentiates(chosen, &like);
}
