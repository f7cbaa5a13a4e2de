# SPDX-License-Identifier: BSD-2-Clause
# Makes the C file OUTPUT of the files that FILES names: page_files, a table of them by name (page_files.h).
#   usage: cmake -DFILES="page.html;page.js" -DOUTPUT=page_files.c -P embed.cmake
set(arrays)
set(rows)
foreach(file ${FILES})
  get_filename_component(name ${file} NAME)
  string(MAKE_C_IDENTIFIER ${name} symbol)
  file(READ ${file} hex HEX)
  string(LENGTH "${hex}" size)
  math(EXPR size "${size} / 2")
  string(REGEX REPLACE "(..)" "0x\\1," hex "${hex}")
  string(REGEX REPLACE "((0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,))" "\\1\n" hex "${hex}")
  string(APPEND arrays "static const unsigned char ${symbol}[] = {\n${hex}0};\n")
  string(APPEND rows "  {\"${name}\", ${symbol}, ${size}},\n")
endforeach()
file(WRITE ${OUTPUT} "#include \"src/web/page_files.h\"\n\n${arrays}\nconst PageFile page_files[] = {\n${rows}  {0, 0, 0}};\n")
