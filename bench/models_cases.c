#include "bench/models.h"

#define ONE_SECOND  "time={end: 1, step: 0.001}" /* before the force jumps and the mass comes to rest */
#define EULER       "scheme={name: implicit_euler}"
#define SYMPLECTIC  "scheme={name: symplectic}"
#define MOREAU      "scheme={name: moreau}"
#define UNREGULAR   "scheme.multiplier=unregularized"
#define PULLED      "model.end=free", "model.end_force=0.7*sin(0.8*t)"
#define SLOW_PULLED "model.end=free", "model.end_force=1.6*sin(t/2)"
#define SLOW_MOVED  "model.end=displacement", "model.end_displacement=2.5*sin(t/2)"
#define THREE_NODES "model.springs=[2, 1, 3, 1]", "model.thresholds=0.4", "model.force=sin(t)"
#define FIVE_NODES  "model.springs=[2, 1, 3, 1, 2, 2]", "model.thresholds=0.4"
#define HARDER(ks)  "model.support.stiffness=" #ks
#define LAW(name)   "model.law=" #name
#define DISSIPATION "model.selection=max_dissipation"

const Case bench_cases[] = {
    /* Glowinski-Kearsley, without control */
    {"tp1", "regularized", .quick = true},
    {"tp1", "unregularized", .settings = {UNREGULAR}},
    {"tp1", "", .settings = {MOREAU}},
    {"tp2", "regularized", .settings = {NULL}},
    {"tp2", "unregularized", .settings = {UNREGULAR}},
    {"tp2", "", .settings = {MOREAU}},
    {"tp2-springs", "regularized", .settings = {NULL}},
    {"tp2-springs", "unregularized", .settings = {UNREGULAR}},
    {"tp2-springs", "", .settings = {MOREAU}},

    /* Glowinski et al. 2004; Shiau-Glowinski 2005 */
    {"glowinski-2004-5.1", "", .exact = exact_51, .quick = true},
    {"glowinski-2004-5.2", "P=10, Q=2", .exact = exact_52, .quick = true},
    {"glowinski-2004-5.2", "P=5", .settings = {"scheme={name: strang, friction_substeps: 5}"}, .exact = exact_52},
    {"glowinski-2004-5.2", "substeps of step^2", .settings = {"scheme={name: strang}", "time.step=0.01"},
     .exact = exact_52, .order = 2, .shrink_friction = true, .quick = true},
    {"glowinski-2004-gearbox", "", .exact = exact_gearbox, .quick = true},
    {"shiau-6.2", "", .exact = exact_62, .quick = true},
    {"shiau-6.2-printed", "", .settings = {NULL}},
    {"shiau-6.3", "from rest", .exact = exact_63},
    {"shiau-6.3", "x0 = (1,3,5), v0 = 2", .settings = {"model.x0=[1, 3, 5]", "model.v0=2"}},
    {"shiau-6.3", "x0 = (1,2,3), v0 = 1", .settings = {"model.x0=[1, 2, 3]", "model.v0=1"}},

    /* Gotika; under f2 and from x0 = 0.005 the mass never moves: no error, no order */
    {"gotika-6-forced", "viscous", .settings = {LAW(viscous), ONE_SECOND}},
    {"gotika-6-forced", "bingham", .settings = {LAW(bingham), ONE_SECOND}, .quick = true},
    {"gotika-6-forced", "bingham_cubic", .settings = {ONE_SECOND}},
    {"gotika-6-forced", "nonmonotone, nearest", .settings = {LAW(bingham_nonmonotone), ONE_SECOND}},
    {"gotika-6-forced", "nonmonotone, dissipation", .settings = {LAW(bingham_nonmonotone), DISSIPATION, ONE_SECOND}},
    {"gotika-6-forced", "coulomb", .settings = {LAW(coulomb), ONE_SECOND}},
    {"gotika-6-free", "viscous", .settings = {LAW(viscous), ONE_SECOND}},
    {"gotika-6-free", "bingham", .settings = {LAW(bingham), ONE_SECOND}},
    {"gotika-6-free", "bingham_cubic", .settings = {ONE_SECOND}},
    {"gotika-6-free", "nonmonotone, nearest", .settings = {LAW(bingham_nonmonotone), ONE_SECOND}},
    {"gotika-6-free", "nonmonotone, dissipation", .settings = {LAW(bingham_nonmonotone), DISSIPATION, ONE_SECOND}},
    {"gotika-6-free", "coulomb", .settings = {LAW(coulomb), ONE_SECOND}, .quick = true},
    {"gotika-6d-support", "ks = 10", .settings = {HARDER(10), ONE_SECOND}},
    {"gotika-6d-support", "ks = 100", .settings = {HARDER(100), ONE_SECOND}, .quick = true},
    {"gotika-6d-support", "ks = 1000", .settings = {HARDER(1000), ONE_SECOND}},
    {"gotika-6d-support", "ks = 10000", .settings = {HARDER(10000), ONE_SECOND}},

    /* Bastien-Lamarque */
    {"chain-dynamical", "clamped", .settings = {EULER}},
    {"chain-dynamical", "clamped", .settings = {SYMPLECTIC}, .quick = true},
    {"chain-dynamical", "pulled", .settings = {PULLED, EULER}},
    {"chain-dynamical", "pulled", .settings = {PULLED, SYMPLECTIC}},
    {"chain-dynamical", "3 nodes", .settings = {THREE_NODES, "model.mass=1", EULER}},
    {"chain-dynamical", "3 nodes", .settings = {THREE_NODES, "model.mass=1", SYMPLECTIC}},
    {"chain-semi-dynamical", "clamped", .settings = {EULER}},
    {"chain-semi-dynamical", "clamped", .settings = {SYMPLECTIC}},
    {"chain-semi-dynamical", "pulled", .settings = {PULLED, EULER}},
    {"chain-semi-dynamical", "pulled", .settings = {PULLED, SYMPLECTIC}},
    {"chain-semi-dynamical", "5 nodes", .settings = {FIVE_NODES, "model.force=sin(t)", EULER}},
    {"chain-semi-dynamical", "5 nodes", .settings = {FIVE_NODES, "model.force=sin(t)", SYMPLECTIC}},
    {"chain-quasistatic", "clamped", .settings = {EULER}},
    {"chain-quasistatic", "clamped", .order = 2, .quick = true},
    {"chain-quasistatic", "moved", .settings = {SLOW_MOVED, EULER}},
    {"chain-quasistatic", "moved", .settings = {SLOW_MOVED}, .order = 2, .quick = true},
    {"chain-quasistatic", "pulled", .settings = {SLOW_PULLED, EULER}},
    {"chain-quasistatic", "pulled", .settings = {SLOW_PULLED}, .order = 2},
    {"chain-quasistatic", "5 nodes", .settings = {FIVE_NODES, "model.force=sin(t/2)", EULER}},
    {"chain-quasistatic", "5 nodes", .settings = {FIVE_NODES, "model.force=sin(t/2)"}, .order = 2},
};
const int bench_case_count = sizeof bench_cases / sizeof *bench_cases;
