/* The zeros of a spring's law that is held as polynomials in pieces: the elongations at which the spring pulls with no force, where a motion may rest. */
#ifndef SIM_JOINT_ZEROS_H
#define SIM_JOINT_ZEROS_H

#include "sim/base/curve.h"

/* Adds to centres, up to PIECES_CENTRES of all columns, each zero of the law, and each place where its magnitude has a minimum that is small in
 * its piece, at which the pieces are less exact than the round-off of the elongation leaves the function, law->at. Returns whether it has added any. room:
 * [columns]. */
bool zeros_add(Curve curve, const SimLoad *law, double *room, PiecesCentres *centres);

#endif
