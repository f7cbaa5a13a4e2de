# SPDX-License-Identifier: BSD-2-Clause
# The picture of bench-peers --csv: gnuplot -e "root = '.'; dir = 'bench/figures'; kind = 'png'" bench/peers/peers.gp
width = 1300; height = 640
load root.'/bench/tools/style.gp'

# an error of 0 is drawn at the lower edge; what has no step of its own is drawn at the right
drawn(error) = error > 0 ? error : 1e-16
rows(motion, simulator) = sprintf("< awk -F, '$1==\"%s\" && $2==\"%s\"' '%s/peers.csv'", motion, simulator, dir)
set output out('peers')
set multiplot layout 2,5 margins 0.06,0.98,0.22,0.94 spacing 0.045,0.13
set logscale xy
set format y '10^{%T}'
set format x '10^{%T}'
set xrange [7e-5:1.5e-2]
set yrange [1e-16:10]
set ytics 1e4
set key at screen 0.5, screen 0.01 center bottom vertical maxrows 2
do for [k = 1:10] {
  motion = word('oscillator below above belt three-blocks tp1 tp2 pendulum arm-holds arm-slips', k)
  set xlabel k > 5 ? 'step, s' : ''
  set title motion.': error at T, '.(motion[1:3] eq 'arm' || motion eq 'pendulum' ? 'rad' : 'm')
  plot rows(motion, 'stiction event') using (1e-2):(drawn($4)) with points pt 7 ps 1.2 lc rgb blue title 'stiction event', \
       rows(motion, 'stiction moreau') using 3:(drawn($4)) with linespoints pt 7 ps 0.6 lc rgb sky title 'stiction moreau', \
       rows(motion, 'CVODE with roots') using (1e-2):(drawn($4)) with points pt 3 ps 1 lc rgb 'black' title 'CVODE with roots', \
       rows(motion, 'MuJoCo') using 3:(drawn($4)) with linespoints pt 4 ps 0.7 lc rgb orange title 'MuJoCo', \
       rows(motion, 'MuJoCo noslip') using 3:(drawn($4)) with linespoints pt 5 ps 0.6 lc rgb orange title 'MuJoCo noslip', \
       rows(motion, 'Siconos') using 3:(drawn($4)) with linespoints pt 9 ps 0.7 lc rgb green title 'Siconos', \
       rows(motion, 'DART') using 3:(drawn($4)) with linespoints pt 8 ps 0.7 lc rgb 'dark-red' title 'DART', \
       rows(motion, 'Simbody') using 3:(drawn($4)) with linespoints pt 2 ps 0.7 lc rgb 'gray40' title 'Simbody', \
       rows(motion, 'ODE') using 3:(drawn($4)) with linespoints pt 6 ps 0.7 lc rgb 'brown' title 'ODE', \
       rows(motion, 'Bullet') using 3:(drawn($4)) with linespoints pt 12 ps 0.7 lc rgb 'purple' title 'Bullet'
  unset key
}
unset multiplot
