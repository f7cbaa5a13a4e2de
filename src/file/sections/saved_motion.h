/* SPDX-License-Identifier: BSD-2-Clause */
/* Times and initial state of an answer in a results directory, from which a motion plan can start. */
#ifndef SRC_PROBLEM_SAVED_MOTION_H
#define SRC_PROBLEM_SAVED_MOTION_H

#include "src/file/sections/motion_plan.h"

/* Members of outcome in DIR/summary.json; missing ones are NAN or NULL. The caller clears it. */
typedef struct SavedMotion {
  json_t *summary; /* content of summary.json; owned */
  double end;      /* end T in s; NAN: not known */
  json_t *lengths; /* lengths of the segments, in s; borrowed, like the next; NULL: all segments are equal */
  json_t *initial;
  json_t *times;
} SavedMotion;

/* Reads the answer in DIR or DIR:grid. If it cannot be read, `saved` is empty. */
void saved_motion_read(const char *directory, SavedMotion *saved);
void saved_motion_clear(SavedMotion *saved);

/* Makes the variables of a plan start at a saved answer. The plan may have a multiple of its segments. within: moves
 * the variables into their bounds. */
void saved_motion_start(const SavedMotion *saved, MotionPlan *plan, int segments, bool within);

#endif
