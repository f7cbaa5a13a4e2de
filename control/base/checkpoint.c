/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/base/checkpoint.h"

#include "control/base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { PATH_SIZE = CTL_CHECKPOINT_PATH + 16, GENERATIONS = 2, FORMAT = 4, BYTE_ORDER_MARK = 0x01020304 };
static const char MAGIC[8] = {'s', 't', 'i', 'c', 't', 'i', 'o', 'n'};
static const double COST_SHARE = 0.02; /* largest fraction of the run time that may be spent on checkpoints */

/* Header of a state file. */
typedef struct Head {
  char magic[8];
  uint32_t byte_order, format;
  uint64_t identity, serial, size;
  uint32_t state_sum; /* CRC-32 checksum of the state */
  uint32_t head_sum;  /* CRC-32 checksum of all preceding fields of the header */
} Head;

uint32_t ctl_checkpoint_sum(uint32_t before, const void *bytes, size_t size) {
  return (uint32_t)crc32_z(before, bytes, size);
}

static uint32_t sum(const void *bytes, size_t size) { return ctl_checkpoint_sum(0, bytes, size); }

uint64_t ctl_checkpoint_identity(const char *text, size_t size) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < size; i++) hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
  return hash;
}

static int set_error(CtlCheckpoint *checkpoint, const char *path, const char *what) {
  size_t length = strlen(checkpoint->text);
  snprintf(checkpoint->text + length, sizeof checkpoint->text - length, "%s%s: %s", length ? "; " : "", path, what);
  return -1;
}

static void path_of(const CtlCheckpoint *checkpoint, const char *name, char *path) {
  snprintf(path, PATH_SIZE, "%s/%s", checkpoint->directory, name);
}

static void generation_path(const CtlCheckpoint *checkpoint, int k, char *path) {
  path_of(checkpoint, k ? "state.1" : "state.0", path);
}

int ctl_checkpoint_open(CtlCheckpoint *checkpoint, const char *directory, uint64_t identity, double seconds,
                        double now) {
  struct stat info;
  *checkpoint = (CtlCheckpoint){.identity = identity, .seconds = seconds, .last = now};
  if (strlen(directory) >= sizeof checkpoint->directory)
    return set_error(checkpoint, directory, "the name is too long");
  strcpy(checkpoint->directory, directory);
  if (mkdir(directory, 0777) && errno != EEXIST) return set_error(checkpoint, directory, strerror(errno));
  /* lstat refuses a link, which might lead to another user's directory */
  if (lstat(directory, &info) || !S_ISDIR(info.st_mode))
    return set_error(checkpoint, directory, "is a link or not a folder");
  return 0;
}

bool ctl_checkpoint_due(const CtlCheckpoint *checkpoint, double now) {
  double wait = checkpoint->seconds, least = checkpoint->cost / COST_SHARE;
  if (wait > 0 && wait < least) wait = least;
  return now - checkpoint->last >= wait;
}

/* Writes all bytes to an open file. Returns 0 or the errno of the failure. */
static int write_all(int file, const void *bytes, size_t size) {
  const char *from = bytes;
  while (size) {
    ssize_t done = write(file, from, size);
    if (done < 0 && errno != EINTR) return errno;
    if (done < 0) continue;
    from += done;
    size -= (size_t)done;
  }
  return 0;
}

static int sync_directory(const char *path) {
  int directory = open(path, O_RDONLY | O_DIRECTORY);
  if (directory < 0) return errno;
  int error = fsync(directory) ? errno : 0;
  if (error == EINVAL) error = 0; /* EINVAL: this file system does not support fsync of a directory */
  close(directory);
  return error;
}

/* Writes a state file. An existing file of that name, also a link or named pipe, is removed first and never written
 * to. */
static int write_file(const char *path, const Head *head, const void *bytes) {
  unlink(path);
  int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0) return errno;
  int error = write_all(file, head, sizeof *head);
  if (!error) error = write_all(file, bytes, head->size);
  if (!error && fsync(file)) error = errno;
  if (close(file) && !error) error = errno;
  return error;
}

int ctl_checkpoint_write(CtlCheckpoint *checkpoint, const void *bytes, size_t size, double now) {
  char part[PATH_SIZE], path[PATH_SIZE];
  double before = ctl_seconds();
  Head head = {.byte_order = BYTE_ORDER_MARK,
               .format = FORMAT,
               .identity = checkpoint->identity,
               .serial = checkpoint->serial + 1,
               .size = size,
               .state_sum = sum(bytes, size)};
  memcpy(head.magic, MAGIC, sizeof MAGIC);
  head.head_sum = sum(&head, offsetof(Head, head_sum));
  checkpoint->text[0] = 0;
  path_of(checkpoint, "state.part", part);
  generation_path(checkpoint, checkpoint->next, path);
  int error = write_file(part, &head, bytes);
  if (!error && rename(part, path)) error = errno;
  if (!error) error = sync_directory(checkpoint->directory);
  if (error) {
    unlink(part);
    return set_error(checkpoint, path, strerror(error));
  }
  checkpoint->serial++;
  checkpoint->next = 1 - checkpoint->next;
  checkpoint->last = now;
  checkpoint->cost = ctl_seconds() - before;
  checkpoint->spent += checkpoint->cost;
  checkpoint->written++;
  return 0;
}

/* Returns the reason why a file is not a valid state, or NULL if it is valid. size: length of the whole file, in
 * bytes. */
static const char *file_fault(const CtlCheckpoint *checkpoint, const Head *head, off_t size) {
  if ((size_t)size < sizeof *head) return "truncated within its header";
  if (memcmp(head->magic, MAGIC, sizeof MAGIC)) return "not a checkpoint";
  if (head->byte_order != BYTE_ORDER_MARK) return "written on a machine with another byte order";
  if (head->format != FORMAT) return "in a format that this version of the program does not read";
  if (head->head_sum != sum(head, offsetof(Head, head_sum))) return "damaged (the checksum of its header is wrong)";
  if (head->identity != checkpoint->identity) return "of another problem";
  if ((uint64_t)size - sizeof *head != head->size) return "truncated: its length differs from that in its header";
  return NULL;
}

/* Reads a state file and its header. Returns NULL if the file does not exist, or, after reporting the fault, if it is
 * not complete and valid. */
static void *read_file(CtlCheckpoint *checkpoint, const char *path, Head *head) {
  struct stat info;
  void *bytes = NULL;
  /* without O_NONBLOCK, open would wait for a writer if the name is a named pipe; such a pipe counts as a damaged
   * state */
  int file = open(path, O_RDONLY | O_NONBLOCK);
  if (file < 0 && errno == ENOENT) return NULL;
  *head = (Head){0};
  FILE *stream = file < 0 ? NULL : fdopen(file, "rb");
  if (!stream || fstat(file, &info)) {
    set_error(checkpoint, path, strerror(errno));
    if (stream)
      fclose(stream);
    else if (file >= 0)
      close(file);
    return NULL;
  }
  bool headed = fread(head, sizeof *head, 1, stream) == 1;
  const char *wrong = file_fault(checkpoint, head, headed ? info.st_size : 0);
  if (!wrong && !(bytes = malloc(head->size + 1))) wrong = "out of memory";
  if (!wrong && (fread(bytes, 1, head->size, stream) != head->size || sum(bytes, head->size) != head->state_sum))
    wrong = "damaged (its checksum is wrong)";
  fclose(stream);
  if (!wrong) return bytes;
  set_error(checkpoint, path, wrong);
  free(bytes);
  return NULL;
}

int ctl_checkpoint_read(CtlCheckpoint *checkpoint, void **bytes, size_t *size) {
  Head heads[GENERATIONS];
  void *states[GENERATIONS];
  char path[PATH_SIZE];
  checkpoint->text[0] = 0;
  *bytes = NULL;
  for (int k = 0; k < GENERATIONS; k++) {
    generation_path(checkpoint, k, path);
    states[k] = read_file(checkpoint, path, &heads[k]);
  }
  if (!states[0] && !states[1]) return checkpoint->text[0] ? -1 : 0;
  int latest = !states[0] || (states[1] && heads[1].serial > heads[0].serial);
  free(states[1 - latest]);
  *bytes = states[latest];
  *size = heads[latest].size;
  checkpoint->serial = heads[latest].serial;
  checkpoint->next = 1 - latest;
  return 1;
}

void ctl_checkpoint_clear(CtlCheckpoint *checkpoint) {
  static const char *const names[] = {"state.0", "state.1", "state.part"};
  char path[PATH_SIZE];
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    path_of(checkpoint, names[i], path);
    unlink(path);
  }
}
