# SPDX-License-Identifier: BSD-2-Clause
# Draws mutants: lines of C with one change each, a sign, a bound or an index, in the order of a seed. Comments, strings,
# directives, assertions, declared lengths and texts of messages are left alone.
#   usage: awk -v seed=SEED -f mutate.awk FILE...      prints: FILE, line, kind of change and the new line, with tabs between
function draw(n) {
  seed = seed * 16807 % 2147483647 # Lehmer's generator: the same in every awk
  return int(seed / 2147483647 * n)
}

# the line with what is no code made \1
function code_of(text,    code, i, two, quote, c) {
  code = ""
  for (i = 1; i <= length(text); i++) {
    c = substr(text, i, 1)
    two = substr(text, i, 2)
    if (comment) {
      if (two == "*/") { comment = 0; i++; code = code "\1" }
      c = "\1"
    } else if (quote != "") {
      if (c == "\\") { i++; code = code "\1" }
      if (c == quote) quote = ""
      c = "\1"
    } else if (two == "/*") { comment = 1; i++; c = "\1\1" }
    else if (two == "//") { while (length(code) < length(text)) code = code "\1"; return code }
    else if (c == "\"" || c == "'") { quote = c; c = "\1" }
    code = code c
  }
  return code
}

# no length of `TYPE name[LENGTH]`, and no `static` of a parameter's
function without_lengths(code,    at, long, blank) {
  while (match(code, /[A-Za-z_][A-Za-z_0-9]* [*]*[A-Za-z_][A-Za-z_0-9]*(\[[^]\1]*\])+/)) {
    at = RSTART; long = RLENGTH
    if (substr(code, at) ~ /^(return|else|case|sizeof) /) {
      code = substr(code, 1, at - 1) "\2" substr(code, at + 1) # seen
      continue
    }
    blank = substr(code, at, long)
    gsub(/./, "\1", blank)
    code = substr(code, 1, at - 1) blank substr(code, at + long)
  }
  return code
}

function change(kind, at, long, by) {
  changes++
  kinds[changes] = kind
  changed[changes] = substr($0, 1, at - 1) by substr($0, at + long)
}

# every occurrence of one operator
function operators(kind, from, to,    start, at) {
  for (start = 1; at = index(substr(code, start), from); start += at) change(kind, start + at - 1, length(from), to)
}

# every match of a pattern: the index, the bound or the sign in it
function each(kind, pattern,    start, at, long, text) {
  start = 1
  while (match(substr(code, start), pattern)) {
    at = start + RSTART - 1; long = RLENGTH
    text = substr($0, at, long)
    if (kind == "index") change(kind, at, long, "[" substr(text, 2, long - 2) (draw(2) ? " + 1]" : " - 1]"))
    else if (kind == "bound") change(kind, at, long, substr(text, 1, long - 1) (draw(2) ? " + 1;" : " - 1;"))
    else change(kind, at, long, substr(text, 1, 1) (text ~ / / ? " " : "") substr(text, long))
    start = at + long
  }
}

FNR == 1 { comment = 0 }
{ code = without_lengths(code_of($0)) }
/^[ \t]*#/ || /assert\(|enum|typedef/ { next }
match($0, /"[^"]* [^"]*"/) { code = substr(code, 1, RSTART) } # a message's words, and what they are about
{
  changes = 0
  operators("sign", " + ", " - "); operators("sign", " - ", " + ")
  operators("sign", " += ", " -= "); operators("sign", " -= ", " += ")
  each("sign", "[=(,?:] ?-[a-z(0-9]")
  operators("bound", " < ", " <= "); operators("bound", " <= ", " < ")
  operators("bound", " > ", " >= "); operators("bound", " >= ", " > ")
  each("bound", " (<|<=|>|>=) [a-z][A-Za-z0-9_>.-]*;")
  each("index", "\\[[^][\1]+\\]")
  if (changes) {
    i = 1 + draw(changes)
    mutants[++total] = FILENAME "\t" FNR "\t" kinds[i] "\t" changed[i]
  }
}
END {
  for (i = total; i > 0; i--) { # Fisher and Yates
    j = 1 + draw(i)
    print mutants[j]
    mutants[j] = mutants[i]
  }
}
