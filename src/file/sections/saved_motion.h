/* SPDX-License-Identifier: BSD-2-Clause */
/* Times and initial state of a motion in a results directory, from which the search of a motion plan can start. */
#ifndef SRC_PROBLEM_SAVED_MOTION_H
#define SRC_PROBLEM_SAVED_MOTION_H

#include "src/file/sections/motion_plan.h"

/* Members of `outcome` in DIR/summary.json; missing ones are NAN or NULL. The caller clears this struct. */
typedef struct SavedMotion {
  json_t *summary; /* content of summary.json; owned */
  double end;      /* end T in s; NAN: not known */
  json_t *lengths; /* lengths of the segments, in s; borrowed, like the next two members; NULL: all segments have equal
                    * lengths */
  json_t *initial;
  json_t *times;
} SavedMotion;

/* Reads the results in DIR or DIR:grid. If they cannot be read, `saved` is empty. */
void saved_motion_read(const char *directory, SavedMotion *saved);
void saved_motion_clear(SavedMotion *saved);

/* Sets the start values of a plan's variables to the saved results. The number of segments of the plan may be a
 * multiple of the saved one. within: moves start values into the bounds of their variables. */
void saved_motion_start(const SavedMotion *saved, MotionPlan *plan, int segments, bool within);

#endif
