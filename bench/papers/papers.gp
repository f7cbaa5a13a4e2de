# SPDX-License-Identifier: BSD-2-Clause
# The pictures of bench-papers: gnuplot -e "root = '.'; dir = 'results/papers'; kind = 'svg'" bench/papers/papers.gp (or 'png').
width = 800; height = 760
load root.'/bench/tools/style.gp'
file(name) = dir.'/'.name

# Figures 1 to 16 of the control paper.
do for [problem in 'tp1 tp2'] {
  do for [control in 'no yes'] {
    name = 'motion-'.problem.'-'.control
    set output out(name)
    set multiplot layout 4,1 title sprintf('%s, %s', problem, control eq 'yes' ? 'optimal control' : 'no control')
    unset xlabel
    set key outside top right
    do for [row in 'x v lambda_NR lambda_R'] {
      set ylabel row eq 'x' ? 'x (m)' : row eq 'v' ? 'v (m/s)' : row eq 'lambda_R' ? 'lambda, regularized' : 'lambda, unregularized'
      if (row[1:1] eq 'l') { set yrange [-1.1:1.1] } else { set yrange [*:*] }
      if (row eq 'lambda_R') { set xlabel 't (s)' }
      plot for [i=1:3] file(name.'.csv') using 't':row.i with lines lc rgb colour(i) title 'mass '.i
    }
    unset multiplot
  }
}
set yrange [*:*]
set key default
set key samplen 2

# Figures 19 to 32 of the thesis.
array quantities[3] = ['f_d (N)', 'v (m/s)', 'x (m)']
array columns_[3] = ['f_d', 'v', 'x']
do for [figure in '19 20 22 23 25 26 27 28'] {
  set output out('figure-'.figure)
  set multiplot layout 3,2 title 'Thesis, Figure '.figure
  do for [row=1:3] {
    do for [part in 'a b'] {
      set ylabel quantities[row]
      set xlabel row == 3 ? 't (s)' : ''
      set title row == 1 ? '('.part.')' : ''
      stats file('figure-'.figure.part.'.csv') using columns_[row] name 'S' nooutput
      if (S_max - S_min < 1e-9) { set yrange [S_min - 1:S_max + 1] } else { set yrange [*:*] }
      plot file('figure-'.figure.part.'.csv') using 't':columns_[row] with lines lc rgb blue notitle
    }
  }
  unset multiplot
}
unset title
set yrange [*:*]
array force[4] = ['f_d (N)', 'v (m/s)', 'x (m)', 'support (N)']
array of[4] = ['f_d', 'v', 'x', 'lambda_contact']
do for [figure in '29 30 31 32'] {
  set output out('figure-'.figure)
  set multiplot layout 4,1 title 'Thesis, Figure '.figure
  do for [row=1:4] {
    set ylabel force[row]
    set xlabel row == 4 ? 't (s)' : ''
    plot file('figure-'.figure.'.csv') using 't':of[row] with lines lc rgb blue notitle
  }
  unset multiplot
}
do for [figure in '21 24'] {
  set output out('figure-'.figure)
  run = figure eq '21' ? '23b' : '26b'
  set xlabel 'f_d (N)'
  set ylabel 'v (m/s)'
  plot file('figure-'.run.'.csv') using 'f_d':'v' with points pt 7 ps 0.3 lc rgb blue title 'Figure '.run
}

# Errors over the step.
rows(name, what) = sprintf("< grep '^%s,' '%s' | sort -t, -k2g", what, file(name))
set logscale xy
set format xy '10^{%T}'
set xlabel 'dt (s)'
set key bottom right
set output out('splitting')
set multiplot layout 2,2 title 'Splitting papers: L^2 error over dt'
do for [what in '5.1 5.2 6.2 6.3'] {
  set title what
  set ylabel 'error (m, m/s, 1)'
  plot rows('splitting-points.csv', what) using 2:3 with linespoints pt 7 ps 0.5 lc rgb blue title 'x', \
       '' using 2:4 with linespoints pt 5 ps 0.5 lc rgb orange title 'v', \
       '' using 2:6 with linespoints pt 9 ps 0.6 lc rgb green title 'lambda', \
       x with lines dt 2 lc rgb black title 'dt'
}
unset multiplot
unset title
set output out('chains')
set ylabel 'L^2 error of x (m)'
plot for [i=1:7] rows('chains-points.csv', word('(3.6) (3.12) (3.29)-(3.32) (3.29)-(3.39) (3.48) (3.53) (3.62)', i)) \
     using 2:3 with linespoints pt 4+i ps 0.6 lc rgb colour(i) \
     title word('(3.6) (3.12) (3.29)-(3.32) (3.29)-(3.39) (3.48) (3.53) (3.62)', i), \
     x with lines dt 2 lc rgb black title 'dt'
