/* How much memory there is. */
#ifndef SRC_MEMORY_H
#define SRC_MEMORY_H

/* Bytes that this process can still have: what the machine has without swapping, and what the control groups of a job or a
 * container allow; INFINITY when the system does not tell. */
double memory_available(void);

#endif
