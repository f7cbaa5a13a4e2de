/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/library/recorded_motion.h"

#include "control/internal.h"
#include "sim/base/argument.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ENERGIES = 7, FIXED = 9, COLUMNS_MAX = FIXED + 8 + ENERGIES, PIECES = 100 };

/* Values of one quantity at the recorded times. */
typedef struct Column {
  const char *name; /* name of the quantity; static */
  int width;
  double *values; /* [room][width] */
} Column;

struct StictionMotion {
  const SimProblem *problem; /* problem of the file; used only during the run */
  long every, steps;
  Column columns[COLUMNS_MAX];
  int n;
  long rows, room;
  double *end; /* [2][d] x(T), then v(T) */
  SimFinal final;
  double J, errors[2]; /* cost and misses of the motion; NAN if the file has no section control */
  double *force;       /* [d] friction force in N */
  bool examined;       /* whether the motion is examined (sim/residual.h), as it is with the scheme `event` */
  bool no_memory;
};

static const struct {
  const char *name;
  size_t offset;
} energies[ENERGIES] = {{"energy.work", offsetof(SimEnergy, work)},
                        {"energy.surface", offsetof(SimEnergy, surface)},
                        {"energy.stored", offsetof(SimEnergy, stored)},
                        {"energy.dissipated", offsetof(SimEnergy, dissipated)},
                        {"energy.negative_dissipation", offsetof(SimEnergy, negative_dissipation)},
                        {"energy.impacts", offsetof(SimEnergy, impacts)},
                        {"energy.numerical", offsetof(SimEnergy, numerical)}};

int stiction_file_variables(const StictionFile *file) {
  return file ? stiction_problem_variables(stiction_file_problem(file)) : 0;
}

/* Grows the arrays by at least one row. */
static bool grow(StictionMotion *motion) {
  if (motion->rows < motion->room) return true;
  long room = 2 * motion->room + 256;
  for (int k = 0; k < motion->n; k++) {
    Column *column = &motion->columns[k];
    double *values = realloc(column->values, (size_t)room * (size_t)column->width * sizeof *values);
    if (!values) return false;
    column->values = values;
  }
  motion->room = room;
  return true;
}

/* Stores the values of column *k at the present time, and advances *k. values: as many numbers as the column is wide;
 * NULL: zeros. */
static void put(StictionMotion *motion, int *k, const void *values) {
  Column *column = &motion->columns[(*k)++];
  size_t width = (size_t)column->width;
  double *row = column->values + (size_t)motion->rows * width;
  if (values)
    memcpy(row, values, width * sizeof *row);
  else
    memset(row, 0, width * sizeof *row);
}

/* Records a step. The columns are in the same order as in the function lay_out. */
static void see(void *context, const SimStep *step) {
  StictionMotion *motion = context;
  const SimProblem *p = motion->problem;
  const char *const *names;
  int k = 0, extras = stiction_kind_extras(p->kind, &names);
  if ((step->n % motion->every && step->n != motion->steps) || motion->no_memory) return;
  motion->no_memory = !grow(motion);
  if (motion->no_memory) return;
  put(motion, &k, &step->t);
  put(motion, &k, step->x);
  put(motion, &k, step->v);
  put(motion, &k, step->slide);
  for (int i = 0; i < p->count; i++) motion->force[i] = step->slip[i];
  put(motion, &k, motion->force);
  if (sim_kind_has_multiplier(p->kind)) {
    put(motion, &k, step->lambda);
    for (int i = 0; i < p->count; i++)
      motion->force[i] = stiction_friction_force(p, i, step->t, step->x, step->slide[i], step->lambda[i]);
    put(motion, &k, motion->force);
  }
  if (p->stops.present) put(motion, &k, step->reaction);
  if (p->n_control) put(motion, &k, step->u);
  for (int i = 0; i < extras; i++) put(motion, &k, step->extra + i);
  for (int i = 0; i < ENERGIES; i++) put(motion, &k, (const char *)step->energy + energies[i].offset);
  motion->rows++;
}

static void add(StictionMotion *motion, const char *name, int width) {
  Column *column = &motion->columns[motion->n++];
  column->name = name;
  column->width = width;
}

static void lay_out(StictionMotion *motion) {
  const SimProblem *p = motion->problem;
  const char *const *names;
  int extras = stiction_kind_extras(p->kind, &names);
  add(motion, "t", 1);
  add(motion, "x", p->d);
  add(motion, "v", p->d);
  add(motion, "slide", p->d);
  add(motion, "slip", p->d);
  if (sim_kind_has_multiplier(p->kind)) {
    add(motion, "lambda", p->d);
    add(motion, "force", p->d);
  }
  if (p->stops.present) add(motion, "reaction", p->d);
  if (p->n_control) add(motion, "u", p->n_control);
  for (int i = 0; i < extras; i++) add(motion, names[i], 1);
  for (int i = 0; i < ENERGIES; i++) add(motion, energies[i].name, 1);
}

/* Simulates the motion in several parts. Between two parts `stopped` is asked whether to stop; the result is then
 * SIM_NOT_FINISHED. */
static SimStatus roll(StictionMotion *motion, const SimModel *model, SimWorkspace *work, const double *control,
                      bool (*stopped)(void *context), void *context) {
  const SimObserver observer = {.context = motion, .step = see};
  long n = 0, piece = motion->steps / PIECES + 1;
  SimStatus status = sim_rollout_begin(model, work, control, &observer);
  while (status == SIM_OK && n < motion->steps && !motion->no_memory) {
    if (stopped && stopped(context)) return SIM_NOT_FINISHED;
    n = motion->steps - n < piece ? motion->steps : n + piece;
    status = sim_rollout_run_to(model, work, &observer, n);
  }
  sim_rollout_end(model, work, &motion->final);
  return motion->no_memory ? SIM_NO_MEMORY : motion->final.status;
}

/* Makes the last recorded state the final state of a motion that was stopped. */
static void end_there(StictionMotion *motion) {
  size_t d = (size_t)motion->problem->d, last = (size_t)motion->rows - 1;
  for (size_t k = 0; k < 2 && motion->rows; k++)
    memcpy(motion->end + k * d, motion->columns[1 + k].values + last * d, d * sizeof(double));
}

static void judge(StictionMotion *motion, const CtlProblem *control, const double *u) {
  if (!control) return;
  motion->J = u ? ctl_cost(control, u) : 0;
  ctl_errors(control, motion->end, motion->end + control->d, motion->errors);
}

/* Simulates the motion. With the scheme `event` it is also examined, as in the program. */
static SimStatus run(const StictionFile *file, StictionMotion *motion, const double *control,
                     bool (*stopped)(void *context), void *context, const StictionListener *listener) {
  const SimReport report = stiction_listener_report(listener);
  SimModel *model = NULL;
  SimWorkspace *work = NULL;
  SimStatus status = stiction_model_create(motion->problem, &report, &model);
  if (status == SIM_OK) status = stiction_workspace_create(model, &work);
  motion->examined = sim_residual_most(motion->problem) < INFINITY;
  if (status == SIM_OK && motion->examined) status = stiction_file_examine(file, work);
  if (status == SIM_OK) status = roll(motion, model, work, control, stopped, context);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  return status;
}

SimStatus stiction_motion_run(const StictionFile *file, const double *control, bool (*stopped)(void *context),
                              void *context, const StictionListener *listener, StictionMotion **out) {
  ARGUMENT_THERE(out);
  *out = NULL;
  ARGUMENT_THERE(file);
  const SimProblem *problem = stiction_file_problem(file);
  size_t d = (size_t)problem->d;
  StictionMotion *motion = *out = calloc(1, sizeof *motion);
  if (!motion) return SIM_NO_MEMORY;
  *motion = (StictionMotion){
      .problem = problem, .every = stiction_file_every(file), .steps = problem->steps, .J = NAN, .errors = {NAN, NAN}};
  motion->end = calloc(2 * d, sizeof *motion->end);
  motion->force = calloc(d, sizeof *motion->force);
  motion->final = (SimFinal){.x = motion->end, .v = motion->end ? motion->end + d : NULL};
  lay_out(motion);
  bool missing = !motion->end || !motion->force;
  SimStatus status = missing ? SIM_NO_MEMORY : run(file, motion, control, stopped, context, listener);
  if (status == SIM_NO_MEMORY || status == SIM_BAD_PROBLEM) {
    stiction_motion_destroy(motion);
    *out = NULL;
    return status;
  }
  if (status == SIM_NOT_FINISHED) end_there(motion);
  if (!stiction_file_has_plan(file)) judge(motion, stiction_file_control(file), control);
  motion->problem = NULL;
  return status;
}

void stiction_motion_destroy(StictionMotion *motion) {
  if (!motion) return;
  for (int k = 0; k < motion->n; k++) free(motion->columns[k].values);
  free(motion->end);
  free(motion->force);
  free(motion);
}

static bool has(const StictionMotion *motion, int k) { return motion && k >= 0 && k < motion->n; }

const char *stiction_motion_name(const StictionMotion *motion, int k) {
  return has(motion, k) ? motion->columns[k].name : NULL;
}

const double *stiction_motion_array(const StictionMotion *motion, int k) {
  return has(motion, k) ? motion->columns[k].values : NULL;
}

int stiction_motion_columns(const StictionMotion *motion, int k) {
  return has(motion, k) ? motion->columns[k].width : 0;
}
long stiction_motion_rows(const StictionMotion *motion) { return motion ? motion->rows : 0; }

const double *stiction_motion_end(const StictionMotion *motion, bool velocity) {
  return !motion ? NULL : velocity ? motion->final.v : motion->final.x;
}

double stiction_motion_number(const StictionMotion *motion, const char *name) {
  if (!motion || !name) return NAN;
  const SimFinal *final = &motion->final;
  const struct {
    const char *name;
    double value;
  } numbers[] = {{"iterations", (double) final->iterations},
                 {"residual", motion->examined ? final->examined.largest : final->residual},
                 {"grazes", (double) final->grazes},
                 {"impacts", (double) final->impacts},
                 {"settled", (double) final->settled},
                 {"J", motion->J},
                 {"E1", motion->errors[0]},
                 {"E2", motion->errors[1]}};
  for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
    if (strcmp(numbers[k].name, name) == 0) return numbers[k].value;
  return NAN;
}
