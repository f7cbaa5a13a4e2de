/* Available memory. */
#ifndef SRC_MEMORY_H
#define SRC_MEMORY_H

/* Returns the bytes that this process can still allocate: limited by the machine's memory without swapping, and by the
 * control groups of a job or container. INFINITY if the system does not provide them. */
double memory_available(void);

#endif
