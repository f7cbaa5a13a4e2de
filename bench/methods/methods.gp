# SPDX-License-Identifier: BSD-2-Clause
# The performance profile of the search methods. bench-methods runs this behind style.gp, with `methods`, their names, and
# $evaluations and $seconds, a block of profile.csv's rows for each.
set multiplot layout 1,2 margins 0.08,0.97,0.27,0.89 spacing 0.07 \
    title 'Fraction of runs that meet the target at so many times the cost of the best method'
set logscale x
set xrange [1:*] noextend
set yrange [0:1.02]
set ylabel 'fraction of runs'
set xlabel 'evaluations / the fewest'
set key at screen 0.5, screen 0.01 center bottom vertical maxrows 2
plot for [i=1:words(methods)] $evaluations index i-1 using 3:4 with steps lw 2 lc rgb colour(i) title word(methods, i)
unset key
unset ylabel
set xlabel 'seconds on one rank / the fewest'
plot for [i=1:words(methods)] $seconds index i-1 using 3:4 with steps lw 2 lc rgb colour(i)
unset multiplot
