/* Replaces the kernels for lanes, which take most of the compile time. Batches then run one by one. */
#include "sim/lanes/batch.h"

const BatchKernel batch_wide_128 = {.name = "none"}, batch_wide_avx2 = {.name = "none"},
                  batch_wide_avx512 = {.name = "none"};
