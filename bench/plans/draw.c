/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/plans/draw.h"

#include "bench/plans/retrace.h"
#include "bench/tools/random.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST = STEPS_DOFS, SEGMENTS_MAX = 16 };
enum {
  GIVEN,
  FREE,
  LENGTHS
}; /* kinds of end time T: given, one variable, or the sum of the lengths of segments,
                                * which are variables */
enum { EFFORT, TIME, FUEL, EFFORT_TIME, ENERGY, TRACK, END, COSTS };

/* A problem under construction: its model, a control, and the motion of that control. */
typedef struct Draw {
  uint64_t seed;
  char *text;
  int d, p, segments, cost, end_kind;
  bool linear, periodic;
  double mass[MOST * MOST], stiffness[MOST * MOST], damping[MOST * MOST], matrix[MOST * MOST], friction[MOST];
  double x0[MOST], v0[MOST], end, lengths[SEGMENTS_MAX], u[SEGMENTS_MAX * MOST];
  double x[MOST], v[MOST];              /* at the end */
  double least[2][MOST], most[2][MOST]; /* [0] range of x and [1] range of v over the motion */
  double force, power[MOST];            /* largest |u_j| and largest power |u_j (B'v)_j| of each force */
  double via_time, via[MOST];           /* x at a time */
} Draw;

static double between(Draw *z, double low, double high) { return low + (high - low) * random_uniform(&z->seed); }
static bool chance(Draw *z, double part) { return random_uniform(&z->seed) < part; }
static int whole(Draw *z, int low, int high) { return low + (int)((high - low + 1) * random_uniform(&z->seed)); }

__attribute__((format(printf, 2, 3))) static void put(Draw *z, const char *format, ...) {
  va_list arguments;
  size_t length = strlen(z->text);
  va_start(arguments, format);
  vsnprintf(z->text + length, PLAN_TEXT_SIZE - length, format, arguments);
  va_end(arguments);
}

static void put_list(Draw *z, const char *before, int n, const double *numbers, const char *after) {
  put(z, "%s[", before);
  for (int i = 0; i < n; i++) put(z, "%s%.12g", i ? ", " : "", numbers[i]);
  put(z, "]%s", after);
}

static void put_matrix(Draw *z, const char *name, int columns, const double *numbers) {
  put(z, "%s: [", name);
  for (int i = 0; i < z->d; i++) put_list(z, i ? ", " : "", columns, numbers + i * columns, "");
  put(z, "]");
}

/* The model ----------------------------------------------------------------------------------------------------------- */

/* Draws the matrices. With a random vector w: M is diagonal plus w w'/2. A has springs to the ground and between
 * neighbours, and D dampers in the same places. Some thresholds are 0. */
static void draw_model(Draw *z) {
  bool springs = chance(z, 0.5), viscous = chance(z, 0.5), coupled = chance(z, 0.6);
  double w[MOST];
  for (int i = 0; i < z->d; i++) w[i] = coupled ? between(z, -1, 1) : 0;
  for (int i = 0; i < z->d; i++) {
    for (int j = 0; j < z->d; j++) z->mass[i * z->d + j] = w[i] * w[j] / 2;
    z->mass[i * z->d + i] += between(z, 0.5, 3);
    z->stiffness[i * z->d + i] += springs ? between(z, 0, 3) : 0;
    z->damping[i * z->d + i] += viscous ? between(z, 0, 0.5) : 0;
    z->friction[i] = chance(z, 0.15) ? 0 : between(z, 0.5, 3);
    z->x0[i] = between(z, -0.5, 0.5);
    z->v0[i] = chance(z, 0.3) && !z->periodic ? between(z, -1, 1) : 0;
  }
  for (int i = 0; i + 1 < z->d && springs; i++) {
    double k = between(z, 0, 4);
    for (int a = 0; a < 4; a++) z->stiffness[(i + a / 2) * z->d + i + a % 2] += a == 0 || a == 3 ? k : -k;
  }
  for (int i = 0; i < z->d * z->p; i++) z->matrix[i] = z->p == z->d ? i / z->p == i % z->p : between(z, -1, 1);
}

/* Draws a control that moves the model: its forces exceed the thresholds. In a periodic motion the last forces are
 * 0. */
static void draw_control(Draw *z) {
  double size = 0, sum = 0;
  for (int i = 0; i < z->d; i++) size = fmax(size, z->friction[i]);
  size = 2.5 * fmax(size, 1);
  int piece = whole(z, 1, 3);
  for (int k = 0; k < z->segments; k++) {
    z->lengths[k] = z->end_kind == LENGTHS ? between(z, 0.3, 1) : 1;
    sum += z->lengths[k];
    for (int j = 0; j < z->p; j++)
      z->u[k * z->p + j] = k % piece && k > 0 ? z->u[(k - 1) * z->p + j] : size * between(z, -1, 1);
    for (int j = 0; j < z->p && z->periodic && k >= z->segments / 2; j++) z->u[k * z->p + j] = 0;
  }
  for (int k = 0; k < z->segments; k++) z->lengths[k] *= z->end / sum;
  for (int i = 0; i < z->segments * z->p; i++) z->force = fmax(z->force, fabs(z->u[i]));
}

static void hear(void *context, double t, const double *x, const double *v, const double *u) {
  Draw *z = context;
  for (int i = 0; i < z->d; i++)
    for (int k = 0; k < 2; k++) {
      double now = k ? v[i] : x[i];
      z->least[k][i] = t > 0 ? fmin(z->least[k][i], now) : now;
      z->most[k][i] = t > 0 ? fmax(z->most[k][i], now) : now;
    }
  for (int j = 0; j < z->p; j++) {
    double along = 0;
    for (int i = 0; i < z->d; i++) along += z->matrix[i * z->p + j] * v[i];
    z->power[j] = fmax(z->power[j], fabs(u[j] * along));
  }
  if (t <= z->via_time) memcpy(z->via, x, (size_t)z->d * sizeof *x);
}

static void move(Draw *z) {
  const Steps steps = {z->d,      z->p,        z->segments, z->mass,    z->stiffness, z->damping,
                       z->matrix, z->friction, z->linear,   z->lengths, z->u};
  const StepsListener listener = {hear, z};
  memcpy(z->x, z->x0, sizeof z->x);
  memcpy(z->v, z->v0, sizeof z->v);
  steps_run(&steps, z->x, z->v, &listener);
}

/* The text ------------------------------------------------------------------------------------------------------------ */

static void put_model(Draw *z) {
  put_matrix(z, "model: {kind: friction, mass", z->d, z->mass);
  put_matrix(z, ", stiffness", z->d, z->stiffness);
  put_matrix(z, ", damping", z->d, z->damping);
  put_list(z, ", friction: ", z->d, z->friction, "");
  put_list(z, ", x0: ", z->d, z->x0, "");
  put_list(z, ", v0: ", z->d, z->v0, "}\n");
  if (z->end_kind == GIVEN)
    put(z, "time: {end: %.12g, step: %.12g}\n", z->end, z->end / 200);
  else
    put(z, "time: {end: {at_least: %.12g, at_most: %.12g, start: %.12g}, step: %.12g}\n", z->end / 4, 4 * z->end,
        z->end * between(z, 0.7, 1.5), z->end / 200);
}

static void put_minimize(Draw *z) {
  static const char *const costs[COSTS] = {[EFFORT] = "effort",
                                           [TIME] = "time",
                                           [FUEL] = "fuel",
                                           [EFFORT_TIME] = "{effort: 1, time: 2}",
                                           [ENERGY] = "{energy: 1, effort: 0.1}"};
  if (costs[z->cost]) put(z, "  minimize: %s\n", costs[z->cost]);
  if (z->cost == TRACK)
    put(z, "  minimize: {effort: 0.1, track: {position: \"%.6g*sin(%.6g*t)\", weight: %.6g}}\n", between(z, 0.1, 1),
        between(z, 1, 4), between(z, 1, 20));
  if (z->cost == END) put_list(z, "  minimize: {effort: 0.1, end: {position: ", z->d, z->x, ", weight: 10}}\n");
}

/* Writes a target of x(T) or v(T). Each entry is a number, an interval, or null (free). */
static void put_target(Draw *z, const char *key, const double *at) {
  put(z, "%s: [", key);
  for (int i = 0; i < z->d; i++) {
    double kind = random_uniform(&z->seed), margin = between(z, 0.02, 0.2);
    if (kind < 0.65)
      put(z, "%s%.12g", i ? ", " : "", at[i]);
    else if (kind < 0.85)
      put(z, "%s{at_least: %.12g, at_most: %.12g}", i ? ", " : "", at[i] - margin, at[i] + margin);
    else
      put(z, "%snull", i ? ", " : "");
  }
  put(z, "]");
}

static void put_targets(Draw *z) {
  bool combined = chance(z, 0.2) && z->d > 1, passes = chance(z, 0.3);
  put(z, "  target: {");
  if (z->periodic) {
    put(z, "via: [{at: free, position: [%.12g", z->via[0]);
    for (int i = 1; i < z->d; i++) put(z, ", null");
    put(z, "]}]}\n");
    return;
  }
  if (combined)
    put(z, "combinations: [{of: {1: 1, 2: -0.5}, equal: %.12g}]", z->x[0] - 0.5 * z->x[1]);
  else
    put_target(z, "position", z->x);
  put_target(z, ", velocity", z->v);
  if (passes) {
    int which = whole(z, 0, z->d - 1);
    if (chance(z, 0.5))
      put(z, ", via: [{at: free, position: [");
    else
      put(z, ", via: [{at: %.12g, position: [", z->via_time);
    for (int i = 0; i < z->d; i++) put(z, i == which ? "%s%.12g" : "%snull", i ? ", " : "", z->via[i]);
    put(z, "]}]");
  }
  put(z, "}\n");
}

static void put_range(Draw *z, const char *key, int k, double margin) {
  double lower[MOST], upper[MOST];
  for (int i = 0; i < z->d; i++) {
    lower[i] = z->least[k][i] - margin;
    upper[i] = z->most[k][i] + margin;
  }
  put_list(z, key, z->d, lower, ", upper: ");
  put_list(z, "", z->d, upper, "}");
}

static void put_limits(Draw *z) {
  const char *comma = "";
  double most[MOST];
  if (!chance(z, 0.6)) return;
  put(z, "  limits: {");
  if (chance(z, 0.5)) {
    put_range(z, "position: {lower: ", 0, between(z, 0.02, 0.3));
    comma = ", ";
  }
  for (int i = 0; i < z->d; i++) most[i] = between(z, 1.02, 1.3) * fmax(-z->least[1][i], z->most[1][i]) + 0.05;
  put(z, "%s", comma);
  put_list(z, "speed: ", z->d, most, "");
  for (int j = 0; j < z->p; j++) most[j] = between(z, 1.02, 1.3) * z->power[j] + 0.05;
  if (!z->linear && chance(z, 0.4)) put_list(z, ", power: ", z->p, most, "");
  put(z, "}\n");
}

/* Makes x0 or v0 of one degree of freedom a variable within an interval. */
static void put_initial(Draw *z) {
  int which = whole(z, 0, z->d - 1);
  bool velocity = chance(z, 0.5);
  double at = velocity ? z->v0[which] : z->x0[which], margin = between(z, 0.05, 0.5);
  if (!chance(z, 0.2)) return;
  put(z, "  initial: {%s: [", velocity ? "velocity" : "position");
  for (int i = 0; i < z->d; i++)
    put(z, i == which ? "%s{at_least: %.12g, at_most: %.12g}" : "%snull", i ? ", " : "", at - margin, at + margin);
  put(z, "]}\n");
}

static void put_control(Draw *z) {
  double advance[MOST];
  put(z, "control:\n");
  put_minimize(z);
  if (z->p < z->d) {
    put_matrix(z, "  matrix", z->p, z->matrix);
    put(z, "\n");
  }
  if (z->cost != EFFORT || chance(z, 0.5))
    put(z, "  bounds: {lower: %.12g, upper: %.12g}\n", -1.3 * z->force, 1.3 * z->force);
  put_targets(z);
  for (int i = 0; i < z->d; i++) advance[i] = z->x[i] - z->x0[i];
  if (z->periodic) put_list(z, "  periodic: {advance: ", z->d, advance, "}\n");
  put_limits(z);
  put_initial(z);
  put(z, "  signal: {kind: piecewise_%s, segments: %d%s}\n", z->linear ? "linear" : "constant", z->segments,
      z->end_kind == LENGTHS ? ", lengths: free" : "");
}

/* Returns whether all degrees of freedom rest at the end of the motion. */
static bool rests(const Draw *z) {
  for (int i = 0; i < z->d; i++)
    if (z->v[i] != 0) return false;
  return true;
}

void draw_problem(int number, char text[PLAN_TEXT_SIZE]) {
  uint64_t seed = (uint64_t)(number + 1) << 32;
  Draw z;
  text[0] = 0;
  do {
    z = (Draw){.seed = seed, .text = text, .d = 1 + number % 4};
    z.p = z.d > 1 && chance(&z, 0.25) ? z.d - 1 : z.d;
    z.cost = whole(&z, 0, COSTS - 1);
    z.linear = z.cost != FUEL && z.cost != ENERGY && chance(&z, 0.15);
    z.periodic = z.p == z.d && chance(&z, 0.15);
    z.end_kind = z.cost == TIME || z.cost == EFFORT_TIME ? whole(&z, FREE, LENGTHS) : whole(&z, GIVEN, LENGTHS);
    z.segments = z.end_kind == LENGTHS ? whole(&z, 3, 6) : whole(&z, 6, SEGMENTS_MAX);
    z.end = between(&z, 1, 3);
    z.via_time = z.end * between(&z, 0.2, 0.8);
    draw_model(&z);
    draw_control(&z);
    move(&z);
    seed = z.seed;
  } while (z.periodic && !rests(&z));
  put_model(&z);
  put_control(&z);
}
