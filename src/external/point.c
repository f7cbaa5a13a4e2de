/* SPDX-License-Identifier: BSD-2-Clause */
#define _XOPEN_SOURCE 700 /* declares nftw, strdup and O_NOFOLLOW */
#include "src/external/point.h"

#include "control/base/hash.h"
#include "src/base/decimal.h"
#include "src/process/program.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* FOLDERS_MAX: maximum number of names that are tried for a new folder. FOLDERS_OPEN: maximum number of folders that
 * are open at a time. NUMBER_MAX: size of the text of a number, in bytes. PRINTED_MIB: maximum size of what the program
 * prints, in MiB. */
enum { FOLDERS_MAX = 100, FOLDERS_OPEN = 16, NUMBER_MAX = 512, PRINTED_MIB = 64 };

typedef struct Folder {
  char path[FILE_PATH_SIZE], input[FILE_PATH_SIZE], output[FILE_PATH_SIZE], printed[FILE_PATH_SIZE],
      errors[FILE_PATH_SIZE];
} Folder;

static bool join(char path[FILE_PATH_SIZE], const char *folder, const char *name) {
  if (snprintf(path, FILE_PATH_SIZE, "%s/%s", folder, name) < FILE_PATH_SIZE) return true;
  errno = ENAMETOOLONG;
  return false;
}

/* Makes a folder for a point, and sets the paths of the files in it. Its name is the hash of the point's bits. If the
 * name exists already, from another rank or a killed run, a number is appended. Returns false and sets errno if this
 * fails. */
static bool make(const PointProgram *program, const double *point, Folder *folder) {
  char name[40];
  strcpy(folder->path, program->points);
  if (mkdir(program->points, 0777) && errno != EEXIST) return false;
  for (int k = 0; k < FOLDERS_MAX; k++) {
    snprintf(name, sizeof name, k ? "%016" PRIx64 "-%d" : "%016" PRIx64, ctl_hash(program->external->n, point), k);
    if (!join(folder->path, program->points, name)) return false;
    if (!mkdir(folder->path, 0777)) break;
    if (errno != EEXIST || k == FOLDERS_MAX - 1) return false;
  }
  return join(folder->input, folder->path, "input") && join(folder->output, folder->path, "output") &&
         join(folder->printed, folder->path, "stdout") && join(folder->errors, folder->path, "stderr");
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *where) {
  (void)status, (void)kind, (void)where;
  return remove(path);
}

static void remove_folder(const char *path) { nftw(path, remove_one, FOLDERS_OPEN, FTW_DEPTH | FTW_PHYS); }

void point_folders_tidy(const char *points) {
  char path[FILE_PATH_SIZE], failure[FILE_PATH_SIZE];
  struct dirent *entry;
  DIR *folders = opendir(points);
  while (folders && (entry = readdir(folders)))
    if (*entry->d_name != '.' && join(path, points, entry->d_name) && join(failure, path, "failure") &&
        access(failure, F_OK))
      remove_folder(path);
  if (folders) closedir(folders);
}

void point_folders_remove(const char *points, bool kept) {
  if (kept)
    rmdir(points);
  else
    remove_folder(points);
}

static bool write_input(const External *external, const double *point, const Folder *folder) {
  FILE *file = fopen(folder->input, "w");
  if (!file) return false;
  for (int i = 0; i < external->n; i++) fprintf(file, "%s %.17g\n", external->variables[i], point[i]);
  bool good = !ferror(file);
  return !fclose(file) && good;
}

/* Returns a copy of a word of the command in which marks such as {input} are replaced by paths; the caller frees it.
 * Sets *uses to true if the word contains {output}. Returns NULL if there is no memory. */
static char *fill(const char *word, const Folder *folder, bool *uses) {
  const char *const paths[] = {folder->input, folder->output, folder->path}; /* indexed by ExternalMark */
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  for (const char *at = word; out && *at;) {
    int length = 1;
    ExternalMark mark = external_mark(word, at, &length);
    if (mark < EXTERNAL_UNKNOWN)
      fputs(paths[mark], out);
    else
      fwrite(at, 1, (size_t)length, out);
    at += length;
    *uses |= mark == EXTERNAL_OUTPUT;
  }
  return out && !fclose(out) ? text : NULL;
}

/* Opens a program's output file. Refuses links, and pipes, which may never end. Returns NULL and sets reason on
 * failure. */
static FILE *open_output(const char *path, char reason[REASON_SIZE]) {
  struct stat status;
  int number = open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
  bool there = number >= 0 || errno == ELOOP;
  bool good = number >= 0 && !fstat(number, &status) && S_ISREG(status.st_mode);
  FILE *file = good ? fdopen(number, "r") : NULL;
  if (!file) snprintf(reason, REASON_SIZE, there ? "output: not a file" : "no output");
  if (!file && number >= 0) close(number);
  return file;
}

/* Reads the next word of a file. Returns false at the end. A word that is too long for a number is cut. */
static bool next_word(FILE *file, char word[NUMBER_MAX]) {
  int c, n = 0;
  while ((c = getc(file)) != EOF && isspace(c)) continue;
  for (; c != EOF && !isspace(c) && n < NUMBER_MAX - 1; c = getc(file))
    word[n++] = (char)(iscntrl(c) ? '?' : c); /* numbers contain no control characters; in other text they must not
                                               * reach a terminal */
  word[n] = '\0';
  return n > 0;
}

/* Reads the output, which must be exactly m finite numbers, into values [m]. On failure returns false and sets
 * reason. */
static bool read_values(const char *path, int m, double *values, char reason[REASON_SIZE]) {
  char word[NUMBER_MAX];
  int n = 0;
  *reason = '\0';
  FILE *file = open_output(path, reason);
  while (file && !*reason && n <= m && next_word(file, word)) {
    double value;
    if (strlen(word) == NUMBER_MAX - 1 || !decimal_read(word, &value) || !isfinite(value))
      snprintf(reason, REASON_SIZE, "output: %.60s is no finite number", word);
    else if (n < m)
      values[n] = value;
    n++;
  }
  if (file) fclose(file);
  if (!*reason && n > m) snprintf(reason, REASON_SIZE, "output: more than %d number%s", m, m == 1 ? "" : "s");
  if (!*reason && n < m) snprintf(reason, REASON_SIZE, "output: %d number%s (expected %d)", n, n == 1 ? "" : "s", m);
  return !*reason;
}

/* Runs the program for one point. Sets *from to the path of the file with the values, and *code as program_run does. */
static ProgramEnd run(const PointProgram *program, const Folder *folder, const char **from, int *code) {
  const External *external = program->external;
  char **words = calloc((size_t)external->n_words + 1, sizeof *words);
  bool good = words != NULL, uses = false;
  for (int i = 0; i < external->n_words && good; i++)
    good = (words[i] = fill(external->words[i], folder, &uses)) != NULL;
  const ProgramCall call = {.program = external->program,
                            .words = words,
                            .directory = external->directory,
                            .input = folder->input,
                            .output = folder->printed,
                            .errors = folder->errors,
                            .written = uses ? folder->output : NULL,
                            .seconds = external->timeout,
                            .printed = (off_t)PRINTED_MIB << 20,
                            .cancelled = program->cancelled,
                            .context = program->context};
  *from = uses ? folder->output : folder->printed;
  *code = ENOMEM;
  ProgramEnd end = good ? program_run(&call, code) : PROGRAM_NOT_RUN;
  for (int i = 0; i < external->n_words && words; i++) free(words[i]);
  free(words);
  return end;
}

/* Returns the status of a finished evaluation; sets `reason` if it failed. */
static SimStatus judge(const PointProgram *program, const char *from, ProgramEnd end, int code, double *values,
                       char reason[REASON_SIZE]) {
  *reason = '\0';
  switch (end) {
  case PROGRAM_EXITED:
    if (code) {
      snprintf(reason, REASON_SIZE, POINT_FAILED_BY_EXIT " code %d", code);
      return SIM_NOT_CONVERGED;
    }
    return read_values(from, program->external->m, values, reason) ? SIM_OK : SIM_NON_FINITE;
  case PROGRAM_SIGNALLED: snprintf(reason, REASON_SIZE, POINT_FAILED_BY_SIGNAL " %d", code); return SIM_NOT_CONVERGED;
  case PROGRAM_TIMED_OUT: snprintf(reason, REASON_SIZE, POINT_FAILED_BY_TIME); return SIM_NOT_FINISHED;
  case PROGRAM_FLOODED: snprintf(reason, REASON_SIZE, "output: more than %d MiB", PRINTED_MIB); return SIM_NON_FINITE;
  case PROGRAM_CANCELLED: return SIM_CANCELLED;
  default: return SIM_NO_MEMORY;
  }
}

static void note(const Folder *folder, const char *reason) {
  char path[FILE_PATH_SIZE];
  FILE *file = join(path, folder->path, "failure") ? fopen(path, "w") : NULL;
  if (!file) return;
  fprintf(file, "%s\n", reason);
  fclose(file);
}

/* Records that a file, folder or process was not available, and returns SIM_NO_MEMORY. number: errno of the failure. */
static SimStatus lacks(PointProgram *program, const char *path, int number) {
  strcpy(program->lack, path);
  program->why = number;
  return SIM_NO_MEMORY;
}

SimStatus point_evaluate(PointProgram *program, const double *point, double *values) {
  Folder folder;
  char reason[REASON_SIZE] = "";
  const char *from = "";
  int code = 0;
  if (!make(program, point, &folder)) return lacks(program, folder.path, errno);
  ProgramEnd end = PROGRAM_NOT_RUN;
  if (!write_input(program->external, point, &folder))
    lacks(program, folder.input, errno);
  else if ((end = run(program, &folder, &from, &code)) == PROGRAM_NOT_RUN)
    lacks(program, program->external->program, code);
  SimStatus status = judge(program, from, end, code, values, reason);
  bool failed = status != SIM_OK && *reason;
  if (failed) note(&folder, reason);
  ExternalKeep keep = program->external->keep;
  bool stays = keep == EXTERNAL_KEEP_ALL || (keep == EXTERNAL_KEEP_FAILED && failed);
  if (!stays || status == SIM_CANCELLED) remove_folder(folder.path);
  return status;
}
