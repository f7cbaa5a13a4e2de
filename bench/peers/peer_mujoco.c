/* SPDX-License-Identifier: BSD-2-Clause */
/* Simulates by MuJoCo: a slide joint with frictionloss for each block, a hinge with frictionloss for each joint of an
 * arm, and Euler's semi-implicit rule, implicit in the friction of joints. */
#include "bench/peers/peers.h"

#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>

static const char *version(void) { return mj_versionString(); }

enum { XML_SIZE = 2000 };

/* Writes the bodies of an arm, each in the one before. */
static void write_rods(const PeerMotion *motion, char *xml, size_t size) {
  int length = 0;
  for (int i = 0; i < motion->d; i++)
    length += snprintf(xml + length, size - (size_t)length,
                       "<body pos='%d 0 0'><joint type='hinge' axis='0 0 1' frictionloss='%.17g'/>"
                       "<inertial pos='0.5 0 0' mass='%.17g' diaginertia='1e-3 %.17g %.17g'/>",
                       i > 0, motion->threshold[i], motion->mass[i], motion->mass[i] / 12, motion->mass[i] / 12);
  for (int i = 0; i < motion->d; i++) length += snprintf(xml + length, size - (size_t)length, "</body>");
}

static void write_blocks(const PeerMotion *motion, char *xml, size_t size) {
  int length = 0;
  for (int i = 0; i < motion->d; i++)
    length += snprintf(xml + length, size - (size_t)length,
                       "<body pos='0 %d 0'><joint type='slide' axis='1 0 0' frictionloss='%.17g'/>"
                       "<geom type='sphere' size='0.1' mass='%.17g' contype='0' conaffinity='0'/></body>",
                       i, motion->threshold[i], motion->mass[i]);
}

/* Writes the model with MuJoCo's defaults, but without contacts. */
static void write_model(const PeerMotion *motion, double step, bool noslip, char xml[XML_SIZE]) {
  int length = snprintf(xml, XML_SIZE,
                        "<mujoco><option timestep='%.17g' gravity='0 %g 0' noslip_iterations='%d'/>"
                        "<size njmax='100'/><worldbody>",
                        step, motion->arm ? -PEER_GRAVITY : 0, noslip ? 100 : 0);
  (motion->arm ? write_rods : write_blocks)(motion, xml + length, XML_SIZE - (size_t)length);
  length = (int)strlen(xml);
  snprintf(xml + length, XML_SIZE - (size_t)length, "</worldbody></mujoco>");
}

static mjModel *make_model(const PeerMotion *motion, double step, bool noslip) {
  char xml[XML_SIZE], message[1000] = "";
  write_model(motion, step, noslip, xml);
  static mjVFS files;
  mj_defaultVFS(&files);
  if (mj_makeEmptyFileVFS(&files, "blocks.xml", (int)strlen(xml)) != 0) return NULL;
  memcpy(files.filedata[files.nfile - 1], xml, strlen(xml));
  mjModel *model = mj_loadXML("blocks.xml", &files, message, sizeof message);
  mj_deleteVFS(&files);
  if (!model) fprintf(stderr, "MuJoCo: %s\n", message);
  return model;
}

static bool run_with(const PeerMotion *motion, long steps, bool noslip, PeerStates *states) {
  int d = motion->d;
  mjModel *model = make_model(motion, motion->end / (double)steps, noslip);
  mjData *data = model ? mj_makeData(model) : NULL;
  if (!data) return false;
  for (int i = 0; i < d; i++) {
    data->qpos[i] = motion->x0[i];
    data->qvel[i] = motion->v0[i];
  }
  double from = peer_seconds();
  for (long n = 0; n <= steps; n++) {
    long every = steps / PEER_SAMPLES;
    if (n % every == 0) memcpy(states->x[n / every], data->qpos, (size_t)d * sizeof(double));
    motion->load(motion->end * (double)n / (double)steps, data->qpos, data->qvel, data->qfrc_applied);
    if (n < steps) mj_step(model, data);
  }
  states->seconds = peer_seconds() - from;
  mj_deleteData(data);
  mj_deleteModel(model);
  return true;
}

static bool run(const PeerMotion *motion, long steps, PeerStates *states) {
  return run_with(motion, steps, false, states);
}
static bool run_noslip(const PeerMotion *motion, long steps, PeerStates *states) {
  return run_with(motion, steps, true, states);
}

const Peer peer_mujoco = {"MuJoCo", version, run}, peer_mujoco_noslip = {"MuJoCo noslip", version, run_noslip};
