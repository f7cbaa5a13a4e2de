/* What a core does at most without fused multiply-adds: the roof of sim_batch's kernels. */
#ifndef BENCH_PEAK_H
#define BENCH_PEAK_H

/* Multiplications and additions per second, alternating and independent, in vectors as wide as the named kernel's; 0 for a
 * kernel that is not known here. The best of several runs. */
double peak_flops(const char *kernel);

#endif
