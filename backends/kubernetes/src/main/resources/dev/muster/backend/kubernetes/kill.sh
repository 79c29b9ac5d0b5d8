#!/muster/bin/busybox sh
# Ends everything of the attempt: all processes of the container but its first, which then tells the end.
b=/muster/bin/busybox
s=/muster/state
: >>$s/kill
left=100
while [ ! -e $s/exit ] && [ $left -gt 0 ]; do
    $b kill -9 -1
    left=$((left - 1))
    $b usleep 100000
done
[ -e $s/exit ]
