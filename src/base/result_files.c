/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/base/result_files.h"

#include <stddef.h>

const char *const result_files[] = {"summary.json",
                                    "trajectory.csv",
                                    "trajectory.h5",
                                    "energy.csv",
                                    "events.csv",
                                    "events.h5",
                                    "events.h5.part",
                                    "events.part",
                                    "search.csv",
                                    "fit.csv",
                                    "scenarios.csv",
                                    "identified.yaml",
                                    "exact/trajectory.csv",
                                    "exact/energy.csv",
                                    "exact/events.csv",
                                    "refined/trajectory.csv",
                                    "refined/energy.csv",
                                    "refined/events.csv",
                                    "sweep.csv",
                                    "sweep.h5",
                                    "times.csv",
                                    "convergence.csv",
                                    "orders.csv",
                                    "report.html",
                                    "checkpoint/run.json",
                                    "checkpoint/problem.yaml",
                                    "checkpoint/rows",
                                    "checkpoint/progress.json",
                                    "checkpoint/state.0",
                                    "checkpoint/state.1",
                                    "checkpoint/state.part",
                                    NULL};

const char *const figure_names[] = {
    "positions", "velocities", "multipliers", "states",   "energy",      "search",    "forces",  "law",
    "reactions", "hysteresis", "snapshots",   "control",  "convergence", "slips",     "sizes",   "fit",
    "sweep",     "sweep_1",    "sweep_2",     "sweep_3",  "sweep_4",     "sweep_5",   "sweep_6", "sweep_7",
    "sweep_8",   "sweep_9",    "sweep_10",    "sweep_11", "sweep_12",    "scenarios", NULL};

const char *figure_suffix(FigureFormat format) { return format == FIGURE_SVG ? ".svg" : ".png"; }
