/* SPDX-License-Identifier: BSD-2-Clause */
/* Checkpoints: the state of a run, as bytes, in a directory that always contains a complete one.
 *
 * There are two generations, the files state.0 and state.1. A new state is written to a third file, flushed to disk
 * (fsync) and renamed over the older generation; then the directory is flushed. If a process or machine fails or the
 * disk is full at any time, at least one of the two files is complete. A checksum shows which. The caller defines the
 * meaning of the bytes. Local; prints nothing. */
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

/* Creates the directory if necessary; its parent must exist. now: time, in s, of any monotonic clock, the same in all
 * calls. Returns 0, or -1 (text). */
int ctl_checkpoint_open(CtlCheckpoint *checkpoint, const char *directory, uint64_t identity, double seconds,
                        double now);

/* Whether the next checkpoint is due. Two conditions must hold: `seconds` have passed since the last one, and 50 times
 * its duration, so that checkpoints take at most 2 % of the time. If `seconds` is 0, a checkpoint is always due. */
bool ctl_checkpoint_due(const CtlCheckpoint *checkpoint, double now);

/* Writes a checkpoint. Returns 0; or -1 with text set, and then the latest checkpoint is intact. */
int ctl_checkpoint_write(CtlCheckpoint *checkpoint, const void *bytes, size_t size, double now);

/* Reads the latest complete checkpoint into *bytes, which the caller frees. Returns 1. Returns 0 if there is no
 * checkpoint at all. Returns -1 if the existing files cannot be used, with the reasons in text. If the file used may
 * not be the latest, the result is 1 and text says so. */
int ctl_checkpoint_read(CtlCheckpoint *checkpoint, void **bytes, size_t *size);

/* Removes both state files at the end of a run. */
void ctl_checkpoint_clear(CtlCheckpoint *checkpoint);

/* Returns the identity of a problem: the 64-bit FNV-1a hash of a text that contains all data that affect its answer. */
uint64_t ctl_checkpoint_identity(const char *text, size_t size);

/* Returns the CRC-32 checksum of bytes. before: checksum of the bytes that precede them, or 0 if none do. */
uint32_t ctl_checkpoint_sum(uint32_t before, const void *bytes, size_t size);

#endif
