/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares random motions with all features by the scheme `event` with an integrator that shares no code with it
 * (README.md).
 *
 *     usage: test_referee [COUNT [SEED [FIRST]]]       draws FIRST .. FIRST + COUNT - 1 of a seed: 2000, 1, 0
 *            test_referee --one SEED NUMBER [WITHOUT]  one of them, without the features of a mask (hexadecimal) */
#include "tests/referee/compare.h"

#include <stdlib.h>

static const double ALLOWED = 1e-8, ALLOWED_STIFF = 1e-6, CLOSES = 1e-7, DISTURBANCE = 1e-12, TOLERANCE = 1e-10;
enum { WORK = 25000, DISTURBED = 4 };

typedef enum Verdict {
  AGREES,
  AGREES_STIFF,
  SENSITIVE,
  CAPPED,
  OUT_OF_RANGE,
  UNDECIDED,
  REFUSED,
  WRONG,
  VERDICTS
} Verdict;
static const char *const verdict_names[VERDICTS] = {"agree with Runge-Kutta",
                                                    "agree with CVODE",
                                                    "move as much by a disturbance of 1e-12",
                                                    "capped",
                                                    "leave the range of a spring's law",
                                                    "referee undecided",
                                                    "refused",
                                                    "DISAGREE"};
static const char *const columns[VERDICTS] = {"agree", "CVODE",     "disturbed", "capped",
                                              "range", "undecided", "refused",   "DISAGREE"};

/* A draw and its result. */
typedef struct Trial {
  Draw w;
  Walk walk;
  Ours ours;
  Answer theirs, mine;
  Sizes sizes;
  Apart apart;
  double moves; /* how much the referee's own answer changes if its data are changed slightly */
  Verdict verdict;
  char why[400];
} Trial;

static bool refer(const Draw *w, double tolerance, Walk *walk, bool *stiff) {
  *stiff = false;
  referee_run(w, EXPLICIT, tolerance, has(w, HAS_RIGID) ? 2 * WORK : WORK, walk);
  /* CVODE's root finding does not detect impacts that follow at once. */
  if (walk->given_up && walk->work > WORK && !has(w, HAS_RIGID)) {
    *stiff = true;
    referee_run(w, IMPLICIT, tolerance, WORK, walk);
  }
  return !walk->given_up;
}

/* Returns how much the referee's answer changes if its data are disturbed. */
static double moves(Trial *t, double tolerance) {
  static Walk walk;
  static Answer other;
  double most = 0;
  bool stiff;
  for (int turn = 0; turn < DISTURBED; turn++) {
    Draw w = disturbed(&t->w, DISTURBANCE, turn);
    if (!refer(&w, tolerance, &walk, &stiff)) continue;
    answer_of_walk(&walk, &other);
    most = larger(most, apart(&t->w, &t->sizes, &t->theirs, &other).most);
  }
  return most;
}

static Verdict judge_answers(Trial *t, bool stiff) {
  double allowed = stiff ? ALLOWED_STIFF : ALLOWED;
  answer_of_walk(&t->walk, &t->theirs);
  answer_of_ours(&t->ours, &t->mine);
  t->sizes = sizes_of(&t->walk);
  t->apart = apart(&t->w, &t->sizes, &t->theirs, &t->mine);
  if (t->apart.most <= allowed) {
    if (t->ours.closing <= CLOSES) return stiff ? AGREES_STIFF : AGREES;
    snprintf(t->why, sizeof t->why, "energy does not close: %.1e", t->ours.closing);
    return WRONG;
  }
  if (fmax(t->apart.x, t->apart.v) <= allowed &&
      t->apart.lambda <= allowed) { /* the times of events are not compared here, as the time of a slow stop is not
                                     * known as accurately */
    static Ours finer;
    static Answer again;
    ours_run(&t->w, "event", TOLERANCE / 100, INSTANTS, &finer);
    answer_of_ours(&finer, &again);
    if (finer.status == SIM_OK && apart(&t->w, &t->sizes, &t->theirs, &again).most <= allowed)
      return stiff ? AGREES_STIFF : AGREES;
  }
  t->moves = moves(t, 1e-13);
  if (t->apart.most <= 100 * t->moves) return SENSITIVE;
  double own = 0; /* distance between two answers of the referee */
  if (!stiff) {
    static Walk finer;
    static Answer again;
    bool as_stiff;
    if (refer(&t->w, 1e-15, &finer, &as_stiff)) {
      answer_of_walk(&finer, &again);
      if (apart(&t->w, &t->sizes, &again, &t->mine).most <= allowed) return AGREES;
      own = apart(&t->w, &t->sizes, &again, &t->theirs).most;
    }
  }
  snprintf(t->why, sizeof t->why, "x %.1e, v %.1e, forces %.1e, times %.1e apart; disturbed: %.1e; closing %.1e%s",
           t->apart.x, t->apart.v, t->apart.lambda, t->apart.times, t->moves, t->ours.closing, stiff ? "; CVODE" : "");
  return t->walk.doubts || t->walk.ties || t->apart.most <= 100 * own ? UNDECIDED : WRONG;
}

/* Compares with CVODE, which may step over a stop and the motion after it. If it disagrees or is in doubt, Runge-Kutta
 * decides, if 20 times the work suffices. */
static Verdict judge_stiff(Trial *t) {
  Verdict verdict = judge_answers(t, true);
  if (verdict != WRONG && verdict != UNDECIDED) return verdict;
  static Walk longer;
  referee_run(&t->w, EXPLICIT, 1e-13, 20 * WORK, &longer);
  if (longer.given_up) return verdict;
  t->walk = longer;
  return judge_answers(t, false);
}

static Verdict judge(Trial *t) {
  bool stiff;
  t->why[0] = 0;
  t->moves = 0;
  ours_run(&t->w, "event", TOLERANCE, INSTANTS, &t->ours);
  if (t->ours.status == SIM_BAD_PROBLEM || t->ours.status == SIM_NOT_CONVERGED) {
    snprintf(t->why, sizeof t->why, "%s %s", stiction_status_text(t->ours.status), t->ours.message);
    return REFUSED;
  }
  if (!refer(&t->w, 1e-13, &t->walk, &stiff)) return CAPPED;
  if (t->ours.status == SIM_OUT_OF_RANGE) {
    double least = INFINITY;
    if (t->w.anchor.kind) least = fmin(t->w.anchor.upper, -t->w.anchor.lower);
    if (t->w.link.kind) least = fmin(least, fmin(t->w.link.upper, -t->w.link.lower) / 2);
    if (t->walk.far >= least) return OUT_OF_RANGE;
  }
  if (t->ours.status != SIM_OK) {
    snprintf(t->why, sizeof t->why, "%s; the referee has %d events; closing %.1e, residual %.1e of %s at %.17g",
             stiction_status_text(t->ours.status), t->walk.events, t->ours.closing, t->ours.residual.largest,
             sim_residual_text(t->ours.residual.of), t->ours.residual.time);
    return t->ours.status == SIM_EVENTS_ACCUMULATE && t->walk.doubts ? UNDECIDED : WRONG;
  }
  return stiff ? judge_stiff(t) : judge_answers(t, false);
}

/* Removes the features that a disagreement does not need. */
static uint32_t shrink(const Trial *from) {
  static Trial t;
  uint32_t without = from->w.without;
  for (int f = 0; f < FEATURE_COUNT; f++) {
    if (!(from->w.has >> f & 1)) continue;
    uint32_t less = without | UINT32_C(1) << f;
    t.w = draw_make(from->w.seed, from->w.number, less);
    if (judge(&t) == WRONG) without = less;
  }
  return without;
}

static void show_features(uint32_t bits) {
  for (int f = 0; f < FEATURE_COUNT; f++)
    if (bits >> f & 1) printf(" [%s]", feature_names[f]);
  printf("\n");
}

static void show(const Trial *t) {
  printf("%s: %s\n%d dofs:", verdict_names[t->verdict], t->why, t->w.d);
  show_features(t->w.has);
  printf("events %d by %ld evaluations, ties %d, doubts %d, impacts %d; the library has %d, grazes %ld, settled %ld\n",
         t->walk.events, t->walk.work, t->walk.ties, t->walk.doubts, t->walk.impacts, t->ours.events, t->ours.grazes,
         t->ours.settled);
  for (int i = 0; i < t->w.d; i++) {
    const Draw *w = &t->w;
    printf("dof %d: m %.3g k %.3g d %.3g b %.3g c %.3g %.3g beta %.3g epsilon %.3g x0 %.3g v0 %.3g stops %.3g %.3g k "
           "%.3g e %.3g\n",
           i, w->mass[i][i], w->stiffness[i][i], w->damping[i][i], w->viscous[i], w->forward[i], w->backward[i],
           w->beta[i], w->epsilon[i], w->x0[i], w->v0[i], w->lower[i], w->upper[i], w->stop_stiffness[i],
           w->restitution[i]);
    for (int row = 0; row <= INSTANTS; row++) {
      const WalkInstant *a = &t->theirs.instant[row], *b = &t->mine.instant[row];
      printf("  x %.12g %.12g  v %.12g %.12g  lambda %.10g %.10g  %d %d\n", a->x[i], b->x[i], a->v[i], b->v[i],
             a->lambda[i], b->lambda[i], a->mode[i], b->mode[i]);
    }
  }
  for (int e = 0; e < t->theirs.events || e < t->mine.events; e++) {
    const Listed *a = &t->theirs.event[e], *b = &t->mine.event[e];
    if (e < t->theirs.events) printf("  %d %+d %.15g", a->dof, a->slip, a->t);
    if (e < t->mine.events) printf("\t| %d %+d %.15g", b->dof, b->slip, b->t);
    printf("\n");
  }
}

/* Draws that once failed, by seed, number and features left out. README.md describes each. */
static const struct {
  uint64_t seed, number;
  uint32_t without;
} fixed[] = {{1, 37, 0x4801040},     {1, 60, 0x980000c},    {1, 88, 0x8c00003},   {1, 146, 0x26c00012},
             {1, 39, 0x1400020c},    {1, 50, 0x28c00219},   {1, 162, 0x10000400}, {1, 47, 0x2c00202},
             {1, 126, 0x13c0000f},   {1, 187, 0x8c00213},   {1, 70, 0},           {7, 26189, 0x20400042},
             {7, 26805, 0x400420},   {7, 25394, 0x700004c}, {88, 8542, 0x380000}, {24681357, 1857, 0x2180004c},
             {7, 40203, 0x29000000}, {7, 50626, 0x25000000}};

static long fixed_draws(Trial *t) {
  long wrong = 0;
  for (size_t k = 0; k < sizeof fixed / sizeof *fixed; k++) {
    t->w = draw_make(fixed[k].seed, fixed[k].number, fixed[k].without);
    t->verdict = judge(t);
    if (t->verdict <= SENSITIVE) continue;
    printf("fixed draw %llu %llu %x: %s: %s\n", (unsigned long long)fixed[k].seed, (unsigned long long)fixed[k].number,
           fixed[k].without, verdict_names[t->verdict], t->why);
    wrong++;
  }
  return wrong;
}

/* Checks those order conditions up to order 8 that are sums over one row of the tableau, and that the coefficients of
 * each row sum to its time. Returns the number of errors. */
static long tableau_errors(void) {
  long wrong = 0;
  for (int power = 0; power < 8; power++) {
    double sum = 0;
    for (int s = 0; s < STAGES; s++) sum += step_weight[s] * (power ? pow(stage_time[s], power) : 1);
    wrong += !(fabs(sum - 1.0 / (power + 1)) < 1e-14);
  }
  for (int s = 0; s < STAGES; s++) {
    double sum = -stage_time[s];
    for (int r = 0; r < s; r++) sum += stage_weight[s][r];
    wrong += !(fabs(sum) < 1e-14);
  }
  if (wrong) printf("the tableau is wrong in %ld conditions\n", wrong);
  return wrong;
}

static void report_disagreement(const Trial *t) {
  unsigned long long seed = t->w.seed, number = t->w.number;
  printf("draw %llu %llu: DISAGREE: %s; test_referee --one %llu %llu\n", seed, number, t->why, seed, number);
  fflush(stdout);
  uint32_t without = shrink(t);
  printf("  the least of it: --one %llu %llu %x:", seed, number, without);
  show_features(draw_make(t->w.seed, t->w.number, without).has);
  fflush(stdout);
}

static void report_counts(long counts[VERDICTS][FEATURE_COUNT + 1], uint64_t seed, uint64_t first, long n) {
  printf("\n%-28s", "feature");
  for (int v = 0; v < VERDICTS; v++) printf("%10s", columns[v]);
  for (int f = 0; f <= FEATURE_COUNT; f++) {
    printf("\n%-28s", f < FEATURE_COUNT ? feature_names[f] : "all");
    for (int v = 0; v < VERDICTS; v++) printf("%10ld", counts[v][f]);
  }
  printf("\nseed %llu, draws %llu to %llu: %ld disagree\n", (unsigned long long)seed, (unsigned long long)first,
         (unsigned long long)(first + (uint64_t)n - 1), counts[WRONG][FEATURE_COUNT]);
  fflush(stdout);
}

int main(int argc, char **argv) {
  enum { SHOWN_EVERY = 10000 };
  static Trial t;
  long counts[VERDICTS][FEATURE_COUNT + 1] = {{0}};
  if (argc > 3 && !strcmp(argv[1], "--one")) {
    t.w = draw_make(strtoull(argv[2], NULL, 10), strtoull(argv[3], NULL, 10),
                    argc > 4 ? (uint32_t)strtoul(argv[4], NULL, 16) : 0);
    t.verdict = judge(&t);
    show(&t);
    return t.verdict == WRONG;
  }
  long n = argc > 1 ? atol(argv[1]) : 2000;
  uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1, first = argc > 3 ? strtoull(argv[3], NULL, 10) : 0;
  long wrong = tableau_errors() + fixed_draws(&t);
  for (long done = 0; done < n; done++) {
    t.w = draw_make(seed, first + (uint64_t)done, 0);
    t.verdict = judge(&t);
    counts[t.verdict][FEATURE_COUNT]++;
    for (int f = 0; f < FEATURE_COUNT; f++) counts[t.verdict][f] += t.w.has >> f & 1;
    if (t.verdict == REFUSED || t.verdict == UNDECIDED)
      printf("draw %llu %llu: %s: %s\n", (unsigned long long)seed, (unsigned long long)t.w.number,
             verdict_names[t.verdict], t.why);
    if (t.verdict == WRONG) report_disagreement(&t);
    if ((done + 1) % SHOWN_EVERY == 0 && done + 1 < n) report_counts(counts, seed, first, done + 1);
  }
  report_counts(counts, seed, first, n);
  return wrong + counts[WRONG][FEATURE_COUNT] > 0;
}
