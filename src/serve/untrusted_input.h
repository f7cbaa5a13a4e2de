/* Problem files that come from anybody. */
#ifndef SRC_LONE_FILE_H
#define SRC_LONE_FILE_H

#include <stdio.h>

/* Tells each {file: NAME} and {from: DIR} of a problem file: reading it would open other files, anywhere. Returns 0 when
 * there is none, also of a file with other mistakes, EXIT_USAGE, or EXIT_INTERNAL when out of memory (told). */
int lone_file_check(const char *path, FILE *errors);

#endif
