/* The corner of a motion's end where joints stop just at T, D of them: of their velocities, had they gone on, v(T) is a piecewise linear
 * function. Which of D have stopped sooner, and in which order, makes a piece. Each piece is a cone between edges: along that of a part S
 * of D, all of S stop at one time before T, and the others just at T. To first order J of controls that meet the targets is linear over
 * each cone. Along an edge it rises, per second by which S stops sooner, by
 *
 *     - sum over S of y_j v_j'     y: multipliers by the rows of a motion beside the edge, v_j': before j stops
 *
 * The corner is a least effort if that is positive along every edge, and the Lagrangian of joints that slide on to T is curved upwards
 * along what keeps them stopping at T: there their stops move by second order only, whatever their order.
 *
 * An edge along which one of S is set loose by the others' stops is none. A joint that turns back at T, as its load is more than its
 * friction, has none: its velocity is 0 at T alone. */
#ifndef CONTROL_SQP_CORNER_H
#define CONTROL_SQP_CORNER_H

#include "control/refine.h"
#include "control/sqp/restore.h"

enum { CTL_CORNER_STOPS = 6 /* beyond which its edges, 2^D - 1, are not looked along */ };

/* Moves restore->control to where all joints that stop just at the answer's T slide on to it, by so little that derivatives there are those
 * of the corner. Returns whether it came there. */
bool ctl_corner_slide(CtlRestore *restore);

/* Whether J rises along every edge. CTL_MINIMUM_NO: restore->control costs less; UNKNOWN: *why. */
CtlMinimum ctl_corner_edges(CtlRestore *restore, const char **why);

#endif
