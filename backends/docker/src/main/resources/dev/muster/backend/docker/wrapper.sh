# The parent of the program in its container, itself the child of an init process.
#
#   sh -c THIS muster NAME=VALUE... PROGRAM ARGUMENT...
#
# What the program writes goes straight to /muster/log, both streams together, so that every byte stands there as it was written; what
# this shell itself has to say goes to the container's own output. The words NAME=VALUE are variables that shells change, keep to
# themselves or drop; env sets them at last. The program runs in the foreground, for a shell's background commands ignore SIGINT;
# signals are trapped with an action, never ignored, for what is ignored is inherited. /muster/run keeps: begun (made by O_EXCL: an
# attempt runs once, also when somebody starts its container again), pid (of the program), asked (see ask.sh). No variable is set here
# but __muster_ ones: any other may be the program's.
set -uf
trap : HUP INT QUIT TERM USR1 USR2 ALRM PIPE
printf '' >>/muster/log || exit 126
set -C
if ! printf '' 2>/dev/null >/muster/run/begun; then
    exit 125
fi
set +C
(
    read -r __muster_stat </proc/self/stat
    echo "${__muster_stat%% *}" >/muster/run/pid
    unset __muster_stat
    cd /muster/code || exit 126
    if [ -x /usr/bin/env ]; then
        exec /usr/bin/env -u PWD -u OLDPWD -u SHLVL -u _ -- "$@"
    else
        exec /bin/env -u PWD -u OLDPWD -u SHLVL -u _ -- "$@"
    fi
) >>/muster/log 2>&1 </dev/null
__muster_code=$?
# Those that were asked to end beside the program may save.
if [ -e /muster/run/asked ]; then
    while read -r __muster_pid __muster_start; do
        while read -r __muster_stat 2>/dev/null <"/proc/$__muster_pid/stat"; do
            set -- ${__muster_stat##*) }
            if [ "$1" = Z ] || [ "${20}" != "$__muster_start" ]; then
                break
            fi
            sleep 0.05 || sleep 1
        done
    done </muster/run/asked
fi 2>/dev/null
exit "$__muster_code"
