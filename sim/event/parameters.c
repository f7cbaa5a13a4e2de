#include "sim/event/parameters.h"

const SimParameter event_parameters[] = {
    SIM_ROW(EventParameters, tolerance, .forms = SIM_FORM_NUMBER, SIM_FROM_TO(1e-16, 1), .preset = 1e-10,
            .sentence = "of x and v, as a part of their largest values"),
    SIM_ROW(EventParameters, max_events, .forms = SIM_FORM_INTEGER, SIM_FROM_TO(1, 1e9), .preset = 100000,
            .sentence = "beyond which a motion is given up: its events accumulate"),
    {0}};
