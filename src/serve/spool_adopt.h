/* Copies a claimed job to files that belong to the service, since its submitter may still have them open for writing.
 * Each file is read once; the copy is then checked and parsed.
 *
 *     running/NAME/problem.yaml     a problem file, copied in its place, or
 *     running/NAME/.package/        a packed job; each file is copied to its parent; then
 *     running/NAME/.taken/          the same, no longer used; removed
 *     running/NAME/submitted.json   its submitter (spool_folders.h)
 *
 * In a package only files of its owner count. If the service may not empty .taken, it stays. */
#ifndef SRC_SERVE_SPOOL_ADOPT_H
#define SRC_SERVE_SPOOL_ADOPT_H

#include "src/serve/spool.h"

#define SPOOL_PACKAGE ".package"

typedef struct Submitter {
  uid_t user;
  gid_t group;
  time_t at; /* modification time of the claimed file */
} Submitter;

/* Copies the files of running/NAME. Returns 0, or an exit code after reporting, with the file's name, why it is not
 * read. If repeated, copies the copy. */
int spool_adopt(const Spool *spool, const char *name, Diagnostics *diagnostics);

/* Writes running/NAME/submitted.json before anything is copied, as copies no longer belong to the submitter. file: the
 * name under which it was claimed; NULL: unknown. Returns 0, or an exit code after reporting an error. */
int spool_note_submitter(const Spool *spool, const char *name, const char *file, Diagnostics *diagnostics);

/* Adds the exit code of a failed job, in case its command died or never ran. */
void spool_note_exit(const Spool *spool, const char *name, int code);

/* Finds the owner of a job's folder, in running/ or elsewhere. Returns false if unknown. */
bool spool_submitter(const Spool *spool, SpoolFolder folder, const char *name, Submitter *submitter);

#endif
