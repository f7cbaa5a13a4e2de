# SPDX-License-Identifier: BSD-2-Clause
# CPack runs this before it packs what it has installed: with SOURCE_DATE_EPOCH, all files have that date, so that two builds give the same bytes.
if(DEFINED ENV{SOURCE_DATE_EPOCH})
  execute_process(COMMAND find ${CPACK_TEMPORARY_DIRECTORY} -exec touch --no-dereference --date=@$ENV{SOURCE_DATE_EPOCH} {} + COMMAND_ERROR_IS_FATAL ANY)
endif()
