/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/serve/hand_over.h"
#include "src/spool/spool_read.h"

#include "control/base/clock.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void enter(HandOver *hand, int folder, const char *name) {
  int own = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  DIR *handle = own < 0 ? NULL : fdopendir(own);
  if (!handle && own >= 0) close(own);
  if (handle) hand->folders[hand->depth++] = handle;
}

/* Makes the submitter the owner of one file. Only files of the service's user are given, since the submitter may have
 * created links to files of other users. */
static void give_file(HandOver *hand, int from, const char *name) {
  struct stat info;
  if (fstatat(from, name, &info, AT_SYMLINK_NOFOLLOW)) return;
  bool folder = S_ISDIR(info.st_mode), ours = folder || (info.st_uid == geteuid() && info.st_nlink == 1);
  if (ours && fchownat(from, name, hand->to.user, hand->to.group, AT_SYMLINK_NOFOLLOW))
    return;                                          /* a file of which the owner cannot be changed keeps the service's
                                                      * user as owner */
  bool package = hand->depth == 1 && name[0] == '.'; /* the content of a hidden folder (.package) already belongs to the
                                                      * submitter */
  if (folder && !package && hand->depth < HAND_OVER_DEPTH) enter(hand, from, name);
}

void hand_over_begin(HandOver *hand, const Spool *spool, const char *name, const Submitter *to) {
  *hand = (HandOver){.to = *to};
  if (geteuid() == 0 && to->user != 0) enter(hand, spool->at.folders[SPOOL_RUNNING], name);
}

bool hand_over_go_on(HandOver *hand, double seconds) {
  double start = ctl_seconds();
  while (hand->depth) {
    DIR *folder = hand->folders[hand->depth - 1];
    const struct dirent *entry = readdir(folder);
    if (!entry)
      closedir(hand->folders[--hand->depth]);
    else if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
      give_file(hand, dirfd(folder), entry->d_name);
    if (ctl_seconds() - start >= seconds) break;
  }
  return !hand->depth;
}

void hand_over_end(HandOver *hand) {
  while (hand->depth) closedir(hand->folders[--hand->depth]);
}

void hand_over_folder(const Spool *spool, SpoolFolder folder, const char *name) {
  Submitter to;
  if (geteuid() != 0 || !spool_submitter(spool, folder, name, &to) || to.user == 0) return;
  /* if the owner cannot be changed, the folder keeps the service's user as owner */
  if (fchownat(spool->at.folders[folder], name, to.user, to.group, AT_SYMLINK_NOFOLLOW)) return;
}

void hand_over_rest(const Spool *spool, SpoolFolder folder) {
  DIR *handle = geteuid() == 0 ? spool_open_names(spool->at.folders[folder]) : NULL;
  struct stat info;
  for (const struct dirent *entry; handle && (entry = readdir(handle)) != NULL;) {
    bool ours = spool_is_name(entry->d_name) &&
                fstatat(dirfd(handle), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(info.st_mode) &&
                info.st_uid == 0;
    if (ours) hand_over_folder(spool, folder, entry->d_name);
  }
  if (handle) closedir(handle);
}
