/* The filter of SQP: a list of pairs (sum of misses, J). A later point is accepted only if it is better than each
 * pair in at least one of the two numbers. */
#ifndef CONTROL_FILTER_H
#define CONTROL_FILTER_H

enum { CTL_SQP_FILTER = 64 };

/* Adds a pair to the filter [count] and removes dominated entries. Returns the new count. */
int ctl_filter_extend(double (*filter)[2], int count, double misses, double J);

#endif
