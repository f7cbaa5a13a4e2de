/* Which sources this program is built from. */
#ifndef SRC_SOURCE_HASH_H
#define SRC_SOURCE_HASH_H

/* 16 hexadecimal digits of a hash of all that an answer depends on: the sources of sim/, control/ and of the rooms that read
 * problem files, the compiler and its options, the versions of NLopt and PETSc. Builds that differ in it may
 * answer differently, and refuse each other's checkpoints. */
const char *source_hash(void);

#endif
