/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes the motions of the thesis's Figures 19 to 32, and compares its statements about them with numbers. */
#include "bench/papers/papers.h"

#include "src/run/rollout_context.h"

#include <math.h>

#define F2        "model.force[1].value=0.5*sin(5*pi*t)"
#define X0        "model.x0=0.005"
#define NONMON    "model.law=bingham_nonmonotone"
#define DISSIPATE "model.selection=max_dissipation"
#define COULOMB   "model.law=coulomb"
#define SHORT     "time={end: 3, step: 0.001}"
#define HARD(ks)  "model.support.stiffness=" #ks

typedef struct Figure {
  const char *figure;
  const char *file, *variant, *settings[4];
  bool rests;   /* the thesis states that the mass never moves */
  bool coulomb; /* the thesis states that the force is f_crit while the mass moves */
} Figure;

static const Figure figures[] = {
    {"19a", "gotika-6-forced", "cubic, f1", {NULL}, 0, 0},
    {"19b", "gotika-6-forced", "cubic, f2", {F2}, 1, 0},
    {"20a", "gotika-6-free", "cubic, x0 = 0.005", {X0, SHORT}, 1, 0},
    {"20b", "gotika-6-free", "cubic, x0 = 0.5", {SHORT}, 0, 0},
    {"22a", "gotika-6-forced", "non-monotone 1, f1", {NONMON}, 0, 0},
    {"22b", "gotika-6-forced", "non-monotone 1, f2", {NONMON, F2}, 1, 0},
    {"23a", "gotika-6-free", "non-monotone 1, x0 = 0.005", {NONMON, X0, SHORT}, 1, 0},
    {"23b", "gotika-6-free", "non-monotone 1, x0 = 0.5", {NONMON, SHORT}, 0, 0},
    {"25a", "gotika-6-forced", "non-monotone 2, f1", {NONMON, DISSIPATE}, 0, 0},
    {"25b", "gotika-6-forced", "non-monotone 2, f2", {NONMON, DISSIPATE, F2}, 1, 0},
    {"26a", "gotika-6-free", "non-monotone 2, x0 = 0.005", {NONMON, DISSIPATE, X0, SHORT}, 1, 0},
    {"26b", "gotika-6-free", "non-monotone 2, x0 = 0.5", {NONMON, DISSIPATE, SHORT}, 0, 0},
    {"27a", "gotika-6-forced", "Coulomb, f1", {COULOMB}, 0, 1},
    {"27b", "gotika-6-forced", "Coulomb, f2", {COULOMB, F2}, 1, 1},
    {"28a", "gotika-6-free", "Coulomb, x0 = 0.005", {COULOMB, X0, SHORT}, 1, 1},
    {"28b", "gotika-6-free", "Coulomb, x0 = 0.5", {COULOMB, SHORT}, 0, 1},
    {"29", "gotika-6d-support", "ks = 10", {HARD(10)}, 0, 0},
    {"30", "gotika-6d-support", "ks = 100", {HARD(100)}, 0, 0},
    {"31", "gotika-6d-support", "ks = 1000", {HARD(1000)}, 0, 0},
    {"32", "gotika-6d-support", "ks = 10000", {HARD(10000)}, 0, 0}};
enum { FIGURES = sizeof figures / sizeof *figures };

/* PATHS: number of the figures, drawn by papers.gp, that show v over the dash-pot's force f_d */
enum { PATHS = 2 };
static const char *const paths[PATHS][2] = {{"21", "23b"}, {"24", "26b"}};

/* Quantities of a run. */
enum { SPEED, FORCE_OFF, V_JUMP, F_JUMP, CONTACTS, PUSH, SEEN };
typedef struct Watch {
  double seen[SEEN];
  double v, f_d;
  bool contact;
  FILE *file; /* file with the motion; NULL: none */
} Watch;

static void watch_step(void *context, const SimStep *s) {
  Watch *w = context;
  double v = s->v[0], f_d = s->extra[0];
  w->seen[SPEED] = fmax(w->seen[SPEED], fabs(v));
  if (v != 0) w->seen[FORCE_OFF] = fmax(w->seen[FORCE_OFF], fabs(fabs(f_d) - 1));
  if (s->n > 0) w->seen[V_JUMP] = fmax(w->seen[V_JUMP], fabs(v - w->v));
  if (s->n > 1) w->seen[F_JUMP] = fmax(w->seen[F_JUMP], fabs(f_d - w->f_d));
  w->seen[CONTACTS] += s->contact && !w->contact;
  w->seen[PUSH] = fmax(w->seen[PUSH], fabs(s->extra[2]));
  w->v = v;
  w->f_d = f_d;
  w->contact = s->contact;
  if (w->file) fprintf(w->file, "%.9g,%.9g,%.9g,%.9g,%.9g,%.9g\n", s->t, s->x[0], v, f_d, s->extra[1], s->extra[2]);
}

static int watch_run(const Case *c, long finer, Watch *w) {
  Problem problem;
  RolloutContext run;
  int code = case_read_finer(c, finer, &problem);
  if (code) return code;
  code = rollout_context_prepare(&run, &problem.sim,
                                 &(Diagnostics){.origin = "bench", .report = diagnostic_print, .to = stderr});
  if (!code && stiction_rollout(run.model, run.work, NULL, &(SimObserver){.context = w, .step = watch_step},
                                &run.final) != SIM_OK)
    code = EXIT_UNSOLVED;
  rollout_context_release(&run);
  problem_clear(&problem);
  return code;
}

/* Fills a row: the quantities of a run, then the same quantities with a quarter of the step. */
static int figure_task(void *context, int k, double *row) {
  char name[64];
  Watch paper = {0}, finer = {0};
  snprintf(name, sizeof name, "figure-%s.csv", figures[k].figure);
  paper.file = papers_open(context, name);
  fputs("t,x,v,f_d,f_s,lambda_contact\n", paper.file);
  const Figure *f = &figures[k];
  const Case c = {.file = f->file,
                  .variant = f->variant,
                  .settings = {f->settings[0], f->settings[1], f->settings[2], f->settings[3]}};
  int code = watch_run(&c, 1, &paper);
  papers_close(paper.file, name);
  if (!code) code = watch_run(&c, 4, &finer);
  for (int i = 0; i < SEEN; i++) {
    row[i] = paper.seen[i];
    row[SEEN + i] = finer.seen[i];
  }
  return code;
}

static void add_figure(const Papers *p, TextTable *table, const Figure *f, const double *row) {
  double jump = row[V_JUMP] / row[SEEN + V_JUMP];
  bool jumps = jump < 2;
  text_table_word(table, "%s", f->figure);
  text_table_word(table, "%s", f->variant);
  text_table_word(table, "%s", f->rests ? "v = 0 throughout" : f->coulomb ? "f_d = 1 while v != 0" : "no jump of v");
  text_table_number(table, "%.4g", row[SPEED]);
  text_table_number(table, "%.1e", f->coulomb ? row[FORCE_OFF] : NAN);
  text_table_number(table, "%.2e", row[V_JUMP]);
  text_table_number(table, "%.1f", jump);
  text_table_number(table, "%.3g", row[F_JUMP]);
  text_table_number(table, "%.0f", row[CONTACTS]);
  text_table_number(table, "%.3g", row[PUSH]);
  bool holds = f->rests ? row[SPEED] == 0 : f->coulomb ? row[FORCE_OFF] == 0 : !jumps;
  text_table_word(table, "%s", holds ? "as printed" : "v does jump: unexplained");
  if (f->rests) papers_expect(p, row[SPEED] == 0, "Figure %s: the mass never moves", f->figure);
  if (f->coulomb)
    papers_expect(p, row[FORCE_OFF] == 0, "Figure %s: the friction force is f_crit while the mass moves", f->figure);
}

int papers_thesis(Papers *p, const char *argument) {
  (void)argument;
  static const char *const heads[] = {"figure",
                                      "case",
                                      "thesis",
                                      "max speed (m/s)",
                                      "abs(f_d) off 1 in motion (N)",
                                      "max step of v (m/s)",
                                      "the same over that at dt/4",
                                      "max step of f_d (N)",
                                      "contacts",
                                      "max push of support (N)",
                                      "remark"};
  double rows[FIGURES][2 * SEEN];
  papers_tasks(FIGURES, 2 * SEEN, figure_task, p, rows[0]);
  if (p->rank != 0) return 0;
  TextTable *table = text_table_create(sizeof heads / sizeof *heads, heads);
  for (int k = 0; k < FIGURES; k++) add_figure(p, table, &figures[k], rows[k]);
  for (int k = 0; k < PATHS; k++) {
    text_table_word(table, "%s", paths[k][0]);
    text_table_word(table, "v over f_d of %s", paths[k][1]);
    text_table_word(table, "the path traversed");
    for (int i = 0; i < 7; i++) text_table_number(table, "%g", NAN);
    text_table_word(table, "drawn from %s; the thesis does not say from which run", paths[k][1]);
  }
  fputc('\n', p->text);
  papers_table(p, "thesis", table, true);
  fputs(
      "\nThe thesis prints curves, no numbers; its T and its L are not printed (3 s, 0.05 m here). `figure-*.csv` and "
      "pictures of\nthe same names have the curves; Figures 21 and 24, v over f_d, are drawn from the runs of 23b and "
      "26b. Where v "
      "is "
      "continuous its\nlargest step falls with dt (the column at dt/4 is 4, or more), where it jumps it stays (1).\n",
      p->text);
  return 0;
}
