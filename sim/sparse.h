/* What the files of the SIM_SPARSE models share. */
#ifndef SIM_SPARSE_H
#define SIM_SPARSE_H

#include "sim/sim.h"

#endif
