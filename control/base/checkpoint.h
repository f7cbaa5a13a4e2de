/* Checkpoints: the state of a run, as bytes, in a directory that always contains a complete one.
 *
 * There are two generations, the files state.0 and state.1. A new one is written beside them, flushed to disk
 * (fsync) and renamed over the older one; then the directory is flushed. If a process or machine dies or the disk is
 * full at any time, at least one of them is complete, which a checksum shows. The caller defines the meaning of the
 * bytes. Local; prints nothing. */
#ifndef CONTROL_CHECKPOINT_H
#define CONTROL_CHECKPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CTL_CHECKPOINT_PATH = 4096, CTL_CHECKPOINT_TEXT = CTL_CHECKPOINT_PATH + 256 };

typedef struct CtlCheckpoint {
  char directory[CTL_CHECKPOINT_PATH];
  /* identity of the problem: ctl_checkpoint_identity; states of other problems are refused */
  uint64_t identity;
  double seconds;                 /* minimum time between two; 0: one at each opportunity */
  uint64_t serial;                /* number of the latest generation; 0: none yet */
  int next;                       /* index of the file to be written next: 0 or 1 */
  double last;                    /* s: time of the latest, or of the beginning of the run */
  double cost;                    /* s: duration of writing it */
  long written;                   /* number of generations written */
  double spent;                   /* s: total duration of writing */
  char text[CTL_CHECKPOINT_TEXT]; /* errors of the last call, for the user; "" if none */
} CtlCheckpoint;

/* Creates the directory if necessary; its parent must exist. now: time, s, of any monotonic clock, the same in all
 * calls. Returns 0, or -1 (text). */
int ctl_checkpoint_open(CtlCheckpoint *checkpoint, const char *directory, uint64_t identity, double seconds,
                        double now);

/* Whether the next one is due: `seconds` after the last and, unless that is 0, 50 times its duration, so that
 * checkpoints take at most 2 % of the time. */
bool ctl_checkpoint_due(const CtlCheckpoint *checkpoint, double now);

/* Writes a generation. Returns 0, or -1 (text); the latest generation is then intact. */
int ctl_checkpoint_write(CtlCheckpoint *checkpoint, const void *bytes, size_t size, double now);

/* Reads the latest complete generation: *bytes, freed by the caller. Returns 1; 0 if there is none, complete or
 * damaged; -1 if existing ones cannot be used (text has the reason for each). If the one used is not or may not be
 * the latest, text says so with result 1. */
int ctl_checkpoint_read(CtlCheckpoint *checkpoint, void **bytes, size_t *size);

/* Removes the generations at the end of the run. */
void ctl_checkpoint_clear(CtlCheckpoint *checkpoint);

/* Identity of a problem: 64-bit FNV-1a hash of a text with all data that affect its answer. */
uint64_t ctl_checkpoint_identity(const char *text, size_t size);

/* CRC-32 of bytes that continue a sequence with sum `before`; 0: a new sequence. */
uint32_t ctl_checkpoint_sum(uint32_t before, const void *bytes, size_t size);

#endif
