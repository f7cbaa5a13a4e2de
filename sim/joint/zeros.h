/* Zeros of a spring law stored as piecewise polynomials: elongations at which the spring exerts no force, where a
 * motion may come to rest. */
#ifndef SIM_JOINT_ZEROS_H
#define SIM_JOINT_ZEROS_H

#include "sim/base/curve.h"

/* Adds each zero of the law to centres, up to PIECES_CENTRES for all columns; also each place where |g| has a minimum
 * that is small in its piece. It adds only places where the pieces are less exact than the function law->at with a
 * rounded elongation. Returns whether it has added any. room: [columns] scratch. */
bool zeros_add(Curve curve, const SimLoad *law, double *room, PiecesCentres *centres);

#endif
