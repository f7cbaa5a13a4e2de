/* SPDX-License-Identifier: BSD-2-Clause */
/* Output directories of the bench programs. */
#ifndef BENCH_DIRECTORY_H
#define BENCH_DIRECTORY_H

/* Creates a directory and its parents if they are missing. Returns 0, or EXIT_USAGE after reporting an error. */
int directory_make(const char *path);

#endif
