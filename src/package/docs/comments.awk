# SPDX-License-Identifier: BSD-2-Clause
# Doxygen's view of a public header: each comment of C as a comment of Doxygen. The first one is the file's; one that stands
# behind code is of what stands before it; all others are of what follows.
#   usage: awk -f comments.awk HEADER
function plain(text) { # characters that mean something to Doxygen, and nothing here
  gsub(/\\/, "\\\\", text); gsub(/@/, "\\@", text); gsub(/</, "\\<", text); gsub(/>/, "\\>", text); gsub(/#/, "\\#", text)
  gsub(/%/, "\\%", text); gsub(/::/, "\\::", text)
  while (match(text, /`[^`]+`/))
    text = substr(text, 1, RSTART - 1) "<tt>" substr(text, RSTART + 1, RLENGTH - 2) "</tt>" substr(text, RSTART + RLENGTH)
  return text
}
function block(text,    is) { # whether a line is of a formula or of code: begins one, or ends it
  is = text ~ /^ \*     *[^ ]/ && match(text, /[^ *]/) > 6
  if (is && !quoted) print " * @code{.unparsed}"
  if (!is && quoted && text !~ /^ \*$/) { print " * @endcode"; quoted = 0 }
  if (is) quoted = 1
  return is || quoted
}
/^#define SIM_[A-Z_]+\(X\)/ { table = 1 }
table { print; if ($0 !~ /\\$/) table = 0; next }
!within && (at = index($0, "/*")) {
  before = substr($0, 1, at - 1); rest = substr($0, at + 2)
  if (rest ~ /clang-format|SPDX/) { print ""; next }
  end = index(rest, "*/")
  after = end ? substr(rest, end + 2) : ""
  text = end ? substr(rest, 1, end - 1) : rest
  mark = !files++ ? "/** @file\n *" : before ~ /[^ ]/ ? "/**<" : "/**"
  print before mark plain(text) (end ? "*/" after : "")
  within = !end
  next
}
within {
  end = index($0, "*/")
  if (block($0) && !end) { print; next }
  if (quoted) { print substr($0, 1, end - 1); print " * @endcode\n" substr($0, end); quoted = within = 0; next }
  if (!end) { print plain($0); next }
  print plain(substr($0, 1, end - 1)) substr($0, end)
  within = 0
  next
}
{ print }
