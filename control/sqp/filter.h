/* SPDX-License-Identifier: BSD-2-Clause */
/* The filter of SQP: a list of pairs (sum of the misses of the targets, effort J) of earlier points. A later point is
 * accepted only if, compared with each pair, its sum of misses or its J is lower. */
#ifndef CONTROL_FILTER_H
#define CONTROL_FILTER_H

/* maximum number of pairs in the filter */
enum { CTL_SQP_FILTER = 64 };

/* Adds the pair (misses, J) to the filter [count] and removes pairs that exceed it in both numbers. Returns the new
 * count. */
int ctl_filter_extend(double (*filter)[2], int count, double misses, double J);

#endif
