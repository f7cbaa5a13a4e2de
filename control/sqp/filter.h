/* The filter of SQP: pairs of misses and J that no later point may be worse than in both. */
#ifndef CONTROL_FILTER_H
#define CONTROL_FILTER_H

enum { CTL_SQP_FILTER = 64 };

/* Adds a pair to the filter [count] and removes dominated entries. Returns the new count. */
int ctl_filter_extend(double (*filter)[2], int count, double misses, double J);

#endif
