#!/usr/bin/env bash
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
  timeout 120 chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --user-data-dir="$scratch/browser" \
    --enable-logging=stderr --virtual-time-budget=5000 "${@:2}" --dump-dom "$1" >dom 2>log
}

# The report in a frame of a given width (a window cannot be that narrow); the page around it measures it.
frame() { # REPORT WIDTH
  printf '<!DOCTYPE html><body><iframe id="f" style="border:0" width="%d" height="800" srcdoc="' "$2"
  sed 's/&/\&amp;/g; s/"/\&quot;/g' "$1"
  cat <<'END'
"></iframe><script>
onload = () => {
  const w = f.contentWindow, d = w.document, root = d.documentElement;
  const boxes = [...d.querySelectorAll('figure svg')].map(e => e.getBoundingClientRect());
  const shown = boxes.filter(b => b.width > 200 && b.height > 100 && b.left >= 0 && b.right <= root.clientWidth);
  const ids = [...d.querySelectorAll('[id]')].map(e => e.id);
  const set = (k, v) => document.body.setAttribute('data-' + k, v);
  set('figures', boxes.length); set('shown', shown.length); set('sideways', root.scrollWidth - root.clientWidth);
  set('scripts', d.scripts.length); set('twice', ids.length - new Set(ids).size);
  set('asked', w.performance.getEntriesByType('resource').length); set('heading', d.querySelector('h1').textContent);
  const boxed = [...d.querySelectorAll('.scroll')];
  set('clipped', boxed.filter(e => e.scrollWidth > e.clientWidth || e.scrollHeight > e.clientHeight).length);
  set('figuresfirst', d.querySelector('figure').compareDocumentPosition(d.querySelector('table')) & 4);
  set('curves', d.querySelectorAll('figure svg path').length > 20);
};
</script>
END
}

look() { # NAME FIGURES
  local width
  for width in 390 1280; do
    frame "$1/report.html" $width >"$1-$width.html"
    browse "file://$scratch/$1-$width.html"
    that "$1 at $width: loads" test -s dom
    has dom "data-figures=\"$2\" data-shown=\"$2\" data-sideways=\"0\" data-scripts=\"0\" data-twice=\"0\" data-asked=\"0\""
    has dom 'data-clipped="0" data-figuresfirst="4" data-curves="true"'
    that "$1 at $width: nothing on the console" test -z "$(grep CONSOLE log)"
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
look tp1 5
has dom 'data-heading="&lt;script&gt;document.body.remove'
look dashpot 5
look chain 6
verdict
