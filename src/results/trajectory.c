/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/results/trajectory.h"

#include "sim/group.h"
#include "src/base/formats.h"
#include "src/file/model/mechanism.h"
#include "src/results/events.h"
#include "src/results/peaks.h"
#include "src/results/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* Indices of the vectors of a time step that the first rank gathers. */
enum { X, V, LAMBDA, FORCE, N_VECTORS };

enum {
  PROBLEM_TEXT_MAX = 1 << 20
}; /* maximum length of the text of the problem in trajectory.h5; a longer text is written only to summary.json */

/* Header of a saved state. It is followed by the state of the events. */
typedef struct Saved {
  SimEnergy energy;
  ResultsMark motion, energies;
} Saved;

struct Trajectory {
  const Results *results;
  const Problem *problem;
  SimRows rows;        /* rows of the model on this process */
  SimRows written;     /* rows that this process writes: all rows on the first rank if it gathers them, `rows` if each
                        * rank writes its own */
  bool *has_friction;  /* [rows.d] whether a written dof has friction */
  double *force;       /* [rows.count] friction in N */
  double *all;         /* [N_VECTORS + 1][rows.d] memory for the gathered vectors of a step and its slip; NULL: this
                        * process does not gather */
  signed char *slip;   /* [rows.d] gathered slip */
  TableFile *motion;   /* trajectory.csv (on the first rank only) or trajectory.h5 */
  TableFile *energies; /* energy.csv, on the first rank only */
  Events *events;
  MechanismPlaces *places; /* coordinates of a mechanism's points; NULL: there are no points */
  Peaks *peaks; /* largest and smallest x and v; recorded only on the first rank and with at most TRAJECTORY_SMALL
                 * degrees of freedom; otherwise NULL */
  SimEnergy energy;
  SimObserver observer;
};

/* The columns of a file, and for each column the address of its numbers in a step; the address is NULL without a
 * step. */
typedef struct Row {
  int n;
  TableColumn *columns; /* [TABLE_COLUMNS_MAX] owned by the caller; NULL: only the addresses are needed */
  const double *data[TABLE_COLUMNS_MAX];
} Row;

static void put(Row *row, const char *name, const char *unit, ColumnWidth width, const double *data) {
  if (row->columns) row->columns[row->n] = (TableColumn){.name = name, .unit = unit, .width = width};
  row->data[row->n++] = data;
}

/* Sets the columns of the motion: t, x, v; if the kind of model has them, lambda (for HDF5 also the friction force),
 * the reaction of the stops and additional results; u if it varies in time; and the places of points. places:
 * coordinates of a mechanism's points. */
static void motion_row(const Problem *problem, const SimStep *step, const double *force, const double *places,
                       Row *row) {
  const SimProblem *sim = &problem->sim;
  const Labels *labels = &problem->labels;
  const char *const *names;
  int extras = stiction_kind_extras(sim->kind, &names);
  put(row, "t", "s", WIDTH_ONE, &step->t);
  put(row, "x", labels->position, WIDTH_DOFS, step->x);
  put(row, "v", labels->velocity, WIDTH_DOFS, step->v);
  if (sim_kind_has_multiplier(sim->kind)) {
    put(row, "lambda", "1", WIDTH_DOFS, step->lambda);
    if (problem->output_format == OUTPUT_HDF5) put(row, "force", labels->force, WIDTH_DOFS, force);
  }
  if (sim->stops.present) put(row, "reaction", labels->force, WIDTH_DOFS, step->reaction);
  for (int i = 0; i < extras; i++) {
    bool position = strcmp(stiction_kind_extra_unit(sim->kind, i), "m") == 0;
    put(row, names[i], position ? labels->position : labels->force, WIDTH_ONE, step->extra ? step->extra + i : NULL);
  }
  if (sim->signal != SIM_CONSTANT) put(row, "u", labels->force, WIDTH_CONTROLS, step->u);
  for (int k = 0; problem->mechanism && k < problem->mechanism->n_points; k++)
    for (int i = 0; i < problem->mechanism->points[k].n; i++)
      put(row, problem->mechanism->points[k].columns[i], "m", WIDTH_ONE, places ? places++ : NULL);
}

/* Sets the columns of the energies. closure: closing error of the energy balance. */
static void energy_row(const SimProblem *sim, const double *t, const SimEnergy *energy, const double *closure,
                       Row *row) {
  put(row, "t", "s", WIDTH_ONE, t);
  put(row, "work", "J", WIDTH_ONE, &energy->work);
  if (sim->surface_pieces) put(row, "surface", "J", WIDTH_ONE, &energy->surface);
  put(row, "stored", "J", WIDTH_ONE, &energy->stored);
  put(row, "dissipated", "J", WIDTH_ONE, &energy->dissipated);
  if (sim->stops.present) put(row, "impacts", "J", WIDTH_ONE, &energy->impacts);
  put(row, "numerical", "J", WIDTH_ONE, &energy->numerical);
  put(row, "closure", "J", WIDTH_ONE, closure);
}

static void write_instant(const Trajectory *trajectory, const SimStep *step) {
  if (trajectory->motion) {
    const double *force = trajectory->all ? trajectory->all + FORCE * trajectory->rows.d : trajectory->force;
    Row row;
    row.n = 0;
    row.columns = NULL;
    const double *places = trajectory->places ? mechanism_places(trajectory->places, step->t, step->x) : NULL;
    motion_row(trajectory->problem, step, force, places, &row);
    table_append(trajectory->motion, row.data);
  }
  if (trajectory->energies) {
    const double closure = summary_closure(step->energy);
    Row row;
    row.n = 0;
    row.columns = NULL;
    energy_row(&trajectory->problem->sim, &step->t, step->energy, &closure, &row);
    table_append(trajectory->energies, row.data);
  }
}

/* Gathers a step on the first rank, where *step then has all rows. */
static void gather_instant(const Trajectory *trajectory, SimStep *step) {
  const SimRows *rows = &trajectory->rows;
  size_t d = (size_t)rows->d;
  const double *const mine[N_VECTORS] = {step->x, step->v, step->lambda, trajectory->force};
  double *all = trajectory->all, *slip = all + N_VECTORS * d + rows->first;
  memset(all, 0, (N_VECTORS + 1) * d * sizeof *all);
  for (size_t k = 0; k < N_VECTORS; k++) memcpy(all + k * d + rows->first, mine[k], (size_t)rows->count * sizeof *all);
  for (int i = 0; i < rows->count; i++) slip[i] = step->slip[i];
  sim_group_sum(rows->group, all, (N_VECTORS + 1) * rows->d);
  for (size_t i = 0; i < d; i++) trajectory->slip[i] = (signed char)all[N_VECTORS * d + i];
  step->x = all + X * d;
  step->v = all + V * d;
  step->lambda = all + LAMBDA * d;
  step->slip = trajectory->slip;
}

static void observe(void *context, const SimStep *seen) {
  Trajectory *trajectory = context;
  const SimProblem *sim = &trajectory->problem->sim;
  SimStep step = *seen;
  trajectory->energy = *step.energy;
  bool wanted = step.n % trajectory->problem->output_every == 0 || step.n == sim->steps;
  for (int i = 0; trajectory->force && i < trajectory->rows.count; i++)
    trajectory->force[i] = stiction_friction_force(sim, i, step.t, step.x, step.slide[i], step.lambda[i]);
  if (trajectory->all) gather_instant(trajectory, &step);
  if (wanted) write_instant(trajectory, &step);
  if (trajectory->peaks) peaks_observe(trajectory->peaks, &step);
  if (trajectory->events) events_observe(trajectory->events, &step, trajectory->force);
}

static void note(void *context, double t, int dof, int slip) {
  Trajectory *trajectory = context;
  bool sticks = slip >= -1 && slip <= 1;
  if (trajectory->peaks && sticks) peaks_note(trajectory->peaks, t, dof, slip);
  if (trajectory->events) events_note(trajectory->events, t, dof, slip);
}

/* Returns the number of rows of the trajectory file. */
static long count_rows(const Problem *problem) {
  long steps = problem->sim.steps, every = problem->output_every;
  return 1 + steps / every + (steps % every != 0);
}

/* Returns the positions s along a string of the rows that this process writes; the caller frees them. NULL: the model
 * is not a string, or there is no memory. */
static double *positions_of(const Problem *problem, const SimRows *rows) {
  double *positions = isfinite(problem_position(problem, 0)) ? calloc((size_t)rows->count, sizeof *positions) : NULL;
  for (int i = 0; positions && i < rows->count; i++) positions[i] = problem_position(problem, rows->first + i);
  return positions;
}

static bool open_motion(Trajectory *trajectory, const ResultsMark *mark) {
  const Problem *problem = trajectory->problem;
  const SimRows *rows = &trajectory->written;
  bool hdf5 = problem->output_format == OUTPUT_HDF5;
  TableColumn columns[TABLE_COLUMNS_MAX];
  Row row = {.columns = columns};
  motion_row(problem, &(SimStep){0}, NULL, NULL, &row);
  json_t *echo = hdf5 ? problem_echo(problem) : NULL;
  char *text = echo ? json_dumps(echo, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
  if (text && strlen(text) > PROBLEM_TEXT_MAX) *text = 0;
  double *positions = hdf5 ? positions_of(problem, rows) : NULL;
  const TableLayout layout = {.n_columns = row.n,
                              .columns = row.columns,
                              .labels = &problem->labels,
                              .d = rows->d,
                              .controls = problem->sim.signal == SIM_CONSTANT ? 0 : problem->sim.n_control,
                              .matrix =
                                  sim_problem_rows(&problem->sim).count == rows->d ? problem->sim.control_matrix : NULL,
                              .n = count_rows(problem),
                              .format = FORMAT_TRAJECTORY,
                              .first = rows->first,
                              .count = rows->count,
                              .group = rows->group,
                              .positions = positions,
                              .title = problem->title,
                              .problem = text ? text : ""};
  trajectory->motion = table_open(trajectory->results, hdf5 ? "trajectory.h5" : "trajectory.csv", &layout, mark);
  free(text);
  free(positions);
  json_decref(echo);
  return trajectory->motion != NULL;
}

static bool open_energies(Trajectory *trajectory, const ResultsMark *mark) {
  static const SimEnergy none = {0};
  TableColumn columns[TABLE_COLUMNS_MAX];
  Row row = {.columns = columns};
  energy_row(&trajectory->problem->sim, &none.work, &none, &none.work, &row);
  const TableLayout layout = {.n_columns = row.n, .columns = row.columns};
  trajectory->energies = table_open(trajectory->results, "energy.csv", &layout, mark);
  return trajectory->energies != NULL;
}

/* Finds which of the degrees of freedom that this process writes have friction. */
static void find_friction(Trajectory *trajectory) {
  const SimProblem *sim = &trajectory->problem->sim;
  const SimRows *rows = &trajectory->rows;
  if (!trajectory->all) {
    for (int i = 0; i < rows->count; i++) trajectory->has_friction[i] = sim_problem_threshold(sim, i) > 0;
    return;
  }
  for (int i = 0; i < rows->count; i++) trajectory->all[rows->first + i] = sim_problem_threshold(sim, i) > 0;
  sim_group_sum(rows->group, trajectory->all, rows->d);
  for (int i = 0; i < rows->d; i++) trajectory->has_friction[i] = trajectory->all[i] > 0;
}

static size_t peaks_size(int d) { return d <= TRAJECTORY_SMALL ? peaks_saved_size(d) : 0; }

/* Allocates the memory. Returns false after reporting an error. */
static bool reserve(Trajectory *trajectory, bool small) {
  const SimProblem *sim = &trajectory->problem->sim;
  size_t d = (size_t)trajectory->rows.d, count = (size_t)trajectory->rows.count;
  bool together = small && trajectory->rows.group;
  trajectory->has_friction = calloc(together ? d : count + 1, sizeof *trajectory->has_friction);
  bool points = mechanism_point_entries(trajectory->problem->mechanism) > 0;
  if (points) trajectory->places = mechanism_places_create(trajectory->problem->mechanism);
  if (sim_kind_has_multiplier(sim->kind)) trajectory->force = calloc(count + 1, sizeof *trajectory->force);
  if (together) {
    trajectory->all = calloc((N_VECTORS + 1) * d, sizeof *trajectory->all);
    trajectory->slip = calloc(d, sizeof *trajectory->slip);
    trajectory->written = (SimRows){.d = sim->d, .count = sim->d};
  }
  bool done = trajectory->has_friction && (trajectory->places || !points) &&
              (trajectory->force || !sim_kind_has_multiplier(sim->kind)) &&
              (!together || (trajectory->all && trajectory->slip));
  if (!done) diagnostics_no_memory(trajectory->results->diagnostics);
  return done;
}

/* Opens the files. resumed: the files are continued from the state `saved`, which the first rank has. */
static bool open_files(Trajectory *trajectory, bool small, bool resumed, const char *saved) {
  bool first = stiction_group_rank(trajectory->rows.group) == 0, opened = true;
  if (sim_group_agree(trajectory->rows.group, first && results_nowhere(trajectory->results))) return true;
  Saved state = {0}, *before = resumed ? &state : NULL;
  if (saved) memcpy(&state, saved, sizeof state);
  sim_group_share(trajectory->rows.group, &state, sizeof state);
  if (first || (!small && trajectory->problem->output_format == OUTPUT_HDF5))
    opened = open_motion(trajectory, before ? &before->motion : NULL);
  if (first && opened) opened = open_energies(trajectory, before ? &before->energies : NULL);
  if (before) trajectory->energy = before->energy;
  if (sim_group_agree(trajectory->rows.group, !opened)) return false;
  if (!first && small) return true;
  trajectory->events =
      events_open(trajectory->results, trajectory->problem, &trajectory->written, trajectory->has_friction, resumed,
                  saved ? saved + sizeof state + peaks_size(trajectory->problem->sim.d) : NULL);
  return trajectory->events != NULL;
}

static bool open_peaks(Trajectory *trajectory, bool small, const char *saved) {
  const Problem *problem = trajectory->problem;
  if (!small || stiction_group_rank(trajectory->rows.group) != 0) return true;
  trajectory->peaks = peaks_create(problem->sim.d, problem->output_peaks_from, trajectory->has_friction,
                                   saved ? saved + sizeof(Saved) : NULL);
  if (!trajectory->peaks) diagnostics_no_memory(trajectory->results->diagnostics);
  return trajectory->peaks != NULL;
}

/* Estimates the size of the trajectory file, in bytes. */
static double bytes_of(const Problem *problem) {
  enum { DIGITS = 20 }; /* estimated length of a number in trajectory.csv */
  TableColumn columns[TABLE_COLUMNS_MAX];
  Row row = {.columns = columns};
  motion_row(problem, &(SimStep){0}, NULL, NULL, &row);
  int vectors = 0;
  for (int c = 0; c < row.n; c++) vectors += row.columns[c].width == WIDTH_DOFS;
  size_t size = problem->output_format == OUTPUT_HDF5 ? sizeof(double) : DIGITS;
  return (double)count_rows(problem) * vectors * problem->sim.d * (double)size;
}

void trajectory_warn_of_size(const Problem *problem, Diagnostics *diagnostics) {
  /* size of the files, in bytes, above which there is a warning */
  static const double MUCH = 3e8;
  double bytes = problem->external ? 0 : bytes_of(problem);
  if (bytes > MUCH)
    diagnostics_warn(diagnostics,
                     "the trajectory of %ld steps takes %.2g GB on the disk (output.every: %ld takes 0.1 GB)",
                     problem->sim.steps, bytes / 1e9, (long)ceil(bytes / 1e8) * problem->output_every);
}

int trajectory_check_room(const Results *results, const Problem *problem) {
  struct statvfs disk;
  if (problem->output_format != OUTPUT_HDF5 || statvfs(results->directory, &disk)) return 0;
  double wanted = bytes_of(problem);
  double free_bytes = (double)disk.f_bavail * (double)disk.f_frsize;
  if (wanted <= free_bytes) return 0;
  rmdir(results->directory);
  return diagnostics_error(
      results->diagnostics, EXIT_USAGE,
      "%s: trajectory.h5 takes %.3g GB, %.3g GB are free there (output.every: k thins it, -o DIR takes "
      "another place)",
      results->directory, wanted / 1e9, free_bytes / 1e9);
}

size_t trajectory_saved_size(const Problem *problem) {
  return sizeof(Saved) + peaks_size(problem->sim.d) + events_saved_size(problem->sim.d);
}

int trajectory_save(Trajectory *trajectory, void *bytes) {
  Saved saved = {.energy = trajectory->energy};
  bool failed = table_sync(trajectory->motion, &saved.motion) != 0;
  failed |= table_sync(trajectory->energies, &saved.energies) != 0;
  if (bytes) memcpy(bytes, &saved, sizeof saved);
  char *to = bytes ? (char *)bytes + sizeof saved : NULL;
  if (to && trajectory->peaks) peaks_save(trajectory->peaks, to);
  if (to) to += peaks_size(trajectory->problem->sim.d);
  if (trajectory->events && events_save(trajectory->events, to)) failed = true;
  return sim_group_agree(trajectory->rows.group, failed) ? -1 : 0;
}

static Trajectory *open_any(const Results *results, const Problem *problem, bool resumed, const void *saved) {
  const SimRows rows = sim_problem_rows(&problem->sim);
  bool small = problem->sim.d <= TRAJECTORY_SMALL;
  Trajectory *trajectory = calloc(1, sizeof *trajectory);
  if (trajectory) {
    *trajectory = (Trajectory){.results = results, .problem = problem, .rows = rows, .written = rows};
    trajectory->observer = (SimObserver){trajectory, observe, note};
  } else {
    diagnostics_no_memory(results->diagnostics);
  }
  int failed = sim_group_agree(rows.group, !trajectory || !reserve(trajectory, small));
  if (!failed) {
    find_friction(trajectory);
    failed = sim_group_agree(rows.group,
                             !open_peaks(trajectory, small, saved) || !open_files(trajectory, small, resumed, saved));
  }
  if (!failed) return trajectory;
  if (trajectory) trajectory_close(trajectory, false);
  return NULL;
}

Trajectory *trajectory_open(const Results *results, const Problem *problem) {
  return open_any(results, problem, false, NULL);
}

Trajectory *trajectory_reopen(const Results *results, const Problem *problem, const void *bytes) {
  return open_any(results, problem, true, bytes);
}

const SimObserver *trajectory_observer(const Trajectory *trajectory) { return &trajectory->observer; }

SimEnergy trajectory_energy(const Trajectory *trajectory) { return trajectory->energy; }

Peaks *trajectory_take_peaks(Trajectory *trajectory) {
  Peaks *peaks = trajectory->peaks;
  trajectory->peaks = NULL;
  return peaks;
}

int trajectory_close(Trajectory *trajectory, bool ended) {
  int failed = events_close(trajectory->events, ended);
  failed |= table_close(trajectory->motion, ended);
  failed |= table_close(trajectory->energies, ended);
  failed = sim_group_agree(trajectory->rows.group, failed != 0);
  peaks_free(trajectory->peaks);
  mechanism_places_destroy(trajectory->places);
  free(trajectory->has_friction);
  free(trajectory->force);
  free(trajectory->all);
  free(trajectory->slip);
  free(trajectory);
  return failed ? -1 : 0;
}
