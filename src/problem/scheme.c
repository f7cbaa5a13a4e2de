/* The sections time and scheme. */
#include "src/values/reader.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#define STEPS_MAX       1000000000L
#define RATIO_TOLERANCE 1e-9 /* of T/step to an integer, besides its round-off */

enum { LIST_SIZE = 256, SUBSTEPS_MAX = 1000000 };

static bool read_positive(Reader *reader, Node *section, const char *key, double *value) {
  if (!read_number(reader, section, key, value)) return false;
  if (*value > 0) return true;
  char path[NODE_PATH_SIZE];
  snprintf(path, sizeof path, "time.%s", key);
  document_error(reader->document, reader->diagnostics, path, "%g (expected > 0)", *value);
  return false;
}

/* How many steps of a length make up the end; 0 when told that they do not. */
static long count_steps(Reader *reader, double end, double step) {
  double ratio = end / step, whole = nearbyint(ratio);
  if (ratio > (double)STEPS_MAX)
    document_error(reader->document, reader->diagnostics, "time.step", "%g steps (expected at most %ld)", ratio,
                   STEPS_MAX);
  else if (whole < 1 || fabs(ratio - whole) > RATIO_TOLERANCE + 4 * DBL_EPSILON * whole)
    document_error(reader->document, reader->diagnostics, "time.step",
                   "end/step = %.12g (expected an integer; or give steps instead of step)", ratio);
  else
    return (long)whole;
  return 0;
}

void read_time(Reader *reader, Node *root) {
  SimProblem *sim = &reader->problem->sim;
  double end = 1, step = 1;
  long steps = 1;
  Node *time = read_section(reader, root, "time");
  if (!time && !is_wrong(reader, "time")) require(reader, root, "time", "{end: T, step: DT}");
  bool has_end = read_positive(reader, time, "end", &end), has_step = read_positive(reader, time, "step", &step),
       has_steps = read_integer(reader, time, "steps", 1, STEPS_MAX, &steps);
  if (!has_end && !is_wrong(reader, "time.end")) require(reader, time, "time.end", "the time T at which to end");
  if (!has_step && !has_steps && !is_wrong(reader, "time.step") && !is_wrong(reader, "time.steps"))
    require(reader, time, "time.step", "the time step, or steps: N");

  bool good = has_end && (has_step || has_steps) && !is_wrong(reader, "time");
  if (good && has_step) {
    long n = count_steps(reader, end, step);
    if (n && has_steps && n != steps)
      document_error(reader->document, reader->diagnostics, "time.steps", "%ld, but end/step = %ld (give one of them)",
                     steps, n);
    steps = n;
  } else if (good) {
    step = end / (double)steps;
  }
  good = good && !is_wrong(reader, "time");
  sim->end = good ? end : 1;
  sim->step = good ? step : 1;
  sim->steps = good ? steps : 1;
}

json_t *echo_time(const Problem *problem) {
  const SimProblem *sim = &problem->sim;
  return json_pack("{s:f, s:f, s:I}", "end", sim->end, "step", sim->step, "steps", (json_int_t)sim->steps);
}

static const Choice starts[] = {{"consistent", SIM_START_CONSISTENT}, {"paper", SIM_START_PAPER}, {NULL, 0}};
static const Choice multipliers[] = {
    {"regularized", SIM_REGULARIZED}, {"unregularized", SIM_UNREGULARIZED}, {"smooth", SIM_SMOOTH}, {NULL, 0}};
static const Choice elastics[] = {{"difference", false}, {"exact", true}, {NULL, 0}};
static const Choice solvers[] = {{"exact", SIM_EXACT}, {"fixed_point", SIM_FIXED_POINT}, {NULL, 0}};

/* The schemes of the model's kind, " or " between them; those that take a key alone, unless it is NULL. */
static void list_schemes(SimKind kind, const char *key, char *list, size_t size) {
  size_t length = 0;
  const SimScheme *scheme;
  *list = 0;
  for (int k = 0; (scheme = sim_scheme_of_kind(kind, k)) != NULL; k++)
    if ((!key || sim_scheme_takes(scheme, key)) && length < size)
      length += (size_t)snprintf(list + length, size - length, "%s%s", length ? " or " : "", sim_scheme_name(scheme));
}

/* Tells the keys that the scheme does not take, and which others of the kind do. */
static void not_taken_error(Reader *reader, Node *section, const SimProblem *sim) {
  static const char *const keys[] = {
      "theta",     "alpha", "start",  "multiplier", "epsilon",           "r",
      "tolerance", "eta",   "solver", "elastic",    "friction_substeps", "elastic_substeps"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    char list[LIST_SIZE];
    list_schemes(sim->kind, keys[i], list, sizeof list);
    if (sim_scheme_takes(sim->scheme, keys[i])) continue;
    Node *node = node_get(section, keys[i], reader->diagnostics);
    if (node)
      node_error(node, reader->diagnostics, "the scheme %s has no %s%s%s%s", sim_scheme_name(sim->scheme), keys[i],
                 *list ? " (" : "", list, *list ? " has)" : "");
  }
}

/* The scheme's name; true unless told that there is no such scheme, when the default stays. */
static bool read_name(Reader *reader, Node *section, SimProblem *sim) {
  char excerpt[EXCERPT_SIZE], list[LIST_SIZE];
  Node *node = node_get(section, "name", reader->diagnostics);
  const SimScheme *named = node && node->kind == NODE_SCALAR ? sim_scheme_for(sim->kind, node->text) : NULL;
  if (named) sim->scheme = named;
  list_schemes(sim->kind, NULL, list, sizeof list);
  if (node && !named)
    node_error(node, reader->diagnostics, "unknown scheme %s for this model (expected %s)",
               node_describe(node, excerpt), list);
  return named || !node;
}

static void read_multiplier(Reader *reader, Node *section, SimProblem *sim) {
  int multiplier = (int)sim->multiplier;
  if (!read_choice(reader, section, "multiplier", multipliers, &multiplier)) return;
  if (sim_scheme_offers(sim->scheme, (SimMultiplier)multiplier)) {
    sim->multiplier = (SimMultiplier)multiplier;
    return;
  }
  char list[LIST_SIZE] = "";
  size_t length = 0;
  for (const Choice *choice = multipliers; choice->name; choice++)
    if (sim_scheme_offers(sim->scheme, (SimMultiplier)choice->value))
      length += (size_t)snprintf(list + length, sizeof list - length, "%s%s", length ? " or " : "", choice->name);
  document_error(reader->document, reader->diagnostics, "scheme.multiplier",
                 "the scheme %s has no %s multiplier (expected %s)", sim_scheme_name(sim->scheme),
                 choice_name(multipliers, multiplier), list);
}

/* eta, of the smooth multiplier alone. */
static void read_eta(Reader *reader, Node *section, SimProblem *sim) {
  bool smooth = sim->multiplier == SIM_SMOOTH, given = read_number(reader, section, "eta", &sim->eta);
  if (!smooth || given) return;
  if (!is_wrong(reader, "scheme.eta"))
    require(reader, section, "scheme.eta", "a speed > 0, the width of the smooth multiplier");
  sim->eta = 1;
}

static void read_substeps(Reader *reader, Node *section, SimProblem *sim) {
  long friction = sim_scheme_default_friction_substeps(sim->scheme), elastic = sim->elastic_substeps;
  int exact = sim->elastic_exact;
  read_integer(reader, section, "friction_substeps", 1, SUBSTEPS_MAX, &friction);
  read_integer(reader, section, "elastic_substeps", 1, SUBSTEPS_MAX, &elastic);
  read_choice(reader, section, "elastic", elastics, &exact);
  sim->friction_substeps = (int)friction;
  sim->elastic_substeps = (int)elastic;
  sim->elastic_exact = exact;
}

void read_scheme(Reader *reader, Node *root) {
  static const char *const variables[] = {"step", "delta"};
  SimProblem *sim = &reader->problem->sim;
  Node *section = read_section(reader, root, "scheme");
  bool named = read_name(reader, section, sim);
  if (named) not_taken_error(reader, section, sim);
  sim->multiplier = sim_scheme_default_multiplier(sim->scheme);
  if (named)
    read_multiplier(reader, section, sim);
  else
    node_get(section, "multiplier", reader->diagnostics); /* good or bad for an unknown scheme: who knows */

  int start = (int)sim->start, solver = (int)sim->solver;
  read_choice(reader, section, "start", starts, &start);
  read_choice(reader, section, "solver", solvers, &solver);
  sim->start = (SimStart)start;
  sim->solver = (SimSolver)solver;
  read_number(reader, section, "theta", &sim->theta);
  read_number(reader, section, "alpha", &sim->alpha);
  read_number(reader, section, "tolerance", &sim->tolerance);
  read_eta(reader, section, sim);
  read_substeps(reader, section, sim);
  reader->r = node_expression(reader, node_get(section, "r", reader->diagnostics), 2, variables);
  reader->epsilon = node_expression(reader, node_get(section, "epsilon", reader->diagnostics), 1, variables);
}

void read_constants(Reader *reader) {
  SimProblem *sim = &reader->problem->sim;
  const double delta = reader->problem->bounds.delta, values[] = {sim->step, delta};
  sim->epsilon = reader->epsilon ? expression_evaluate(reader->epsilon, values) : pow(sim->step, 6.0 / 5);
  if (!isfinite(sim->epsilon))
    document_error(reader->document, reader->diagnostics, "scheme.epsilon",
                   "%g at step = %g (expected a finite number)", sim->epsilon, sim->step);
  sim->r = sim_default_r(sim, &reader->problem->bounds);
  if (!(delta > 0)) return; /* without friction any will do */
  if (reader->r) sim->r = expression_evaluate(reader->r, values);
  if (!isfinite(sim->r))
    document_error(reader->document, reader->diagnostics, "scheme.r",
                   "%g at step = %g, delta = %g (expected a finite number)", sim->r, sim->step, delta);
}

json_t *echo_scheme(const Problem *problem) {
  const SimProblem *sim = &problem->sim;
  json_t *scheme = json_pack("{s:s}", "name", sim_scheme_name(sim->scheme));
  json_t *all = json_pack("{s:f, s:f, s:s, s:s, s:f, s:f, s:s, s:f, s:i, s:i, s:s}", "theta", sim->theta, "alpha",
                          sim->alpha, "start", choice_name(starts, (int)sim->start), "multiplier",
                          choice_name(multipliers, (int)sim->multiplier), "epsilon", sim->epsilon, "r", sim->r,
                          "solver", choice_name(solvers, (int)sim->solver), "tolerance", sim->tolerance,
                          "friction_substeps", sim->friction_substeps, "elastic_substeps", sim->elastic_substeps,
                          "elastic", choice_name(elastics, sim->elastic_exact));
  if (all && sim->multiplier == SIM_SMOOTH && json_object_set_new(all, "eta", json_real(sim->eta)) != 0) {
    json_decref(all);
    all = NULL;
  }
  bool good = scheme && all;
  const char *key;
  json_t *value;
  json_object_foreach(all, key, value) {
    if (good && sim_scheme_takes(sim->scheme, key)) good = json_object_set(scheme, key, value) == 0;
  }
  json_decref(all);
  return json_if(good, scheme);
}
