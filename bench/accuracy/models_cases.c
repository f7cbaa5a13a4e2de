/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/accuracy/models.h"

#define ONE_SECOND  "time={end: 1, step: 0.001}" /* T = 1 s is before the force jumps and the mass comes to rest */
#define EULER       "scheme={name: implicit_euler}"
#define SYMPLECTIC  "scheme={name: symplectic}"
#define MOREAU      "scheme={name: moreau}"
#define UNREGULAR   "scheme.multiplier=unregularized"
#define BOUNCES     "time={end: 3, step: 0.001}"
#define PULLED      "model.end=free", "model.end_force=0.7*sin(0.8*t)"
#define SLOW_PULLED "model.end=free", "model.end_force=1.6*sin(t/2)"
#define SLOW_MOVED  "model.end=displacement", "model.end_displacement=2.5*sin(t/2)"
#define THREE_NODES "model.springs=[2, 1, 3, 1]", "model.thresholds=0.4", "model.force=sin(t)"
#define FIVE_NODES  "model.springs=[2, 1, 3, 1, 2, 2]", "model.thresholds=0.4"
#define HARDER(ks)  "model.support.stiffness=" #ks
#define LAW(name)   "model.law=" #name
#define DISSIPATION "model.selection=max_dissipation"

/* Forces on the chains: those in the problem files, and those that the settings of a case give. */
static const ChainLoad paper_load = {{1.2, 0.8}, {1, 1.7}}, pulled_load = {{1.2, 0.8, 0.7}, {1, 1.7, 0.8}},
                       slow_load = {{1.8, 1.2}, {0.5, 0.5}}, slow_moved_load = {{1.8, 1.2, 2.5}, {0.5, 0.5, 0.5}},
                       slow_pulled_load = {{1.8, 1.2, 1.6}, {0.5, 0.5, 0.5}},
                       sin_t = {{1, 1, 1, 1, 1}, {1, 1, 1, 1, 1}},
                       sin_half_t = {{1, 1, 1, 1, 1}, {0.5, 0.5, 0.5, 0.5, 0.5}};

const Case bench_cases[] = {
    /* Cases of Glowinski-Kearsley, without control. */
    {"tp1", "regularized", .settings = {NULL}, .grids = 60},
    {"tp1", "unregularized", .settings = {UNREGULAR}, .grids = 60},
    {"tp1", "", .settings = {MOREAU}, .grids = 60, .quick = true},
    {"tp2", "regularized", .settings = {NULL}, .grids = 60},
    {"tp2", "unregularized", .settings = {UNREGULAR}, .grids = 60},
    {"tp2", "", .settings = {MOREAU}, .grids = 60},
    {"tp2-springs", "regularized", .settings = {NULL}, .grids = 60},
    {"tp2-springs", "unregularized", .settings = {UNREGULAR}, .grids = 60},
    {"tp2-springs", "", .settings = {MOREAU}, .grids = 60},

    /* Cases of Glowinski et al. 2004 and Shiau-Glowinski 2005. */
    {"glowinski-2004-5.1", "", .exact = exact_51, .quick = true},
    {"glowinski-2004-5.2", "P=10, Q=2", .exact = exact_52, .quick = true},
    {"glowinski-2004-5.2", "P=5", .settings = {"scheme={name: strang, friction_substeps: 5}"}, .exact = exact_52},
    {"glowinski-2004-5.2", "substeps of step^2", .settings = {"scheme={name: strang}", "time.step=0.01"},
     .exact = exact_52, .order = 2, .shrink_friction = true, .quick = true},
    {"glowinski-2004-gearbox", "", .exact = exact_gearbox, .quick = true},
    {"shiau-6.2", "", .exact = exact_62, .quick = true},
    {"shiau-6.2-printed", "", .settings = {NULL}, .grids = 60},
    {"shiau-6.3", "from rest", .exact = exact_63, .grids = 12},
    {"shiau-6.3", "x0 = (1,3,5), v0 = 2", .settings = {"model.x0=[1, 3, 5]", "model.v0=2"}, .exact = exact_63_second,
     .grids = 60},
    {"shiau-6.3", "x0 = (1,2,3), v0 = 1", .settings = {"model.x0=[1, 2, 3]", "model.v0=1"}, .exact = exact_63_third,
     .grids = 120},

    /* A case with Stribeck's law for friction. */
    {"thrown", "exponent 1", .settings = {MOREAU}, .grids = 24, .quick = true},
    {"thrown", "exponent 2", .settings = {MOREAU, "model.stribeck.exponent=2"}},
    {"ratchet", "by direction", .settings = {MOREAU}, .grids = 12},
    {"pressed", "in time", .settings = {MOREAU}, .grids = 24, .quick = true},

    /* Duffing's oscillator, free and stopped by friction. */
    {"duffing", "free", .exact = exact_duffing, .order = 2, .quick = true},
    {"duffing", "friction 1", .settings = {"model.friction=1"}, .grids = 12},

    /* Impacts on stops, before they accumulate. */
    {"stops", "without friction", .settings = {"model.friction=0", MOREAU, BOUNCES}, .grids = 12, .order = 2,
     .quick = true},
    {"stops", "", .settings = {MOREAU, BOUNCES}, .grids = 12, .order = 2},

    /* Cases of Gotika. Omitted are the non-monotone law, as its solution is not unique, and f2 and x0 = 0.005, with
     * which the mass never moves. */
    {"gotika-6-forced", "viscous", .settings = {LAW(viscous), ONE_SECOND}, .push = dashpot_f1},
    {"gotika-6-forced", "bingham", .settings = {LAW(bingham), ONE_SECOND}, .push = dashpot_f1, .quick = true},
    {"gotika-6-forced", "bingham_cubic", .settings = {ONE_SECOND}, .push = dashpot_f1},
    {"gotika-6-forced", "nonmonotone, nearest", .settings = {LAW(bingham_nonmonotone), ONE_SECOND}},
    {"gotika-6-forced", "nonmonotone, dissipation", .settings = {LAW(bingham_nonmonotone), DISSIPATION, ONE_SECOND}},
    {"gotika-6-forced", "coulomb", .settings = {LAW(coulomb), ONE_SECOND}, .push = dashpot_f1},
    {"gotika-6-free", "viscous", .settings = {LAW(viscous), ONE_SECOND}, .push = dashpot_no_push},
    {"gotika-6-free", "bingham", .settings = {LAW(bingham), ONE_SECOND}, .push = dashpot_no_push},
    {"gotika-6-free", "bingham_cubic", .settings = {ONE_SECOND}, .push = dashpot_no_push},
    {"gotika-6-free", "nonmonotone, nearest", .settings = {LAW(bingham_nonmonotone), ONE_SECOND}},
    {"gotika-6-free", "nonmonotone, dissipation", .settings = {LAW(bingham_nonmonotone), DISSIPATION, ONE_SECOND}},
    {"gotika-6-free", "coulomb", .settings = {LAW(coulomb), ONE_SECOND}, .push = dashpot_no_push, .quick = true},
    {"gotika-6d-support", "ks = 10", .settings = {HARDER(10), ONE_SECOND}, .push = dashpot_f1},
    {"gotika-6d-support", "ks = 100", .settings = {HARDER(100), ONE_SECOND}, .push = dashpot_f1, .quick = true},
    {"gotika-6d-support", "ks = 1000", .settings = {HARDER(1000), ONE_SECOND}, .push = dashpot_f1},
    {"gotika-6d-support", "ks = 10000", .settings = {HARDER(10000), ONE_SECOND}, .push = dashpot_f1},

    /* Cases of Bastien-Lamarque. */
    {"chain-dynamical", "clamped", .settings = {EULER}, .load = &paper_load},
    {"chain-dynamical", "clamped", .settings = {SYMPLECTIC}, .load = &paper_load, .grids = 12, .quick = true},
    {"chain-dynamical", "pulled", .settings = {PULLED, EULER}, .load = &pulled_load},
    {"chain-dynamical", "pulled", .settings = {PULLED, SYMPLECTIC}, .load = &pulled_load, .grids = 12},
    {"chain-dynamical", "3 nodes", .settings = {THREE_NODES, "model.mass=1", EULER}, .load = &sin_t},
    {"chain-dynamical", "3 nodes", .settings = {THREE_NODES, "model.mass=1", SYMPLECTIC}, .load = &sin_t, .grids = 12},
    {"chain-semi-dynamical", "clamped", .settings = {EULER}, .load = &paper_load},
    {"chain-semi-dynamical", "clamped", .settings = {SYMPLECTIC}, .load = &paper_load, .grids = 12},
    {"chain-semi-dynamical", "pulled", .settings = {PULLED, EULER}, .load = &pulled_load},
    {"chain-semi-dynamical", "pulled", .settings = {PULLED, SYMPLECTIC}, .load = &pulled_load, .grids = 12},
    {"chain-semi-dynamical", "5 nodes", .settings = {FIVE_NODES, "model.force=sin(t)", EULER}, .load = &sin_t},
    {"chain-semi-dynamical", "5 nodes", .settings = {FIVE_NODES, "model.force=sin(t)", SYMPLECTIC}, .load = &sin_t,
     .grids = 12},
    {"chain-quasistatic", "clamped", .settings = {EULER}, .load = &slow_load},
    {"chain-quasistatic", "clamped", .load = &slow_load, .grids = 6, .order = 2, .quick = true},
    {"chain-quasistatic", "moved", .settings = {SLOW_MOVED, EULER}, .load = &slow_moved_load},
    {"chain-quasistatic", "moved", .settings = {SLOW_MOVED}, .load = &slow_moved_load, .grids = 6, .order = 2,
     .quick = true},
    {"chain-quasistatic", "pulled", .settings = {SLOW_PULLED, EULER}, .load = &slow_pulled_load},
    {"chain-quasistatic", "pulled", .settings = {SLOW_PULLED}, .load = &slow_pulled_load, .grids = 6, .order = 2},
    {"chain-quasistatic", "5 nodes", .settings = {FIVE_NODES, "model.force=sin(t/2)", EULER}, .load = &sin_half_t},
    {"chain-quasistatic", "5 nodes", .settings = {FIVE_NODES, "model.force=sin(t/2)"}, .load = &sin_half_t, .grids = 6,
     .order = 2},
};
const int bench_case_count = sizeof bench_cases / sizeof *bench_cases;
