#include "src/commands.h"
#include "src/study/study.h"

const Command command_identify = {
    .name = "identify",
    .summary = "find numbers of a model from a motion measured, with their errors",
    .argument = "FILE",
    .help = "usage: stiction identify FILE [options]\n"
            "       mpirun -n P stiction identify FILE [options]\n\n"
            "Finds the numbers named in the section identify with which the motion is nearest to the one in the\n"
            "section measured, by least squares from several starts, side by side on all ranks. Writes values,\n"
            "standard errors, correlations and what the data do not tell to summary.json, the file with the values\n"
            "to identified.yaml, measured and simulated motion to fit.csv. The same for any number of ranks.\n",
    .run = identify_run,
};
