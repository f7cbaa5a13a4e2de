#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Reports in headless Chromium, at desktop and phone width, light and dark: they load without a word on the console and
# without asking for anything else, every figure is visible, nothing makes the page scroll sideways, text is text.
# Skipped (77) where Chromium is not installed (jobs/setup.sh --with-browser).
#   usage: tests/figures/report_browser.sh PROGRAM
set -uo pipefail
PROGRAM=$1
command -v chromium >/dev/null || { echo "skipped: chromium is not installed (jobs/setup.sh --with-browser)"; exit 77; }
command -v gnuplot >/dev/null || { echo "skipped: gnuplot is not installed"; exit 77; }

# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"

browse() { # URL OPTIONS...: the page after its scripts have run, in dom; what its console said, in log
  timeout 120 chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --single-process --no-zygote --user-data-dir="$scratch/browser" \
    --enable-logging=stderr --virtual-time-budget=5000 "${@:2}" --dump-dom "$1" >dom 2>log
}

# A report in a frame of a given width: a window cannot be that narrow.
frame() { # NAME WIDTH
  printf '<iframe id="%s-%d" style="border:0" width="%d" height="800" srcdoc="' "$1" "$2" "$2"
  sed 's/&/\&amp;/g; s/"/\&quot;/g' "$1/report.html"
  echo '"></iframe>'
}

# All of them in one page, which measures them: starting the browser takes longest.
page() { # NAME...
  local name width
  echo '<!DOCTYPE html><body>'
  for name; do for width in 390 1280; do frame "$name" $width; done; done
  cat <<'END'
<script>
onload = () => document.querySelectorAll('iframe').forEach(f => {
  const w = f.contentWindow, d = w.document, root = d.documentElement, report = document.createElement('p');
  const boxes = [...d.querySelectorAll('figure svg')].map(e => e.getBoundingClientRect());
  const shown = boxes.filter(b => b.width > 200 && b.height > 100 && b.left >= 0 && b.right <= root.clientWidth);
  const ids = [...d.querySelectorAll('[id]')].map(e => e.id);
  const set = (k, v) => report.setAttribute('data-' + k, v);
  set('of', f.id);
  set('figures', boxes.length); set('shown', shown.length); set('sideways', root.scrollWidth - root.clientWidth);
  set('scripts', d.scripts.length); set('twice', ids.length - new Set(ids).size);
  set('asked', w.performance.getEntriesByType('resource').length);
  const boxed = [...d.querySelectorAll('.scroll')];
  const cut = e => { // whether a word of a cell is on two lines
    const t = e.firstChild, range = d.createRange();
    return t && t.nodeType === 3 && [...t.data.matchAll(/[A-Za-z0-9_.]+/g)].some(m => {
      range.setStart(t, m.index); range.setEnd(t, m.index + m[0].length);
      return range.getClientRects().length > 1;
    });
  };
  set('cut', [...d.querySelectorAll('td, th')].filter(cut).length);
  set('clipped', boxed.filter(e => e.scrollWidth > e.clientWidth || e.scrollHeight > e.clientHeight).length);
  set('figuresfirst', d.querySelector('figure').compareDocumentPosition(d.querySelector('table')) & 4);
  set('curves', d.querySelectorAll('figure svg path').length > 20);
  set('heading', d.querySelector('h1').textContent);
  document.body.append(report);
});
</script>
END
}

looks() { # NAME FIGURES
  local width clipped='[0-9]+' # a wide table scrolls in its box on a phone
  for width in 390 1280; do
    test $width -eq 390 || clipped=0
    has seen "data-of=\"$1-$width\" data-figures=\"$2\" data-shown=\"$2\" data-sideways=\"0\" data-scripts=\"0\" data-twice=\"0\" data-asked=\"0\" data-cut=\"0\" data-clipped=\"$clipped\" data-figuresfirst=\"4\" data-curves=\"true\""
  done
}

quietly() { expect 0 "$PROGRAM" "$@" --quiet; }
small=(--set search.scheme_size=16 --set search.penalty=P)
quietly control "$problems/tp1.yaml" -o tp1 "${small[@]}" --set 'title=<script>document.body.remove()</script> & "it''s"'
quietly simulate "$problems/gotika-6d-support.yaml" -o dashpot
springs=$(printf '2,%.0s' $(seq 64))
quietly simulate "$problems/chain-dynamical.yaml" -o chain --set "model.springs=[${springs}2]" --set model.mass=1 \
  --set model.thresholds=0.3 --set 'model.force=sin(t)'
for name in tp1 dashpot chain; do quietly report $name; done
page tp1 dashpot chain >page.html
browse "file://$scratch/page.html"
that "nothing is on the console" test -z "$(grep CONSOLE log)"
grep -oE '<p data-of=[^>]*>' dom >seen # the frames hold the reports themselves
that "six are seen" test "$(wc -l <seen)" -eq 6
looks tp1 5
looks dashpot 5
looks chain 6
has seen 'data-of="tp1-1280".* data-heading="&lt;script&gt;document.body.remove'
verdict
