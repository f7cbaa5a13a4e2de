#include "src/problem/derivatives.h"

#include "src/model/model.h"

#include <stdio.h>
#include <string.h>

static bool is_scheme(const SimScheme *scheme, const char *name) { return strcmp(sim_scheme_name(scheme), name) == 0; }

/* Of chains nodes without mass have no derivatives; nor have steps through impacts, nor by centered springs with a law. */
static bool moves_smoothly(const SimProblem *sim, const SimScheme *scheme) {
  bool laws = sim->springs[SIM_ANCHORS].pieces > 0 || sim->springs[SIM_LINKS].pieces > 0;
  return sim->chain.chain_case == SIM_CHAIN_DYNAMICAL && sim_scheme_has_sensitivity(scheme) &&
         (!sim->stops.present || is_scheme(scheme, "event")) && !(laws && is_scheme(scheme, "centered"));
}

void derivatives_note(Problem *problem) {
  const SimScheme *scheme;
  char *names = problem->control.derivative_schemes;
  size_t room = sizeof problem->control.derivative_schemes, used = 0;
  problem->control.derivatives = moves_smoothly(&problem->sim, problem->sim.scheme);
  for (int k = 0; used < room && (scheme = sim_scheme_of_kind(problem->sim.kind, k)) != NULL; k++)
    if (moves_smoothly(&problem->sim, scheme))
      used += (size_t)snprintf(names + used, room - used, "%s%s", used ? ", " : "", sim_scheme_name(scheme));
}

bool derivatives_refine(const Problem *problem) {
  const SimProblem *sim = &problem->sim;
  const SimScheme *event = sim_scheme_for(sim->kind, "event");
  bool exact = problem->control.refine == CTL_REFINE_EXACT && event && sim_scheme_serves(event, sim);
  return problem->control.derivatives || (exact && moves_smoothly(sim, event));
}

bool derivatives_may_be(Node *root, Diagnostics *diagnostics) {
  Node *model = node_get(root, "model", diagnostics), *scheme = node_get(root, "scheme", diagnostics);
  const Node *kind = model ? node_get(model, "kind", diagnostics) : NULL,
             *name = scheme ? node_get(scheme, "name", diagnostics) : NULL;
  bool friction = false;
  for (int k = 0; kind && kind->kind == NODE_SCALAR && model_kind(k); k++)
    friction = friction || (strcmp(model_kind(k)->name, kind->text) == 0 && model_kind(k)->sim == SIM_FRICTION);
  if (model && node_get(model, "springs", diagnostics)) return false;
  if (!friction || (name && name->kind != NODE_SCALAR)) return false;
  const SimScheme *chosen = name ? sim_scheme_for(SIM_FRICTION, name->text) : sim_scheme_of_kind(SIM_FRICTION, 0);
  return chosen && sim_scheme_has_sensitivity(chosen) &&
         (is_scheme(chosen, "event") || !node_get(model, "stops", diagnostics));
}
