#include "sim/core/stops.h"

#include "sim/core/scheme.h"

static void check_scheme(Check *check) {
  const SimProblem *p = check->problem;
  if (!p->scheme->stops)
    check_complain(check, "model.stops", "the scheme %s has none (expected moreau or event)", p->scheme->name);
  else if (sim_problem_get(p, "solver") == SIM_FIXED_POINT)
    check_complain(check, "scheme.solver", "fixed_point does not know of stops (expected exact)");
  if (p->surface_pieces) check_complain(check, "model.stops", "with surfaces that move (expected one of the two)");
}

bool stops_check(Check *check) {
  const SimProblem *p = check->problem;
  const SimStops *s = &p->stops;
  if (!s->present) return true;
  char one[SIM_NUMBER_SIZE], two[SIM_NUMBER_SIZE];
  if (p->system.storage != SIM_DENSE) {
    check_complain(check, "model.stops", "not with sparse matrices (dense ones have it)");
    return false;
  }
  check_scheme(check);
  for (int i = 0; i < p->d; i++) {
    if (s->lower[i] >= s->upper[i])
      return check_complain(check, "model.stops.lower", "entry %d is %s, its upper end %s (expected lower < upper)",
                            i + 1, sim_number(s->lower[i], one), sim_number(s->upper[i], two)),
             true;
    if (stops_passed(s, i, p->x0[i]))
      return check_complain(check, "model.x0", "entry %d is %s, beyond its stop at %s", i + 1,
                            sim_number(p->x0[i], one), sim_number(stops_end(s, i, stops_passed(s, i, p->x0[i])), two)),
             true;
    if (!stops_rigid(s, i) && s->restitution[i] > 0)
      return check_complain(check, "model.stops.restitution",
                            "entry %d is %g, of an end that is not rigid (expected 0: it gives back all)", i + 1,
                            s->restitution[i]),
             true;
  }
  return true;
}
