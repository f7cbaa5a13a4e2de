/* SPDX-License-Identifier: BSD-2-Clause */
/* Measures the peak rate of a core without fused multiply-adds. It is an upper limit for the kernels of
 * stiction_batch. */
#ifndef BENCH_PEAK_H
#define BENCH_PEAK_H

/* Returns multiplications and additions per second, which alternate and are independent, in vectors as wide as those of
 * the named kernel. It is the best of several runs; 0 for an unknown kernel. */
double peak_flops(const char *kernel);

#endif
