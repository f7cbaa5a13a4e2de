/* SPDX-License-Identifier: BSD-2-Clause */
/* The motions that can be simulated at a point. Besides the problem's own motion there are motions with reduced
 * friction, for starts at which all joints stick. */
#ifndef CONTROL_MOTION_H
#define CONTROL_MOTION_H

#include <stdbool.h>

typedef enum CtlMotion {
  CTL_MOTION_FILE,       /* the problem's own motion */
  CTL_MOTION_FREE,       /* without friction */
  CTL_MOTION_THIRD,      /* the motion with a third of the friction */
  CTL_MOTION_TWO_THIRDS, /* the motion with two thirds of the friction */
  CTL_MOTIONS,
  /* Queries instead of motions (control/pattern/answer.h), for a point with a number of segments. A query chooses a
   * pattern of stick and slip, shifts the times of its slips to lower the effort, and returns the control of least
   * effort with this pattern. */
  CTL_MOTION_SEED = 8, /* starts from the k-th best seed (initial pattern), where k is the point's first entry */
  CTL_MOTION_SHIFTED,  /* starts from the pattern of stick and slip of the point's motion */
  CTL_MOTION_WAYS,     /* starts from the pattern that the point's entries encode (control/pattern/code.h) */
  /* This is added to one of the values above for problems with scenarios. All scenarios then have the motion of the
   * unperturbed parameters. */
  CTL_MOTION_NOMINAL = 16
} CtlMotion;

/* Whether a motion is a pattern query. */
static inline bool ctl_motion_asks(int motion) { return motion >= CTL_MOTION_SEED && motion <= CTL_MOTION_WAYS; }

#endif
