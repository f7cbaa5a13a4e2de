/* Times and initial state of an answer in a results directory, for motion plans. */
#ifndef SRC_PROBLEM_SAVED_MOTION_H
#define SRC_PROBLEM_SAVED_MOTION_H

#include "src/file/sections/motion_plan.h"

/* Members of outcome of DIR/summary.json; what it lacks is not there. The caller clears it. */
typedef struct SavedMotion {
  json_t *summary; /* owned */
  double end;      /* T, s; NAN: not known */
  json_t *lengths; /* borrowed, as the next; NULL: equal segments */
  json_t *initial;
  json_t *times;
} SavedMotion;

/* Reads one, of DIR or DIR:grid; what cannot be read leaves it empty. */
void saved_motion_read(const char *directory, SavedMotion *saved);
void saved_motion_clear(SavedMotion *saved);

/* Makes the variables of a plan start there; within: moved into their bounds. Segments of the plan may be a multiple of
 * the saved ones. */
void saved_motion_start(const SavedMotion *saved, MotionPlan *plan, int segments, bool within);

#endif
