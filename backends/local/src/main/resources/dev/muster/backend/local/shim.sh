# The parent of one process attempt. It outlives the service, so that an exit code is never lost.
#
#   setsid sh shim.sh FOLDER LOG EVENTS
#
# FOLDER  the attempt's folder; written there:
#           claim    "pid start boot" of this shell; made by O_EXCL, so an attempt is started once
#           started  "pid start" of the program, before it is exec'd; the file's time is the time of the start
#           exit     "code oom uptime", by rename; the file's time is the time of the end
#           became   by a program that was held ready and became another attempt: its FOLDER and its EVENTS, a line each;
#                    its exit is told there
# LOG     the program's standard output and error go straight there, appended
# EVENTS  path prefix of empty files made to wake the service: EVENTS.s once started, EVENTS.x once ended
#
# The service reads "claimed", "taken" or "failed" from standard output. After "claimed" it makes the working folder and then
# sends the launch text on standard input: functions enter (joins the cgroups) and run (cd, export, exec), sends=1 with a function
# send where run reads what that writes, the variables oom (file that counts memory kills), hold (file that lists who holds the
# group's ports) and lingers (whether orphans come to this shell), and at the end ready=1. When the service goes away before that,
# the claim is taken back and nothing was started.
#
# Plain POSIX sh: runs under dash, bash and busybox. Signals are trapped with an action, never ignored, for what is ignored is
# inherited by the program. The program runs in the foreground, for a shell's background commands ignore SIGINT.
set -uf
folder=$1 log=$2 events=$3
PATH=/usr/sbin:/usr/bin:/sbin:/bin
trap : HUP INT QUIT TERM USR1 USR2 ALRM PIPE
read -r boot </proc/sys/kernel/random/boot_id

# Sets pid and start (field 22 of stat, in clock ticks since boot) of the shell that calls it, also in a subshell.
identity() {
    read -r stat </proc/self/stat
    pid=${stat%% *}
    set -- ${stat##*) }
    start=${20}
}

# Empty files are made by printf: a shell exits when a redirection of a special builtin such as ":" fails.
identity
set -C
if ! printf '' 2>/dev/null >"$folder/claim"; then
    if [ -e "$folder/claim" ]; then echo taken; else echo failed; fi
    exit 0
fi
set +C
ready=
trap '[ -n "$ready" ] || rm -f "$folder/claim"' EXIT
if ! echo "$pid $start $boot" >"$folder/claim"; then
    echo failed
    exit 0
fi
echo claimed
exec >/dev/null
. /proc/self/fd/0
[ -n "$ready" ] || exit 0
exec </dev/null

# Files that hold a byte have a block of the disk: whom it was asked to end, and the end, fit in there when the disk is full by then.
echo >"$folder/asked"
echo >"$folder/exit.new"

if [ -e "$hold" ]; then echo "holder $pid $start $boot" >>"$hold"; fi
start() {
    if ! enter </dev/null; then
        echo "muster: the process could not be put under its limits"
        exit 126
    fi
    identity
    if ! echo "$pid $start" >"$folder/started"; then
        echo "muster: the start could not be written down"
        exit 126
    fi
    printf '' >"$events.s"
    run
}
code=126
if printf '' >>"$log"; then
    # What runs as another user is sent its variables once it is that user, so that none reaches what runs as root.
    if [ -n "$sends" ]; then send | start >>"$log" 2>&1; else (start) >>"$log" 2>&1; fi
    code=$?
fi
read -r uptime rest </proc/uptime
if [ -e "$folder/became" ]; then { read -r folder && read -r events; } <"$folder/became"; fi
kills=0
if [ -n "$oom" ]; then
    while read -r name value; do
        if [ "$name" = oom_kill ]; then kills=$value; fi
    done <"$oom"
fi
# Where even its block could not be had, the end is written once there is room; when the folder is gone nobody asks any more.
while [ -d "$folder" ]; do
    echo "$code $kills $uptime" 1<>"$folder/exit.new" && mv -f "$folder/exit.new" "$folder/exit" && break
    sleep 1
done
printf '' >"$events.x"

# Orphans of the program are children of this shell now: it stays as long as there are any, so that they can be found.
while [ -n "$lingers" ]; do
    children=
    read -r children <"/proc/$$/task/$$/children" || :
    if [ -z "$children" ]; then break; fi
    sleep 1
done 2>/dev/null
exit 0
