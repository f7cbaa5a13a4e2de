/* The templates of a process, each built once and shared by searches. Unused ones are kept for later. */
#ifndef CONTROL_PDS_TEMPLATE_STORE_H
#define CONTROL_PDS_TEMPLATE_STORE_H

#include "control/pds/template.h"

/* Returns the template, borrowed until it is given back; NULL: no memory, as for ctl_template_init. */
const CtlTemplate *ctl_template_take(int n, long size);

/* Gives one back (NULL: no effect). Of the unused ones the latest are kept, up to CTL_TEMPLATE_KEPT bytes. */
enum { CTL_TEMPLATE_KEPT = 64 << 20 };
void ctl_template_give(const CtlTemplate *template);

#endif
