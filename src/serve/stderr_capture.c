#include "src/serve/stderr_capture.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int told_open(Told *told, const char *path) {
  *told = (Told){open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0666), -1};
  if (told->file >= 0) return 0;
  fprintf(stderr, "stiction: %s: %s\n", path, strerror(errno));
  return -1;
}

void told_clear(Told *told) {
  fflush(stderr);
  if (ftruncate(told->file, 0)) fprintf(stderr, "stiction: %s\n", strerror(errno)); /* among what stays */
}

void told_begin(Told *told) {
  fflush(stderr);
  told->before = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (told->before >= 0) dup2(told->file, STDERR_FILENO);
}

void told_end(Told *told) {
  fflush(stderr);
  if (told->before < 0) return; /* no file was left for that */
  dup2(told->before, STDERR_FILENO);
  close(told->before);
  told->before = -1;
}

void told_close(Told *told) {
  if (told->file >= 0) close(told->file);
  told->file = -1;
}
