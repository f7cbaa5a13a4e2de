# The performance profile of the search methods: gnuplot -e "root = '.'; dir = 'results'; kind = 'svg'" bench/methods.gp
# (or 'png'), after bench-methods --profile results/methods.csv.
width = 720; height = 420
load root.'/bench/style.gp'
file = dir.'/methods.csv'
methods = 'pds nlopt:cobyla nlopt:bobyqa nlopt:sbplx nlopt:auglag tao:pounders hybrid'
set output out('methods')
set title 'Fraction of runs that meet the target with at most so many times the evaluations of the best method'
set xlabel 'evaluations / those of the best method'
set ylabel 'fraction of runs'
set logscale x
set yrange [0:1.02]
set key bottom right
plot for [i=1:words(methods)] sprintf("< awk -F, '$1==\"%s\"' '%s'", word(methods, i), file) using 2:3 \
    with steps lw 2 lc rgb colour(i) title word(methods, i)
