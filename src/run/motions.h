/* What a search's points may be simulated by, besides the problem's own motion and for its derivatives: the problems of other
 * motions (control/motion.h), read from the problem's echo, and which entries of the target are given. Everything that evaluates for
 * the search has the same: read from the problem file, or, of dense models, sent by rank 0. */
#ifndef SRC_MOTIONS_H
#define SRC_MOTIONS_H

#include "control/evaluator.h"
#include "src/problem/file.h"
#include "src/run/rollout_context.h"

typedef struct Motions {
  Problem *own[CTL_MOTIONS]; /* owned; NULL: of CTL_MOTION_FILE where the file was read here; else there is none */
  const SimProblem *problems[CTL_MOTIONS]; /* those, the problem's own first; what was not read here is borrowed */
  bool *given; /* [2][rows] of x_T, v_T, this rank's; owned; NULL: derivatives are never wanted */
} Motions;

/* Those that the problem's search method may want, and that can be had; the others' bits are taken out of control.motions. By all
 * ranks of a group together. Returns 0 or, untold, EXIT_INTERNAL. problem: outlives them. */
int motions_prepare(Problem *problem, SimGroup *group, Motions *motions);
void motions_clear(Motions *motions);

/* All of a dense problem as bytes, its own motion among them, for the ranks that make motions of them (own[CTL_MOTION_FILE]).
 * Unpack: SIM_OK, SIM_NO_MEMORY, SIM_BAD_PROBLEM. */
size_t motions_packed_size(const Motions *motions);
void motions_pack(const Motions *motions, void *bytes);
SimStatus motions_unpack(const void *bytes, size_t size, Motions *motions);

/* The simulation by a rollout's model and workspace: ctl_simulation_init. */
SimStatus motions_simulation(const Motions *motions, const RolloutContext *rollout, CtlSimulation *simulation);

#endif
