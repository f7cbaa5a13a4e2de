#include "src/results/search_log.h"

#include "src/base/exit_code.h"

static const double SYNC_SECONDS = 1;

static void sync_rows(SearchLog *log, double seconds) {
  log->failed |= results_sync(log->file, &log->mark) != 0;
  log->synced = seconds;
  log->unsynced = false;
}

int search_log_open(SearchLog *log, const Results *results) {
  *log = (SearchLog){.file = results_open(results, "search.csv"), .unsynced = true};
  if (!log->file) return EXIT_USAGE;
  fputs("round,evaluations,best,J,E1,E2,edge,rho1,rho2,rho3,seconds\n", log->file);
  return 0;
}

int search_log_reopen(SearchLog *log, const Results *results, const ResultsMark *saved) {
  *log = (SearchLog){.file = results_reopen(results, "search.csv", saved), .mark = *saved};
  return log->file ? 0 : EXIT_USAGE;
}

int search_log_row(SearchLog *log, const CtlState *s, double seconds) {
  fprintf(log->file, "%ld,%ld,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.6f\n", s->rounds, s->evaluations,
          s->best, s->J, s->E1, s->E2, s->edge, s->rho[0], s->rho[1], s->rho[2], s->seconds);
  log->failed |= fflush(log->file) || ferror(log->file);
  log->unsynced = true;
  search_log_tick(log, seconds);
  return log->failed ? -1 : 0;
}

void search_log_tick(SearchLog *log, double seconds) {
  if (log->unsynced && seconds - log->synced >= SYNC_SECONDS) sync_rows(log, seconds);
}

int search_log_sync(SearchLog *log, double seconds) {
  if (log->unsynced) sync_rows(log, seconds);
  return log->failed ? -1 : 0;
}

int search_log_close(SearchLog *log, const Results *results) {
  if (!log->file) return 0;
  if (log->unsynced) sync_rows(log, log->synced);
  int code = results_close(results, "search.csv", log->file);
  log->file = NULL;
  if (!log->failed || code) return code;
  return diagnostics_error(results->diagnostics, -1, "search.csv could not be written in full (is the disk full?)");
}
