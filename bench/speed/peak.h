/* Peak rate of a core without fused multiply-adds: upper limit for stiction_batch's kernels. */
#ifndef BENCH_PEAK_H
#define BENCH_PEAK_H

/* Multiplications and additions per second, alternating and independent, in vectors as wide as the named kernel's; 0
 * for an unknown kernel. Best of several runs. */
double peak_flops(const char *kernel);

#endif
