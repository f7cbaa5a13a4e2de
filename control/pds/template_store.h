/* SPDX-License-Identifier: BSD-2-Clause */
/* Store of the templates of a process (template.h). Each template is built once and shared by all searches. Some
 * unused templates are kept for later searches. */
#ifndef CONTROL_PDS_TEMPLATE_STORE_H
#define CONTROL_PDS_TEMPLATE_STORE_H

#include "control/pds/template.h"

/* Returns a template, borrowed until ctl_template_give is called. Returns NULL if memory is lacking, in the cases in
 * which ctl_template_init returns SIM_NO_MEMORY. */
const CtlTemplate *ctl_template_take(int n, long size);

/* ctl_template_give returns a template to the store (NULL: no effect). The store keeps the latest unused templates, up
 * to CTL_TEMPLATE_KEPT bytes. */
enum { CTL_TEMPLATE_KEPT = 64 << 20 };
void ctl_template_give(const CtlTemplate *template);

#endif
