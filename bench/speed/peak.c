/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/speed/peak.h"

#include "bench/tools/measure.h"

#include <string.h>

enum { CHAINS = 12, ROUNDS = 20000 };

#ifdef __x86_64__
#define TARGET(name) __attribute__((target(name)))
#else
#define TARGET(name)
#endif

/* Loop over CHAINS independent recurrences x <- x a + b, which stay near 1. There are enough of them to hide the
 * latency. */
#define PEAK_LOOP(name, isa, width)                                                                                    \
  TARGET(isa) static void name(void *context) {                                                                        \
    typedef double Wide __attribute__((vector_size(8 * (width))));                                                     \
    const Wide a = (Wide){0} + 0.5, b = (Wide){0} + 0.5;                                                               \
    Wide x[CHAINS];                                                                                                    \
    _Pragma("GCC unroll 16") for (int i = 0; i < CHAINS; i++) x[i] = (Wide){0} + i;                                    \
    for (int k = 0; k < ROUNDS; k++) _Pragma("GCC unroll 16") for (int i = 0; i < CHAINS; i++) {                       \
        x[i] = x[i] * a + b;                                                                                           \
        __asm__ volatile("" : "+v"(x[i]));                                                                             \
      }                                                                                                                \
    double *sum = context;                                                                                             \
    for (int i = 0; i < CHAINS; i++) *sum += x[i][0];                                                                  \
  }

#ifdef __x86_64__
PEAK_LOOP(peak_sse2, "sse2", 2)
PEAK_LOOP(peak_avx2, "avx2", 4)
PEAK_LOOP(peak_avx512, "avx512f", 8)
#endif

double peak_flops(const char *kernel) {
#ifdef __x86_64__
  static const struct {
    const char *name;
    void (*run)(void *context);
    int width;
  } loops[] = {{"ref", peak_sse2, 1}, {"sse2", peak_sse2, 2}, {"avx2", peak_avx2, 4}, {"avx512", peak_avx512, 8}};
  double sum = 0;
  for (size_t k = 0; k < sizeof loops / sizeof *loops; k++)
    if (!strcmp(loops[k].name, kernel))
      return 2.0 * CHAINS * ROUNDS * loops[k].width / measure((MeasureTask){loops[k].run, &sum}, 20, 0.02).best;
#endif
  (void)kernel;
  return 0;
}
