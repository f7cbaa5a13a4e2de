/* The files that the page consists of, which the build puts into the program (embed.cmake). */
#ifndef SRC_WEB_PAGE_FILES_H
#define SRC_WEB_PAGE_FILES_H

#include <stddef.h>

typedef struct PageFile {
  const char *name;
  const unsigned char *bytes;
  size_t size;
} PageFile;

extern const PageFile page_files[]; /* up to one whose name is NULL */

#endif
