/* A folder that a request's work is done in. */
#ifndef SRC_WEB_FOLDER_H
#define SRC_WEB_FOLDER_H

#include "src/base/file_open.h"
#include "src/process/program.h"
#include "src/web/request.h"

/* Makes one in the server's scratch. False: it cannot be made. */
bool web_folder_make(const Web *web, char path[FILE_PATH_SIZE]);
void web_folder_remove(const char *path);

/* Writes a file in it; copies from a file that is open, at most `most` bytes. False: not all of it. */
bool web_folder_write(const char *path, const char *name, const char *bytes, size_t size);
bool web_folder_copy(const char *path, const char *name, int from, size_t most);

/* What is run of this program. */
typedef struct WebProgram {
  char *const *words; /* NULL at the end */
  double seconds;     /* at most */
  int nice;           /* it yields the processor to others, 0 to 19 */
} WebProgram;

/* Runs it in the folder, its standard output in `output` there. Ended when the server stops. */
ProgramEnd web_folder_run(Web *web, const char *path, const WebProgram *program, int *code);

#define WEB_OUTPUT "output"

#endif
