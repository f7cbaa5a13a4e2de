/* Motions by which a point may be simulated besides the problem's own: with less friction, for starts from where everything sticks. */
#ifndef CONTROL_MOTION_H
#define CONTROL_MOTION_H

#include "sim/api.h"

#include <stdbool.h>

SIM_API_BEGIN

typedef enum CtlMotion {
  CTL_MOTION_FILE,       /* as the problem says */
  CTL_MOTION_FREE,       /* without friction */
  CTL_MOTION_THIRD,      /* with a third of it */
  CTL_MOTION_TWO_THIRDS, /* with two */
  CTL_MOTIONS,
  /* No motions, but questions about patterns of stick and slip (control/pattern/answer.h), of a point of some segments: */
  CTL_MOTION_SEED =
      8, /* the control of the best seed but so many as the point's first entry, once its slips have been moved */
  CTL_MOTION_SHIFTED, /* that of the pattern of the point's own motion, likewise */
  CTL_MOTION_WAYS, /* that of the pattern that the point's entries are the code of (control/pattern/code.h), likewise */
  CTL_MOTION_NOMINAL =
      16 /* added to one of these, of scenarios: that of the file's own numbers stands for each of theirs */
} CtlMotion;

/* Whether it is a question about patterns. */
static inline bool ctl_motion_asks(int motion) { return motion >= CTL_MOTION_SEED && motion <= CTL_MOTION_WAYS; }

SIM_API_END

#endif
