/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the sections time and scheme. */
#include "src/file/sections/motion_plan_read.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#define STEPS_MAX       1000000000L
#define RATIO_TOLERANCE 1e-9 /* largest deviation of T/step from an integer, apart from round-off */

enum { LIST_SIZE = 256 };

/* Values of the section time, as written in the file. */
typedef struct Times {
  double end, step;
  long steps;
} Times;

static const SimChoice ends[] = {{"free", 0, "found by the search"}, {0}};
/* The key time.end, for problems in which T is a number. In a motion plan it may be an interval. */
static const SimParameter given_end = {"end",        SIM_FORM_NUMBER,       "s", "T", .preset = 1,
                                       SIM_ABOVE(0), SIM_MEMBER(Times, end)};

const SimParameter time_parameters[] = {
    {"end", SIM_FORM_NUMBER | SIM_FORM_CHOICE | SIM_FORM_SECTION, "s",
     "T; free, or within an interval: found by the search", SIM_ABOVE(0), .required = true, .preset = 1,
     .choices = ends, .parts = planned_end_parameters},
    SIM_ROW(Times, step, .forms = SIM_FORM_NUMBER, SIM_ABOVE(0), .unit = "s", .default_text = "end/steps", .preset = 1,
            .sentence = "the time step, which must divide T"),
    SIM_ROW(Times, steps, .forms = SIM_FORM_INTEGER, SIM_FROM_TO(1, STEPS_MAX), .default_text = "end/step", .preset = 1,
            .sentence = "how many; in place of step"),
    {0}};

/* Returns the number of steps T/step; 0 after reporting that it is not an integer. */
static long count_steps(Reader *reader, double end, double step) {
  double ratio = end / step, whole = nearbyint(ratio);
  if (ratio > (double)STEPS_MAX)
    key_error(reader, "time.step", "%g steps (expected at most %ld)", ratio, STEPS_MAX);
  else if (whole < 1 || fabs(ratio - whole) > RATIO_TOLERANCE + 4 * DBL_EPSILON * whole)
    key_error(reader, "time.step", "end/step = %.12g (expected an integer; or give steps instead of step)", ratio);
  else
    return (long)whole;
  return 0;
}

void read_time(Reader *reader, Node *root) {
  SimProblem *sim = &reader->problem->sim;
  Times times;
  sim_parameters_set_defaults(time_parameters, &times);
  times.end = given_end.preset;
  Node *time = read_section(reader, root, "time");
  if (!time) require(reader, root, "time", "{end: T, step: DT}");
  if (reader->problem->plan && planned_read_time(reader, time)) return;
  bool has[3];
  for (int i = 0; i < 3; i++) has[i] = parameter_read(reader, time, i ? &time_parameters[i] : &given_end, &times);
  bool has_end = has[0], has_step = has[1], has_steps = has[2];
  double end = times.end, step = times.step;
  long steps = times.steps;
  if (!has_end) require(reader, time, "time.end", "the time T at which to end");
  if (!has_step && !has_steps && !is_wrong(reader, "time.steps"))
    require(reader, time, "time.step", "the time step, or steps: N");

  bool good = has_end && (has_step || has_steps) && !is_wrong(reader, "time");
  if (good && has_step) {
    long n = count_steps(reader, end, step);
    if (n && has_steps && n != steps)
      key_error(reader, "time.steps", "%ld, but end/step = %ld (give one of them)", steps, n);
    steps = n;
  } else if (good) {
    step = end / (double)steps;
  }
  if (good && step < DBL_MIN)
    key_error(reader, "time.end", "steps of %g s, which have lost digits (expected at least %.3g s)", step, DBL_MIN);
  good = good && !is_wrong(reader, "time");
  sim->end = good ? end : 1;
  sim->step = good ? step : 1;
  sim->steps = good ? steps : 1;
}

json_t *echo_time(const Problem *problem) {
  const SimProblem *sim = &problem->sim;
  json_t *time = json_pack("{s:f, s:f, s:I}", "end", sim->end, "step", sim->step, "steps", (json_int_t)sim->steps);
  return problem->plan ? json_if(time && planned_echo_time(problem, time), time) : time;
}

/* Writes the schemes for this kind of model into `list`, separated by " or ". key: only schemes that have this key;
 * NULL: all schemes. */
static void list_schemes(const SimProblem *sim, const char *key, char *list, size_t size) {
  size_t length = 0;
  const SimScheme *scheme;
  *list = 0;
  for (int k = 0; (scheme = sim_scheme_of_kind(sim->kind, k)) != NULL; k++)
    if (sim_scheme_serves(scheme, sim) && (!key || sim_scheme_takes(scheme, key)) && length < size)
      length += (size_t)snprintf(list + length, size - length, "%s%s", length ? " or " : "", sim_scheme_name(scheme));
}

/* Reports a key that the scheme does not have. The message names the schemes of this kind of model that have the
 * key. */
static void complain_not_taken(Reader *reader, const Node *node, const SimProblem *sim) {
  char list[LIST_SIZE];
  list_schemes(sim, node->key, list, sizeof list);
  value_error(reader, node, "the scheme %s has no %s%s%s%s", sim_scheme_name(sim->scheme), node->key, *list ? " (" : "",
              list, *list ? " has)" : "");
}

/* Returns whether the word in a node is valid only for another scheme, which is then reported. */
static bool complain_not_offered(Reader *reader, const Node *node, const SimScheme *scheme, const SimParameter *row) {
  char expected[SIM_EXPECTED_SIZE];
  int value;
  const SimScheme *other;
  if (!(row->forms & SIM_FORM_CHOICE) || node->kind != NODE_SCALAR || sim_parameter_choose(row, node->text, &value))
    return false;
  for (int k = 0; (other = sim_scheme_at(k)) != NULL; k++) {
    const SimParameter *others = sim_parameter_find(sim_scheme_parameters(other), row->key);
    if (!others || !sim_parameter_choose(others, node->text, &value)) continue;
    value_error(reader, node, "the scheme %s has no %s %s (expected %s)", sim_scheme_name(scheme), node->text, row->key,
                sim_parameter_expected(row, expected));
    return true;
  }
  return false;
}

/* Returns the name of the default scheme. Motion plans and identifications use `event` where it is possible; for an
 * identification, errors by time steps would become errors of the parameters. `event` is also the default for a small
 * dense friction model with fewer controls than joints with dry friction. The other joints are then moved by waves,
 * which time steps resolve only roughly, so that a search with `event` reaches targets that a search with time steps
 * misses. */
const char *default_scheme(const Problem *problem) {
  /* maximum number of degrees of freedom for which `event` is chosen */
  enum { SMALL = 16 };
  const SimProblem *sim = &problem->sim;
  const SimScheme *event = sim_scheme_for(sim->kind, "event");
  const char *first = sim_scheme_name(sim_scheme_of_kind(sim->kind, 0));
  if (problem->plan && sim_scheme_moves_end(event) && sim_scheme_serves(event, sim)) return sim_scheme_name(event);
  if (problem->fits && sim->system.storage == SIM_DENSE && sim_scheme_takes_all(event, sim))
    return sim_scheme_name(event);
  if (sim->kind != SIM_FRICTION || sim->system.storage != SIM_DENSE || sim->d > SMALL || !sim->n_control) return first;
  int rub = 0;
  for (int i = 0; i < sim->d; i++) /* thresholds that vary in time are not read yet, so all of them may be > 0 */
    rub += sim->friction[i] > 0 || problem->course[0] || problem->rise.law;
  return sim->n_control < rub && sim_scheme_takes_all(event, sim) ? sim_scheme_name(event) : first;
}

/* Reads the name of the scheme. After reporting an unknown name, returns false, and the default scheme is kept. */
static bool read_name(Reader *reader, Node *section, SimProblem *sim) {
  char excerpt[EXCERPT_SIZE], list[LIST_SIZE];
  Node *node = key_get(reader, section, "name");
  const SimScheme *named = node && node->kind == NODE_SCALAR ? sim_scheme_for(sim->kind, node->text) : NULL;
  if (named && !sim_scheme_serves(named, sim)) named = NULL;
  if (named && sim_problem_set_scheme(sim, sim_scheme_name(named)) != SIM_OK) reader->diagnostics->no_memory = true;
  list_schemes(sim, NULL, list, sizeof list);
  if (node && !named)
    value_error(reader, node, "unknown scheme %s for this model (expected %s)", node_describe(node, excerpt), list);
  return named || !node;
}

/* Reads one key of the section scheme. Its form and range are those of the chosen scheme. named: whether the name of
 * the scheme is valid. If it is not, reports only keys that no scheme has, and errors in numbers of the default
 * scheme. */
static void read_key(Reader *reader, Node *section, const char *key, bool named) {
  SimProblem *sim = &reader->problem->sim;
  Node *node = key_get(reader, section, key);
  const SimParameter *own = sim_parameter_find(sim_scheme_parameters(sim->scheme), key);
  if (!node) return;
  if (!own && named) complain_not_taken(reader, node, sim);
  /* the words that a key allows differ between schemes, so they are not checked if the scheme is not known */
  if (!own || (!named && own->forms & SIM_FORM_CHOICE)) return;
  if (!complain_not_offered(reader, node, sim->scheme, own)) parameter_read(reader, section, own, sim->parameters);
}

/* Returns whether the key has already been read, because one of the schemes 0 .. k - 1 has it, too. */
static bool is_read(const char *key, int k) {
  for (int i = 0; i < k; i++)
    if (sim_scheme_takes(sim_scheme_at(i), key)) return true;
  return false;
}

void read_scheme(Reader *reader, Node *root) {
  SimProblem *sim = &reader->problem->sim;
  const SimScheme *scheme;
  Node *section = read_section(reader, root, "scheme");
  reader->problem->fits = key_get(reader, root, "identify");
  if (!key_get(reader, root, "scheme") && sim_problem_set_scheme(sim, default_scheme(reader->problem)) != SIM_OK)
    reader->diagnostics->no_memory = true;
  bool named = read_name(reader, section, sim);
  for (int k = 0; (scheme = sim_scheme_at(k)) != NULL; k++)
    for (const SimParameter *row = sim_scheme_parameters(scheme); row && row->key; row++)
      if (!is_read(row->key, k)) read_key(reader, section, row->key, named);
  if (sim_problem_get(sim, "multiplier") != SIM_SMOOTH || sim_problem_get(sim, "eta") != 0) return;
  if (!constants_wait(reader->problem, "eta"))
    require(reader, section, "scheme.eta", "the width of the smooth multiplier, > 0 m/s");
  sim_problem_set(sim, "eta", 1);
}

json_t *echo_scheme(const Problem *problem) {
  const SimScheme *scheme = problem->sim.scheme;
  json_t *section = json_pack("{s:s}", "name", sim_scheme_name(scheme));
  return json_if(section && parameters_echo(sim_scheme_parameters(scheme), problem->sim.parameters, section), section);
}
