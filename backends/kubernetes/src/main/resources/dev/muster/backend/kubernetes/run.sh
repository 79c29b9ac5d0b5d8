# The parent of one process attempt, process 1 of its container. Waits until everything was delivered, starts the program in the foreground (a
# shell's background commands ignore SIGINT), and tells how it ended:
#
#   /muster/state/go       made by the service when code and data are whole
#   /muster/state/kill     made when the attempt is to end whatever it does
#   /muster/state/python   the virtual environment that was made, where the image did not meet the requirements
#   /muster/state/started  time of the start
#   /muster/state/pid      process id of the program inside this container
#   /muster/state/asked    made by `ask`: leftovers of the program may finish what they do
#   /muster/state/exit     exit code, by rename
#   /dev/termination-log   "muster", start, end and a message, a line each, kept by the API server beside the exit code
#
# Signals are trapped with an action, never ignored, for what is ignored is inherited by the program.
b=/muster/bin/busybox
s=/muster/state
umask 022
trap : HUP INT QUIT TERM USR1 USR2 ALRM PIPE

now() {
    : >>$s/clock
    $b touch $s/clock
    TZ=UTC0 $b stat -c %y $s/clock
}

finish() {
    echo "$1" >$s/exit.new
    $b mv $s/exit.new $s/exit
    message=
    [ ! -e $s/message ] || message=$($b head -c 2000 $s/message)
    printf 'muster\n%s\n%s\n%s' "$started" "$(now)" "$message" >/dev/termination-log
    exit "$1"
}

# The copy shall be whole: what tail, which looks once a second, has not read yet is said in its place.
end_copy() {
    kill -STOP $mirror 2>/dev/null
    told=$($b sed -n 's/^pos:[^0-9]*//p' /proc/$mirror/fdinfo/3 2>/dev/null)
    kill -KILL $mirror 2>/dev/null
    [ -z "$told" ] || $b tail -c +$((told + 1)) /muster/log
}

# Whether a process lives that descends from this one. One that was put into this container from outside has parent 0.
descendants() {
    for stat in /proc/[0-9]*/stat; do
        pid=${stat#/proc/}
        pid=${pid%/stat}
        [ "$pid" != 1 ] && [ "$pid" != "$mirror" ] || continue
        above=$pid
        while [ "$above" -gt 1 ]; do
            line=
            read -r line 2>/dev/null </proc/$above/stat || break
            fields=${line##*) }
            case $fields in Z*) break ;; esac
            fields=${fields#* }
            above=${fields%% *}
        done
        [ "$above" != 1 ] || return 0
    done
    return 1
}

started=
while [ ! -e $s/go ]; do
    [ ! -e $s/kill ] || finish 137
    $b usleep 30000
done
[ ! -e $s/kill ] || finish 137

# What the program says goes to the file, which the service reads; a copy of it goes to the container's own log, which a kubelet cuts short.
$b tail -n +1 -f /muster/log 2>/dev/null &
mirror=$!
. /launch/start
(prepare) </dev/null >>/muster/log 2>&1
code=$?
[ ! -e $s/kill ] || code=137
if [ $code -ne 0 ]; then
    end_copy
    finish $code
fi
started=$(now)
echo "$started" >$s/started
(
    read -r line </proc/self/stat
    echo "${line%% *}" >$s/pid.new
    $b mv $s/pid.new $s/pid
    start
) </dev/null >>/muster/log 2>&1
code=$?
if [ -e $s/asked ]; then
    while [ ! -e $s/kill ] && descendants; do
        $b usleep 50000
    done
fi
end_copy
finish $code
