#include "sim/joint/stops.h"

/* Whether dof i has none, or right ones. */
static bool check_stop(Check *check, int i) {
  const SimProblem *p = check->problem;
  const SimStops *s = &p->stops;
  char one[SIM_NUMBER_SIZE], two[SIM_NUMBER_SIZE];
  int before = check->mistakes;
  if (s->lower[i] >= s->upper[i])
    check_complain(check, "model.stops.lower", "entry %d is %s, its upper end %s (expected lower < upper)", i + 1,
                   sim_number(s->lower[i], one), sim_number(s->upper[i], two));
  else if (stops_passed(s, i, p->x0[i]))
    check_complain(check, "model.x0", "entry %d is %s, beyond its stop at %s", i + 1, sim_number(p->x0[i], one),
                   sim_number(stops_end(s, i, stops_passed(s, i, p->x0[i])), two));
  else if (!stops_rigid(s, i) && s->restitution[i] > 0)
    check_complain(check, "model.stops.restitution",
                   "entry %d is %g, of an end that is not rigid (expected 0: it gives back all)", i + 1,
                   s->restitution[i]);
  return check->mistakes == before;
}

void stops_check(Check *check) {
  int i = 0;
  while (check->problem->stops.present && i < check->problem->count && check_stop(check, i)) i++;
}
