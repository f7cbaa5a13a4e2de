# Doxygen's view of a public header: each comment of C as a comment of Doxygen. The first one is the file's; one that stands
# behind code is of what stands before it; all others are of what follows.
#   usage: awk -f comments.awk HEADER
function plain(text) { # characters that mean something to Doxygen, and nothing here
  gsub(/\\/, "\\\\", text); gsub(/@/, "\\@", text); gsub(/</, "\\<", text); gsub(/>/, "\\>", text); gsub(/#/, "\\#", text)
  gsub(/%/, "\\%", text); gsub(/::/, "\\::", text)
  return text
}
/^#define SIM_[A-Z_]+\(X\)/ { table = 1 }
table { print; if ($0 !~ /\\$/) table = 0; next }
!within && (at = index($0, "/*")) {
  before = substr($0, 1, at - 1); rest = substr($0, at + 2)
  if (rest ~ /clang-format/) { print ""; next }
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
  if (!end) { print plain($0); next }
  print plain(substr($0, 1, end - 1)) substr($0, end)
  within = 0
  next
}
{ print }
