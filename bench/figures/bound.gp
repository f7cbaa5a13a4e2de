# SPDX-License-Identifier: BSD-2-Clause
# bound.svg from a sweep: see bound.sh
set terminal svg size 860, 260 font "sans-serif,13" background "white"
set output out
set datafile separator ","
set border 3; set xtics nomirror out (2, 4, 8, 16, 32, 64); set ytics nomirror out 5
set logscale x 2
set xrange [1.8:71]; set yrange [60:85]
set xlabel "segments of u(t)" offset 0, 0.5; set ylabel "J, N^2 s" offset 1
set grid ytics lc rgb "#E3E3E3"
set key top right samplen 2
plot data using "control.signal.segments":"J" with linespoints lw 2 pt 7 ps 0.6 lc rgb "#C05A1E" title "J that was found", \
     "" using "control.signal.segments":"bound.lower_bound" with linespoints lw 2 pt 7 ps 0.6 lc rgb "#2B6CA3" \
     title "proven: no u within its bounds costs less, of any number of segments"
