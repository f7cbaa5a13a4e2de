/* As wide_avx2.c, lanes that have each a model of its own. */
#define LANE_OWN
#define LANE_WIDTH   4
#define LANE_VECTORS 4
#include "sim/lanes/centered.h"
#include "sim/lanes/moreau.h"

BatchOwnRun *const batch_own_avx2[LANE_FAMILIES] = {
    [LANES_CENTERED] = centered_run_own, [LANES_MOREAU] = moreau_run_own};
