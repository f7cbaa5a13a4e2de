/* Motions by which a point may be simulated besides the problem's own: with less friction, for starts from where everything sticks. */
#ifndef CONTROL_MOTION_H
#define CONTROL_MOTION_H

#include "sim/api.h"

SIM_API_BEGIN

typedef enum CtlMotion {
  CTL_MOTION_FILE,       /* as the problem says */
  CTL_MOTION_FREE,       /* without friction */
  CTL_MOTION_THIRD,      /* with a third of it */
  CTL_MOTION_TWO_THIRDS, /* with two */
  CTL_MOTIONS
} CtlMotion;

SIM_API_END

#endif
