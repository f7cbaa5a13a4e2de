/* How much memory there is. */
#ifndef SRC_MEMORY_H
#define SRC_MEMORY_H

/* Bytes that programs on this machine can still have without swapping; INFINITY when the system does not tell. */
double memory_available(void);

#endif
