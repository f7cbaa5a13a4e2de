# SPDX-License-Identifier: BSD-2-Clause
# block.svg from a run: see block.sh
set terminal svg size 860, 300 font "sans-serif,13" background "white"
set output out
set datafile separator ","
set multiplot
unset key
# left: the block, its table, the control and the friction force
set origin 0, 0; set size 0.38, 1; set margins 1, 1, 1, 1
unset border; unset tics
set xrange [0:10]; set yrange [0:10]
set object 1 rect from 3.3, 4 to 6.7, 6.4 fc rgb "#CFE2F1" fs border lc rgb "#2B6CA3"
set arrow 1 from 0.5, 4 to 9.5, 4 nohead lw 2 lc rgb "#555555"
do for [i=1:17] { set arrow 1+i from 0.5*i+0.6, 4 to 0.5*i+0.2, 3.5 nohead lc rgb "#999999" }
set arrow 30 from 6.7, 5.4 to 9, 5.4 lw 2.5 lc rgb "#C05A1E"
set arrow 31 from 4.6, 4.25 to 3.0, 4.25 lw 2.5 lc rgb "#555555" front
set arrow 32 from 3.3, 7.4 to 6.7, 7.4 lc rgb "#2B6CA3"
set label 1 "u(t)" at 8.2, 6.1 center textcolor rgb "#C05A1E"
set label 2 "m" at 5, 5.4 center
set label 3 "c lambda" at 2.9, 4.9 right textcolor rgb "#555555"
set label 4 "x(t)" at 5, 8.1 center textcolor rgb "#2B6CA3"
set label 5 "m x'' + c lambda = u,  lambda in sgn(x')" at 5, 1.9 center
plot NaN
unset object; unset arrow; unset label
# right: the force and the motion; grey where the block sticks
set border 3; set xtics nomirror out; set ytics nomirror out
set lmargin at screen 0.46; set rmargin at screen 0.98
set xrange [0:4]; set yrange [-2:2]; set ytics 1; set format x ""
load stick
set tmargin at screen 0.95; set bmargin at screen 0.58
set arrow from 0, 1 to 4, 1 nohead dt 2 lc rgb "#999999"
set arrow from 0, -1 to 4, -1 nohead dt 2 lc rgb "#999999"
set ylabel "u, N" offset 1
set label "c" at 4.03, 1; set label "-c" at 4.03, -1
plot 1.5*sin(pi*x) + 0.2 lw 2 lc rgb "#C05A1E"
unset arrow; unset label
set tmargin at screen 0.5; set bmargin at screen 0.16
set autoscale y; set ytics 0.1; set format x "%g"; set xlabel "t, s" offset 0, 0.5; set ylabel "x, m" offset 1
set label "grey: it sticks" at graph 0.02, 0.88 textcolor rgb "#777777"
plot data using "t":"x1" with lines lw 2 lc rgb "#2B6CA3"
unset multiplot
