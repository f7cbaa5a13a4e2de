/* SPDX-License-Identifier: BSD-2-Clause */
/* Which rows and products of a tape must be completed in each order when the late variables are known. */
#ifndef SIM_GRAPH_LATE_H
#define SIM_GRAPH_LATE_H

#include "sim/graph/tape.h"

/* Lists the carried rows and the products of which the factors are taken (tape.h), for a tape with all else. Returns
 * false without memory. */
bool graph_late_list(GraphTape *tape);

#endif
