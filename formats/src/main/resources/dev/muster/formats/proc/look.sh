# What the processes around this one do, for Looked to read: files of /proc, and their stacks where they can be had without harm.
#
#   sh -c THIS look BOUNDARY FOLDER MAIN [PID...]
#
# A line "BOUNDARY PID NAME" begins each part. FOLDER is where processes say which signal they answer with their stacks (see the package
# muster), MAIN a file with the id of the main process. Without PIDs all processes are looked at, the first hundred of them. Nobody is asked who is stopped. Needs only ls, readlink, sleep, tr and, for stacks, wc, tail and head; timeout for py-spy and jstack.
set -u
boundary=$1 folder=$2 main=$3
shift 3
part() { printf '\n%s %s %s\n' "$boundary" "$1" "$2"; }
# One line, with no process of its own.
line() { text=; if read -r text <"$3" || [ -n "$text" ]; then part "$1" "$2"; printf '%s\n' "$text"; fi; }
lines() {
    part "$1" "$2"
    while read -r text; do printf '%s\n' "$text"; done <"$3"
}
# Whether the process catches the signal: each digit of SigCgt is four of them, the last digit the first four.
catches() {
    caught=
    while read -r name value; do
        if [ "$name" = SigCgt: ]; then caught=$value; fi
    done <"/proc/$1/status"
    place=$((($2 - 1) / 4))
    while [ "$place" -gt 0 ]; do caught=${caught%?} place=$((place - 1)); done
    digit=${caught#"${caught%?}"}
    [ -n "$digit" ] && [ $((0x$digit >> ($2 - 1) % 4 & 1)) = 1 ]
}
# With the moment of each process, and by no program of its own, which would take time where there is none.
sample() {
    for pid in $pids; do
        line "$pid" "uptime$1" /proc/uptime
        line "$pid" "turns$1" "/proc/$pid/task/$pid/schedstat"
        part "$pid" "schedstat$1"
        for thread in "/proc/$pid"/task/[0-9]*/schedstat; do
            if read -r text <"$thread"; then printf '%s\n' "$text"; fi
        done
    done
}
bounded() { command -v timeout >/dev/null && timeout 3 "$@" && return; return 1; }
# Of the process's own environment, or of this one's.
tool() {
    for place in "${word%/*}/$1" "${exe%/*}/$1"; do
        case $place in /*) if [ -x "$place" ]; then echo "$place"; return; fi ;; esac
    done
    command -v "$1"
}
seconds() { read -r up rest </proc/uptime; echo "${up%.*}"; }

{
    pids="$*" text= count=0
    for place in /proc/[0-9]*; do
        pid=${place#/proc/}
        if [ "$pid" != $$ ] && [ $# = 0 ] && [ "$count" -lt 100 ]; then pids="$pids $pid" count=$((count + 1)); fi
    done
    begun=$(seconds)
    sample 0
    sleep 1
    sample 1
    line 0 main "$main"
    lines 0 net/tcp /proc/net/tcp
    lines 0 net/tcp6 /proc/net/tcp6
    asked=
    for pid in $pids; do
        line "$pid" stat "/proc/$pid/stat" || continue
        for file in status io; do lines "$pid" "$file" "/proc/$pid/$file"; done
        part "$pid" cmdline
        command=$(tr '\0' ' ' <"/proc/$pid/cmdline")
        printf '%s\n' "$command"
        exe=$(readlink "/proc/$pid/exe") || exe=
        part "$pid" exe
        printf '%s\n' "${exe% (deleted)}"
        part "$pid" fd
        ls -l "/proc/$pid/fd"
        count=0
        for thread in "/proc/$pid"/task/[0-9]*; do
            count=$((count + 1))
            if [ "$count" -gt 64 ]; then break; fi
            for file in comm stat wchan syscall; do line "$pid" "task/${thread##*/}/$file" "$thread/$file"; done
            lines "$pid" "task/${thread##*/}/stack" "$thread/stack"
        done
        read -r stat <"/proc/$pid/stat"
        set -- ${stat##*) }
        state=$1 start=${20} word=${command%% *}
        case $state in T | t | Z | X) continue ;; esac
        if [ $(($(seconds) - begun)) -gt 4 ]; then continue; fi
        case ${exe##*/} in
            python* | pypy*)
                if spy=$(tool py-spy) && stacks=$(bounded "$spy" dump --nonblocking --pid "$pid") && [ -n "$stacks" ]; then
                    part "$pid" stacks
                    printf '%s\n' "$stacks"
                elif [ -f "$folder/stacks-$pid" ] && [ ! -L "$folder/stacks-$pid" ] \
                    && read -r name owner began signal rest <"$folder/stacks-$pid" && [ "$name $owner $began" = "muster-stacks $pid $start" ]; then
                    case $signal in '' | *[!0-9]*) continue ;; esac
                    if catches "$pid" "$signal"; then
                        asked="$asked $pid:$(($(wc -c <"$folder/stacks-$pid")))"
                        kill "-$signal" "$pid"
                    fi
                fi
                ;;
            java)
                if catches "$pid" 3 && jstack=$(tool jstack) && stacks=$(bounded "$jstack" "$pid"); then
                    part "$pid" stacks
                    printf '%s\n' "$stacks"
                fi
                ;;
        esac
    done
    if [ -n "$asked" ]; then sleep 1; fi
    for answer in $asked; do
        part "${answer%:*}" stacks
        tail -c "+$((${answer#*:} + 1))" "$folder/stacks-${answer%:*}" | head -c 1048576
    done
    part 0 end
} 2>/dev/null
exit 0
