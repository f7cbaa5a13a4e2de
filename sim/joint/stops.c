/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/joint/stops.h"

#include "sim/joint/laws.h"

#include <math.h>

#define STOP(name, units, what, ...)                                                                                   \
  {                                                                                                                    \
    .key = #name, .forms = SIM_FORM_VECTOR | SIM_FORM_NULLS | SIM_FORM_WEIGHTED, .unit = (units), .sentence = (what),  \
    .variables = "i", SIM_ARRAY(SimProblem, stops.name, SIM_EACH), __VA_ARGS__                                         \
  }

const SimParameter sim_stops_parameters[] = {
    STOP(lower, "m", "the least x; null entries have none", .preset = NAN, .default_text = "none"),
    STOP(upper, "m", "the largest x, likewise", .preset = NAN, .default_text = "none"),
    {"stiffness", SIM_FORM_VECTOR | SIM_FORM_NULLS | SIM_FORM_INFINITE | SIM_FORM_WEIGHTED, "N/m",
     "of the stops; .inf and null entries are rigid", SIM_ABOVE(0), .variables = "i", .preset = NAN,
     .default_text = "rigid", SIM_ARRAY(SimProblem, stops.stiffness, SIM_EACH)},
    {"restitution", SIM_FORM_VECTOR | SIM_FORM_WEIGHTED, NULL, "e: what comes in at v goes out at -e v; of rigid stops",
     SIM_FROM_TO(0, 1), .variables = "i", SIM_ARRAY(SimProblem, stops.restitution, SIM_EACH)},
    {0}};

/* Checks the stops of dof i. Returns true if the dof has valid stops or no stops. */
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

static void check(Check *check) {
  int i = 0;
  /* other kinds of models have no arrays of stops */
  bool there = check->problem->stops.present && check->problem->stops.lower;
  while (there && i < check->problem->count && check_stop(check, i)) i++;
}

/* Returns the features of the stops: rigid, elastic or both. If no dof has a stop, they follow from the stiffness that
 * is given for stops. */
static SimFeatures features(const SimProblem *p) {
  SimFeatures has = 0, without = 0;
  if (!p->stops.present) return 0;
  for (int i = 0; i < p->count && p->stops.lower; i++) {
    SimFeatures kind = stops_rigid(&p->stops, i) ? SIM_HAS(RIGID) : SIM_HAS(ELASTIC);
    without |= kind;
    if (!isnan(p->stops.lower[i]) || !isnan(p->stops.upper[i])) has |= kind;
  }
  if (has) return has;
  return without ? without : SIM_HAS(RIGID) | SIM_HAS(ELASTIC);
}

static double stored(const SimProblem *p, const Springs *springs, const double *x) {
  double sum = 0;
  (void)springs;
  for (int i = 0; i < p->count && p->stops.present; i++) sum += stops_stored(&p->stops, i, x[i]);
  return sum;
}

static double size(const SimProblem *p, const Springs *springs, const double *x) { return 2 * stored(p, springs, x); }

static size_t rows(const SimProblem *p) { return p->kind == SIM_MECHANISM ? (size_t)p->count : joint_rows(p); }

static const ProblemArray arrays[] = {{PROBLEM_ARRAY(stops.lower, rows)},
                                      {PROBLEM_ARRAY(stops.upper, rows)},
                                      {PROBLEM_ARRAY(stops.stiffness, rows)},
                                      {PROBLEM_ARRAY(stops.restitution, rows)},
                                      {0}};

const JointLaw joint_law_stops = {
    .features = features, .arrays = arrays, .check = check, .stored = stored, .size = size};
