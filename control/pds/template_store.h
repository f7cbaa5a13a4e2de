/* The templates of a process, each built once: searches share them, and one that nobody uses waits for the next. */
#ifndef CONTROL_PDS_TEMPLATE_STORE_H
#define CONTROL_PDS_TEMPLATE_STORE_H

#include "control/pds/template.h"

/* The template, borrowed until it is given back; NULL: no memory. As for ctl_template_init. */
const CtlTemplate *ctl_template_take(int n, long size);

/* Gives one back (NULL: nothing). Of those that nobody uses the latest are kept, CTL_TEMPLATE_KEPT bytes of them. */
enum { CTL_TEMPLATE_KEPT = 64 << 20 };
void ctl_template_give(const CtlTemplate *template);

#endif
