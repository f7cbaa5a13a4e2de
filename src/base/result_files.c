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
                                    "convergence.csv",
                                    "orders.csv",
                                    "report.html",
                                    "checkpoint/run.json",
                                    "checkpoint/problem.yaml",
                                    "checkpoint/state.0",
                                    "checkpoint/state.1",
                                    "checkpoint/state.part",
                                    NULL};

const char *const figure_names[] = {"positions",   "velocities", "multipliers", "states",     "energy",    "search",
                                    "forces",      "law",        "reactions",   "hysteresis", "snapshots", "control",
                                    "convergence", "slips",      "sizes",       "fit",        "scenarios", NULL};

const char *figure_suffix(FigureFormat format) { return format == FIGURE_SVG ? ".svg" : ".png"; }
