/* All kinds of model and all schemes, and what the files of setup share. */
#ifndef SIM_SETUP_TABLES_H
#define SIM_SETUP_TABLES_H

#include "sim/core/kind.h"
#include "sim/core/scheme.h"

extern const SimKindOps sim_kind_chain;    /* a chain on a rough support */
extern const SimKindOps sim_kind_friction; /* masses with stiffness, damping and dry friction */
extern const SimKindOps sim_kind_dashpot;  /* one mass on a spring with a dash-pot */

extern const SimScheme sim_scheme_moreau;         /* Moreau-Jean theta scheme */
extern const SimScheme sim_scheme_centered;       /* Glowinski-Kearsley (1.1)-(1.19) */
extern const SimScheme sim_scheme_lie;            /* Shiau-Glowinski (2.5)-(2.9) */
extern const SimScheme sim_scheme_strang;         /* Glowinski et al. (13)-(16) */
extern const SimScheme sim_scheme_backward_euler; /* Gotika, for a dash-pot */
extern const SimScheme sim_scheme_implicit_euler; /* chain: Bastien-Lamarque (5.1) */
extern const SimScheme sim_scheme_symplectic;     /* chain: velocities first */
extern const SimScheme sim_scheme_increment;      /* quasistatic chain: by increments of its load */

const SimKindOps *sim_kind(SimKind kind);

/* A model's own problem: of dense storage a copy with its force tabulated, of sparse storage with arrays borrowed. */
SimStatus model_problem_init(SimProblem *copy, const SimProblem *problem);
void model_problem_clear(SimProblem *copy);

#endif
