/* A body that calls out for what it needs and waits for it, turned inside out: it runs until it waits, and its owner
 * resumes it when it pleases. The body has a thread of its own, for it may be a library's deep stack; but owner and body
 * never run at the same time, so neither needs a lock. Results do not depend on how threads are scheduled, but for a body
 * that gets nowhere for so long that it is left.
 *
 * A thread is never cancelled: it might hold a lock, of malloc's say, that others would wait for. One that does not come
 * back is left where it is, be it going round or blocked, and sleeps for ever once it calls any function of this file.
 * Such a thread may hold its own arena of malloc for ever, so that others must have arenas of their own (glibc: as many as
 * 8 a core, unless M_ARENA_MAX says otherwise), nobody may free what it has allocated, and no exit handler may, either. */
#ifndef CONTROL_COROUTINE_H
#define CONTROL_COROUTINE_H

#include <stdbool.h>

typedef struct CtlCoroutine CtlCoroutine;

/* Does not run yet. context: the body's, borrowed. seconds: how long the body may get nowhere, of its thread's processor
 * time (not of the clock: a busy machine changes nothing); where it takes no processor time at all, three times as long by
 * the clock. NULL when out of memory or of threads. */
CtlCoroutine *ctl_coroutine_create(void (*body)(void *context), void *context, double seconds);

/* How long the turn to come may last, s; INFINITY, as at first: as long as it likes. By waits of a second, not the clock. */
void ctl_coroutine_limit(CtlCoroutine *coroutine, double seconds);

/* How a turn of the body ends. LATE: it has lasted longer than it may, and ends as a hung one. HUNG: it has got nowhere for its seconds. It has been asked to give up then, and is left
 * unless it has come to its end within a second. */
typedef enum CtlTurn { CTL_TURN_WAITS, CTL_TURN_ENDED, CTL_TURN_LATE, CTL_TURN_HUNG } CtlTurn;

/* Runs the body on to its next wait, or to its end. */
CtlTurn ctl_coroutine_resume(CtlCoroutine *coroutine);

/* The body's, around all that it does with what is not its own: the owner does not leave it meanwhile. enter returns false
 * when the body is to give up: it must return then, after leave. Neither allocates. */
bool ctl_coroutine_enter(CtlCoroutine *coroutine);
void ctl_coroutine_leave(CtlCoroutine *coroutine);

/* The body's, between enter and leave: waits to be resumed. Returns false when it is to give up instead. */
bool ctl_coroutine_wait(CtlCoroutine *coroutine);

/* The body's: it gets on, and its seconds begin anew. */
void ctl_coroutine_progress(CtlCoroutine *coroutine);

/* Lets a body that has not ended give up. Returns false when its thread has been left: its context must stay where it is
 * for ever. NULL: nothing, true. */
bool ctl_coroutine_destroy(CtlCoroutine *coroutine);

/* Whether a thread has been left in this process. */
bool ctl_coroutine_any_left(void);

#endif
