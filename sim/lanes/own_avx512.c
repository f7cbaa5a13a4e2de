/* As wide_avx512.c, lanes that have each a model of its own. */
#define LANE_OWN
#define LANE_WIDTH   8
#define LANE_VECTORS 4
#include "sim/lanes/centered.h"
#include "sim/lanes/moreau.h"

BatchOwnRun *const batch_own_avx512[LANE_FAMILIES] = {
    [LANES_CENTERED] = centered_run_own, [LANES_MOREAU] = moreau_run_own};
