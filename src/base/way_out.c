/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/base/way_out.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

/* maximum number of parts of words that lead to the same advice */
enum { PARTS_MAX = 6 };

/* Words for subjects that the program does not cover, each with advice on what to use instead. README.md, section "What
 * it is not for", has more detail. */
static const struct {
  const char *parts[PARTS_MAX]; /* parts of words: an unknown word that contains one of them gets this advice */
  const char *way;
} ways[] = {
    {{"pendulum", "robot", "multibody", "coriolis", "jacobian"},
     "coordinates, bodies, energies and robots' files are kind: mechanism (stiction help model)"},
    {{"contact"}, "for a motion of your own: stiction search, stiction help evaluator"},
    {{"loops", "model.constraint"},
     "closed loops: take the coordinates that move freely, and the places of the others by them in model.let"},
    {{"minimum_time", "minimal_time", "least_time", "min_time", "time_opt", "shortest"},
     "for least time: control.minimize: time, with time.end: free"},
    {{"feedback", "controller", "closed_loop", "pid", "gain"},
     "u(t) is found in advance; a fixed PD controller is stiffness and damping, any other is for stiction search"},
    {{"bounds.position", "bounds.velocity", "bounds.speed", "obstacle", "path", "constraint"},
     "limits at all times are control.limits; model.stops are walls that the motion hits"},
    {{"torque", "moment"}, "of an angle x forces are torques: model.force is what is known, control finds u"},
    {{"inertia"}, "of an angle x it is model.mass, kg m^2"},
    {{"limit"}, "control.bounds limits u, control.limits the motion, model.stops limits x by walls"},
    {{"gravity", "weight_force"}, "a load is model.force"},
    {{"dof_names", "joint_names", "labels"}, "that is model.names"},
};

bool text_has(const char *text, const char *part) {
  size_t length = strlen(part);
  for (; *text; text++)
    if (strncasecmp(text, part, length) == 0) return true;
  return false;
}

const char *way_out(const char *unknown) {
  for (size_t k = 0; k < sizeof ways / sizeof *ways; k++)
    for (int i = 0; i < PARTS_MAX && ways[k].parts[i]; i++)
      if (text_has(unknown, ways[k].parts[i])) return ways[k].way;
  return NULL;
}

static int minimum(int a, int b) { return a < b ? a : b; }

int edit_distance(const char *a, const char *b) {
  int row[WORD_LENGTH_MAX + 1], length = (int)strlen(b);
  for (int j = 0; j <= length; j++) row[j] = j;
  for (int i = 1; a[i - 1]; i++) {
    int diagonal = row[0];
    row[0] = i;
    for (int j = 1; j <= length; j++) {
      int change = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = minimum(change, 1 + minimum(row[j], row[j - 1]));
    }
  }
  return row[length];
}
