/* SPDX-License-Identifier: BSD-2-Clause */
/* Checkpoints: the state of a run, as bytes, in a directory that contains a complete state at all times.
 *
 * There are two generations, the files state.0 and state.1. A new state is written to a third file, flushed to disk
 * (fsync) and renamed over the older generation; then the directory is flushed. If a process or machine fails or the
 * disk is full at any time, at least one of the two files is complete. A checksum shows which one. The meaning of the
 * bytes is up to the caller. The functions are not collective and print nothing. */
#ifndef CONTROL_CHECKPOINT_H
#define CONTROL_CHECKPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CTL_CHECKPOINT_PATH = 4096, CTL_CHECKPOINT_TEXT = CTL_CHECKPOINT_PATH + 256 };

typedef struct CtlCheckpoint {
  char directory[CTL_CHECKPOINT_PATH];
  /* identity of the problem, from ctl_checkpoint_identity; states of other problems are refused */
  uint64_t identity;
  double seconds;                 /* minimum time between two checkpoints, in s; 0: a checkpoint at each opportunity */
  uint64_t serial;                /* number of the latest generation; 0 if there is none yet */
  int next;                       /* index of the file that is written next, 0 or 1 */
  double last;                    /* time of the latest checkpoint, or of the beginning of the run, in s */
  double cost;                    /* duration of writing the latest checkpoint, in s */
  long written;                   /* number of checkpoints written in this run */
  double spent;                   /* total duration of writing checkpoints, in s */
  char text[CTL_CHECKPOINT_TEXT]; /* messages of the last call, for the user; "" if there are none */
} CtlCheckpoint;

/* Initialises *checkpoint, and creates the directory if necessary; its parent must exist. now: the time of any
 * monotonic clock, in s; all calls must use the same clock. Returns 0, or -1 with the reason in `text`. */
int ctl_checkpoint_open(CtlCheckpoint *checkpoint, const char *directory, uint64_t identity, double seconds,
                        double now);

/* Whether the next checkpoint is due: `seconds` must have passed since the last one, and also 50 times the time that
 * the last one took to write, so that checkpoints take at most 2 % of the run time. If `seconds` is 0, a checkpoint is
 * always due. */
bool ctl_checkpoint_due(const CtlCheckpoint *checkpoint, double now);

/* Writes a checkpoint. Returns 0, or -1 with the reason in `text`; in this case the preceding checkpoint is intact. */
int ctl_checkpoint_write(CtlCheckpoint *checkpoint, const void *bytes, size_t size, double now);

/* Reads the latest complete checkpoint into *bytes, which the caller must free. Returns 1 on success. In this case a
 * message in `text` warns if the file used may not be the latest. Returns 0 if there is no checkpoint at all, and -1,
 * with the reasons in `text`, if the existing files cannot be used. */
int ctl_checkpoint_read(CtlCheckpoint *checkpoint, void **bytes, size_t *size);

/* Removes both state files, at the end of a run. */
void ctl_checkpoint_clear(CtlCheckpoint *checkpoint);

/* Returns the identity of a problem, the 64-bit FNV-1a hash of a text. The text must contain all data that affect the
 * result. */
uint64_t ctl_checkpoint_identity(const char *text, size_t size);

/* Returns the CRC-32 checksum of bytes. before: checksum of the bytes that precede them, or 0 if none do. */
uint32_t ctl_checkpoint_sum(uint32_t before, const void *bytes, size_t size);

#endif
