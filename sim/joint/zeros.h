/* SPDX-License-Identifier: BSD-2-Clause */
/* Zeros of a spring law stored as piecewise polynomials: elongations at which the spring exerts no force, where a
 * motion may come to rest. */
#ifndef SIM_JOINT_ZEROS_H
#define SIM_JOINT_ZEROS_H

#include "sim/base/curve.h"

/* Adds centres (pieces.h) to a list, up to PIECES_CENTRES for all columns: the zeros of the law, and elongations at
 * which its magnitude has a minimum that is small in its piece. Only those are added near which the pieces are less
 * accurate than the function law->at with a rounded elongation. Returns whether any was added. room: [columns]
 * scratch. */
bool zeros_add(Curve curve, const SimLoad *law, double *room, PiecesCentres *centres);

#endif
