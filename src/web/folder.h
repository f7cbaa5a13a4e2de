/* Temporary folder for a request. */
#ifndef SRC_WEB_FOLDER_H
#define SRC_WEB_FOLDER_H

#include "src/base/file_open.h"
#include "src/process/program.h"
#include "src/web/request.h"

/* Creates one in the server's temporary directory. Returns false on failure. */
bool web_folder_make(const Web *web, char path[FILE_PATH_SIZE]);
void web_folder_remove(const char *path);

/* web_folder_write writes a file in it; web_folder_copy copies an open file of at most `most` bytes. Return false if
 * this is not complete. */
bool web_folder_write(const char *path, const char *name, const char *bytes, size_t size);
bool web_folder_copy(const char *path, const char *name, int from, size_t most);

/* A command of this program to run. */
typedef struct WebProgram {
  char *const *words; /* NULL-terminated */
  double seconds;     /* time limit */
  int nice;           /* nice value, 0 to 19 */
} WebProgram;

/* Runs it in the folder, with its standard output in the file `output`. It is ended when the server stops. */
ProgramEnd web_folder_run(Web *web, const char *path, const WebProgram *program, int *code);

#define WEB_OUTPUT "output"

#endif
