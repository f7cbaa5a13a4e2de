/* Checkpoints: the state of a run, as bytes, in a directory that always holds a whole one.
 *
 * There are two generations, the files state.0 and state.1. A new one is written beside them, put on the disk (fsync),
 * and renamed over the older of the two; then the directory itself is put on the disk. Whenever a process or a machine
 * dies, or the disk is full, at least one of them is whole, and a checksum tells which. What the bytes mean is the
 * caller's business. Local; prints nothing. */
#ifndef CONTROL_CHECKPOINT_H
#define CONTROL_CHECKPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CTL_CHECKPOINT_PATH = 4096, CTL_CHECKPOINT_TEXT = CTL_CHECKPOINT_PATH + 256 };

typedef struct CtlCheckpoint {
  char directory[CTL_CHECKPOINT_PATH];
  uint64_t identity;              /* of the problem: ctl_checkpoint_identity; a state of another problem is refused */
  double seconds;                 /* least time between two; 0: none, one each time */
  uint64_t serial;                /* of the latest generation; 0: there is none yet */
  int next;                       /* file that is written next: 0 or 1 */
  double last;                    /* s: when the latest was written, or the run began */
  double cost;                    /* s: how long that took */
  long written;                   /* how many */
  double spent;                   /* s: on all of them */
  char text[CTL_CHECKPOINT_TEXT]; /* what has gone wrong in the last call, for the user; "" when nothing has */
} CtlCheckpoint;

/* Makes the directory if need be; its parent must be there. now: the time, s, of any clock that does not go back, the
 * same one in all calls. Returns 0, or -1 (text). */
int ctl_checkpoint_open(CtlCheckpoint *checkpoint, const char *directory, uint64_t identity, double seconds,
                        double now);

/* Whether it is time for the next: `seconds` after the last, and, unless that is 0, 50 times as long after it as it
 * took, so that checkpoints take no more than 2 per cent of the time. */
bool ctl_checkpoint_due(const CtlCheckpoint *checkpoint, double now);

/* Writes a generation. Returns 0, or -1 (text); the generation that was the latest before is intact then. */
int ctl_checkpoint_write(CtlCheckpoint *checkpoint, const void *bytes, size_t size, double now);

/* Reads the latest whole generation: *bytes, to be freed. Returns 1; 0 when there is none at all, neither whole nor
 * torn; -1 when those that are there cannot be used (text tells why, of each). If the latest is not the one used, or
 * could not be told, text says so although 1 is returned. */
int ctl_checkpoint_read(CtlCheckpoint *checkpoint, void **bytes, size_t *size);

/* Removes the generations, when the run they belong to is over. */
void ctl_checkpoint_clear(CtlCheckpoint *checkpoint);

/* A problem's identity, of a text that says all that its answer depends on (64-bit FNV-1a). */
uint64_t ctl_checkpoint_identity(const char *text, size_t size);

/* CRC-32 of bytes that follow on others, whose sum is `before`; 0: on none. */
uint32_t ctl_checkpoint_sum(uint32_t before, const void *bytes, size_t size);

#endif
