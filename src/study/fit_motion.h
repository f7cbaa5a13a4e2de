/* Positions and velocities at measured times along one motion, and their derivatives. */
#ifndef SRC_STUDY_FIT_MOTION_H
#define SRC_STUDY_FIT_MOTION_H

#include "src/file/sections/identification.h"

/* Runs the model under a control (NULL: 0) and fills r [id->m], and unless sensitivity is NULL rows [id->m][its columns], of which the model's
 * scheme has them; both divided by the deviations. Between steps x is a cubic in t and v a line. SIM_OK, SIM_NO_MEMORY, or why there
 * is no motion. */
SimStatus along_motion(const SimProblem *problem, const SimModel *model, SimSensitivity *sensitivity,
                       const double *control, const Identification *id, double *r, double *rows);

#endif
