/* Local methods as search methods: the functions that their rows share. */
#ifndef CONTROL_LOCAL_METHOD_H
#define CONTROL_LOCAL_METHOD_H

#include "control/local/local.h"

typedef struct CtlLocalRun {
  CtlRun run;
  CtlLocal *local; /* owned; NULL when it has ended */
} CtlLocalRun;

enum { CTL_LOCAL_ROOM = 512 }; /* points that the cache holds for them at least */

long ctl_local_round(const CtlProblem *problem);
bool ctl_local_start(CtlRun *run, const double *u, double step);
long ctl_local_next(CtlRun *run);
void ctl_local_points(const CtlRun *run, long first, int count, double *u);
long ctl_local_restart(CtlRun *run);
long ctl_local_ahead(const CtlRun *run, bool restarts);
bool ctl_local_serialize(CtlRun *run, CtlBytes *bytes);
void ctl_local_end(CtlRun *run);

/* What a row begins with; name, about, own (a CtlLocalSolver), and what the method takes follow. */
#define CTL_LOCAL_FUNCTIONS                                                                                            \
  .rounds = {"point", "points"}, .room = CTL_LOCAL_ROOM, .size = sizeof(CtlLocalRun), .round = ctl_local_round,        \
  .start = ctl_local_start, .next = ctl_local_next, .points = ctl_local_points, .restart = ctl_local_restart,          \
  .ahead = ctl_local_ahead, .serialize = ctl_local_serialize, .end = ctl_local_end

#endif
