/* SPDX-License-Identifier: BSD-2-Clause */
#define _XOPEN_SOURCE 700 /* declares realpath */
#include "src/base/file_open.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void describe_error(char fault[FILE_FAULT_SIZE], int number) {
  if (number == ELOOP)
    snprintf(fault, FILE_FAULT_SIZE, "is a link (expected a file)");
  else
    snprintf(fault, FILE_FAULT_SIZE, "cannot be opened (%s)", strerror(number));
}

int file_open_to_write(const char *path, int flags, mode_t mode, char fault[FILE_FAULT_SIZE]) {
  struct stat info = {0};
  int file = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | flags, mode), modes;
  if (file < 0 || fstat(file, &info) || (modes = fcntl(file, F_GETFL)) < 0)
    describe_error(fault, errno);
  else if (!S_ISREG(info.st_mode))
    snprintf(fault, FILE_FAULT_SIZE, "is not a file");
  else if (info.st_nlink > 1)
    snprintf(fault, FILE_FAULT_SIZE, "has another name, too (expected a file with one)");
  else if (fcntl(file, F_SETFL, modes & ~O_NONBLOCK) == 0)
    return file;
  else
    describe_error(fault, errno);
  if (file >= 0) close(file);
  return -1;
}

FILE *file_open(const char *path, char fault[FILE_FAULT_SIZE]) {
  struct stat info;
  /* The type is checked after opening, not before, since another process may replace the file between the two calls. */
  int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (file >= 0 && fstat(file, &info) == 0 && !S_ISREG(info.st_mode)) {
    close(file);
    snprintf(fault, FILE_FAULT_SIZE, "is not a file");
    errno = 0;
    return NULL;
  }
  FILE *stream = file >= 0 ? fdopen(file, "r") : NULL;
  if (stream) return stream;
  int number = errno;
  if (file >= 0) close(file);
  describe_error(fault, number);
  errno = number;
  return NULL;
}

json_t *file_json(const char *path, json_error_t *error) {
  char fault[FILE_FAULT_SIZE];
  FILE *file = file_open(path, fault);
  if (!file) {
    *error = (json_error_t){.line = 1, .column = 1};
    snprintf(error->text, sizeof error->text, "%s", fault);
    return NULL;
  }
  json_t *json = json_loadf(file, 0, error);
  fclose(file);
  return json;
}

/* Real path of the only folder from which files may be read; NULL: files may be anywhere. Set once per process. */
static char *confined_to;

bool files_confine(const char *file) {
  const char *slash = strrchr(file, '/');
  char *folder = slash ? strndup(file, (size_t)(slash - file) + 1) : strdup(".");
  confined_to = folder ? realpath(folder, NULL) : NULL;
  free(folder);
  return confined_to;
}

/* Returns whether a path, after all links are resolved, lies directly in the folder confined_to. A file that does not
 * exist counts as outside. */
static bool is_confined(const char *path) {
  char *real = realpath(path, NULL);
  size_t length = strlen(confined_to);
  bool inside =
      real && strncmp(real, confined_to, length) == 0 && real[length] == '/' && !strchr(real + length + 1, '/');
  free(real);
  return inside;
}

bool file_beside(const char *other, const char *name, char path[FILE_PATH_SIZE]) {
  const char *slash = strrchr(other, '/');
  int directory = slash && name[0] != '/' ? (int)(slash - other) + 1 : 0;
  if (snprintf(path, FILE_PATH_SIZE, "%.*s%s", directory, other, name) >= FILE_PATH_SIZE) return false;
  return !confined_to || is_confined(path);
}

/* Reads a stream to its end and returns the text. On failure adds a diagnostic and returns NULL. */
static char *slurp(FILE *stream, size_t *size, const Place *place, Diagnostics *diagnostics) {
  char *text = NULL;
  *size = 0;
  for (size_t capacity = 1 << 16;; capacity *= 2) {
    char *longer = realloc(text, capacity);
    if (!longer) {
      diagnostics->no_memory = true;
      break;
    }
    text = longer;
    *size += fread(text + *size, 1, capacity - 1 - *size, stream);
    if (ferror(stream)) {
      diagnostics_add(diagnostics, place, "document", "cannot be read (%s)", strerror(errno));
      break;
    }
    if (*size > FILE_SIZE_MAX) {
      diagnostics_add(diagnostics, place, "document", "too large (expected at most 64 MiB)");
      break;
    }
    text[*size] = '\0';
    if (feof(stream)) return text;
  }
  free(text);
  return NULL;
}

char *file_read(const char *path, size_t *size, Diagnostics *diagnostics) {
  char fault[FILE_FAULT_SIZE];
  Place place = {.name = path};
  FILE *stream = file_open(path, fault);
  if (!stream) {
    diagnostics_add(diagnostics, &place, "document", "%s", fault);
    return NULL;
  }
  char *text = slurp(stream, size, &place, diagnostics);
  fclose(stream);
  return text;
}
