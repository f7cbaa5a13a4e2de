/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the sections output and checkpoint. */
#include "src/file/values/parameter.h"

#include <math.h>

static const SimChoice formats[] = {{"csv", OUTPUT_CSV, "trajectory.csv, up to 64 degrees of freedom"},
                                    {"hdf5", OUTPUT_HDF5, "trajectory.h5, any size"},
                                    {0}};

static const SimChoice answers[] = {
    {"yes", true, "the end of the exact motion is computed and printed"}, {"no", false, "that is left out"}, {0}};

const SimParameter output_parameters[] = {
    {"every", SIM_FORM_INTEGER, NULL, "every k-th step goes to the trajectory", SIM_FROM_TO(1, 1000000000), .preset = 1,
     SIM_MEMBER(Problem, output_every)},
    {"format", SIM_FORM_CHOICE, NULL, "of the trajectory; csv is refused beyond 64 degrees of freedom",
     .choices = formats, .default_text = "csv up to 64 degrees of freedom, hdf5 beyond",
     SIM_MEMBER(Problem, output_format)},
    {"verify", SIM_FORM_CHOICE, NULL, "whether control computes the end of the exact motion under the u found",
     .choices = answers, .preset = true, SIM_MEMBER(Problem, output_verify)},
    {"peaks_from", SIM_FORM_NUMBER, "s",
     "from when on summary.json has the least and the greatest of x and v, and how often what sticks begins to; the "
     "run-up before is left out",
     SIM_AT_LEAST(0), .preset = 0, SIM_MEMBER(Problem, output_peaks_from)},
    {0}};

const SimParameter checkpoint_parameters[] = {
    {"seconds", SIM_FORM_NUMBER, "s",
     "the least time between two checkpoints; 0: one after every simplex, whatever it costs", SIM_AT_LEAST(0),
     .preset = 10, SIM_MEMBER(Problem, checkpoint_seconds)},
    {"grace", SIM_FORM_NUMBER, "s", "how long a run that is to stop waits for evaluations under way", SIM_AT_LEAST(0),
     .preset = 10, SIM_MEMBER(Problem, checkpoint_grace)},
    {0}};

void read_output(Reader *reader, Node *root) {
  Problem *problem = reader->problem;
  Node *section = read_section(reader, root, "output");
  bool small = problem->sim.d <= TRAJECTORY_SMALL;
  sim_parameters_set_defaults(output_parameters, problem);
  problem->output_format = small ? OUTPUT_CSV : OUTPUT_HDF5;
  parameters_read(reader, section, output_parameters, problem);
  if (problem->output_format == OUTPUT_CSV && !small)
    key_error(reader, "output.format", "csv with %d degrees of freedom (expected hdf5 beyond %d)", problem->sim.d,
              TRAJECTORY_SMALL);
  if (problem->sim.end > 0 && problem->output_peaks_from >= problem->sim.end)
    key_error(reader, "output.peaks_from", "%g s (expected before time.end, %g s)", problem->output_peaks_from,
              problem->sim.end);
}

void read_checkpoint(Reader *reader, Node *root) {
  sim_parameters_set_defaults(checkpoint_parameters, reader->problem);
  parameters_read(reader, read_section(reader, root, "checkpoint"), checkpoint_parameters, reader->problem);
}

static json_t *echo(const SimParameter *rows, const Problem *problem) {
  json_t *section = json_object();
  return json_if(section && parameters_echo(rows, problem, section), section);
}

json_t *echo_output(const Problem *problem) { return echo(output_parameters, problem); }
json_t *echo_checkpoint(const Problem *problem) { return echo(checkpoint_parameters, problem); }
