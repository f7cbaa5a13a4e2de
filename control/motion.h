/* Motions for the evaluation of a point besides the problem's own: with reduced friction, for starts where
 * everything sticks. */
#ifndef CONTROL_MOTION_H
#define CONTROL_MOTION_H

#include <stdbool.h>

typedef enum CtlMotion {
  CTL_MOTION_FILE,       /* the problem's motion */
  CTL_MOTION_FREE,       /* without friction */
  CTL_MOTION_THIRD,      /* a third of the friction */
  CTL_MOTION_TWO_THIRDS, /* two thirds of the friction */
  CTL_MOTIONS,
  /* Pattern queries instead of motions (control/pattern/answer.h), for a point with a number of segments. Each
   * returns the control of least effort for a pattern of stick and slip, after its slips have been shifted in time. */
  CTL_MOTION_SEED = 8, /* pattern: the k-th best seed, k the point's first entry */
  CTL_MOTION_SHIFTED,  /* pattern: the one of the point's own motion */
  CTL_MOTION_WAYS,     /* pattern: coded in the point's entries (control/pattern/code.h) */
  /* Added to one of these with scenarios: uses the motion of the unperturbed parameters for all scenarios. */
  CTL_MOTION_NOMINAL = 16
} CtlMotion;

/* Whether it is a pattern query. */
static inline bool ctl_motion_asks(int motion) { return motion >= CTL_MOTION_SEED && motion <= CTL_MOTION_WAYS; }

#endif
