/* SPDX-License-Identifier: BSD-2-Clause */
/* Computes the reference of a motion. */
#ifndef BENCH_PEERS_PEER_STICTION_H
#define BENCH_PEERS_PEER_STICTION_H

#include "bench/peers/peers.h"

/* Computes a motion by `event` up to 1e-12. rests [PEER_SAMPLES + 1][PEER_DOFS_MAX]: set to whether each block rests at
 * each sample. */
bool peer_reference(const PeerMotion *motion, PeerStates *states, bool *rests);

#endif
