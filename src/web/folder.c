/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/web/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* BLOCK: number of bytes that are copied at a time. TREE_FILES: maximum number of folders that are open at a time.
 * WORK_BYTES: limit of the memory for checking a file, in GiB. */
enum { BLOCK = 64 << 10, TREE_FILES = 8, WORK_BYTES = 2 };

bool web_folder_make(const Web *web, char path[FILE_PATH_SIZE]) {
  int length = snprintf(path, FILE_PATH_SIZE, "%s/XXXXXX", web->scratch.path);
  return length < FILE_PATH_SIZE && mkdtemp(path);
}

static int remove_one(const char *path, const struct stat *info, int type, struct FTW *where) {
  (void)info, (void)type, (void)where;
  remove(path);
  return 0;
}

void web_folder_remove(const char *path) { nftw(path, remove_one, TREE_FILES, FTW_DEPTH | FTW_PHYS); }

/* Creates a new file in the folder at `path`, and opens it. The name may begin with a subfolder, which is created, too.
 * Returns the descriptor, or -1 on failure. */
static int create(const char *path, const char *name) {
  char whole[FILE_PATH_SIZE];
  if (snprintf(whole, sizeof whole, "%s/%s", path, name) >= FILE_PATH_SIZE) return -1;
  char *slash = whole + strlen(path) + strcspn(name, "/") + 1;
  if (*slash) {
    *slash = 0;
    if (mkdir(whole, 0700) && errno != EEXIST) return -1;
    *slash = '/';
  }
  return open(whole, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
}

static bool write_all(int file, const char *bytes, size_t size) {
  while (size > 0) {
    ssize_t written = write(file, bytes, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes += written;
    size -= (size_t)written;
  }
  return true;
}

bool web_folder_write(const char *path, const char *name, const char *bytes, size_t size) {
  int file = create(path, name);
  bool good = file >= 0 && write_all(file, bytes, size);
  return file >= 0 && close(file) == 0 && good;
}

bool web_folder_copy(const char *path, const char *name, int from, size_t most) {
  char block[BLOCK];
  int file = create(path, name);
  bool good = file >= 0;
  while (good && most > 0) {
    ssize_t size = read(from, block, most < sizeof block ? most : sizeof block);
    if (size <= 0) break;
    good = write_all(file, block, (size_t)size);
    most -= (size_t)size;
  }
  return file >= 0 && close(file) == 0 && good;
}

static bool is_stopping(void *context) {
  Web *web = context;
  return atomic_load(&web->stopping);
}

ProgramEnd web_folder_run(Web *web, const char *path, const WebProgram *program, int *code) {
  char output[FILE_PATH_SIZE];
  snprintf(output, sizeof output, "%.*s/" WEB_OUTPUT, FILE_PATH_SIZE - 16, path);
  const ProgramCall call = {.program = web->program,
                            .words = program->words,
                            .directory = path,
                            .input = "/dev/null",
                            .output = output,
                            .errors = "/dev/null",
                            .seconds = program->seconds,
                            .nice = program->nice,
                            .bytes = (double)WORK_BYTES * (1 << 30),
                            .cancelled = is_stopping,
                            .context = web};
  return program_run(&call, code);
}
