# SPDX-License-Identifier: BSD-2-Clause
# stiction_source_hash(TARGET FUNCTION FILES.. OPTIONS TEXT): gives TARGET a source with FUNCTION, which returns 16 hexadecimal
# digits of a hash of the files, in order, of the compiler and its options, and of TEXT. The list is in FUNCTION.txt.
function(stiction_source_hash target function)
  cmake_parse_arguments(PARSE_ARGV 2 ARG "" "OPTIONS" "FILES")
  set(list ${CMAKE_CURRENT_BINARY_DIR}/${function}.txt)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${function}.c)
  list(JOIN ARG_FILES "\n" lines)
  file(CONFIGURE OUTPUT ${list} CONTENT "${lines}\n" @ONLY)
  string(TOUPPER "CMAKE_C_FLAGS_${CMAKE_BUILD_TYPE}" flags)
  set(options "${CMAKE_C_COMPILER_ID} ${CMAKE_C_COMPILER_VERSION} ${CMAKE_C_FLAGS} ${${flags}} ${ARG_OPTIONS}")
  set(script ${PROJECT_SOURCE_DIR}/control/source_hash.cmake)
  add_custom_command(OUTPUT ${source}
                     COMMAND ${CMAKE_COMMAND} -DLIST=${list} "-DTEXT=${options}" -DFUNCTION=${function} -DOUTPUT=${source}
                             -P ${script}
                     DEPENDS ${ARG_FILES} ${list} ${script} VERBATIM)
  target_sources(${target} PRIVATE ${source})
endfunction()

if(NOT CMAKE_SCRIPT_MODE_FILE)
  return()
endif()
file(STRINGS ${LIST} files)
foreach(file ${files})
  file(SHA256 ${file} hash)
  get_filename_component(name ${file} NAME)
  string(APPEND TEXT "${name} ${hash}\n")
endforeach()
string(SHA256 hash "${TEXT}")
string(SUBSTRING ${hash} 0 16 hash)
file(WRITE ${OUTPUT} "const char *${FUNCTION}(void);\nconst char *${FUNCTION}(void) { return \"${hash}\"; }\n")
