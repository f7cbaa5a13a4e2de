/* Where messages go while one problem of several is worked on: what the parts of the program tell on standard error is
 * written to that problem's own file. */
#ifndef SRC_TOLD_H
#define SRC_TOLD_H

#include <stdbool.h>

typedef struct Told {
  int file;   /* owned */
  int before; /* the process's standard error, while the file stands in for it; else -1 */
} Told;

/* Opens the file, to go on behind what is in it. -1, after telling why not. */
int told_open(Told *told, const char *path);

/* Empties it. */
void told_clear(Told *told);

/* From the one to the other, messages go to the file. */
void told_begin(Told *told);
void told_end(Told *told);

void told_close(Told *told);

#endif
