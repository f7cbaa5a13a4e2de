/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/file/sections/saved_motion.h"

#include "src/base/file_open.h"
#include "src/file/sections/saved_control.h"

#include <math.h>
#include <stdio.h>

void saved_motion_read(const char *directory, SavedMotion *saved) {
  char path[FILE_PATH_SIZE];
  json_error_t error;
  int length = (int)saved_control_directory(directory);
  *saved = (SavedMotion){.end = NAN};
  if (snprintf(path, sizeof path, "%.*s/summary.json", length, directory) >= (int)sizeof path) return;
  saved->summary = file_json(path, &error);
  const json_t *outcome = json_object_get(saved->summary, "outcome"),
               *time = json_object_get(json_object_get(saved->summary, "problem"), "time"),
               *end = json_object_get(outcome, "end");
  if (!json_is_number(end)) end = json_object_get(time, "end");
  if (json_is_number(end)) saved->end = json_number_value(end);
  saved->lengths = json_object_get(outcome, "lengths");
  saved->initial = json_object_get(outcome, "initial");
  saved->times = json_object_get(outcome, "times");
}

void saved_motion_clear(SavedMotion *saved) {
  json_decref(saved->summary);
  *saved = (SavedMotion){.end = NAN};
}

static double entry_of(const json_t *list, int k) {
  const json_t *value = json_array_get(list, (size_t)k);
  return json_is_number(value) ? json_number_value(value) : NAN;
}

/* Returns the length of segment k of the plan, in s. If the number of segments is a multiple of the saved number, each
 * saved segment is divided into equal parts. */
static double length_of(const SavedMotion *saved, int segments, int k) {
  int count = (int)json_array_size(saved->lengths);
  if (count < 1 || segments % count) return saved->end / segments;
  int parts = segments / count;
  return entry_of(saved->lengths, k / parts) / parts;
}

static double value_of(const SavedMotion *saved, int segments, const CtlVariable *variable, int *time) {
  switch (variable->what) {
  case CTL_VARY_END: return saved->end;
  case CTL_VARY_LENGTH: return length_of(saved, segments, variable->entry);
  case CTL_VARY_POSITION: return entry_of(json_object_get(saved->initial, "position"), variable->entry);
  case CTL_VARY_VELOCITY: return entry_of(json_object_get(saved->initial, "velocity"), variable->entry);
  default: return entry_of(saved->times, (*time)++);
  }
}

void saved_motion_start(const SavedMotion *saved, MotionPlan *plan, int segments, bool within) {
  int time = 0;
  for (int k = 0; k < plan->variables; k++) {
    CtlVariable *variable = &plan->variable[k];
    double value = value_of(saved, segments, variable, &time);
    if (!isfinite(value)) continue;
    variable->start = within ? fmin(fmax(value, variable->lower), variable->upper) : value;
  }
}
