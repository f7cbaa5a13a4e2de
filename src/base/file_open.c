#include "src/base/file_open.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

FILE *file_open(const char *path, char fault[FILE_FAULT_SIZE]) {
  struct stat info;
  int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); /* looked at once it is open: a name may change hands */
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
  snprintf(fault, FILE_FAULT_SIZE, "cannot be opened (%s)", strerror(number));
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
