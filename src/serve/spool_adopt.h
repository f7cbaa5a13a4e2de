/* What is claimed becomes a copy of the service's own: whoever has put it in may still have it open, and write. Each file is read once, and
 * what is checked and parsed is the copy.
 *
 *     running/NAME/problem.yaml     a problem file, copied in its place, or
 *     running/NAME/.package/        a packed job, of which each file is copied beside it; then
 *     running/NAME/.taken/          the same, of no use any more; taken away
 *     running/NAME/submitted.json   whose it was (spool_folders.h)
 *
 * In a package only files of its owner's count. Where the service may not empty .taken, it stays. */
#ifndef SRC_SERVE_SPOOL_ADOPT_H
#define SRC_SERVE_SPOOL_ADOPT_H

#include "src/serve/spool.h"

#define SPOOL_PACKAGE ".package"

typedef struct Submitter {
  uid_t user;
  gid_t group;
  time_t at; /* when what is claimed was written */
} Submitter;

/* Copies running/NAME. Returns 0, or an exit code after telling, with the file's name, why it is not read. Once more: the copy is copied. */
int spool_adopt(const Spool *spool, const char *name, Diagnostics *diagnostics);

/* Writes running/NAME/submitted.json, before anything is copied: a copy is not the submitter's. file: as what it was claimed; NULL: nobody
 * knows any more. Returns 0, or an exit code after telling. */
int spool_note_submitter(const Spool *spool, const char *name, const char *file, Diagnostics *diagnostics);

/* Notes there the exit code of a job that fails: its command may have died, or never run. */
void spool_note_exit(const Spool *spool, const char *name, int code);

/* Whose a job's folder is, in running/ or elsewhere. False: nobody knows. */
bool spool_submitter(const Spool *spool, SpoolFolder folder, const char *name, Submitter *submitter);

#endif
