/* SPDX-License-Identifier: BSD-2-Clause */
/* A coroutine: a function, called the body, that waits for input and is resumed by its owner. The body has its own
 * thread, since it may be deep in a library's call stack. Owner and body never run at the same time, so neither needs a
 * lock. Results do not depend on thread scheduling, except for a body that makes no progress and is abandoned.
 *
 * A thread is never cancelled, because it might hold a lock, such as malloc's, that others wait for. A thread that does
 * not return, in an endless loop or blocked, is abandoned. It sleeps for ever once it calls any function of this file.
 * It may hold its arena of malloc for ever, so others need their own arenas (glibc: up to 8 per core, unless
 * M_ARENA_MAX is set), and neither the program nor exit handlers may free its allocations. */
#ifndef CONTROL_COROUTINE_H
#define CONTROL_COROUTINE_H

#include <stdbool.h>

typedef struct CtlCoroutine CtlCoroutine;

/* Creates a coroutine that does not run yet. context: the body's, borrowed. seconds: limit of processor time of its
 * thread without progress (not clock time, so a busy machine has no effect); a thread that uses no processor time
 * has three times as long by the clock. NULL when out of memory or threads. */
CtlCoroutine *ctl_coroutine_create(void (*body)(void *context), void *context, double seconds);

/* Limits the duration of the next turn, in s. The default is INFINITY. The duration is measured as the number of waits
 * of one second, not by the clock. */
void ctl_coroutine_limit(CtlCoroutine *coroutine, double seconds);

/* Result of a turn of the body. LATE: the turn exceeded its limit. HUNG: the body made no progress for its seconds. In
 * both cases the body has been asked to return, and is abandoned unless it ends within a second. */
typedef enum CtlTurn { CTL_TURN_WAITS, CTL_TURN_ENDED, CTL_TURN_LATE, CTL_TURN_HUNG } CtlTurn;

/* Runs the body until its next wait or its end. */
CtlTurn ctl_coroutine_resume(CtlCoroutine *coroutine);

/* Called by the body around all accesses to shared data: the owner does not abandon it in between. enter returns
 * false if the body must return, after leave. Neither allocates. */
bool ctl_coroutine_enter(CtlCoroutine *coroutine);
void ctl_coroutine_leave(CtlCoroutine *coroutine);

/* Called by the body between enter and leave: waits to be resumed. Returns false if the body must return. */
bool ctl_coroutine_wait(CtlCoroutine *coroutine);

/* Called by the body: reports progress, which restarts its time limit. */
void ctl_coroutine_progress(CtlCoroutine *coroutine);

/* Ends a coroutine. A body that has not ended is asked to return. Returns false if its thread is abandoned; the body's
 * context must then stay allocated for ever. NULL: no effect, true. */
bool ctl_coroutine_destroy(CtlCoroutine *coroutine);

/* Whether a thread has been abandoned in this process. */
bool ctl_coroutine_any_left(void);

#endif
