# Asks the program of this container to end: SIGTERM. A shell without a trap for it would end at once and take its container, and with it
# the training, along; so there the processes it runs are sent it too, through shells below it as well, and are written down in
# /muster/run/asked, where wrapper.sh waits for them. A shell with a trap, and every other program, passes it on as it sees fit.
#
#   sh -c THIS
set -u
tries=0 main=
until read -r main 2>/dev/null </muster/run/pid && [ -n "$main" ]; do
    tries=$((tries + 1))
    if [ "$tries" -gt 100 ]; then exit 3; fi
    sleep 0.02 || sleep 1
done

# Whether it is a shell that ends on SIGTERM (bit 14 of SigCgt is not set).
leaves_its_children() {
    program=$(readlink "/proc/$1/exe") || read -r program <"/proc/$1/comm" || return 1
    case ${program##*/} in
        sh | bash | dash | ash | busybox | ksh | mksh | yash | zsh) ;;
        *) return 1 ;;
    esac
    caught=0000
    while read -r name value; do
        if [ "$name" = SigCgt: ]; then caught=$value; fi
    done <"/proc/$1/status"
    caught=${caught%???}
    case ${caught#"${caught%?}"} in
        [4567cdefCDEF]) return 1 ;;
    esac
    return 0
}

queue=$main asked=
while [ -n "$queue" ]; do
    shell=${queue%% *}
    case $queue in *" "*) queue=${queue#* } ;; *) queue= ;; esac
    leaves_its_children "$shell" || continue
    for file in /proc/[0-9]*/stat; do
        read -r stat <"$file" || continue
        pid=${stat%% *}
        set -- ${stat##*) }
        if [ "$2" = "$shell" ] && [ "$1" != Z ]; then
            asked="$asked $pid"
            queue="$queue${queue:+ }$pid"
            echo "$pid ${20}" >>/muster/run/asked
        fi
    done
done 2>/dev/null
kill -TERM "$main" $asked 2>/dev/null
exit 0
