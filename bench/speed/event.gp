# SPDX-License-Identifier: BSD-2-Clause
# The picture of bench-event --csv: gnuplot -e "root = '.'; dir = 'bench/figures'; kind = 'png'" bench/speed/event.gp
width = 720; height = 330
load root.'/bench/tools/style.gp'

rows(problem, scheme, kernel) = sprintf("< awk -F, '$1==\"%s\" && $3==\"%s\" && $4 %s' '%s/event.csv'", problem, scheme, kernel, dir)
ref = '== "ref"'; lanes = '!= "ref"'
set output out('event')
set multiplot layout 1,3 margins 0.09,0.98,0.32,0.88 spacing 0.07
set logscale xy
set format y '10^{%T}'
set format x '10^{%T}'
set xlabel 'microseconds a problem'
set yrange [1e-15:1]
set ytics 1e3
set key at screen 0.35, screen 0.01 center bottom vertical maxrows 3
do for [problem in 'tp1 tp2'] {
  set title problem.': error of x(T), v(T)'
  plot rows(problem, 'event', ref) using 8:7 with linespoints pt 7 ps 0.6 lw 2 lc rgb blue title 'event', \
       rows(problem, 'centered', ref) using 8:7 with linespoints pt 5 ps 0.5 lc rgb orange title 'centered', \
       rows(problem, 'centered', lanes) using 8:7 with linespoints pt 4 ps 0.5 lc rgb orange title 'centered, lanes', \
       rows(problem, 'moreau', ref) using 8:7 with linespoints pt 9 ps 0.6 lc rgb green title 'moreau', \
       rows(problem, 'moreau', lanes) using 8:7 with linespoints pt 8 ps 0.6 lc rgb green title 'moreau, lanes'
  unset key
}
set title 'event over the size'
set xlabel 'degrees of freedom'
set format x '%g'
set logscale x 2
set yrange [*:*]
set ytics 10
set key at screen 0.83, screen 0.01 center bottom vertical maxrows 3
plot rows('random', 'event', ref) using 2:8 with linespoints pt 7 ps 0.6 lw 2 lc rgb blue title 'microseconds a problem', \
     rows('random', 'event', ref) using 2:($8/$9) with linespoints pt 6 ps 0.6 lc rgb sky title 'microseconds an event', \
     rows('random', 'event', ref) using 2:9 with linespoints pt 2 ps 0.6 lc rgb black title 'events'
unset multiplot
