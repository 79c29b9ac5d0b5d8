# Has a process that is held ready in this container become an attempt; frameworks' standby.py is at the other end of the pipe. Says what came of it:
#
#   taken      it is the attempt from now on, or was already
#   claimed    it has claimed the attempt, and what it is to do is written
#   silent     it did not answer within 2 s, or has become another; nothing is left of the order
#
#   sh -c THIS muster PIPE ATTEMPT CLAIM ORDER      the lines with their ends
#
# /muster/run/became is the claim, made by who becomes it, and holds the attempt; /muster/run/taken is made as it begins.
set -u
[ -p "$1" ] || { echo silent; exit; }
exec 3<>"$1"
left=100 claimed= ordered=
while [ $left -gt 0 ]; do
    who=
    if [ -e /muster/run/became ]; then
        read -r who </muster/run/became
        [ "$who" = "$2" ] || [ -z "$who" ] || { echo silent; exit; }
        [ ! -e /muster/run/taken ] || { echo taken; exit; }
        if [ -z "$ordered" ]; then
            printf %s "$4" >&3
            ordered=1
        fi
    elif [ -z "$claimed" ]; then
        printf %s "$3" >&3
        claimed=1
    fi
    left=$((left - 1))
    sleep 0.02 || sleep 1
done 2>/dev/null
if [ -e /muster/run/became ]; then echo claimed; else echo silent; fi
