/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/results/slips.h"

#include "sim/joint/surface.h"
#include "src/results/slips_file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Indices of vectors with data of the current intervals. SINCE: time at which the interval began; FROM, LAST: position
 * relative to the surface at that time and at the last step; TAKEN: energy dissipated by friction. */
enum { SINCE, FROM, LAST, TAKEN, VECTORS };

/* number of slips that wait on all ranks together at which they are gathered on the first rank */
enum { GATHERED_AT = 1 << 14 };

static const char part_name[] = "events.part";

struct Slips {
  const Results *results;
  const Problem *problem;
  const SimRows *rows;
  const bool *has_friction;
  double *vectors;    /* [VECTORS][count] data of the current intervals */
  signed char *state; /* [count] state of the current interval: -1, 0 or 1 */
  double *path;       /* [count] distance that the surface below each dof has moved, in m; NULL: no surface moves */
  double time;        /* time of the last step, in s */
  Slip *waiting;      /* [n_waiting] slips that have ended but are not gathered on the first rank yet */
  long n_waiting, room;
  FILE *file; /* events.part; on the first rank only */
  ResultsMark mark;
  bool no_memory;
};

static double *vector(const Slips *slips, int k) { return slips->vectors + (size_t)k * (size_t)slips->rows->count; }

static void destroy(Slips *slips) {
  free(slips->vectors);
  free(slips->state);
  free(slips->path);
  free(slips->waiting);
  free(slips);
}

/* Allocates the record of slips. Returns NULL if there is no memory. */
static Slips *create(const Results *results, const Problem *problem, const SimRows *rows, const bool *has_friction) {
  size_t count = (size_t)rows->count + 1; /* count + 1, since calloc of 0 bytes may return NULL */
  Slips *slips = calloc(1, sizeof *slips);
  if (!slips) return NULL;
  *slips = (Slips){.results = results, .problem = problem, .rows = rows, .has_friction = has_friction};
  slips->vectors = calloc(VECTORS * count, sizeof *slips->vectors);
  slips->state = calloc(count, 1);
  if (problem->sim.surface_pieces) slips->path = calloc(count, sizeof *slips->path);
  if (slips->vectors && slips->state && (slips->path || !problem->sim.surface_pieces)) return slips;
  destroy(slips);
  return NULL;
}

/* Ends the current slip of dof i at time `end`, and adds it to the waiting slips. */
static void end_slip(Slips *slips, int i, double end) {
  double since = vector(slips, SINCE)[i];
  if (slips->n_waiting == slips->room) {
    long room = slips->room ? 2 * slips->room : 256;
    Slip *more = realloc(slips->waiting, (size_t)room * sizeof *more);
    slips->no_memory = slips->no_memory || !more;
    if (!more) return;
    slips->waiting = more;
    slips->room = room;
  }
  slips->waiting[slips->n_waiting++] = (Slip){.dof = slips->rows->first + i + 1,
                                              .start = since,
                                              .end = end,
                                              .slip = vector(slips, LAST)[i] - vector(slips, FROM)[i],
                                              .energy = vector(slips, TAKEN)[i]};
}

/* Updates dof i after a step. As in events.csv, a dof that slips at t_n has moved since t_{n-1}. y: position relative
 * to the surface. */
static void follow(Slips *slips, const SimStep *step, int i, double y, double force) {
  double *since = vector(slips, SINCE) + i, *from = vector(slips, FROM) + i, *last = vector(slips, LAST) + i,
         *taken = vector(slips, TAKEN) + i, before = *last, moved = y - before;
  signed char was = slips->state[i], now = step->slip[i];
  *last = y;
  slips->state[i] = now;
  if (step->n > 0 && was) *taken += force * moved;
  if (step->n > 0 && was == now) return;
  if (step->n > 0 && was) end_slip(slips, i, step->t);
  bool begun = step->n > 0 && !was;
  *since = begun ? slips->time : step->t;
  *from = begun ? before : y;
  *taken = begun ? force * moved : 0;
}

long slips_observe(Slips *slips, const SimStep *step, const double *force) {
  if (slips->path) surface_at(&slips->problem->sim, step->t, slips->path, NULL);
  for (int i = 0; i < slips->rows->count; i++)
    if (slips->has_friction[i]) follow(slips, step, i, step->x[i] - surface_entry(slips->path, i), force[i]);
  slips->time = step->t;
  return slips->n_waiting;
}

static int compare_ends(const void *a, const void *b) {
  const Slip *one = a, *two = b;
  if (one->end != two->end) return one->end < two->end ? -1 : 1;
  return one->dof < two->dof ? -1 : one->dof > two->dof;
}

/* Gathers the waiting slips of all ranks on the first rank, which appends them to the file. */
static void gather(Slips *slips, double total) {
  bool first = stiction_group_rank(slips->rows->group) == 0;
  if (total == 0) return;
  Slip *all = first ? malloc((size_t)total * sizeof *all) : NULL;
  if (sim_group_agree(slips->rows->group, first && !all)) {
    slips->no_memory = true;
  } else {
    enum { NUMBERS = sizeof(Slip) / sizeof(double) };
    sim_group_gather(slips->rows->group, sizeof(double), NUMBERS * (int)slips->n_waiting, slips->waiting, all);
    if (all) qsort(all, (size_t)total, sizeof *all, compare_ends);
    if (all) fwrite(all, sizeof *all, (size_t)total, slips->file);
  }
  free(all);
  slips->n_waiting = 0;
}

void slips_gather(Slips *slips, double waiting) {
  if (waiting >= GATHERED_AT) gather(slips, waiting);
}

static void gather_all(Slips *slips) {
  double total = (double)slips->n_waiting;
  sim_group_sum(slips->rows->group, &total, 1);
  gather(slips, total);
}

/* Header of a saved state. It is followed by the vectors and the states of all rows. */
typedef struct Saved {
  double time;
  ResultsMark file;
} Saved;

size_t slips_saved_size(int d) { return sizeof(Saved) + (size_t)d * (VECTORS * sizeof(double) + 1); }

int slips_save(Slips *slips, void *bytes) {
  const SimRows *rows = slips->rows;
  char *to = bytes;
  gather_all(slips);
  int failed = slips->no_memory || results_sync(slips->file, &slips->mark);
  const Saved saved = {slips->time, slips->mark};
  if (to) memcpy(to, &saved, sizeof saved);
  if (to) to += sizeof saved;
  for (int k = 0; k < VECTORS; k++) {
    sim_group_gather(rows->group, sizeof(double), rows->count, vector(slips, k), to);
    if (to) to += (size_t)rows->d * sizeof(double);
  }
  sim_group_gather(rows->group, 1, rows->count, slips->state, to);
  return sim_group_agree(rows->group, failed) ? -1 : 0;
}

/* Restores a saved state; returns false on all ranks if the bytes are invalid. */
static bool restore(Slips *slips, const char *from) {
  const SimRows *rows = slips->rows;
  Saved saved = {0};
  if (from) memcpy(&saved, from, sizeof saved);
  if (from) from += sizeof saved;
  sim_group_share(rows->group, &saved, sizeof saved);
  slips->time = saved.time;
  slips->mark = saved.file;
  for (int k = 0; k < VECTORS; k++) {
    sim_group_scatter(rows->group, sizeof(double), rows->count, from, vector(slips, k));
    if (from) from += (size_t)rows->d * sizeof(double);
  }
  sim_group_scatter(rows->group, 1, rows->count, from, slips->state);
  bool wrong = false;
  for (int i = 0; i < rows->count; i++) wrong = wrong || slips->state[i] < -1 || slips->state[i] > 1;
  return !sim_group_agree(rows->group, wrong);
}

Slips *slips_open(const Results *results, const Problem *problem, const SimRows *rows, const bool *has_friction,
                  bool resumed, const void *saved) {
  bool first = stiction_group_rank(rows->group) == 0;
  Slips *slips = create(results, problem, rows, has_friction);
  if (!slips) diagnostics_no_memory(results->diagnostics);
  int failed = sim_group_agree(rows->group, !slips);
  if (!failed && resumed) {
    failed = !restore(slips, saved);
    if (failed && first) results_refuse(results, "checkpoint", "not the state of a simulation");
  }
  if (!failed && first) {
    slips->file = resumed ? results_reopen(results, part_name, &slips->mark) : results_open(results, part_name);
    failed = !slips->file;
  }
  failed = sim_group_agree(rows->group, failed);
  if (!failed) return slips;
  if (slips && slips->file) fclose(slips->file);
  if (slips) destroy(slips);
  return NULL;
}

/* Returns whether the model is a chain: the stiffness couples dof i only with the dofs i - 1 and i + 1, and couples
 * some of them. */
static bool is_chain(const Problem *problem, const SimRows *rows) {
  const SimSystem *system = &problem->sim.system;
  const SimMatrix *sparse = &system->sparse.stiffness;
  bool other = false, linked = problem->sim.springs[SIM_LINKS].pieces > 0;
  for (int i = 0; system->stiffness && i < rows->d; i++)
    for (int j = 0; j < rows->d; j++) {
      bool has = system->stiffness[(size_t)i * (size_t)rows->d + (size_t)j] != 0;
      other = other || (abs(i - j) > 1 && has);
      linked = linked || (abs(i - j) == 1 && has);
    }
  for (int i = 0; sparse->start && i < rows->count; i++)
    for (int k = sparse->start[i]; k < sparse->start[i + 1]; k++) {
      int way = abs(rows->first + i - sparse->column[k]);
      other = other || way > 1;
      linked = linked || (way == 1 && sparse->value[k] != 0);
    }
  other = sim_group_agree(rows->group, other);
  return !other && sim_group_agree(rows->group, linked);
}

int slips_close(Slips *slips, bool ended) {
  if (!slips) return 0;
  const SimGroup *group = slips->rows->group;
  for (int i = 0; i < slips->rows->count; i++)
    if (slips->state[i] && slips->time > vector(slips, SINCE)[i]) end_slip(slips, i, slips->time);
  gather_all(slips);
  bool chain = is_chain(slips->problem, slips->rows), failed = slips->no_memory;
  if (failed) diagnostics_no_memory(slips->results->diagnostics);
  failed = sim_group_agree(group, failed);
  if (slips->file) {
    const Labels *labels = &slips->problem->labels;
    const SlipsFile file = {.rows = slips->file,
                            .d = slips->rows->d,
                            .chain = chain,
                            .position = labels->position,
                            .energy = labels->energy,
                            .title = slips->problem->title};
    failed = failed || fflush(slips->file) || slips_file_write(slips->results, &file);
    char path[FILE_PATH_SIZE];
    failed = results_close(slips->results, part_name, slips->file) || failed;
    if (ended && !failed && results_path(slips->results, part_name, path) == 0) unlink(path);
  }
  destroy(slips);
  return sim_group_agree(group, failed) ? -1 : 0;
}
