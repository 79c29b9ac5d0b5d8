#!/muster/bin/busybox sh
# Asks the program to end: SIGTERM to its main process. A shell without a trap for TERM would end at once and leave what it runs, so the processes
# it runs are sent it too. With a number of seconds it then waits for the end, and ends everything when they are over: how a pod that somebody
# deletes gets its time.
b=/muster/bin/busybox
s=/muster/state
: >>$s/asked

is_shell_without_trap() {
    program=$($b readlink /proc/$1/exe 2>/dev/null)
    case ${program##*/} in sh | bash | dash | ash | ksh* | zsh* | busybox) ;; *) return 1 ;; esac
    caught=$($b sed -n 's/^SigCgt:[^0-9a-f]*//p' /proc/$1/status 2>/dev/null)
    # Bit 14 is SIGTERM: the fourth digit from the right, its 4.
    case $caught in *[4-7c-f][0-9a-f][0-9a-f][0-9a-f]) return 1 ;; esac
    return 0
}

ask() {
    if is_shell_without_trap "$1"; then
        for child in $($b cat /proc/$1/task/$1/children 2>/dev/null || children "$1"); do
            ask "$child"
        done
    fi
    kill -TERM "$1" 2>/dev/null
}

# Where the kernel does not list children.
children() {
    for stat in /proc/[0-9]*/stat; do
        line=
        read -r line 2>/dev/null <$stat || continue
        fields=${line##*) }
        fields=${fields#* }
        [ "${fields%% *}" != "$1" ] || echo "${line%% *}"
    done
}

if [ -e $s/pid ] && [ ! -e $s/exit ]; then
    read -r pid <$s/pid
    (ask "$pid")
elif [ ! -e $s/exit ]; then
    exec /muster/bin/kill
fi
if [ -n "$1" ]; then
    left=$(($1 * 10))
    while [ ! -e $s/exit ] && [ $left -gt 0 ]; do
        left=$((left - 1))
        $b usleep 100000
    done
    [ -e $s/exit ] || exec /muster/bin/kill
fi
exit 0
