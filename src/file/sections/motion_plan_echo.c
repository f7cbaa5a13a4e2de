/* SPDX-License-Identifier: BSD-2-Clause */
/* Describes a motion plan by a sentence, and adds its keys to the echo, the resolved problem that the program
 * prints. */
#include "src/file/sections/motion_plan_read.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

/* Writing the sentence that describes the plan --------------------------------------------------------------------- */

LIKE_PRINTF(2, 3) static void say(char *text, const char *format, ...) {
  size_t length = strlen(text);
  va_list values;
  va_start(values, format);
  vsnprintf(text + length, PLAN_SENTENCE_SIZE - length, format, values);
  va_end(values);
}

static bool begins(const char *name, const char *with) { return strncmp(name, with, strlen(with)) == 0; }

/* Returns the number of quantities that a key has added to the plan. */
static int count(const MotionPlan *plan, const char *key) {
  int n = 0;
  for (int k = 0; k < plan->quantities; k++)
    n += begins(plan->quantity[k].name, key) && plan->quantity[k].read != CTL_READ_LATE;
  return n;
}

static void say_aim(const MotionPlan *plan, char *text) {
  static const struct {
    const char *key, *word;
  } aims[] = {{"minimize.effort", "effort"},
              {"minimize.time", "time"},
              {"minimize.fuel", "fuel"},
              {"minimize.energy", "energy"},
              {"minimize.track", "distance from a motion"},
              {"minimize.end", "distance from an end"}};
  int said = 0;
  say(text, "least ");
  for (size_t k = 0; k < sizeof aims / sizeof *aims; k++)
    if (count(plan, aims[k].key))
      say(text, "%s%s%s", said++ ? " + " : "", aims[k].word, k == 0 && plan->around ? " around given forces" : "");
}

/* Adds the bounds of u to the sentence if they can be written in a form as short as "|u| <= 15". */
static void say_bounds(const Problem *problem, char *text) {
  const CtlProblem *c = &problem->control;
  double most = c->upper[0];
  bool alike = true, any = false;
  for (int i = 0; i < c->n; i++) {
    alike = alike && c->upper[i] == most && c->lower[i] == -most;
    any = any || isfinite(c->upper[i]) || isfinite(c->lower[i]);
  }
  if (any && alike) say(text, ", |u| <= %g", most);
  if (any && !alike) say(text, ", u within bounds");
}

/* Adds the limits to the sentence if they can be written in a form as short as "speeds <= 0.9". */
static void say_limits(const MotionPlan *plan, char *text) {
  static const struct {
    const char *key, *word;
  } limits[] = {{"limits.position", "positions"},
                {"limits.velocity", "velocities"},
                {"limits.speed", "speeds"},
                {"limits.power", "power"}};
  for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) {
    double most = NAN;
    bool alike = true;
    for (int i = 0; i < plan->quantities; i++) {
      const CtlQuantity *q = &plan->quantity[i];
      if (!begins(q->name, limits[k].key) || (q->role == CTL_ROLE_AT_LEAST && k >= 2)) continue;
      alike = alike && q->role == CTL_ROLE_AT_MOST && (isnan(most) || most == q->target);
      most = q->target;
    }
    if (!isnan(most) && alike) say(text, ", %s <= %g", limits[k].word, most);
    if (!isnan(most) && !alike) say(text, ", %s within limits", limits[k].word);
  }
}

static void say_variables(const Problem *problem, char *text) {
  const MotionPlan *plan = problem->plan;
  int lengths = motion_plan_first(plan, CTL_VARY_LENGTH), end = motion_plan_first(plan, CTL_VARY_END);
  if (end >= 0)
    say(text, ", T free in %g..%g %s", plan->variable[end].lower, plan->variable[end].upper, "s");
  else if (!motion_plan_varies_end(plan))
    say(text, ", T = %g s", problem->sim.end);
  else
    say(text, ", T free");
  if (lengths >= 0) say(text, ", switching times free");
  if (motion_plan_first(plan, CTL_VARY_POSITION) >= 0) say(text, ", initial positions free");
  if (motion_plan_first(plan, CTL_VARY_VELOCITY) >= 0) say(text, ", initial velocities free");
}

void planned_tell(Problem *problem) {
  MotionPlan *plan = problem->plan;
  char *text = plan->sentence;
  int d = problem->sim.d, ends = count(plan, "target.position") + count(plan, "target.velocity"),
      vias = count(plan, "target.via");
  *text = 0;
  say_aim(plan, text);
  say(text, ", %d joint%s", d, d == 1 ? "" : "s");
  say_variables(problem, text);
  say_bounds(problem, text);
  say_limits(plan, text);
  if (count(plan, "limits.points")) say(text, ", points within limits");
  if (ends) say(text, ", %d condition%s at T", ends, ends == 1 ? "" : "s");
  if (count(plan, "target.points")) say(text, ", points at T");
  if (count(plan, "target.combinations")) say(text, ", combinations at T");
  if (vias) say(text, ", %d condition%s on the way", vias, vias == 1 ? "" : "s");
  if (count(plan, "periodic")) say(text, ", periodic");
}

/* Adding the keys of the plan to the resolved problem -------------------------------------------------------------- */

/* Returns the bounds and the start of a variable as JSON. */
static json_t *interval(const CtlVariable *variable) {
  json_t *least = isfinite(variable->lower) ? json_real(variable->lower) : NULL,
         *most = isfinite(variable->upper) ? json_real(variable->upper) : NULL;
  return json_pack("{s:o*, s:o*, s:f}", "at_least", least, "at_most", most, "start", variable->start);
}

bool planned_echo_time(const Problem *problem, json_t *time) {
  const MotionPlan *plan = problem->plan;
  int end = motion_plan_first(plan, CTL_VARY_END);
  json_t *echo = NULL;
  if (!motion_plan_varies_end(plan)) return true;
  if (end >= 0) {
    echo = interval(&plan->variable[end]);
  } else { /* T is the sum of lengths that are variables, and constraints keep T within its interval */
    double sum = 0, least = 0, most = problem->sim.end;
    for (int k = 0; k < plan->variables; k++)
      if (plan->variable[k].what == CTL_VARY_LENGTH) sum += plan->variable[k].start;
    for (int k = 0; k < plan->quantities; k++) { /* After a search, problem->sim has the T that the search found, so the
                                                  * given T is read from its constraint. */
      const CtlQuantity *q = &plan->quantity[k];
      if (q->of.way != SIM_END_TIME) continue;
      if (q->role == CTL_ROLE_AT_LEAST) least = q->target;
      if (q->role == CTL_ROLE_AT_MOST) most = q->target;
    }
    echo = json_pack("{s:f, s:f, s:f}", "at_least", least, "at_most", most, "start", fmin(fmax(sum, least), most));
  }
  json_object_del(time, "steps");
  return json_object_set_new(time, "end", echo) == 0 && json_object_set_new(time, "step", json_real(plan->step)) == 0;
}

/* Returns the start values of the lengths of segments; NULL if the lengths are not variables. */
static json_t *lengths_of(const MotionPlan *plan) {
  json_t *list = json_array();
  for (int k = 0; k < plan->variables; k++)
    if (plan->variable[k].what == CTL_VARY_LENGTH) json_array_append_new(list, json_real(plan->variable[k].start));
  if (json_array_size(list)) return list;
  json_decref(list);
  return NULL;
}

/* Returns the entries of control.initial that are variables, with null for the other entries, which the resolved
 * problem has in the section model. Returns NULL if no entry is a variable. */
static json_t *initial_of(const Problem *problem, CtlVary what) {
  const MotionPlan *plan = problem->plan;
  if (motion_plan_first(plan, what) < 0) return NULL;
  json_t *list = json_array();
  for (int i = 0; i < problem->sim.d; i++) json_array_append_new(list, json_null());
  for (int k = 0; k < plan->variables; k++)
    if (plan->variable[k].what == what)
      json_array_set_new(list, (size_t)plan->variable[k].entry, interval(&plan->variable[k]));
  return list;
}

/* Adds the times of via points that are variables to the resolved problem, in the order of the via points. Returns
 * false if there is no memory. */
static bool put_times(const MotionPlan *plan, json_t *vias) {
  int k = 0;
  for (size_t i = 0; i < json_array_size(vias); i++) {
    json_t *via = json_array_get(vias, i), *at = json_object_get(via, "at");
    bool varies = json_is_object(at) || (json_is_string(at) && strcmp(json_string_value(at), "free") == 0);
    if (!varies) continue;
    while (k < plan->variables && plan->variable[k].what != CTL_VARY_TIME) k++;
    if (k < plan->variables && json_object_set_new(via, "at", interval(&plan->variable[k++]))) return false;
  }
  return true;
}

/* Echoes the u of effort 0, which the file may give as a word, as numbers. */
static bool put_around(const Problem *problem, json_t *minimize) {
  const double *around = problem->plan->around;
  json_t *list = around && json_object_get(minimize, "around") ? json_array() : NULL;
  if (!list) return true;
  for (int j = 0; j < problem->sim.n_control; j++) json_array_append_new(list, json_real(around[j]));
  return json_object_set_new(minimize, "around", list) == 0;
}

bool planned_echo_control(const Problem *problem, json_t *control) {
  const MotionPlan *plan = problem->plan;
  json_t *written = json_deep_copy(plan->written), *lengths = lengths_of(plan),
         *x = initial_of(problem, CTL_VARY_POSITION), *v = initial_of(problem, CTL_VARY_VELOCITY);
  bool good = written && put_times(plan, json_object_get(json_object_get(written, "target"), "via")) &&
              put_around(problem, json_object_get(written, "minimize"));
  if (good && (x || v))
    good = json_object_set_new(written, "initial", json_pack("{s:o*, s:o*}", "position", x, "velocity", v)) == 0;
  if (good && plan->statistic != CTL_NOMINAL)
    good = json_object_set_new(control, "objective", json_string(motion_plan_objective(plan))) == 0;
  if (good && lengths) good = json_object_set_new(json_object_get(control, "signal"), "lengths", lengths) == 0;
  good = good && json_object_update_recursive(control, written) == 0;
  if (good && !json_object_get(control, "minimize"))
    good = json_object_set_new(control, "minimize", json_string("effort")) == 0;
  json_decref(written);
  return good;
}
