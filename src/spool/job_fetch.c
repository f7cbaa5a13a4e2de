/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/spool/job_fetch.h"

#include "src/spool/spool_read.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* maximum depth of folders in the results; number of bytes that are copied at a time */
enum { DEPTH_MAX = 4, BLOCK = 1 << 16 };

static int refuse(const char *path, const char *what, Diagnostics *diagnostics) {
  return diagnostics_error(diagnostics, EXIT_INTERNAL, "%s: %s", path, what);
}

static int copy_bytes(int from, int to, const char *path, Diagnostics *diagnostics) {
  char block[BLOCK];
  for (;;) {
    ssize_t got = read(from, block, sizeof block);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return refuse(path, strerror(errno), diagnostics);
    if (got == 0) return 0;
    for (ssize_t done = 0; done < got;) {
      ssize_t put = write(to, block + done, (size_t)(got - done));
      if (put < 0 && errno != EINTR)
        return refuse(path, "could not be written in full (is the disk full?)", diagnostics);
      if (put > 0) done += put;
    }
  }
}

static int copy_file(int folder, const char *name, const char *path, Diagnostics *diagnostics) {
  char fault[FILE_FAULT_SIZE];
  int from = spool_open_file(folder, name, NULL);
  if (from < 0) return 0; /* the entry is a link, or has been removed */
  int to = file_open_to_write(path, O_CREAT, 0666, fault), code = 0;
  if (to < 0)
    code = diagnostics_error(diagnostics, EXIT_USAGE, "%s: %s", path, fault);
  else if (ftruncate(to, 0))
    code = refuse(path, strerror(errno), diagnostics);
  else
    code = copy_bytes(from, to, path, diagnostics);
  if (to >= 0 && close(to) && !code) code = refuse(path, strerror(errno), diagnostics);
  close(from);
  return code;
}

/* Returns whether a file is only for the service, so that it is not fetched. */
static bool is_left_out(const char *name) {
  return name[0] == '.' || strcmp(name, "lock") == 0 || strcmp(name, "attempts.json") == 0 ||
         text_ends_with(name, ".part");
}

static int copy_folder(int folder, const char *directory, int depth, Diagnostics *diagnostics);

/* Copies an entry of a folder: a file or a subfolder. */
static int copy_entry(int folder, const char *name, const char *directory, int depth, Diagnostics *diagnostics) {
  char path[FILE_PATH_SIZE];
  struct stat info;
  if (is_left_out(name) || fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW)) return 0;
  if (snprintf(path, sizeof path, "%s/%s", directory, name) >= FILE_PATH_SIZE)
    return diagnostics_error(diagnostics, EXIT_USAGE, "%s: the name is too long", directory);
  if (S_ISREG(info.st_mode)) return copy_file(folder, name, path, diagnostics);
  if (!S_ISDIR(info.st_mode) || depth == DEPTH_MAX) return 0;
  if (mkdir(path, 0777) && errno != EEXIST) return refuse(path, strerror(errno), diagnostics);
  if (lstat(path, &info) || !S_ISDIR(info.st_mode))
    return diagnostics_error(diagnostics, EXIT_USAGE, "%s: is there and is not a directory", path);
  int inner = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  return inner < 0 ? 0 : copy_folder(inner, path, depth + 1, diagnostics);
}

/* Copies a folder and closes it. */
static int copy_folder(int folder, const char *directory, int depth, Diagnostics *diagnostics) {
  DIR *handle = fdopendir(folder);
  int code = 0;
  if (!handle) {
    close(folder);
    return diagnostics_no_memory(diagnostics);
  }
  for (const struct dirent *entry; !code && (entry = readdir(handle)) != NULL;)
    code = copy_entry(folder, entry->d_name, directory, depth, diagnostics);
  closedir(handle);
  return code;
}

int job_fetch(const SpoolFolders *spool, SpoolFolder state, const char *name, const char *directory,
              Diagnostics *diagnostics) {
  int folder = spool_open_job(spool, state, name);
  if (folder < 0)
    return diagnostics_error(diagnostics, EXIT_USAGE, "%s/%s/%s: %s", spool->path, spool_folder_names[state], name,
                             strerror(errno));
  int code = copy_entry(folder, "checkpoint", directory, 0, diagnostics);
  if (code) {
    close(folder);
    return code;
  }
  return copy_folder(folder, directory, 0, diagnostics);
}
