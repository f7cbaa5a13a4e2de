# SPDX-License-Identifier: BSD-2-Clause
# The pictures of bench-dfo -o DIR, dfo and dfo-ranks: gnuplot -e "root = '.'; dir = 'DIR'; kind = 'png'" bench/dfo/dfo.gp
width = 1000; height = 1050
load root.'/bench/tools/style.gp'

forms = 'smooth nondifferentiable deterministic-noise stochastic-noise'
taus = '0.1 0.001 1e-05'
methods = 'pds pds-64 hybrid cobyla bobyqa neldermead pounders'
profile(form, tau, method) = sprintf("< awk -F, '$1==\"%s\" && $2==\"%s\" && $3==1 && $4==\"%s\"' '%s/profile.csv'", form, tau, method, dir)
ranks(form, tau) = sprintf("< awk -F, '$1==\"%s\" && $2==\"%s\" && $3==10' '%s/ranks.csv'", form, tau, dir)
panel(form, tau) = sprintf('%s, {/Symbol t} = %s', form, tau)
set yrange [0:1.02]
set logscale x

set output out('dfo')
set multiplot layout 4,3 margins 0.06,0.98,0.09,0.94 spacing 0.05,0.06 title 'Fraction of problems solved, over evaluations / (n+1)'
set xrange [1:100]
set key at screen 0.5, screen 0.01 center bottom vertical maxrows 1
do for [form in forms] {
  do for [tau in taus] {
    set title panel(form, tau)
    plot for [i=1:words(methods)] profile(form, tau, word(methods, i)) using 5:6 with steps lw 2 lc rgb colour(i) title word(methods, i)
    unset key
  }
}
unset multiplot

set output out('dfo-ranks')
set multiplot layout 4,3 margins 0.06,0.98,0.09,0.94 spacing 0.05,0.06 title 'Fraction of problems solved within 10 (n+1) rounds, over ranks'
set xrange [1:1024]
set logscale x 4
set key at screen 0.5, screen 0.01 center bottom vertical maxrows 1
do for [form in forms] {
  do for [tau in taus] {
    set title panel(form, tau)
    plot for [i=1:words(methods)] ranks(form, tau) using 4:(column(4+i)) with linespoints pt 7 ps 0.6 lw 2 lc rgb colour(i) title word(methods, i)
    unset key
  }
}
unset multiplot
