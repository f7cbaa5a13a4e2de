/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/papers/papers.h"

#include <math.h>
#include <mpi.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const char papers_fails[] = "**Must hold, and does not**";

_Noreturn void papers_give_up(int code) {
  MPI_Abort(MPI_COMM_WORLD, code);
  exit(code);
}

void papers_tasks(int n, int width, PapersTask *task, void *context, double *rows) {
  int *next, rank, mine, one = 1;
  MPI_Win window;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  memset(rows, 0, (size_t)n * (size_t)width * sizeof *rows);
  MPI_Win_allocate(rank == 0 ? sizeof *next : 0, sizeof *next, MPI_INFO_NULL, MPI_COMM_WORLD, &next, &window);
  if (rank == 0) *next = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  for (;;) {
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
    MPI_Fetch_and_op(&one, &mine, MPI_INT, 0, 0, MPI_SUM, window);
    MPI_Win_unlock(0, window);
    if (mine >= n) break;
    int code = task(context, mine, rows + (size_t)mine * (size_t)width);
    if (code) papers_give_up(code);
  }
  MPI_Win_free(&window);
  MPI_Allreduce(MPI_IN_PLACE, rows, n * width, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

void papers_path(const Papers *papers, const char *name, const char *ending, char *path, size_t size) {
  snprintf(path, size, "%s/%s%s", papers->directory, name, ending);
}

FILE *papers_open(const Papers *papers, const char *name) {
  char path[1024];
  papers_path(papers, name, "", path, sizeof path);
  FILE *file = fopen(path, "w");
  if (file) return file;
  perror(path);
  papers_give_up(EXIT_USAGE);
}

void papers_close(FILE *file, const char *name) {
  bool bad = ferror(file) != 0;
  if (!fclose(file) && !bad) return;
  fprintf(stderr, "bench-papers: %s cannot be written\n", name);
  papers_give_up(EXIT_INTERNAL);
}

void papers_table(const Papers *papers, const char *name, TextTable *table, bool shown) {
  char file_name[128];
  snprintf(file_name, sizeof file_name, "%s.csv", name);
  FILE *csv = papers_open(papers, file_name);
  table_print(table, TABLE_CSV, csv);
  papers_close(csv, file_name);
  if (shown) table_print(table, TABLE_MARKDOWN, papers->text);
  text_table_destroy(table);
}

void papers_expect(const Papers *papers, bool holds, const char *format, ...) {
  char what[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  fprintf(papers->text, "\n%s: %s.\n", holds ? "Must hold, and does" : papers_fails, what);
}

void papers_ratio(TextTable *table, double ours, double theirs, const char *otherwise) {
  double ratio = ours / theirs;
  text_table_number(table, "%.3g", ratio);
  const char *remark = ratio == 1 ? "as printed" : fabs(ratio - 1) <= 0.05 ? "within 5 %" : otherwise;
  text_table_word(table, "%s", isnan(ratio) ? "" : remark);
}

void papers_control(const Papers *papers, const char *problem, bool regularized, double *u) {
  char path[1024], name[64];
  Numbers found;
  snprintf(name, sizeof name, "controls-%s", problem);
  papers_path(papers, name, ".csv", path, sizeof path);
  if (numbers_read(path, &found)) papers_give_up(EXIT_USAGE);
  for (int i = 0; i < 3; i++) {
    const char *const columns[] = {"u1", "u2", "u3"};
    u[i] = numbers_find(&found, "ours", "controls", regularized ? "regularized" : "unregularized", columns[i]);
    if (isnan(u[i])) {
      fprintf(stderr, "%s: no %s\n", path, columns[i]);
      papers_give_up(EXIT_USAGE);
    }
  }
  numbers_clear(&found);
}

const char *papers_vary_controls(const Papers *papers, const char *problem, char *text, size_t size) {
  size_t at = (size_t)snprintf(text, size, "control.start=[0");
  for (int k = 0; k < 2; k++) {
    double u[3];
    papers_control(papers, problem, k, u);
    at += (size_t)snprintf(text + at, size - at, ", [%.17g, %.17g, %.17g]", u[0], u[1], u[2]);
  }
  snprintf(text + at, size - at, "]");
  return text;
}
