/* SPDX-License-Identifier: BSD-2-Clause */
/* A coroutine: a function, called the body, that waits for input and is resumed by its owner. The body has its own
 * thread, since it may wait deep in the call stack of a library. Owner and body never run at the same time, so neither
 * needs a lock. Results do not depend on thread scheduling, except for a body that makes no progress and is abandoned.
 *
 * A thread is never cancelled, because it might hold a lock, such as malloc's, for which others wait. A thread that
 * does not return, in an endless loop or blocked, is abandoned. It sleeps for ever once it calls any function of this
 * file. It may hold its malloc arena for ever, so that other threads need other arenas (glibc: up to 8 per core, unless
 * M_ARENA_MAX is set), and neither the program nor exit handlers may free its allocations. */
#ifndef CONTROL_COROUTINE_H
#define CONTROL_COROUTINE_H

#include <stdbool.h>

typedef struct CtlCoroutine CtlCoroutine;

/* Creates a coroutine that does not run yet. context: argument of `body`, borrowed. seconds: processor time that the
 * body's thread may use without reporting progress (not clock time, so that a busy machine has no effect). A thread
 * that uses no processor time may take three times as long by the clock. Returns NULL when out of memory or threads. */
CtlCoroutine *ctl_coroutine_create(void (*body)(void *context), void *context, double seconds);

/* Limits the duration of the next turn, in s. The default is INFINITY. The duration is measured as the number of waits
 * of one second, not by the clock. */
void ctl_coroutine_limit(CtlCoroutine *coroutine, double seconds);

/* Result of a turn of the body. WAITS: the body waits for input. ENDED: it has returned. LATE: the turn exceeded its
 * limit. HUNG: the body made no progress for too long. In the last two cases the body has been asked to return, and is
 * abandoned unless it ends within a second. */
typedef enum CtlTurn { CTL_TURN_WAITS, CTL_TURN_ENDED, CTL_TURN_LATE, CTL_TURN_HUNG } CtlTurn;

/* Runs the body until its next wait or its end. */
CtlTurn ctl_coroutine_resume(CtlCoroutine *coroutine);

/* Called by the body before and after each access to shared data: the owner does not abandon the body in between.
 * ctl_coroutine_enter returns false if the body must return; it must call ctl_coroutine_leave also then. Neither
 * function allocates. */
bool ctl_coroutine_enter(CtlCoroutine *coroutine);
void ctl_coroutine_leave(CtlCoroutine *coroutine);

/* Called by the body between ctl_coroutine_enter and ctl_coroutine_leave: waits until the owner resumes the body.
 * Returns false if the body must return. */
bool ctl_coroutine_wait(CtlCoroutine *coroutine);

/* Called by the body: reports progress, which restarts its time limit. */
void ctl_coroutine_progress(CtlCoroutine *coroutine);

/* Ends a coroutine. A body that has not ended is asked to return. Returns false if its thread is abandoned; the body's
 * context must then stay allocated for ever. If coroutine is NULL, returns true and does nothing. */
bool ctl_coroutine_destroy(CtlCoroutine *coroutine);

/* Whether a thread has been abandoned in this process. */
bool ctl_coroutine_any_left(void);

#endif
