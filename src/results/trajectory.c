#include "src/results/trajectory.h"

#include "sim/group.h"
#include "src/base/exit_code.h"
#include "src/process/hdf5_library.h"
#include "src/results/events.h"
#include "src/results/peaks.h"
#include "src/results/summary.h"
#include "src/results/trajectory_hdf5.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* The vectors of an instant. */
enum { X, V, LAMBDA, FORCE, N_VECTORS };
static const Hdf5Column vectors[N_VECTORS] = {
    {"x", "m", HDF5_DOFS}, {"v", "m/s", HDF5_DOFS}, {"lambda", "1", HDF5_DOFS}, {"force", "N", HDF5_DOFS}};

/* u1..up, the columns of a control that varies in time; in HDF5 one. */
static int n_controls(const SimProblem *problem) { return problem->signal == SIM_CONSTANT ? 0 : problem->n_control; }

enum { PROBLEM_TEXT_MAX = 1 << 20 }; /* a longer one is in summary.json alone */

/* What a saved state has before that of the events. */
typedef struct Saved {
  SimEnergy energy;
  ResultsMark csv, energies;
  long rows; /* of trajectory.h5 */
} Saved;

struct Trajectory {
  const Results *results;
  const Problem *problem;
  SimRows rows;         /* of the model */
  SimRows written;      /* of what this process writes: the same, or all on the first rank */
  bool *has_friction;   /* [rows.d] which of the written dofs have friction */
  double *force;        /* [rows.count] of friction, N */
  double *all;          /* [N_VECTORS + 1][rows.d] the instant and its slip, brought together; NULL: nothing is */
  signed char *slip;    /* [rows.d] likewise */
  FILE *csv, *energies; /* on the first rank */
  ResultsMark csv_mark, energies_mark;
  Hdf5File *hdf5;
  bool hdf5_failed;
  Events *events;
  Peaks *peaks; /* on the first rank, up to TRAJECTORY_SMALL degrees of freedom; else NULL */
  SimEnergy energy;
  SimObserver observer;
};

/* x, v and, where it is a result, lambda; HDF5 has the friction force, too. */
static int n_vectors(SimKind kind, bool hdf5) { return sim_kind_has_multiplier(kind) ? hdf5 ? 4 : 3 : 2; }

/* One after these where there are stops. */
static const Hdf5Column reaction = {"reaction", "N", HDF5_DOFS};

static void write_header(FILE *file, const Problem *problem) {
  const SimProblem *sim = &problem->sim;
  char column[LABEL_COLUMN_SIZE];
  const char *const *names;
  const double *matrix = sim_problem_rows(sim).count == sim->d ? sim->control_matrix : NULL;
  int extras = sim_kind_extras(sim->kind, &names);
  fputs("t", file);
  for (int c = 0; c < n_vectors(sim->kind, false); c++)
    for (int i = 1; i <= sim->d; i++) fprintf(file, ",%s", labels_column(&problem->labels, vectors[c].name, i, column));
  for (int i = 1; i <= sim->d && sim->stops.present; i++)
    fprintf(file, ",%s", labels_column(&problem->labels, reaction.name, i, column));
  for (int i = 0; i < extras; i++) fprintf(file, ",%s", names[i]);
  for (int i = 0; i < n_controls(sim); i++)
    fprintf(file, ",%s", labels_control(&problem->labels, matrix, sim->n_control, i, column));
  fputc('\n', file);
}

static void write_row(FILE *file, const SimProblem *problem, const SimStep *step) {
  const double *const columns[] = {step->x, step->v, step->lambda};
  const char *const *names;
  int extras = sim_kind_extras(problem->kind, &names);
  fprintf(file, "%.17g", step->t);
  for (int c = 0; c < n_vectors(problem->kind, false); c++)
    for (int i = 0; i < problem->d; i++) fprintf(file, ",%.17g", columns[c][i]);
  for (int i = 0; i < problem->d && problem->stops.present; i++) fprintf(file, ",%.17g", step->reaction[i]);
  for (int i = 0; i < extras; i++) fprintf(file, ",%.17g", step->extra[i]);
  for (int i = 0; i < n_controls(problem); i++) fprintf(file, ",%.17g", step->u[i]);
  fputc('\n', file);
}

static void write_energy(FILE *file, const SimProblem *sim, const SimStep *step) {
  const SimEnergy *e = step->energy;
  fprintf(file, "%.17g,%.17g,", step->t, e->work);
  if (sim->surface_pieces) fprintf(file, "%.17g,", e->surface);
  fprintf(file, "%.17g,%.17g,", e->stored, e->dissipated);
  if (sim->stops.present) fprintf(file, "%.17g,", e->impacts);
  fprintf(file, "%.17g,%.17g\n", e->numerical, summary_closure(e));
}

static void write_hdf5(Trajectory *trajectory, const SimStep *step) {
  const SimKind kind = trajectory->problem->sim.kind;
  const double *data[HDF5_COLUMNS_MAX] = {step->x, step->v, step->lambda, trajectory->force};
  const char *const *names;
  int n = n_vectors(kind, true), extras = sim_kind_extras(kind, &names);
  if (trajectory->problem->sim.stops.present) data[n++] = step->reaction;
  if (trajectory->all) data[FORCE] = trajectory->all + FORCE * trajectory->rows.d;
  for (int i = 0; i < extras; i++) data[n + i] = step->extra + i;
  data[n + extras] = step->u; /* if it has a column */
  if (hdf5_append(trajectory->hdf5, step->t, data)) trajectory->hdf5_failed = true;
}

/* Brings an instant together on the first rank: there *step is all of it afterwards. */
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
    trajectory->force[i] = sim_friction_force(sim, i, step.t, step.x, step.slide[i], step.lambda[i]);
  if (trajectory->all) gather_instant(trajectory, &step);
  if (trajectory->csv && wanted) write_row(trajectory->csv, sim, &step);
  if (trajectory->hdf5 && wanted) write_hdf5(trajectory, &step);
  if (trajectory->energies && wanted) write_energy(trajectory->energies, sim, &step);
  if (trajectory->peaks) peaks_observe(trajectory->peaks, &step);
  if (trajectory->events) events_observe(trajectory->events, &step, trajectory->force);
}

static void note(void *context, double t, int dof, int slip) {
  Trajectory *trajectory = context;
  bool sticks = slip >= -1 && slip <= 1;
  if (trajectory->peaks && sticks) peaks_note(trajectory->peaks, t, dof, slip);
  if (trajectory->events) events_note(trajectory->events, t, dof, slip);
}

/* Rows that the file will have. */
static long count_rows(const Problem *problem) {
  long steps = problem->sim.steps, every = problem->output_every;
  return 1 + steps / every + (steps % every != 0);
}

/* s of the rows that this process writes, to be freed; NULL: not a string, or no memory. */
static double *positions_of(const Problem *problem, const SimRows *rows) {
  double *positions = isfinite(problem_position(problem, 0)) ? calloc((size_t)rows->count, sizeof *positions) : NULL;
  for (int i = 0; positions && i < rows->count; i++) positions[i] = problem_position(problem, rows->first + i);
  return positions;
}

static bool open_hdf5(Trajectory *trajectory, const Saved *saved) {
  const Problem *problem = trajectory->problem;
  const SimProblem *sim = &problem->sim;
  const SimRows *rows = &trajectory->written;
  Hdf5Column columns[HDF5_COLUMNS_MAX];
  const char *const *names;
  char path[FILE_PATH_SIZE];
  int n = n_vectors(sim->kind, true), extras = sim_kind_extras(sim->kind, &names);
  memcpy(columns, vectors, sizeof vectors);
  columns[X].units = problem->labels.position;
  columns[V].units = problem->labels.velocity;
  columns[FORCE].units = problem->labels.force;
  if (sim->stops.present) columns[n++] = (Hdf5Column){reaction.name, problem->labels.force, HDF5_DOFS};
  for (int i = 0; i < extras; i++) {
    bool position = strcmp(sim_kind_extra_unit(sim->kind, i), "m") == 0;
    columns[n + i] = (Hdf5Column){names[i], position ? problem->labels.position : problem->labels.force, HDF5_SCALAR};
  }
  int controls = n_controls(sim);
  if (controls) columns[n + extras] = (Hdf5Column){"u", problem->labels.force, HDF5_CONTROLS};
  json_t *echo = problem_echo(problem);
  char *text = echo ? json_dumps(echo, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
  if (text && strlen(text) > PROBLEM_TEXT_MAX) *text = 0;
  double *positions = positions_of(problem, rows);
  Hdf5Layout layout = {.n = count_rows(problem),
                       .d = rows->d,
                       .first = rows->first,
                       .count = rows->count,
                       .comm = rows->group ? sim_group_comm(rows->group) : MPI_COMM_NULL,
                       .controls = controls,
                       .n_columns = n + extras + (controls > 0),
                       .columns = columns,
                       .positions = positions,
                       .title = problem->title,
                       .problem = text ? text : ""};
  bool first = sim_group_rank(trajectory->rows.group) == 0;
  int failed = results_path(trajectory->results, "trajectory.h5", path);
  failed = sim_group_agree(rows->group,
                           failed || (first && !results_clear_way(trajectory->results, "trajectory.h5", saved)));
  if (!failed) failed = sim_group_agree(rows->group, !hdf5_begin(trajectory->results->diagnostics));
  bool told = failed;
  if (!failed && saved) failed = sim_group_agree(rows->group, first && !hdf5_holds(path, &layout, saved->rows));
  if (!failed) trajectory->hdf5 = saved ? hdf5_reopen(path, &layout, saved->rows) : hdf5_create(path, &layout);
  if (!told && !trajectory->hdf5 && first)
    diagnostics_error(trajectory->results->diagnostics, EXIT_INTERNAL, "%s: %s", path,
                      saved ? "does not hold all that it held when the checkpoint was written" : "cannot be created");
  free(text);
  free(positions);
  json_decref(echo);
  return trajectory->hdf5 != NULL;
}

/* Which of the dofs that this process writes have friction. */
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

/* Memory; false after telling. */
static bool reserve(Trajectory *trajectory, bool small) {
  const SimProblem *sim = &trajectory->problem->sim;
  size_t d = (size_t)trajectory->rows.d, count = (size_t)trajectory->rows.count;
  bool together = small && trajectory->rows.group;
  trajectory->has_friction = calloc(together ? d : count + 1, sizeof *trajectory->has_friction);
  if (sim_kind_has_multiplier(sim->kind)) trajectory->force = calloc(count + 1, sizeof *trajectory->force);
  if (together) {
    trajectory->all = calloc((N_VECTORS + 1) * d, sizeof *trajectory->all);
    trajectory->slip = calloc(d, sizeof *trajectory->slip);
    trajectory->written = (SimRows){.d = sim->d, .count = sim->d};
  }
  bool done = trajectory->has_friction && (trajectory->force || !sim_kind_has_multiplier(sim->kind)) &&
              (!together || (trajectory->all && trajectory->slip));
  if (!done) diagnostics_no_memory(trajectory->results->diagnostics);
  return done;
}

static FILE *open_csv(const Trajectory *trajectory, const Saved *saved) {
  if (saved) return results_reopen(trajectory->results, "trajectory.csv", &saved->csv);
  FILE *file = results_open(trajectory->results, "trajectory.csv");
  if (file) write_header(file, trajectory->problem);
  return file;
}

static FILE *open_energies(const Trajectory *trajectory, const Saved *saved) {
  if (saved) return results_reopen(trajectory->results, "energy.csv", &saved->energies);
  FILE *file = results_open(trajectory->results, "energy.csv");
  const char *surface = trajectory->problem->sim.surface_pieces ? "surface," : "";
  const char *impacts = trajectory->problem->sim.stops.present ? "impacts," : "";
  if (file) fprintf(file, "t,work,%sstored,dissipated,%snumerical,closure\n", surface, impacts);
  return file;
}

/* resumed: on from the state saved, the first rank's. */
static bool open_files(Trajectory *trajectory, bool small, bool resumed, const char *saved) {
  bool first = sim_group_rank(trajectory->rows.group) == 0, opened = true;
  if (sim_group_agree(trajectory->rows.group, first && results_nowhere(trajectory->results))) return true;
  Saved state = {0}, *before = resumed ? &state : NULL;
  if (saved) memcpy(&state, saved, sizeof state);
  sim_group_share(trajectory->rows.group, &state, sizeof state);
  if (trajectory->problem->output_format == OUTPUT_HDF5) {
    if (first || !small) opened = open_hdf5(trajectory, before);
  } else if (first) {
    trajectory->csv = open_csv(trajectory, before);
    opened = trajectory->csv != NULL;
  }
  if (first && opened) {
    trajectory->energies = open_energies(trajectory, before);
    opened = trajectory->energies != NULL;
  }
  if (before) {
    trajectory->energy = before->energy;
    trajectory->csv_mark = before->csv;
    trajectory->energies_mark = before->energies;
  }
  if (sim_group_agree(trajectory->rows.group, !opened)) return false;
  if (!first && small) return true;
  trajectory->events =
      events_open(trajectory->results, trajectory->problem, &trajectory->written, trajectory->has_friction, resumed,
                  saved ? saved + sizeof state + peaks_size(trajectory->problem->sim.d) : NULL);
  return trajectory->events != NULL;
}

static bool open_peaks(Trajectory *trajectory, bool small, const char *saved) {
  const Problem *problem = trajectory->problem;
  if (!small || sim_group_rank(trajectory->rows.group) != 0) return true;
  trajectory->peaks = peaks_create(problem->sim.d, problem->output_peaks_from, trajectory->has_friction,
                                   saved ? saved + sizeof(Saved) : NULL);
  if (!trajectory->peaks) diagnostics_no_memory(trajectory->results->diagnostics);
  return trajectory->peaks != NULL;
}

int trajectory_check_room(const Results *results, const Problem *problem) {
  const SimProblem *sim = &problem->sim;
  struct statvfs disk;
  if (problem->output_format != OUTPUT_HDF5 || statvfs(results->directory, &disk)) return 0;
  double wanted =
      (double)count_rows(problem) * (n_vectors(sim->kind, true) + sim->stops.present) * sim->d * sizeof(double);
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
  bool failed = results_sync(trajectory->csv, &trajectory->csv_mark) ||
                results_sync(trajectory->energies, &trajectory->energies_mark) || trajectory->hdf5_failed;
  const Saved saved = {.energy = trajectory->energy,
                       .csv = trajectory->csv_mark,
                       .energies = trajectory->energies_mark,
                       .rows = trajectory->hdf5 ? hdf5_sync(trajectory->hdf5) : 0};
  failed |= saved.rows < 0;
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
  failed |= results_close(trajectory->results, "trajectory.csv", trajectory->csv);
  failed |= results_close(trajectory->results, "energy.csv", trajectory->energies);
  if (hdf5_close(trajectory->hdf5, ended) || trajectory->hdf5_failed) {
    failed = diagnostics_error(trajectory->results->diagnostics, -1,
                               "trajectory.h5 could not be written in full (is the disk full?)");
  }
  failed = sim_group_agree(trajectory->rows.group, failed != 0);
  peaks_free(trajectory->peaks);
  free(trajectory->has_friction);
  free(trajectory->force);
  free(trajectory->all);
  free(trajectory->slip);
  free(trajectory);
  return failed ? -1 : 0;
}
