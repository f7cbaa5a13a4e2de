/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/results/results.h"

#include "control/base/checkpoint.h"
#include "control/base/clock.h"
#include "src/base/result_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int refuse(const Results *results, const char *path, const char *what) {
  return diagnostics_error(results->diagnostics, EXIT_USAGE, "%s: %s", path, what);
}

/* Sets the path of the directory to `output`; if that is NULL, to results/NAME for a problem file DIR/NAME.yaml.
 * Returns 0 or EXIT_USAGE. */
static int directory_name(Results *results, const char *output, const char *problem_path) {
  char *directory = results->directory;
  const char *base = strrchr(problem_path, '/');
  base = base ? base + 1 : problem_path;
  const char *dot = strrchr(base, '.');
  int name = dot && dot > base ? (int)(dot - base) : (int)strlen(base);
  int length = output ? snprintf(directory, FILE_PATH_SIZE, "%s", output)
                      : snprintf(directory, FILE_PATH_SIZE, "results/%.*s", name, base);
  return length < FILE_PATH_SIZE ? 0 : refuse(results, output ? output : problem_path, "the name is too long");
}

bool results_is(const char *output, const char *problem_path, const char *directory) {
  Results would = {.directory = ""};
  struct stat mine, other;
  return directory_name(&would, output, problem_path) == 0 && stat(would.directory, &mine) == 0 &&
         stat(directory, &other) == 0 && mine.st_dev == other.st_dev && mine.st_ino == other.st_ino;
}

static bool is_empty(const char *directory) {
  DIR *handle = opendir(directory);
  if (!handle) return false;
  int entries = 0;
  while (readdir(handle)) entries++;
  closedir(handle);
  return entries <= 2; /* the only entries of an empty directory are . and .. */
}

/* Creates a directory and its missing parents. The directory itself must not exist, since two programs must not write
 * into the same one. */
static int make_with_parents(char *path) {
  size_t length = strlen(path);
  while (length > 1 && path[length - 1] == '/') path[--length] = 0;
  for (char *slash = path + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
    *slash = 0;
    int failed = mkdir(path, 0777) && errno != EEXIST;
    *slash = '/';
    if (failed) return -1;
  }
  return mkdir(path, 0777);
}

static int path_of(const Results *results, const char *name, const char *suffix, char path[FILE_PATH_SIZE]) {
  int length = snprintf(path, FILE_PATH_SIZE, "%s/%s%s", results->directory, name, suffix);
  return length < FILE_PATH_SIZE ? 0 : refuse(results, results->directory, "the name is too long");
}

int results_check_folders(const Results *results) {
  static const char *const folders[] = {"checkpoint", "exact", "figures", "points", "refined", "runs", NULL};
  char path[FILE_PATH_SIZE];
  struct stat info;
  for (int k = 0; folders[k]; k++) {
    if (path_of(results, folders[k], "", path)) return EXIT_USAGE;
    if (lstat(path, &info) == 0 && S_ISLNK(info.st_mode)) return refuse(results, path, "is a link (expected a folder)");
  }
  return 0;
}

int results_lock(const Results *results, const char *name, int flags) {
  /* time to wait for a lock, in s, as a process that was killed may take a while to release it */
  static const double PATIENCE = 15;
  const char *directory = results->directory;
  char path[FILE_PATH_SIZE], fault[FILE_FAULT_SIZE];
  struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  if (path_of(results, name, "", path)) return -1;
  int lock = file_open_to_write(path, flags, 0600, fault);
  if (lock < 0) return flags & O_CREAT ? (refuse(results, path, fault), -1) : -1;
  fchmod(lock, 0600); /* other users get no access, as they could otherwise lock the file and thus block this program */
  double start = ctl_seconds();
  while (fcntl(lock, F_SETLK, &whole)) {
    /* any other error means that the file system has no locks; the directory is then used without a lock */
    if (errno != EACCES && errno != EAGAIN && errno != EINTR) return lock;
    if (ctl_seconds() - start > PATIENCE) {
      refuse(results, directory, "another stiction is at work there");
      close(lock);
      return -2;
    }
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
  }
  return lock;
}

/* Removes the figures of earlier results in the directory. */
static int remove_figures(const Results *results) {
  static const char *const prefixes[] = {"", "compare_"};
  char folder[FILE_PATH_SIZE];
  if (path_of(results, "figures", "", folder)) return -1;
  if (access(folder, F_OK)) return 0; /* usually the folder does not exist, as there are no figures */
  for (int k = 0; figure_names[k]; k++)
    for (int form = 0; form < 4; form++) {
      char name[64], path[FILE_PATH_SIZE];
      snprintf(name, sizeof name, "figures/%s%s", prefixes[form / 2], figure_names[k]);
      if (path_of(results, name, figure_suffix((FigureFormat)(form % 2)), path)) return -1;
      if (unlink(path) && errno != ENOENT && errno != ENOTDIR) return -1;
    }
  return 0;
}

int results_create(Results *results, const char *output, const char *problem_path, bool force) {
  char *directory = results->directory, path[FILE_PATH_SIZE];
  results->lock = -1;
  if (directory_name(results, output, problem_path)) return EXIT_USAGE;
  struct stat info;
  if (stat(directory, &info) == 0) {
    if (!S_ISDIR(info.st_mode)) return refuse(results, directory, "is there and is not a directory");
    if (!is_empty(directory) && !force)
      return refuse(results, directory, "is there already (--force replaces its results, -o DIR takes another place)");
    if (results_check_folders(results)) return EXIT_USAGE;
    if ((results->lock = results_lock(results, RESULTS_LOCK, 0)) == -2) return EXIT_USAGE;
    for (int i = 0; result_files[i]; i++)
      if (path_of(results, result_files[i], "", path) || (unlink(path) && errno != ENOENT && errno != ENOTDIR))
        return refuse(results, directory, strerror(errno));
    if (remove_figures(results)) return refuse(results, directory, strerror(errno));
  } else if (make_with_parents(directory))
    return refuse(results, directory, strerror(errno));
  if (access(directory, W_OK | X_OK)) return refuse(results, directory, strerror(errno));
  return 0;
}

int results_take(Results *results, const char *directory, const char *name) {
  struct stat info;
  int length = snprintf(results->directory, FILE_PATH_SIZE, "%s%s%s", directory, name ? "/" : "", name ? name : "");
  const char *path = results->directory;
  if (length >= FILE_PATH_SIZE) return refuse(results, directory, "the name is too long");
  if (name && mkdir(path, 0777) && errno != EEXIST) return refuse(results, path, strerror(errno));
  if ((name ? lstat : stat)(path, &info) || !S_ISDIR(info.st_mode)) return refuse(results, path, "is not a directory");
  return access(path, W_OK | X_OK) ? refuse(results, path, strerror(errno)) : 0;
}

int results_path(const Results *results, const char *name, char path[FILE_PATH_SIZE]) {
  return path_of(results, name, "", path);
}

static FILE *open_stream(const Results *results, const char *name, int flags) {
  char path[FILE_PATH_SIZE], fault[FILE_FAULT_SIZE];
  if (path_of(results, name, "", path)) return NULL;
  int file = file_open_to_write(path, flags, 0666, fault);
  if (file < 0) return results_refuse(results, name, fault);
  FILE *stream = fdopen(file, "r+");
  if (stream) return stream;
  close(file);
  return results_refuse(results, name, strerror(errno));
}

bool results_clear_way(const Results *results, const char *name, bool there) {
  char path[FILE_PATH_SIZE], fault[FILE_FAULT_SIZE];
  if (path_of(results, name, "", path)) return false;
  int file = file_open_to_write(path, there ? 0 : O_CREAT, 0666, fault);
  if (file < 0) return results_refuse(results, name, fault) != NULL;
  close(file);
  return true;
}

FILE *results_open(const Results *results, const char *name) {
  FILE *file = open_stream(results, name, O_CREAT);
  if (!file || ftruncate(fileno(file), 0) == 0) return file;
  fclose(file);
  return results_refuse(results, name, strerror(errno));
}

/* Moves a mark (length and checksum) forward to the length `size` of the file. Returns false if the file is shorter or
 * cannot be read. */
static bool move_mark(int file, int64_t size, ResultsMark *mark) {
  char bytes[1 << 16];
  while (mark->size < size) {
    int64_t left = size - mark->size;
    ssize_t got = pread(file, bytes, left < (int64_t)sizeof bytes ? (size_t)left : sizeof bytes, mark->size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    mark->sum = ctl_checkpoint_sum((uint32_t)mark->sum, bytes, (size_t)got);
    mark->size += got;
  }
  return true;
}

FILE *results_reopen(const Results *results, const char *name, const ResultsMark *saved) {
  ResultsMark now = {0};
  FILE *file = open_stream(results, name, 0);
  if (!file) return NULL;
  const char *wrong = "does not hold all that it held when the checkpoint was written";
  if (move_mark(fileno(file), saved->size, &now) && now.size == saved->size) {
    wrong = "has been changed since the checkpoint was written";
    if (now.sum == saved->sum && fseek(file, (long)now.size, SEEK_SET) == 0 && ftruncate(fileno(file), now.size) == 0)
      return file;
  }
  fclose(file);
  return results_refuse(results, name, wrong);
}

FILE *results_refuse(const Results *results, const char *name, const char *what) {
  char path[FILE_PATH_SIZE];
  if (!path_of(results, name, "", path)) refuse(results, path, what);
  return NULL;
}

int results_sync(FILE *file, ResultsMark *mark) {
  if (!file) return 0;
  if (fflush(file) || ferror(file) || fsync(fileno(file))) return -1;
  long end = ftell(file);
  return end >= 0 && move_mark(fileno(file), end, mark) ? 0 : -1;
}

int results_close(const Results *results, const char *name, FILE *file) {
  if (!file) return 0;
  int failed = ferror(file);
  if (fclose(file) || failed) {
    char path[FILE_PATH_SIZE];
    if (!path_of(results, name, "", path)) refuse(results, path, "could not be written in full (is the disk full?)");
    return -1;
  }
  return 0;
}

int results_write(const Results *results, const char *name, const char *text) {
  return results_write_bytes(results, name, text, strlen(text));
}

int results_put(const Results *results, const char *part, const char *name, bool good) {
  char from[FILE_PATH_SIZE], to[FILE_PATH_SIZE];
  if (path_of(results, part, "", from) || path_of(results, name, "", to)) return -1;
  if (good && rename(from, to) == 0) return 0;
  refuse(results, to, "could not be written in full (is the disk full?)");
  unlink(from);
  return -1;
}

int results_write_bytes(const Results *results, const char *name, const char *bytes, size_t size) {
  char part[96];
  snprintf(part, sizeof part, "%s.part", name);
  FILE *file = results_open(results, part);
  if (!file) return -1;
  bool good = fwrite(bytes, 1, size, file) == size && fflush(file) == 0 && fsync(fileno(file)) == 0;
  good = fclose(file) == 0 && good;
  return results_put(results, part, name, good);
}

int results_write_json(const Results *results, const char *name, const json_t *json, int digits) {
  char *text = json ? json_dumps(json, JSON_INDENT(2) | JSON_REAL_PRECISION((size_t)digits)) : NULL;
  int failed = -2;
  if (text)
    failed = results_write(results, name, text);
  else
    refuse(results, name, "is not written: out of memory");
  free(text);
  return failed;
}
