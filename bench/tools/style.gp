# SPDX-License-Identifier: BSD-2-Clause
# What the pictures share: width and height are set before, and kind ('svg' or 'png').
# Colours of Okabe and Ito, which the colour-blind can tell apart.
if (kind eq 'svg') { set terminal svg size width,height font 'Helvetica,13' background '#ffffff' } \
else { set terminal pngcairo size width,height font 'Helvetica,10' background '#ffffff' }
blue = '#0072b2'; orange = '#e69f00'; green = '#009e73'; red = '#d55e00'; pink = '#cc79a7'; sky = '#56b4e9'; black = '#000000'
yellow = '#f0e442'; grey = '#999999'; brown = '#8c510a'
colour(i) = word(blue.' '.orange.' '.green.' '.red.' '.pink.' '.sky.' '.black.' '.yellow.' '.grey.' '.brown, i)
set datafile separator comma
set grid lc rgb '#dddddd'
set key samplen 2 spacing 0.9
set tics nomirror
set border 3
out(name) = sprintf('%s/%s.%s', dir, name, kind)
