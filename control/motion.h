/* SPDX-License-Identifier: BSD-2-Clause */
/* The motions that can be simulated at a point (a control). Besides the problem's own motion there are motions with
 * reduced friction. They help a search to start from a control at which all joints stick. */
#ifndef CONTROL_MOTION_H
#define CONTROL_MOTION_H

#include <stdbool.h>

typedef enum CtlMotion {
  CTL_MOTION_FILE,       /* the problem's own motion */
  CTL_MOTION_FREE,       /* without friction */
  CTL_MOTION_THIRD,      /* the motion with a third of the friction */
  CTL_MOTION_TWO_THIRDS, /* the motion with two thirds of the friction */
  CTL_MOTIONS,
  /* Pattern queries (control/pattern/answer.h), which ask for a control instead of a motion, for a point with a number
   * of segments. The evaluator chooses a pattern of stick and slip, shifts the times of its slips to lower the effort,
   * and returns the control of least effort with this pattern. */
  CTL_MOTION_SEED = 8, /* the query starts from the k-th best seed (initial pattern), where k is the first entry of the
                        * point */
  CTL_MOTION_SHIFTED,  /* the query starts from the pattern of stick and slip of the point's motion */
  CTL_MOTION_WAYS,     /* the query starts from the pattern that the entries of the point encode
                        * (control/pattern/code.h) */
  /* Number that is added to one of the values above for problems with scenarios: the motion of all scenarios is then
   * the one of the unperturbed parameters. */
  CTL_MOTION_NOMINAL = 16
} CtlMotion;

/* Whether a motion is a pattern query. */
static inline bool ctl_motion_asks(int motion) { return motion >= CTL_MOTION_SEED && motion <= CTL_MOTION_WAYS; }

#endif
