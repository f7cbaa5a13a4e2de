# SPDX-License-Identifier: BSD-2-Clause
# Writes OUTPUT, a source of C with the function source_commit: the commit of the clone at ROOT, "" where ROOT is no clone.
#   usage: cmake -DROOT=.. -DOUTPUT=.. -P commit.cmake
set(commit "")
execute_process(COMMAND git -C ${ROOT} rev-parse --show-toplevel OUTPUT_VARIABLE top RESULT_VARIABLE failed ERROR_QUIET
                OUTPUT_STRIP_TRAILING_WHITESPACE)
if(failed EQUAL 0)
  file(REAL_PATH ${ROOT} root)
  file(REAL_PATH ${top} top)
  if(root STREQUAL top) # else it is a folder in a clone of something else
    execute_process(COMMAND git -C ${ROOT} rev-parse --short=12 HEAD OUTPUT_VARIABLE commit ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  endif()
endif()
file(WRITE ${OUTPUT} "const char *source_commit(void);\nconst char *source_commit(void) { return \"${commit}\"; }\n")
