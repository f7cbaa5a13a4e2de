/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks of the setting of a plan. */
#include "control/plan/internal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

typedef struct Check {
  const CtlPlanSetting *setting;
  const SimReport *report;
  int mistakes;
} Check;

static void complain(Check *c, const char *key, const char *name, const char *format, ...) {
  char text[256], reason[192];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(reason, sizeof reason, format, arguments);
  va_end(arguments);
  snprintf(text, sizeof text, "%s: %s", name, reason);
  c->mistakes++;
  if (c->report) c->report->complain(c->report->context, key, text);
}

/* Reports a start outside the bounds of a variable. For times, also reports a missing upper bound and a negative
 * lower bound; the lower bound of T must be positive. */
static void check_range(Check *c, const CtlVariable *v) {
  bool time = v->what == CTL_VARY_END || v->what == CTL_VARY_LENGTH || v->what == CTL_VARY_TIME;
  if (!(v->lower <= v->start && v->start <= v->upper) || !isfinite(v->start))
    complain(c, "variables", v->name, "starts at %g, outside its bounds %g..%g", v->start, v->lower, v->upper);
  else if (time && !isfinite(v->upper))
    complain(c, "variables", v->name, "no upper bound (expected a time, s)");
  else if (time && !(v->lower >= 0))
    complain(c, "variables", v->name, "a lower bound of %g (expected >= 0)", v->lower);
  else if (v->what == CTL_VARY_END && !(v->lower > 0))
    complain(c, "variables", v->name, "a lower bound of %g (expected > 0)", v->lower);
  else if (v->what == CTL_VARY_LENGTH && !(v->start > 0))
    complain(c, "variables", v->name, "starts at %g (expected > 0)", v->start);
  if (!(v->size >= 0) || !isfinite(v->size)) complain(c, "variables", v->name, "size %g (expected >= 0)", v->size);
}

static void check_variable(Check *c, int k) {
  const CtlVariable *all = c->setting->variable, *v = &all[k];
  const SimProblem *p = c->setting->problem;
  int most = v->what == CTL_VARY_LENGTH                                     ? p->segments
             : v->what == CTL_VARY_POSITION || v->what == CTL_VARY_VELOCITY ? p->d
                                                                            : 1;
  if ((unsigned)v->what > CTL_VARY_TIME) {
    complain(c, "variables", v->name, "no kind %d of variable", (int)v->what);
    return;
  }
  if (v->entry < 0 || v->entry >= most)
    complain(c, "variables", v->name, "entry %d (expected 0..%d)", v->entry, most - 1);
  if (v->what == CTL_VARY_LENGTH && v->entry > 0 &&
      (k == 0 || all[k - 1].what != CTL_VARY_LENGTH || all[k - 1].entry != v->entry - 1))
    complain(c, "variables", v->name, "lengths must be those of all segments, in order");
  if (v->what == CTL_VARY_END && p->start_count)
    complain(c, "variables", v->name, "T varies, but segments have given lengths");
  for (int j = 0; j < k && v->what != CTL_VARY_TIME; j++)
    if (all[j].what == v->what && all[j].entry == v->entry) complain(c, "variables", v->name, "is given twice");
  check_range(c, v);
}

/* Returns the number of variables of the given kind. */
static int count_of(const CtlPlanSetting *s, CtlVary what) {
  int count = 0;
  for (int k = 0; k < s->variables; k++) count += s->variable[k].what == what;
  return count;
}

static void check_variables(Check *c) {
  const CtlPlanSetting *s = c->setting;
  int lengths = count_of(s, CTL_VARY_LENGTH);
  for (int k = 0; k < s->variables; k++) check_variable(c, k);
  if (lengths && lengths != s->problem->segments)
    complain(c, "variables", "lengths", "%d of %d segments (expected all)", lengths, s->problem->segments);
  if (lengths && count_of(s, CTL_VARY_END)) complain(c, "variables", "T", "is the sum of the lengths, which vary");
}

/* Returns the reason why a quantity cannot have its role in the search problem; NULL if the role is possible. */
static const char *misfit(const CtlPlanSetting *s, const CtlQuantity *q) {
  bool constraint = q->role >= CTL_ROLE_EQUAL;
  bool timed = q->read == CTL_READ_LATE || (q->read == CTL_READ_MOTION && q->of.way == SIM_AT_TIME);
  if ((unsigned)q->read > CTL_READ_LATE) return "unknown kind";
  if ((unsigned)q->role > CTL_ROLE_AT_LEAST || q->role == CTL_ROLE_MAGNITUDE)
    return "its role (expected objective, residual, equal, at most, at least)";
  if (q->read == CTL_READ_FUEL && q->role != CTL_ROLE_OBJECTIVE) return "fuel can only be minimised";
  if (q->read == CTL_READ_LATE && !constraint) return "lateness can only be limited";
  if (q->read == CTL_READ_FUEL && s->problem->signal == SIM_PIECEWISE_LINEAR)
    return "fuel of a control that is piecewise linear (expected constant in segments)";
  if (q->read == CTL_READ_MOTION && q->of.way == SIM_LARGEST && q->role != CTL_ROLE_AT_MOST &&
      q->role != CTL_ROLE_AT_LEAST)
    return "a largest value can only be limited (expected at most, at least)";
  if (!constraint && !(q->weight > 0 && isfinite(q->weight))) return "its weight (expected > 0)";
  if (constraint && !(q->tolerance >= 0 && isfinite(q->tolerance))) return "its tolerance (expected > 0)";
  if (q->role != CTL_ROLE_OBJECTIVE && !isfinite(q->target)) return "its target is not finite";
  if (q->time < 0 || q->time > s->variables || (q->time && !timed)) return "a time that is no variable";
  if (q->time && s->variable[q->time - 1].what != CTL_VARY_TIME) return "a time that is another variable";
  return NULL;
}

/* Reports a problem that plans do not support. */
static void check_supported(Check *c) {
  const SimProblem *p = c->setting->problem;
  if (p->group) complain(c, "quantities", "problem", "the ranks of a group (expected one rank per motion)");
  if (!p->finalized) complain(c, "quantities", "problem", "is not finalized");
}

int plan_check(const CtlPlanSetting *s, const SimReport *report) {
  Check c = {.setting = s, .report = report};
  check_supported(&c);
  check_variables(&c);
  for (int k = 0; k < s->quantities; k++) {
    const char *text = misfit(s, &s->quantity[k]);
    if (text) complain(&c, "quantities", s->quantity[k].name, "%s", text);
  }
  return c.mistakes;
}
