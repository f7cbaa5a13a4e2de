# SPDX-License-Identifier: BSD-2-Clause
# The picture of bench-quakes --csv: gnuplot -e "root = '.'; dir = 'bench/figures'; kind = 'png'" bench/quakes/quakes.gp
width = 560; height = 400
load root.'/bench/tools/style.gp'

set output out('quakes')
set logscale xy
set format xy '10^{%T}'
set xlabel 'size M of an event, the sum of its slips (m)'
set ylabel 'events per unit of ln(M), of all'
set key right top
file = dir.'/quakes.csv'
stats file using 1:($1 > 0.003 && $1 < 0.05 ? $3*$1 : 1/0) nooutput
scale = STATS_mean_y
plot file using 1:3:4 with yerrorbars pt 7 ps 0.7 lc rgb blue title '1000 blocks', \
     [0.003:3] scale/x with lines lw 1.5 lc rgb black title '1/M'
