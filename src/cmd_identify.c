/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/commands.h"
#include "src/study/study.h"

const Command command_identify = {
    .name = "identify",
    .summary = "estimate parameters of a model from a measured motion, with their errors",
    .argument = "FILE",
    .help = "usage: stiction identify FILE [options]\n"
            "       mpirun -n P stiction identify FILE [options]\n\n"
            "Fits the numbers named in the section identify to the motion in the section measured, by least squares\n"
            "from several starts, in parallel on all ranks. Writes values, standard errors, correlations and\n"
            "parameters that the data do not determine to summary.json, a problem file with the values to\n"
            "identified.yaml, and the measured and simulated motion to fit.csv. The results do not depend on the\n"
            "number of ranks. A file that names no scheme is simulated by event. By a scheme with time steps, the\n"
            "part of the values that is due to these is estimated, with a warning if it is above a standard error.\n",
    .run = identify_run,
};
