# SPDX-License-Identifier: BSD-2-Clause
# The pictures of the splitting papers' curves and studies: gnuplot -e "root = '.'; dir = 'results/papers'; kind = 'svg'" \
#   bench/papers/splitting.gp (or 'png').
width = 900; height = 760
load root.'/bench/tools/style.gp'
file(name) = dir.'/'.name

# The curves of their figures: rows v, x, lambda, a column for each dof; ours, and the motion itself.
array quantities[3] = ['v (m/s)', 'x (m)', 'lambda']
array names[3] = ['v', 'x', 'lambda']
array labels[4] = ['5.1', '5.2', '6.2', '6.3']
array dofs[4] = [1, 1, 2, 3]
array papers[4] = ['one dof, Figure 1', 'one dof, Figures 3, 4; several, 1, 2', 'several, Figures 5 to 10', 'several, Figures 14 to 22']
do for [k=1:4] {
  set output out('curves-'.labels[k])
  set multiplot layout 3,dofs[k] title sprintf('%s: %s', labels[k], papers[k])
  do for [row=1:3] {
    do for [i=1:dofs[k]] {
      set ylabel i == 1 ? quantities[row] : ''
      set xlabel row == 3 ? 't (s)' : ''
      if (row == 3) { set yrange [-1.15:1.15] } else { set yrange [*:*] }
      if (row == 1 && i == 1) { set key top right } else { unset key }
      plot file('curves-'.labels[k].'.csv') using 't':names[row].i with lines lw 2 lc rgb orange title 'lie', \
           '' using 't':names[row].'_E'.i with lines lw 1 lc rgb black title 'event-exact'
    }
  }
  unset multiplot
}
set yrange [*:*]

# The symmetrized scheme, and oscillations.
points(what, scheme) = sprintf("< awk -F, '$1==\"%s\" && $2==\"%s\"' '%s'", what, scheme, file('symmetrized-points.csv'))
set output out('symmetrized')
set multiplot layout 2,2 title 'Strang against Lie; no oscillations but for some steps at an event'
set key bottom right
do for [what in '5.2 6.2'] {
  set title what.': error over dt'
  set logscale xy
  set format xy '10^{%T}'
  set xlabel 'dt (s)'
  set ylabel 'L^2 error (m, m/s)'
  plot points(what, 'lie') using 3:4 with linespoints pt 7 ps 0.6 lc rgb blue title 'x, lie', \
       points(what, 'strang') using 3:4 with linespoints pt 6 ps 0.9 dt 2 lc rgb blue title 'x, strang', \
       points(what, 'lie') using 3:5 with linespoints pt 5 ps 0.6 lc rgb orange title 'v, lie', \
       points(what, 'strang') using 3:5 with linespoints pt 4 ps 0.9 dt 2 lc rgb orange title 'v, strang'
}
unset logscale
set format xy '%g'
set xlabel 't (s)'
set ylabel 'lambda'
set xrange [0.9:1.1]
set yrange [-0.65:1.05]
set key top right
array law[2] = ['', '_C']
array law_name[2] = ['lie', 'centred, unregularized']
array law_paint[2] = [orange, blue]
do for [k=1:2] {
  set title '6.2: multiplier of mass 2, which sticks; mass 1 stops at t = 1'
  plot file('curves-6.2.csv') using 't':'lambda'.law[k].'2' with linespoints pt 7 ps 0.4 lc rgb law_paint[k] title law_name[k], \
       '' using 't':'lambda_E2' with lines lw 1.5 dt 2 lc rgb black title 'event-exact'
}
unset multiplot
set xrange [*:*]
set yrange [*:*]
unset title

# The multiplier's iteration over rho.
width = 900; height = 420
load root.'/bench/tools/style.gp'
runs(problem) = sprintf("< awk -F, '$1==\"%s\"' '%s'", problem, file('uzawa.csv'))
q(least, s) = abs(1 - 2*s*least) > abs(1 - 2*s) ? abs(1 - 2*s*least) : abs(1 - 2*s)
array problems[3] = ['shiau-6.2', 'tp1', 'tp2']
array least[3] = [1./3, 2./3, 16./108]
set output out('uzawa')
set multiplot layout 1,2 title 'The iteration for the multiplier (4.19)-(4.21) over rho; lines: the estimate'
set xrange [0:1]
set xlabel 'rho over its bound 2/(tau beta_d)'
set samples 400
set key bottom left
set ylabel 'decay an iteration, slowest step'
set yrange [0:1]
plot for [k=1:3] q(least[k], x) lc rgb colour(k) notitle, \
     for [k=1:3] runs(problems[k]) using 2:5 with points pt 5+k ps 1 lc rgb colour(k) title problems[k]
set ylabel 'iterations to 1e-10, the most of a step'
set logscale y
set yrange [10:1000]
set key top center
plot for [k=1:3] log(1e-10)/log(q(least[k], x)) lc rgb colour(k) notitle, \
     for [k=1:3] runs(problems[k]) using 2:7 with points pt 5+k ps 1 lc rgb colour(k) title problems[k]
unset multiplot
