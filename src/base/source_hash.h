/* Identifies the sources from which this program is built. */
#ifndef SRC_SOURCE_HASH_H
#define SRC_SOURCE_HASH_H

/* Returns 16 hexadecimal digits, a hash of everything that can affect an answer: the sources of sim/, control/ and of
 * the rooms that read problem files; the compiler and its options; the versions of muParser, NLopt and PETSc. Builds
 * with different hashes may answer differently and refuse each other's checkpoints. */
const char *source_hash(void);

#endif
