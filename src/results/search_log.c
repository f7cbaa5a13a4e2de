/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/results/search_log.h"

/* shortest time between two transfers of the log to the disk, in s */
static const double SYNC_SECONDS = 1;

static const TableColumn columns[] = {{.name = "round", .kind = COLUMN_COUNT},
                                      {.name = "evaluations", .kind = COLUMN_COUNT},
                                      {.name = "best"},
                                      {.name = "J"},
                                      {.name = "E1"},
                                      {.name = "E2"},
                                      {.name = "edge"},
                                      {.name = "rho1"},
                                      {.name = "rho2"},
                                      {.name = "rho3"},
                                      {.name = "seconds", .kind = COLUMN_SECONDS}};
enum { COLUMNS = sizeof columns / sizeof *columns };

int search_log_open(SearchLog *log, const Results *results, const ResultsMark *saved) {
  const TableLayout layout = {.n_columns = COLUMNS, .columns = columns};
  *log = (SearchLog){.file = table_open(results, "search.csv", &layout, saved), .unsynced = !saved};
  if (saved) log->mark = *saved;
  return log->file ? 0 : EXIT_USAGE;
}

int search_log_row(SearchLog *log, const CtlState *s, double seconds) {
  const double rounds = (double)s->rounds, evaluations = (double)s->evaluations;
  table_append(log->file, (const double *const[COLUMNS]){&rounds, &evaluations, &s->best, &s->J, &s->E1, &s->E2,
                                                         &s->edge, &s->rho[0], &s->rho[1], &s->rho[2], &s->seconds});
  log->unsynced = true;
  int failed = table_flush(log->file);
  search_log_tick(log, seconds);
  return failed;
}

void search_log_tick(SearchLog *log, double seconds) {
  if (log->unsynced && seconds - log->synced >= SYNC_SECONDS) search_log_sync(log, seconds);
}

int search_log_sync(SearchLog *log, double seconds) {
  if (!log->unsynced) return log->file ? table_flush(log->file) : 0;
  log->synced = seconds;
  log->unsynced = false;
  return table_sync(log->file, &log->mark);
}

int search_log_close(SearchLog *log) {
  if (log->file) search_log_sync(log, log->synced);
  int failed = table_close(log->file, true);
  log->file = NULL;
  return failed;
}
