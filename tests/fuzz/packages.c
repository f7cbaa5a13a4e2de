/* SPDX-License-Identifier: BSD-2-Clause */
/* Target that makes a folder in incoming/, as any user could. The service takes it as a job, or refuses it with a
 * reason, and reads and writes nothing outside. */
#define _DEFAULT_SOURCE /* getentropy */
#include "tests/fuzz/fuzz.h"
#include "tests/open_files.h"

#include "src/serve/spool_adopt.h"
#include "src/spool/spool_read.h"

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ENTRIES_MAX = 80, STRANGER = 65534, SECRET_SIZE = 20 };
static uint8_t
    secret[SECRET_SIZE]; /* content of a file outside the folder; it is random each time, so that the fuzzer cannot
                          * guess it */

static void begin_package(void) {
  char path[FUZZ_PATH_SIZE];
  FUZZ_HOLDS(mkdir(fuzz_path("spool", path), 0700) == 0);
  FUZZ_HOLDS(mkdir(fuzz_path("spool/incoming", path), 0700) == 0);
  FUZZ_HOLDS(getentropy(secret, sizeof secret) == 0);
  fuzz_write("outside", secret, sizeof secret);
}

/* Compares without a comparison that the fuzzer could observe. */
static bool is_secret(const uint8_t bytes[SECRET_SIZE]) {
  unsigned difference = 0;
  for (int k = 0; k < SECRET_SIZE; k++) difference |= bytes[k] ^ secret[k];
  return difference == 0;
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *where) {
  (void)info, (void)kind, (void)where;
  return remove(path);
}

/* Makes an entry, given a letter for its kind, its name, and its content or the target of a link. */
static void put(int folder, char kind, const char *name, const char *text, size_t size) {
  char outside[FUZZ_PATH_SIZE];
  fuzz_path("outside", outside);
  int failed = 0; /* the name is repeated or invalid */
  if (kind == 'd') failed = mkdirat(folder, name, 0700);
  if (kind == 'l') failed = symlinkat(size && size < 64 ? text : outside, folder, name);
  if (kind == 't') failed = linkat(AT_FDCWD, outside, folder, name, 0);
  if (kind == 'p') failed = mkfifoat(folder, name, 0600);
  if (kind != 'f' && kind != 's' && kind != 'o') return;
  int file = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
  if (file < 0 || failed) return;
  FUZZ_HOLDS(write(file, text, size) == (ssize_t)size);
  if (kind == 's') FUZZ_HOLDS(ftruncate(file, (off_t)(size % 3) * (SPOOL_JOB_MAX / 2) + (off_t)(size % 2)) == 0);
  if (kind == 'o' && geteuid() == 0) FUZZ_HOLDS(fchown(file, STRANGER, STRANGER) == 0);
  close(file);
}

static void fill(int folder, const uint8_t *bytes, size_t size) {
  for (int k = 0; k < ENTRIES_MAX && size; k++) {
    char name[256], text[4096];
    const uint8_t *part;
    size_t length = fuzz_part(&bytes, &size, &part);
    char kind = length ? (char)part[0] : 'f';
    snprintf(name, sizeof name, "%.*s", length ? (int)length - 1 : 0, (const char *)part + 1);
    if (!*name || strchr(name, '/') || strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
      snprintf(name, sizeof name, k ? "f%d" : SPOOL_PROBLEM, k);
    length = fuzz_part(&bytes, &size, &part);
    if (length > sizeof text - 1) length = sizeof text - 1;
    memcpy(text, part, length);
    text[length] = 0;
    put(folder, kind, name, text, length);
  }
}

/* Checks a claimed job. All its files must be copies that belong to this user, and none may have the content of the
 * file outside. */
static void look(int job) {
  DIR *handle = fdopendir(job);
  FUZZ_HOLDS(handle);
  for (const struct dirent *entry; (entry = readdir(handle)) != NULL;) {
    struct stat info;
    uint8_t bytes[SECRET_SIZE] = {0};
    if (entry->d_name[0] == '.') continue; /* skips .package, in which the files of a refused job remain */
    FUZZ_HOLDS(fstatat(dirfd(handle), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0);
    FUZZ_HOLDS(S_ISREG(info.st_mode) && info.st_nlink == 1 && info.st_uid == geteuid());
    int file = openat(dirfd(handle), entry->d_name, O_RDONLY);
    ssize_t got = file < 0 ? -1 : read(file, bytes, sizeof bytes);
    FUZZ_HOLDS(got >= 0 && !is_secret(bytes));
    close(file);
  }
  closedir(handle);
}

static void take_package(const uint8_t *bytes, size_t size) {
  char path[FUZZ_PATH_SIZE], name[SPOOL_NAME_MAX];
  struct stat info;
  Diagnostics reported = {0};
  Spool spool;
  int before = open_files();
  FUZZ_HOLDS(mkdir(fuzz_path("spool/incoming/p", path), 0700) == 0);
  int folder = open(path, O_RDONLY | O_DIRECTORY);
  FUZZ_HOLDS(folder >= 0);
  fill(folder, bytes, size);
  close(folder);
  FUZZ_HOLDS(spool_open(&spool, fuzz_path("spool", path), &reported) == 0);
  spool_look(&spool);
  FUZZ_HOLDS(spool_waiting(&spool) == 1 && spool_claim(&spool, &spool.waiting.entries[0], name) == 1);
  int code = spool_adopt(&spool, name, &reported);
  FUZZ_HOLDS(code == 0 || code == EXIT_USAGE);
  FUZZ_HOLDS((code != 0) == (reported.errors > 0));
  int job = spool_open_job(&spool.at, SPOOL_RUNNING, name);
  FUZZ_HOLDS(job >= 0);
  FUZZ_HOLDS(code || fstatat(job, SPOOL_PROBLEM, &info, AT_SYMLINK_NOFOLLOW) == 0);
  look(job);
  FUZZ_HOLDS(spool_finish(&spool, name, code ? SPOOL_FAILED : SPOOL_DONE) == 0);
  fuzz_path(code ? "spool/failed/p" : "spool/done/p", path);
  FUZZ_HOLDS(nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS) == 0);
  spool_close(&spool);
  diagnostics_clear(&reported);
  FUZZ_HOLDS(stat(fuzz_path("outside", path), &info) == 0 && info.st_size == SECRET_SIZE);
  FUZZ_HOLDS(open_files() == before);
}

const FuzzTarget fuzz_package = {.name = "package", .begin = begin_package, .take = take_package};
