/* A body that calls out for what it needs and waits for it, turned inside out: it runs until it waits, and its owner
 * resumes it when it pleases. The body has a thread of its own, for it may be a library's deep stack; but owner and body
 * never run at the same time, so neither needs a lock. Results do not depend on how threads are scheduled, but for a body
 * that gets nowhere for so long that it is given up. */
#ifndef CONTROL_COROUTINE_H
#define CONTROL_COROUTINE_H

#include <stdbool.h>

typedef struct CtlCoroutine CtlCoroutine;

/* Does not run yet. context: the body's, borrowed. seconds: how long the body may get nowhere, of its thread's processor
 * time (not of the clock: a busy machine changes nothing). NULL when out of memory or of threads. */
CtlCoroutine *ctl_coroutine_create(void (*body)(void *context), void *context, double seconds);

/* How a turn of the body ends. LOST: it has got nowhere for its seconds, and is taken to do so for ever. Its thread is
 * cancelled wherever it is; what it has allocated stays allocated. */
typedef enum CtlTurn { CTL_TURN_WAITS, CTL_TURN_ENDED, CTL_TURN_LOST } CtlTurn;

/* Runs the body on to its next wait, or to its end. */
CtlTurn ctl_coroutine_resume(CtlCoroutine *coroutine);

/* The body's: waits to be resumed. Returns false when it is to give up instead: it must return then, and may wait no
 * more (further waits return false at once). */
bool ctl_coroutine_wait(CtlCoroutine *coroutine);

/* The body's: it gets on, and its seconds begin anew. */
void ctl_coroutine_progress(CtlCoroutine *coroutine);

/* Lets a body that has not ended give up. Returns false when it is lost and its thread has not ended yet: its context must
 * stay where it is. NULL: nothing, true. */
bool ctl_coroutine_destroy(CtlCoroutine *coroutine);

#endif
