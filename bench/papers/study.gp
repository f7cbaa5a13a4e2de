# SPDX-License-Identifier: BSD-2-Clause
# The pictures of the study: gnuplot -e "root = '.'; dir = 'results/papers'; kind = 'svg'" bench/papers/study.gp (or 'png').
width = 720; height = 600
load root.'/bench/tools/style.gp'

# One mass's multiplier by three laws, where it sticks shaded.
motion = dir.'/motion-tp1-no.csv'
set output out('multipliers')
set multiplot layout 3,1 margins 0.1,0.97,0.09,0.93 spacing 0.03 \
    title 'Friction multiplier of mass 1, test problem 1, no control; shaded: it sticks'
set xrange [0:2]
set yrange [-1.15:1.15]
set ytics 0.5
set ylabel 'lambda'
set key top right
array law[3] = ['NR', 'R', 'M']
array name[3] = ['unregularized', 'regularized, epsilon = dt^{6/5}', 'Moreau-Jean']
array paint[3] = [blue, red, green]
do for [i=1:3] {
  set format x i == 3 ? '%g' : ''
  set xlabel i == 3 ? 't (s)' : ''
  plot motion using 't':(column('v_E1') == 0 ? 1.15 : NaN) with filledcurves y1=-1.15 lc rgb '#e8e8e8' notitle, \
       motion using 't':'lambda_'.law[i].'1' with linespoints pt 7 ps 0.25 lw 1 lc rgb paint[i] title name[i], \
       motion using 't':'lambda_E1' with lines lw 1 lc rgb black title i == 1 ? 'event-exact' : ''
}
unset multiplot
set xrange [*:*]
set yrange [*:*]
set ytics auto
set format x

# What an epsilon costs and what it is worth, over epsilon/dt.
runs(problem) = sprintf("< awk -F, '$1==\"%s\" && $2==\"no\" && $5!=\"\" {if (!first) first=$3; if ($3==first) print}' '%s/study-runs.csv' | sort -t, -k5g", problem, dir)
run0(problem, which, column) = real(system(sprintf("awk -F, '$1==\"%s\" && $2==\"no\" && $4==\"%s\" {print $%d; exit}' '%s/study-runs.csv'", problem, which, column, dir)))
miss(problem) = sprintf("< awk -F, '$1==\"%s\" && $4!=\"\" {if (!first) first=$2; if ($2==first) print}' '%s/study-controls.csv' | sort -t, -k4g", problem, dir)
miss0(problem, which) = real(system(sprintf("awk -F, '$1==\"%s\" && $3==\"%s\" {print $9; exit}' '%s/study-controls.csv'", problem, which, dir)))
set output out('epsilon')
set multiplot layout 3,1 margins 0.12,0.97,0.09,0.93 spacing 0.04 \
    title "What epsilon buys and costs, at the papers' steps (dashed: no regularization; dotted: Moreau-Jean)"
unset xlabel
set logscale x
set xrange [1e-4:1]
set arrow 1 from 0.125, graph 0 to 0.125, graph 1 nohead lc rgb '#999999'
set arrow 2 from 0.407, graph 0 to 0.407, graph 1 nohead lc rgb '#999999'
set label 1 'dt/8' at 0.125, graph 0.8 offset 0.4,0 textcolor rgb '#777777'
set label 2 'dt^{6/5}' at 0.407, graph 0.8 offset 0.4,0 textcolor rgb '#777777'
set format x ''
set key bottom left
set ylabel 'iterations / unregularized'
set yrange [0:1.1]
plot runs('tp1') using 5:($6/run0('tp1', 'none', 6)) with linespoints pt 7 ps 0.7 lc rgb blue title 'test problem 1', \
     runs('tp2') using 5:($6/run0('tp2', 'none', 6)) with linespoints pt 5 ps 0.7 lc rgb orange title 'test problem 2', \
     1 dt 2 lc rgb black notitle
unset key
unset label
set logscale y
set yrange [*:*]
set format y '10^{%T}'
set ylabel 'L^1 error of lambda (s)'
plot runs('tp1') using 5:9 with linespoints pt 7 ps 0.7 lc rgb blue, \
     runs('tp2') using 5:9 with linespoints pt 5 ps 0.7 lc rgb orange, \
     run0('tp1', 'none', 9) dt 2 lc rgb blue, run0('tp2', 'none', 9) dt 2 lc rgb orange, \
     run0('tp1', 'moreau', 9) dt 3 lc rgb blue, run0('tp2', 'moreau', 9) dt 3 lc rgb orange
set format x '10^{%T}'
set xlabel 'epsilon / dt'
set ylabel 'true miss E_1 of its control'
plot miss('tp1') using 4:9 with linespoints pt 7 ps 0.7 lc rgb blue, \
     miss('tp2') using 4:9 with linespoints pt 5 ps 0.7 lc rgb orange, \
     miss0('tp1', 'none') dt 2 lc rgb blue, miss0('tp2', 'none') dt 2 lc rgb orange, \
     miss0('tp1', 'moreau') dt 3 lc rgb blue, miss0('tp2', 'moreau') dt 3 lc rgb orange
unset multiplot
unset arrow
set yrange [*:*]
set xrange [*:*]

# The multiplier's error over the step, in L^s.
height = 720
load root.'/bench/tools/style.gp'
series(problem, epsilon) = sprintf("< awk -F, '$1==\"%s\" && $2==\"no\" && $3==\"%s\"' '%s/strong-points.csv'", problem, epsilon, dir)
set output out('strong')
set multiplot layout 2,2 title 'Error of the multiplier in L^s(0, T) over dt, test problem 1, no control; grey: dt^{1/s}'
set logscale xy
set format xy '10^{%T}'
set key bottom right
array paints[6] = [black, red, orange, pink, sky, green]
array scale[4] = [4, 1.5, 1.4, 1.5]
do for [k=1:4] {
  s = 2**(k - 1)
  set title sprintf('s = %d', s)
  set xlabel k > 2 ? 'dt (s)' : ''
  if (k > 1) { unset key }
  set ylabel k % 2 ? 'error of lambda' : ''
  plot for [i=1:6] series('tp1', word('none dt^1.2 dt/8 dt^1.5 dt^2 moreau', i)) using 4:(column(4 + k)) with linespoints \
         pt 4+i ps 0.6 lc rgb paints[i] title word('none dt^{1.2} dt/8 dt^{1.5} dt^2 moreau', i), \
       scale[k]*x**(1./s) dt 2 lc rgb '#999999' notitle
}
unset multiplot
