#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# The program is built as CMakeLists.txt says: addresses that change, tables that are read-only once it is linked, guarded stacks,
# checked copies.
#   usage: tests/program/hardened.sh PROGRAM
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
readelf -hldW "$PROGRAM" >elf
nm -D "$PROGRAM" >symbols
has elf 'Flags:.* PIE'
has elf 'GNU_RELRO'
has elf 'Flags:.*NOW'
has elf 'GNU_STACK.* RW +0x'
has symbols ' __stack_chk_fail'
has symbols ' __fread_chk' # of size known as the program runs: _FORTIFY_SOURCE=3
verdict
