/* Where the bench programs put their files. */
#ifndef BENCH_DIRECTORY_H
#define BENCH_DIRECTORY_H

/* Makes a directory and its parents, where they are not there yet. Returns 0, or EXIT_USAGE after telling. */
int directory_make(const char *path);

#endif
