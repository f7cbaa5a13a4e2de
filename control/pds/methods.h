#ifndef CONTROL_PDS_METHODS_H
#define CONTROL_PDS_METHODS_H

#include "control/outcome/method.h"

extern const CtlMethod ctl_pds_methods[];

#endif
