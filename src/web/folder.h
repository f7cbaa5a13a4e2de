/* SPDX-License-Identifier: BSD-2-Clause */
/* A temporary folder for one request. */
#ifndef SRC_WEB_FOLDER_H
#define SRC_WEB_FOLDER_H

#include "src/base/file_open.h"
#include "src/process/program.h"
#include "src/web/request.h"

/* Creates a folder in the temporary directory of the server, and sets path to its path. Returns false on failure. */
bool web_folder_make(const Web *web, char path[FILE_PATH_SIZE]);
void web_folder_remove(const char *path);

/* web_folder_write writes a file into the folder. web_folder_copy copies an open file of at most `most` bytes into the
 * folder. Both return false if not all bytes could be written. */
bool web_folder_write(const char *path, const char *name, const char *bytes, size_t size);
bool web_folder_copy(const char *path, const char *name, int from, size_t most);

/* A command of this program to run. */
typedef struct WebProgram {
  char *const *words; /* NULL-terminated */
  double seconds;     /* time limit in s */
  int nice;           /* nice value (priority) of the process, 0 to 19 */
} WebProgram;

/* Runs a program in the folder. Its standard output is written to the file WEB_OUTPUT in this folder. If the server
 * stops, the program is ended. Returns how the program ended; *code: as program_run sets it. */
ProgramEnd web_folder_run(Web *web, const char *path, const WebProgram *program, int *code);

#define WEB_OUTPUT "output"

#endif
