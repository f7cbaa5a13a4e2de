#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# The site of the documentation: built without network, its links lead somewhere, and the interface in C is documented.
#   usage: tests/consumer/docs.sh BUILD
set -uo pipefail
PROGRAM=
build=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
for tool in mkdocs doxygen; do command -v "$tool" >/dev/null || { echo "docs: no $tool"; exit 77; }; done
[ -e "$build/src/package/docs/Doxyfile" ] || { echo "docs: configured before they were there"; exit 77; }
site=$build/docs log=$build/src/package/docs/doxygen.log

expect 0 env http_proxy=http://localhost:9 https_proxy=http://localhost:9 cmake --build "$build" --target docs
has out 'pages, all links lead somewhere'
for page in index jobs/tutorial jobs/tutorials/block jobs/problems/index jobs/problems/friction sim/index api; do
  that "there is $page" test -s "$site/$page.html"
done
has "$site/index.html" '<title>stiction</title>'
that "the search has an index" grep -q '^window.search_index = .*Surfaces that move' "$site/search/search_index.js"
that "and the functions in C" grep -q '"api/control_8h.html#[^"]*", "title": "stiction_solve"' "$site/search/search_index.js"
that "Doxygen's first page leads to the headers" grep -q 'url=../api.html' "$site/api/index.html"
grep 'not documented' "$log" >missing
that "all of the interface is documented" test ! -s missing
that "Doxygen has nothing else to say" test "$(grep -cv 'not documented' "$log")" -eq 0
verdict
