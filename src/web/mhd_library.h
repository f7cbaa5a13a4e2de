/* SPDX-License-Identifier: BSD-2-Clause */
/* Loads libmicrohttpd when a page starts (sim/base/library.h). A file that includes this header calls the functions of
 * the library by their usual names. A new function needs an entry in the list of names, and a #define below it. */
#ifndef SRC_MHD_LIBRARY_H
#define SRC_MHD_LIBRARY_H

#include "sim/base/library.h"

#include <microhttpd.h>

/* clang-format off */
#define MHD_SYMBOLS(X)                                                                                                 \
  X(MHD_add_response_header) X(MHD_create_response_from_buffer) X(MHD_create_response_from_callback)                   \
  X(MHD_create_response_from_fd) X(MHD_destroy_response) X(MHD_get_connection_info) X(MHD_get_connection_values)       \
  X(MHD_lookup_connection_value) X(MHD_queue_response) X(MHD_resume_connection) X(MHD_start_daemon)                    \
  X(MHD_stop_daemon) X(MHD_suspend_connection)
/* clang-format on */

typedef struct MhdTable {
  MHD_SYMBOLS(LIBRARY_MEMBER)
} MhdTable;

extern MhdTable mhd_table;

const char *mhd_library_load(void); /* loads the library; returns NULL or an error message, as library_load does */

#define MHD_add_response_header           (*mhd_table.at_MHD_add_response_header)
#define MHD_create_response_from_buffer   (*mhd_table.at_MHD_create_response_from_buffer)
#define MHD_create_response_from_callback (*mhd_table.at_MHD_create_response_from_callback)
#define MHD_create_response_from_fd       (*mhd_table.at_MHD_create_response_from_fd)
#define MHD_destroy_response              (*mhd_table.at_MHD_destroy_response)
#define MHD_get_connection_info           (*mhd_table.at_MHD_get_connection_info)
#define MHD_get_connection_values         (*mhd_table.at_MHD_get_connection_values)
#define MHD_lookup_connection_value       (*mhd_table.at_MHD_lookup_connection_value)
#define MHD_queue_response                (*mhd_table.at_MHD_queue_response)
#define MHD_resume_connection             (*mhd_table.at_MHD_resume_connection)
#define MHD_start_daemon                  (*mhd_table.at_MHD_start_daemon)
#define MHD_stop_daemon                   (*mhd_table.at_MHD_stop_daemon)
#define MHD_suspend_connection            (*mhd_table.at_MHD_suspend_connection)

#endif
