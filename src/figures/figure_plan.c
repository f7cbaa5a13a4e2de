/* SPDX-License-Identifier: BSD-2-Clause */
/* Adds to figures the elements that only a motion plan has: limits and where they are reached, via points, times at
 * which u changes, and the phase plane. */
#include "src/figures/figure_list.h"

#include <math.h>
#include <stdlib.h>

/* Returns the dof, from 1, in the name of a quantity that begins with `begins`, such as "limits.speed[shoulder]"; 0 if
 * the name begins with another text. */
static int dof_of(const RunResults *run, const char *name, const char *begins) {
  char text[LABEL_SIZE];
  size_t length = strlen(begins);
  if (strncmp(name, begins, length) != 0 || name[length] != '[') return 0;
  const char *end = strchr(name + length + 1, ']');
  if (!end || end - (name + length + 1) >= LABEL_SIZE) return 0;
  snprintf(text, sizeof text, "%.*s", (int)(end - (name + length + 1)), name + length + 1);
  return labels_find(&run->labels, run->d, text);
}

/* Returns the dof, from 1, if the quantity with this name is a limit of its position (symbol 'x') or velocity ('v');
 * otherwise 0. */
static int limited_dof(const RunResults *run, const char *name, char symbol) {
  if (symbol == 'x') return dof_of(run, name, "limits.position");
  int dof = dof_of(run, name, "limits.velocity");
  return dof ? dof : dof_of(run, name, "limits.speed");
}

/* Returns the dof, from 1, if the quantity with this name is a condition at a point to pass, e.g.
 * "target.via[2].position[shoulder]"; otherwise 0. symbol: 'x' for positions, 'v' for velocities. */
static int passed_dof(const RunResults *run, const char *name, char symbol) {
  const char *rest = strncmp(name, "target.via[", 11) == 0 ? strchr(name, ']') : NULL;
  return rest && rest[1] == '.' ? dof_of(run, rest + 2, symbol == 'x' ? "position" : "velocity") : 0;
}

static int place_of(int dof, int n, const int *dofs) {
  for (int k = 0; k < n; k++)
    if (dofs[k] == dof) return k;
  return -1;
}

static double number_of(const json_t *object, const char *key) {
  const json_t *value = json_object_get(object, key);
  return json_is_number(value) ? json_number_value(value) : NAN;
}

static void add_mark(Panel *panel, Mark mark) {
  if (panel->n_marks < FIGURE_MARKS_MAX) panel->marks[panel->n_marks++] = mark;
}

/* Adds a point or an interval that the motion must pass. An interval consists of two quantities of the same name, the
 * first with the role at_least, the second with at_most. last: name of the previous quantity; NULL: there is none. */
static void add_pass(Panel *panel, const char *role, const char *name, const char *last, double at, double target,
                     int colour) {
  Mark *before = panel->n_marks > 0 ? &panel->marks[panel->n_marks - 1] : NULL;
  if (strcmp(role, "at_most") == 0 && last && strcmp(name, last) == 0 && before && before->kind == MARK_BAR)
    before->top = target;
  else if (strcmp(role, "at_most") == 0)
    add_mark(panel, (Mark){MARK_BAR, at, -INFINITY, target, colour});
  else if (strcmp(role, "at_least") == 0)
    add_mark(panel, (Mark){MARK_BAR, at, target, INFINITY, colour});
  else
    add_mark(panel, (Mark){MARK_DISC, .x = at, .y = target, .colour = colour});
}

/* Lower and upper limit of a dof on the y axis. If the plan limits both speed and velocity, they are the tighter
 * limits. */
typedef struct Levels {
  double least, most;
} Levels;

/* Adds the limits of all curves of a panel as dashed lines, each in the colour of its curve. */
static void add_levels(Panel *panel, int n, const Levels *levels) {
  for (int k = 0; k < n; k++)
    for (int side = 0; side < 2; side++) {
      double level = side ? levels[k].most : levels[k].least;
      if (isfinite(level) && panel->n_limits < FIGURE_LIMITS_MAX)
        panel->limits[panel->n_limits++] = (Limit){level, panel->curves[k].colour};
    }
}

/* Shades the areas beyond the limits, if all curves of the panel have the same limits. */
static void shade_beyond(Panel *panel, int n, const Levels *levels) {
  bool any = isfinite(levels[0].least) || isfinite(levels[0].most);
  for (int k = 1; k < n; k++) any = any && levels[k].least == levels[0].least && levels[k].most == levels[0].most;
  panel->limited = any;
  panel->least = levels[0].least;
  panel->most = levels[0].most;
}

void add_plan_limits(const List *list, Panel *panel, char symbol, int n, const int *dofs) {
  const RunResults *run = list->runs;
  Levels levels[DOFS_CHOSEN_MAX];
  const char *last = NULL;
  size_t i;
  json_t *quantity;
  for (int k = 0; k < n; k++) levels[k] = (Levels){-INFINITY, INFINITY};
  json_array_foreach(run_results_member(run, "outcome.quantities"), i, quantity) {
    const char *name = json_string_value(json_object_get(quantity, "name")),
               *role = json_string_value(json_object_get(quantity, "role"));
    if (!name || !role) continue;
    double target = number_of(quantity, "target"), at = number_of(quantity, "at");
    int limit = place_of(limited_dof(run, name, symbol), n, dofs),
        pass = place_of(passed_dof(run, name, symbol), n, dofs);
    if (pass >= 0) add_pass(panel, role, name, last, at, target, panel->curves[pass].colour);
    last = name;
    if (limit < 0 || isnan(target)) continue;
    if (strcmp(role, "at_least") == 0)
      levels[limit].least = fmax(levels[limit].least, target);
    else
      levels[limit].most = fmin(levels[limit].most, target);
    if (json_is_true(json_object_get(quantity, "active")))
      add_mark(panel, (Mark){MARK_RING, .x = at, .y = target, .colour = panel->curves[limit].colour});
  }
  add_levels(panel, n, levels);
  if (n > 0) shade_beyond(panel, n, levels);
}

void add_plan_switches(const List *list, Panel *panel) {
  const json_t *lengths = run_results_member(list->runs, "outcome.lengths");
  double t = 0;
  for (size_t k = 0; list->n_runs == 1 && k + 1 < json_array_size(lengths); k++) {
    t += json_number_value(json_array_get(lengths, k));
    add_mark(panel, (Mark){.kind = MARK_TIME, .x = t});
  }
}

void add_plan_phase(List *list) {
  const RunResults *run = list->runs;
  if (list->n_runs > 1 || !run_results_member(run, "outcome.quantities") || !all_read(list, TRAJECTORY)) return;
  int n = list->chosen ? list->chosen->n : run->d;
  if (n > FIGURE_CURVES_MAX) return;
  Figure *figure = add_figure(list, "phase", "Phase plane", "How fast each degree of freedom moves where it is.");
  figure->path = true;
  figure->x_label = "x";
  figure->x_unit = run->labels.position;
  Panel *panel = add_panel(figure, "v", run->labels.velocity);
  int dofs[FIGURE_CURVES_MAX];
  for (int k = 0; k < n; k++) {
    char x[24], v[24];
    dofs[k] = list->chosen ? list->chosen->dofs[k] : k + 1;
    snprintf(x, sizeof x, "x%d", dofs[k]);
    snprintf(v, sizeof v, "v%d", dofs[k]);
    add_curve(list, panel, 0, TRAJECTORY, x, v,
              run->labels.names ? run->labels.names[dofs[k] - 1]
                                : run->trajectory.names[column_of(list, 0, TRAJECTORY, x)]);
  }
  add_plan_limits(list, panel, 'v', n, dofs);
  if (panel->n_limits > 0)
    snprintf(figure->caption, sizeof figure->caption,
             "How fast each degree of freedom moves where it is; dashed: limits of its velocity.");
  panel->n_marks = 0; /* removes the marks of the time axis, since the x axis of this figure is not time but x */
}
