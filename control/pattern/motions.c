/* The linear motions of patterns, and their quadratic problems. */
#include "control/pattern/pattern.h"

#include "control/pattern/acting.h"
#include "control/pattern/exponential.h"
#include "control/pattern/stages.h"
#include "sim/law/friction_force.h"
#include "sim/operator/dense.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
  SUBSTEPS = 8 /* of a piece, between which a force is linear */,
  FALLS = 4 /* problems for friction that falls */
};

/* The motion of a piece while the joints of `slips` slip. */
typedef struct Linear {
  uint64_t slips;
  double *over;           /* [2d][2d] over a piece, of (x, v) */
  double *there, *rise;   /* [2d][p] over a piece, of u at its beginning, of how it changes until its end */
  double *state, *forced; /* [2d][2d], [2][2d][d] over a substep: of (x, v), of a force that is there at its beginning, of how it changes
                           * until its end */
  double *inverse;        /* [d][d] of the mass of those that slip, else 0 */
} Linear;

/* Where in a segment a piece begins or ends: (x, v) = map z + off, z = (x, v, u before) at the segment's beginning, then u. */
typedef struct Place {
  double *map, *off; /* [2d][z], [2d] */
  double part;       /* of the segment */
} Place;

/* The effort of a pattern, which was found before; by 128 bits of it. */
typedef struct Known {
  uint64_t key[2];
  double J, enough; /* INFINITY: it is more than enough */
} Known;

enum { KNOWN = 1 << 13 };

struct PatternMotions {
  const CtlProblem *problem;
  const SimProblem *sim;
  int d, p, segments, pieces, parts, w, z; /* pieces = segments parts */
  bool before; /* u before a segment is a part of w: rates, or linear pieces */
  bool springs, forced, falls;
  bool free; /* without friction, for now */
  double h;  /* of a piece, s */
  double *force; /* [pieces SUBSTEPS + 1][d] */
  double *speed; /* [d] m/s that rows are divided by */
  double *drift; /* [d] how far a joint goes without friction, m */
  double *slid;  /* [pieces][d] speeds of the last problem, m/s; NAN: none yet */
  double *room;  /* [pieces][d] by the last problem: of who sticks, how far the force that holds it is from its threshold, as a part of
                  * that; of who slips, its speed at the end of the piece, as a part of the fastest of its slips */
  double *add;   /* [pieces][2d] what forces and friction add to (x, v) over a piece */
  double *path;  /* [pieces + 1][2d] (x, v) of the last problem */
  double *F;     /* [segments][w][z] */
  Place place[2];
  const Linear **at; /* [pieces] */
  Linear **linear;   /* [n_linear] owned */
  int n_linear;
  Stages stages;
  signed char *ways; /* [pieces][d] */
  int *held;         /* [rows] piece d + joint that a row holds; -1: it is another's */
  long problems;
  Known *known; /* [KNOWN] */
};

bool pattern_takes(const CtlProblem *problem, const SimProblem *sim) {
  enum {
    TAKES = SIM_HAS_DENSE | SIM_HAS_SIGNAL | SIM_HAS_DAMPING | SIM_HAS_VISCOUS | SIM_HAS_BIAS | SIM_HAS_COURSES |
            SIM_HAS_DROP | SIM_HAS_EXPONENT | SIM_HAS_LAW | SIM_HAS_TABLE | SIM_HAS_REGULARIZED | SIM_HAS_SMOOTH |
            SIM_HAS_FIXED_POINT | SIM_HAS_MODES
  };
  if (!sim || !sim->scheme || sim->kind != SIM_FRICTION || sim->d > PATTERN_D || problem->roles || problem->scenarios)
    return false;
  if (problem->position_spacing > 0 || problem->velocity_spacing > 0) return false;
  int targets = 0;
  for (int i = 0; i < problem->d; i++) targets += !isnan(problem->position[i]) + !isnan(problem->velocity[i]);
  return !(sim_problem_features(sim) & ~(unsigned)TAKES) && problem->n > targets && problem->segments > 1;
}

int pattern_joints(const PatternMotions *m) { return m->d; }
int pattern_parts(const PatternMotions *m) { return m->parts; }
bool pattern_has_springs(const PatternMotions *m) { return m->springs; }
bool pattern_has_friction(const PatternMotions *m, int joint) { return m->sim->friction[joint] > 0; }
long pattern_problems(const PatternMotions *m) { return m->problems; }

static int sign_of(double a) { return (a > 0) - (a < 0); }

int pattern_way_at_start(const PatternMotions *m, int joint) { return sign_of(m->sim->v0[joint]); }

int pattern_way_to_target(const PatternMotions *m, int joint) {
  double target = m->problem->position[joint];
  return sign_of(isnan(target) ? m->drift[joint] : target - m->sim->x0[joint]);
}

bool pattern_is_free(const PatternMotions *m, int joint) { return isnan(m->problem->position[joint]); }

static bool has_friction(const PatternMotions *m, int i) { return !m->free && m->sim->friction[i] > 0; }

/* The threshold of a joint at the end of so many pieces, in a direction. */
static double threshold(const PatternMotions *m, int i, int piece, int way) {
  return acting_threshold(m->sim, i, piece * m->h, way);
}

/* Linear motions ------------------------------------------------------------------------------------------------------- */

static void linear_destroy(Linear *linear) {
  if (linear) free(linear->over);
  free(linear);
}

/* The inverse of the mass of those that slip, 0 elsewhere. Returns false when it has none. */
static bool invert_slipping(const PatternMotions *m, uint64_t slips, double *inverse) {
  int d = m->d, n = 0, which[PATTERN_D];
  double block[PATTERN_D * PATTERN_D];
  for (int i = 0; i < d; i++)
    if (slips >> i & 1) which[n++] = i;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) block[i * n + j] = m->sim->system.mass[which[i] * d + which[j]];
  memset(inverse, 0, (size_t)(d * d) * sizeof *inverse);
  if (n && dense_factor(n, block)) return false;
  for (int j = 0; j < n; j++) {
    double column[PATTERN_D] = {0};
    column[j] = 1;
    dense_substitute(n, block, column);
    for (int i = 0; i < n; i++) inverse[which[i] * d + which[j]] = column[i];
  }
  return true;
}

/* (x, v, force, its rise over the time)' = rates of it, [4d][4d]. */
static void fill_rates(const PatternMotions *m, const Linear *linear, double time, double *rates) {
  int d = m->d, size = 4 * d;
  const SimSystem *system = &m->sim->system;
  memset(rates, 0, (size_t)(size * size) * sizeof *rates);
  for (int i = 0; i < d; i++) {
    if (linear->slips >> i & 1) rates[i * size + d + i] = 1;
    rates[(2 * d + i) * size + 3 * d + i] = 1 / time;
    for (int j = 0; j < d; j++) {
      rates[(d + i) * size + 2 * d + j] = linear->inverse[i * d + j];
      for (int k = 0; k < d; k++) {
        rates[(d + i) * size + j] -= linear->inverse[i * d + k] * system->stiffness[k * d + j];
        rates[(d + i) * size + d + j] -= linear->inverse[i * d + k] * system->damping[k * d + j];
      }
    }
  }
}

/* Of (x, v) and u, from the exponential over a piece. */
static void fill_piece(const PatternMotions *m, Linear *linear, const double *over) {
  int d = m->d, p = m->p, size = 4 * d;
  const double *B = m->sim->control_matrix;
  for (int i = 0; i < 2 * d; i++) {
    const double *row = over + i * size;
    memcpy(linear->over + i * 2 * d, row, 2 * (size_t)d * sizeof *row);
    for (int l = 0; l < p; l++)
      for (int j = 0; j < d; j++) {
        linear->there[i * p + l] += row[2 * d + j] * B[j * p + l];
        linear->rise[i * p + l] += row[3 * d + j] * B[j * p + l];
      }
  }
}

static Linear *linear_create(const PatternMotions *m, uint64_t slips) {
  size_t d = (size_t)m->d, p = (size_t)m->p, dd = d * d;
  Linear *linear = calloc(1, sizeof *linear);
  double *rates = malloc(2 * 16 * dd * sizeof *rates), *over = rates ? rates + 16 * dd : NULL;
  if (linear) linear->over = calloc(4 * dd + 4 * d * p + 4 * dd + 4 * dd + dd, sizeof *linear->over);
  if (!rates || !linear || !linear->over) {
    free(rates);
    linear_destroy(linear);
    return NULL;
  }
  linear->slips = slips;
  linear->there = linear->over + 4 * dd;
  linear->rise = linear->there + 2 * d * p;
  linear->state = linear->rise + 2 * d * p;
  linear->forced = linear->state + 4 * dd;
  linear->inverse = linear->forced + 4 * dd;
  bool good = invert_slipping(m, slips, linear->inverse);
  double step = m->h / SUBSTEPS;
  fill_rates(m, linear, m->h, rates);
  good = good && exponential(4 * m->d, m->h, rates, over);
  fill_piece(m, linear, over);
  fill_rates(m, linear, step, rates);
  good = good && exponential(4 * m->d, step, rates, over);
  for (size_t i = 0; i < 2 * d; i++)
    for (size_t j = 0; j < d; j++) {
      linear->state[i * 2 * d + j] = over[i * 4 * d + j];
      linear->state[i * 2 * d + d + j] = over[i * 4 * d + d + j];
      linear->forced[i * d + j] = over[i * 4 * d + 2 * d + j];
      linear->forced[2 * dd + i * d + j] = over[i * 4 * d + 3 * d + j];
    }
  free(rates);
  if (good) return linear;
  linear_destroy(linear);
  return NULL;
}

/* NULL: out of memory. */
static const Linear *linear_of(PatternMotions *m, uint64_t slips) {
  for (int k = 0; k < m->n_linear; k++)
    if (m->linear[k]->slips == slips) return m->linear[k];
  Linear **more = realloc(m->linear, (size_t)(m->n_linear + 1) * sizeof *more);
  if (!more) return NULL;
  m->linear = more;
  Linear *linear = linear_create(m, slips);
  if (linear) m->linear[m->n_linear++] = linear;
  return linear;
}

/* Create --------------------------------------------------------------------------------------------------------------- */

/* Speeds and what else rows are measured by. */
static void measure(PatternMotions *m) {
  const SimProblem *sim = m->sim;
  double T = m->problem->end;
  for (int i = 0; i < m->d; i++) {
    double target = m->problem->position[i], way = isnan(target) ? 0 : fabs(target - sim->x0[i]);
    double force = sim->friction[i];
    for (int k = 0; k <= m->pieces * SUBSTEPS; k++) force = fmax(force, fabs(m->force[k * m->d + i]));
    m->speed[i] = fmax(fmax(way / T, fabs(sim->v0[i])), 1e-3 * T * force / sim->system.mass[i * m->d + i]);
    if (!(m->speed[i] > 0)) m->speed[i] = 1;
  }
  for (int k = 0; k < m->d * m->d; k++) m->springs |= sim->system.stiffness[k] != 0;
  for (int k = 0; k < m->d * m->d; k++) m->springs |= sim->system.damping[k] != 0;
  for (int k = m->d; k < (m->pieces * SUBSTEPS + 1) * m->d; k++) m->forced |= m->force[k] != m->force[k - m->d];
  m->falls = friction_drops(sim);
}

static void fill_cost(PatternMotions *m) {
  const CtlProblem *problem = m->problem;
  int p = m->p, z = m->z;
  bool is_linear = problem->signal == SIM_PIECEWISE_LINEAR;
  for (int i = 0; i < p; i++)
    for (int j = 0; j < p; j++) {
      double N = 2 * m->h * m->parts * (problem->weight ? problem->weight[i * p + j] : i == j);
      m->stages.H[(m->w + i) * z + m->w + j] = is_linear ? N / 3 : N;
      if (!is_linear) continue;
      m->stages.H[(2 * m->d + i) * z + 2 * m->d + j] = N / 3;
      m->stages.H[(2 * m->d + i) * z + m->w + j] = m->stages.H[(m->w + i) * z + 2 * m->d + j] = N / 6;
    }
}

static bool go_free(PatternMotions *m);

PatternMotions *pattern_motions_create(const CtlProblem *problem, const SimProblem *sim, int segments, int parts) {
  PatternMotions *m = calloc(1, sizeof *m);
  if (!m) return NULL;
  *m = (PatternMotions){.problem = problem, .sim = sim, .d = sim->d, .p = problem->p, .segments = segments, .parts = parts};
  m->pieces = segments * parts;
  m->h = problem->end / m->pieces;
  m->before = problem->signal == SIM_PIECEWISE_LINEAR;
  for (int l = 0; l < m->p; l++) m->before |= isfinite(problem->rate[l]);
  m->w = 2 * m->d + (m->before ? m->p : 0);
  m->z = m->w + m->p;
  size_t d = (size_t)m->d, z = (size_t)m->z, pieces = (size_t)m->pieces, times = pieces * SUBSTEPS + 1, n = pieces * d;
  /* of a joint three times a piece, its slip or rest at its end, x_T; of u bounds and rates */
  int rows = m->pieces * 4 * m->d + segments * 2 * m->p + 2 * m->d;
  m->force = calloc(times * d + 2 * d + 2 * n + 2 * n + 2 * (n + d) + (size_t)(segments * m->w) * z + 4 * d * (z + 1), sizeof *m->force);
  m->ways = malloc(n);
  m->held = malloc((size_t)rows * sizeof *m->held);
  m->at = calloc(pieces, sizeof *m->at);
  m->known = calloc(KNOWN, sizeof *m->known);
  if (!m->known || !m->force || !m->ways || !m->held || !m->at || !stages_init(&m->stages, segments, m->w, m->p, rows)) {
    pattern_motions_destroy(m);
    return NULL;
  }
  m->speed = m->force + times * d;
  m->drift = m->speed + d;
  m->slid = m->drift + d;
  m->room = m->slid + n;
  m->add = m->room + n;
  m->path = m->add + 2 * n;
  m->F = m->path + 2 * (n + d);
  m->place[0].map = m->F + (size_t)(segments * m->w) * z;
  m->place[1].map = m->place[0].map + 2 * d * z;
  m->place[0].off = m->place[1].map + 2 * d * z;
  m->place[1].off = m->place[0].off + 2 * d;
  for (int k = 0; k < segments; k++) m->stages.F[k] = m->F + (size_t)(k * m->w) * z;
  for (size_t k = 0; k < times; k++)
    acting_force(sim, problem->end * (double)k / (double)(times - 1), m->force + k * d);
  measure(m);
  fill_cost(m);
  memcpy(m->stages.start, sim->x0, d * sizeof(double));
  memcpy(m->stages.start + d, sim->v0, d * sizeof(double));
  go_free(m);
  return m;
}

void pattern_motions_destroy(PatternMotions *m) {
  if (!m) return;
  for (int k = 0; k < m->n_linear; k++) linear_destroy(m->linear[k]);
  free(m->linear);
  free(m->force);
  free(m->ways);
  free(m->held);
  free(m->at);
  free(m->known);
  stages_clear(&m->stages);
  free(m);
}

/* A pattern's problem ---------------------------------------------------------------------------------------------------- */

/* Friction on the joints that slip in a piece, N: with its drop at the speeds of the last problem, at first at a mean one. */
static void slip_friction(const PatternMotions *m, int piece, double *friction) {
  for (int i = 0; i < m->d; i++) {
    int way = m->ways[piece * m->d + i];
    double speed = m->slid[piece * m->d + i];
    double c = way && has_friction(m, i) ? (threshold(m, i, piece, way) + threshold(m, i, piece + 1, way)) / 2 : 0;
    double drop = m->falls && way && c > 0 ? acting_drop(m->sim, i, isnan(speed) ? m->speed[i] : speed) : 0;
    friction[i] = way * c * (1 - drop);
  }
}

/* A row of (x, v), [2d], at a place, is one of the segment's z: row [z] += there map, off += there off. */
static void add_there(const PatternMotions *m, const Place *place, const double *there, double *row, double *off) {
  for (int i = 0; i < 2 * m->d; i++) {
    if (there[i] == 0) continue;
    *off += there[i] * place->off[i];
    for (int j = 0; j < m->z; j++) row[j] += there[i] * place->map[i * m->z + j];
  }
}

/* What a joint that sticks is held by, N: row'z + *off, at a place. */
static void hold_row(const PatternMotions *m, const Linear *linear, int i, const double *force, const double *friction,
                     const Place *place, double *row, double *off) {
  int d = m->d, p = m->p;
  const SimSystem *system = &m->sim->system;
  bool is_linear = m->problem->signal == SIM_PIECEWISE_LINEAR;
  double there[2 * PATTERN_D] = {0};
  *off = 0;
  for (int j = 0; j < d; j++) {
    double share = i == j; /* of a joint's load: that of i, less what M gives it of those that slip */
    for (int k = 0; k < d; k++) share -= system->mass[i * d + k] * linear->inverse[k * d + j];
    *off += share * (force[j] - friction[j]);
    for (int k = 0; k < d; k++) {
      there[k] -= share * system->stiffness[j * d + k];
      there[d + k] -= share * system->damping[j * d + k];
    }
    for (int l = 0; l < p; l++) {
      double b = share * m->sim->control_matrix[j * p + l];
      row[m->w + l] += is_linear ? place->part * b : b;
      if (is_linear) row[2 * d + l] += (1 - place->part) * b;
    }
  }
  add_there(m, place, there, row, off);
}

/* The row last added, of value row'z + off, to lower..upper. */
static void close_row(PatternMotions *m, double off, double scale, double lower, double upper) {
  Stages *s = &m->stages;
  double *row = s->a + (size_t)(s->n_rows - 1) * (size_t)m->z;
  for (int i = 0; i < m->z; i++) row[i] /= scale;
  s->row[s->n_rows - 1].lower = (lower - off) / scale;
  s->row[s->n_rows - 1].upper = lower == upper ? (lower - off) / scale : (upper - off) / scale;
}

/* Those that stick in piece k, at a place: its beginning, or its end, `look` 1. */
static void add_holds(PatternMotions *m, int k, int look, const Place *place, const double *friction) {
  int d = m->d;
  for (int i = 0; i < d; i++) {
    if (m->ways[k * d + i]) continue;
    double off, *row = stages_add_row(&m->stages, k / m->parts, 0, 1);
    double forward = threshold(m, i, k + look, 1), backward = threshold(m, i, k + look, -1);
    hold_row(m, m->at[k], i, m->force + (k + look) * SUBSTEPS * d, friction, place, row, &off);
    m->held[m->stages.n_rows - 1] = k * d + i;
    close_row(m, off, fmax(forward, backward), -backward, forward);
  }
}

static void add_bounds(PatternMotions *m, int k) {
  const CtlProblem *problem = m->problem;
  int merge = problem->segments / m->segments;
  for (int l = 0; l < m->p; l++) {
    double lower = -INFINITY, upper = INFINITY, rise = problem->rate[l] * m->h * m->parts / merge;
    for (int part = 0; part < merge; part++) { /* the bounds of all segments that this one is made of */
      lower = fmax(lower, problem->lower[(k * merge + part) * m->p + l]);
      upper = fmin(upper, problem->upper[(k * merge + part) * m->p + l]);
    }
    double scale = fmax(isfinite(lower) ? fabs(lower) : 0, isfinite(upper) ? fabs(upper) : 0);
    if (isfinite(lower) || isfinite(upper)) {
      stages_add_row(&m->stages, k, 0, 1)[m->w + l] = 1;
      close_row(m, 0, scale > 0 ? scale : 1, lower, upper);
    }
    if (!isfinite(rise) || (k == 0 && problem->signal != SIM_PIECEWISE_LINEAR)) continue;
    double *row = stages_add_row(&m->stages, k, 0, 1);
    row[m->w + l] = 1;
    row[2 * m->d + l] = -1;
    close_row(m, 0, rise > 0 ? rise : 1, -rise, rise);
  }
}

/* One entry of (x, v) at a place of segment k, at least `lower`, at most `upper`. */
static void add_entry(PatternMotions *m, int k, const Place *place, int entry, double scale, double lower, double upper) {
  double there[2 * PATTERN_D] = {0}, off = 0, *row = stages_add_row(&m->stages, k, 0, 1);
  there[entry] = 1;
  add_there(m, place, there, row, &off);
  close_row(m, off, scale, lower, upper);
}

/* At node k, a place of segment `segment`: who slips goes its way, and rests where that ends; at the end the targets. */
static void add_node(PatternMotions *m, int k, int segment, const Place *place) {
  int d = m->d;
  bool last = k == m->pieces;
  for (int i = 0; i < d; i++) {
    int way = m->ways[(k - 1) * d + i], next = last ? way : m->ways[k * d + i];
    double velocity = last ? m->problem->velocity[i] : NAN, position = last ? m->problem->position[i] : NAN;
    if (!isnan(position)) add_entry(m, segment, place, i, m->speed[i] * m->problem->end, position, position);
    if (!way) continue;
    bool friction = has_friction(m, i), ends = friction && next != way;
    if (ends || !isnan(velocity)) {
      double there = ends ? 0 : velocity;
      add_entry(m, segment, place, d + i, m->speed[i], there, there);
    } else if (friction) {
      add_entry(m, segment, place, d + i, m->speed[i], way > 0 ? 0 : -INFINITY, way > 0 ? INFINITY : 0);
      }
  }
}

/* What forces and friction add to (x, v) over piece k. */
static void fill_forced(PatternMotions *m, int k, const double *friction) {
  int d = m->d, n = 2 * d;
  const Linear *linear = m->at[k];
  double *at = m->add + k * n, next[2 * PATTERN_D];
  memset(at, 0, (size_t)n * sizeof *at);
  for (int step = 0; step < SUBSTEPS; step++) {
    const double *force = m->force + (k * SUBSTEPS + step) * d;
    for (int i = 0; i < n; i++) {
      next[i] = dense_dot(n, linear->state + i * n, at);
      for (int j = 0; j < d; j++)
        next[i] += linear->forced[i * d + j] * (force[j] - friction[j]) +
                   linear->forced[(n + i) * d + j] * (force[d + j] - force[j]);
    }
    memcpy(at, next, (size_t)n * sizeof *at);
  }
}

/* The beginning of a segment. */
static void begin_segment(const PatternMotions *m, Place *place) {
  memset(place->map, 0, (size_t)(2 * m->d * m->z) * sizeof *place->map);
  memset(place->off, 0, (size_t)(2 * m->d) * sizeof *place->off);
  for (int i = 0; i < 2 * m->d; i++) place->map[i * m->z + i] = 1;
  place->part = 0;
}

/* The end of piece k from its beginning. */
static void go_along(const PatternMotions *m, int k, const Place *from, Place *to) {
  int n = 2 * m->d, z = m->z, p = m->p;
  const Linear *linear = m->at[k];
  bool is_linear = m->problem->signal == SIM_PIECEWISE_LINEAR;
  to->part = (double)(k % m->parts + 1) / m->parts;
  memset(to->map, 0, (size_t)(n * z) * sizeof *to->map);
  for (int i = 0; i < n; i++) {
    double *row = to->map + i * z;
    to->off[i] = m->add[k * n + i] + dense_dot(n, linear->over + i * n, from->off);
    for (int j = 0; j < n; j++)
      for (int c = 0; c < z; c++) row[c] += linear->over[i * n + j] * from->map[j * z + c];
    for (int l = 0; l < p; l++) {
      double there = linear->there[i * p + l], rise = linear->rise[i * p + l];
      double end = is_linear ? from->part * there + (to->part - from->part) * rise : there;
      row[m->w + l] += end;
      if (is_linear) row[n + l] += there - end;
    }
  }
}

/* Whether the pattern can be at all: who moves at first slips that way, who must move slips, who slips at T may. */
static bool lay_out_ways(PatternMotions *m, const Pattern *pattern) {
  int d = m->d;
  bool slips[PATTERN_D] = {false};
  pattern_ways(pattern, d, m->ways);
  for (int k = 0; k < pattern->n; k++) slips[pattern->slips[k].joint] = true;
  for (int i = 0; i < d; i++) {
    int start = pattern_way_at_start(m, i), end = m->ways[(m->pieces - 1) * d + i];
    double velocity = m->problem->velocity[i];
    bool free = !has_friction(m, i);
    for (int piece = 0; piece < m->pieces && free; piece++) m->ways[piece * d + i] = 1;
    if (free) continue;
    if (start && m->ways[i] != start) return false;
    if (!slips[i] && !pattern_is_free(m, i) && pattern_way_to_target(m, i)) return false;
    if (!isnan(velocity) && velocity != 0 && sign_of(velocity) != end) return false;
  }
  return true;
}

/* F and g of a segment, from its end. */
static void close_segment(PatternMotions *m, int segment, const Place *end) {
  int n = 2 * m->d, w = m->w, z = m->z;
  double *F = m->F + (size_t)(segment * w) * (size_t)z, *g = m->stages.g + segment * w;
  memset(F, 0, (size_t)(w * z) * sizeof *F);
  memcpy(F, end->map, (size_t)(n * z) * sizeof *F);
  memset(g, 0, (size_t)w * sizeof *g);
  memcpy(g, end->off, (size_t)n * sizeof *g);
  for (int l = 0; l < m->p && m->before; l++) F[(n + l) * z + w + l] = 1;
}

/* Whether all do in a piece as in the one before it. */
static bool goes_on(const PatternMotions *m, int k) {
  return memcmp(m->ways + k * m->d, m->ways + (k - 1) * m->d, (size_t)m->d) == 0;
}

/* Lays out the quadratic problem. Returns false when out of memory. */
static bool lay_out(PatternMotions *m) {
  Stages *s = &m->stages;
  Place *place = &m->place[0], *next = &m->place[1];
  s->n_rows = 0;
  for (int r = 0; r < s->rows_most; r++) m->held[r] = -1;
  for (int k = 0; k < m->pieces; k++) {
    uint64_t slips = 0;
    double friction[PATTERN_D];
    for (int i = 0; i < m->d; i++) slips |= (uint64_t)(m->ways[k * m->d + i] != 0) << i;
    m->at[k] = linear_of(m, slips);
    if (!m->at[k]) return false;
    slip_friction(m, k, friction);
    fill_forced(m, k, friction);
    if (k % m->parts == 0) begin_segment(m, place);
    bool same = k % m->parts && goes_on(m, k), changes = m->springs || m->forced;
    if (k > 0 && (changes || !same)) add_node(m, k, k / m->parts, place);
    if (changes || !same) add_holds(m, k, 0, place, friction);
    go_along(m, k, place, next);
    if (changes && !((k + 1) % m->parts && goes_on(m, k + 1))) add_holds(m, k, 1, next, friction);
    if (next->part == 1) add_bounds(m, k / m->parts);
    if (next->part == 1) close_segment(m, k / m->parts, next);
    Place *last = place;
    place = next, next = last;
  }
  begin_segment(m, place);
  add_node(m, m->pieces, m->segments, place);
  return true;
}

/* The motion of the last problem: m->path. */
static void follow(PatternMotions *m) {
  int n = 2 * m->d, p = m->p;
  bool is_linear = m->problem->signal == SIM_PIECEWISE_LINEAR;
  memcpy(m->path, m->stages.start, (size_t)n * sizeof *m->path);
  for (int k = 0; k < m->pieces; k++) {
    const Linear *linear = m->at[k];
    const double *from = m->path + k * n, *u = m->stages.control + k / m->parts * p;
    const double *last = m->stages.states + k / m->parts * m->w + n; /* u before */
    double part = (double)(k % m->parts) / m->parts;
    for (int i = 0; i < n; i++) {
      double sum = m->add[k * n + i] + dense_dot(n, linear->over + i * n, from);
      for (int l = 0; l < p; l++) {
        double start = is_linear ? last[l] + part * (u[l] - last[l]) : u[l];
        double change = is_linear ? (u[l] - last[l]) / m->parts : 0;
        sum += linear->there[i * p + l] * start + linear->rise[i * p + l] * change;
      }
      m->path[(k + 1) * n + i] = sum;
    }
  }
}

/* Of the last problem, who could do otherwise: m->room. */
static void note_room(PatternMotions *m) {
  const Stages *s = &m->stages;
  int d = m->d;
  for (int i = 0; i < d; i++) {
    double most = 0;
    for (int k = 1; k <= m->pieces; k++) most = fmax(most, fabs(m->path[2 * k * d + d + i]));
    for (int k = 0; k < m->pieces; k++)
      m->room[k * d + i] = m->ways[k * d + i] ? fabs(m->path[2 * (k + 1) * d + d + i]) / fmax(most, 1e-300) : INFINITY;
  }
  for (int r = 0; r < s->n_rows; r++) {
    if (m->held[r] < 0) continue;
    const double *row = s->a + (size_t)r * (size_t)m->z;
    int k = s->row[r].stage;
    double value = dense_dot(m->w, row, s->states + k * m->w) + dense_dot(m->p, row + m->w, s->control + k * m->p);
    double room = fmin(s->row[r].upper - value, value - s->row[r].lower);
    m->room[m->held[r]] = fmin(m->room[m->held[r]], room);
  }
}

double pattern_room(const PatternMotions *m, int joint, int piece) { return m->room[piece * m->d + joint]; }

/* Takes the mean speeds of the last problem's pieces. */
static void note_speeds(PatternMotions *m) {
  for (int k = 0; k < m->pieces; k++)
    for (int i = 0; i < m->d; i++) {
      const double *at = m->path + 2 * k * m->d, *next = at + 2 * m->d;
      m->slid[k * m->d + i] = fabs(next[i] - at[i]) / m->h;
    }
}

/* The way that joints go without friction, by its least effort: m->ways, [pieces][d], 0 where slowly. */
static bool go_free(PatternMotions *m) {
  static const double SLOW = 0.02; /* part of a joint's largest way in a piece */
  const Pattern none = {.pieces = m->pieces};
  m->free = true;
  bool found = isfinite(pattern_effort(m, &none, NULL));
  m->free = false;
  for (int i = 0; i < m->d; i++) {
    const double *x = m->path + i;
    double most = 0;
    int w = 2 * m->d;
    for (int k = 0; k < m->pieces; k++) most = fmax(most, fabs(x[(k + 1) * w] - x[k * w]));
    m->drift[i] = found ? x[m->pieces * w] - x[0] : 0;
    for (int k = 0; k < m->pieces; k++) {
      double way = found ? x[(k + 1) * w] - x[k * w] : 0;
      m->ways[k * m->d + i] = (signed char)(fabs(way) > SLOW * most ? sign_of(way) : 0);
    }
  }
  return found;
}

bool pattern_without_friction(PatternMotions *m, Pattern *pattern) {
  bool found = go_free(m);
  pattern_from_ways(m->d, m->ways, pattern);
  return found;
}

/* Least J of a pattern; INFINITY: none, or more than `enough`. */
static double effort(PatternMotions *m, const Pattern *pattern, double enough, double *control) {
  if (pattern->pieces != m->pieces || !lay_out_ways(m, pattern)) return INFINITY;
  for (int k = 0; k < m->pieces * m->d; k++) m->slid[k] = NAN;
  static const double SETTLED = 1e-4; /* part of J */
  double J = INFINITY, last = INFINITY;
  for (int k = 0; k < (m->falls ? FALLS : 1) && !(fabs(J - last) <= SETTLED * J); k++) {
    if (!lay_out(m)) return INFINITY;
    last = J;
    J = stages_solve(&m->stages, m->falls ? INFINITY : enough);
    m->problems++;
    if (!isfinite(J)) return INFINITY;
    follow(m);
    note_speeds(m);
  }
  note_room(m);
  if (control) memcpy(control, m->stages.control, (size_t)(m->segments * m->p) * sizeof *control);
  return J;
}

double pattern_effort(PatternMotions *m, const Pattern *pattern, double *control) {
  return effort(m, pattern, INFINITY, control);
}

/* Known efforts ---------------------------------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t h, uint64_t value) { /* of splitmix64 */
  uint64_t z = (h ^ value) + UINT64_C(0x9E3779B97F4A7C15);
  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  return z ^ (z >> 31);
}

double pattern_less_effort(PatternMotions *m, const Pattern *pattern, double enough) {
  uint64_t key[2] = {1, 2};
  for (int k = 0; k < pattern->n; k++) {
    const PatternSlip *slip = &pattern->slips[k];
    uint64_t ends = (uint64_t)slip->from << 32 | (uint64_t)slip->to, who = (uint64_t)slip->joint << 2 | (uint64_t)(slip->way + 1);
    for (int i = 0; i < 2; i++) key[i] = mix(mix(key[i], ends), who);
  }
  Known *known = &m->known[key[0] % KNOWN];
  bool is_known = known->key[0] == key[0] && known->key[1] == key[1];
  if (!is_known || (isinf(known->J) && enough > known->enough)) *known = (Known){{key[0], key[1]}, effort(m, pattern, enough, NULL), enough};
  return known->J;
}
