/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/base/pieces.h"

void pieces_cut(SimProblem *p, double end) {
  size_t size = sim_piece_size(p->d), d = (size_t)p->d;
  double was = p->end;
  p->end = end;
  while (p->piece_count > 1 && piece_start(p, p->piece_count - 1) >= end) {
    p->piece_count--;
    was = p->pieces[(size_t)p->piece_count * size];
  }
  if (p->piece_count == 0 || was == end) return;
  double *last = p->pieces + (size_t)(p->piece_count - 1) * size, part = (end - last[0]) / (was - last[0]), power = 1;
  for (size_t k = 0; k <= SIM_PIECE_ORDER; k++, power *= part)
    for (size_t i = 0; i < d; i++) last[SIM_PIECE_HEAD + k * d + i] *= power;
}
