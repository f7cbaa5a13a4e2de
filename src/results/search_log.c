#include "src/results/search_log.h"

#include "src/base/exit_code.h"
#include "src/base/file_open.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double SYNC_SECONDS = 1;

static void sync_rows(SearchLog *log, double seconds) {
  log->failed |= fsync(fileno(log->file)) != 0;
  log->synced = seconds;
  log->unsynced = false;
}

int search_log_open(SearchLog *log, const Results *results) {
  *log = (SearchLog){.file = results_open(results, "search.csv")};
  if (!log->file) return EXIT_USAGE;
  fputs("round,evaluations,best,J,E1,E2,edge,rho1,rho2,rho3,seconds\n", log->file);
  return 0;
}

/* Where the rows up to simplex `last` end; -1 when they are not all there. */
static long end_of_rows(FILE *file, long last) {
  char line[1024];
  for (long row = 0; row <= last; row++) { /* the header is row 0 */
    if (!fgets(line, sizeof line, file) || !strchr(line, '\n')) return -1;
    if (row > 0 && strtol(line, NULL, 10) != row) return -1;
  }
  return ftell(file);
}

int search_log_reopen(SearchLog *log, const Results *results, long last) {
  char path[FILE_PATH_SIZE];
  *log = (SearchLog){0};
  if (results_path(results, "search.csv", path)) return EXIT_USAGE;
  char fault[FILE_FAULT_SIZE];
  FILE *file = file_open(path, fault); /* told below */
  long size = file ? end_of_rows(file, last) : -1;
  if (file) fclose(file);
  log->file = results_reopen(results, "search.csv", size);
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
