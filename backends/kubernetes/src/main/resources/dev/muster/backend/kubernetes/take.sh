# Has the process that is held ready in this pod become an attempt; frameworks' standby.py is at the other end of the pipe. Run in the program's
# container, whose user made the pipe. Says what came of it, and the same whenever it is asked again:
#
#   taken TIME      it is the attempt, since then
#   never           it is not, and cannot become it any more
#
#   busybox sh -c THIS muster ATTEMPT CLAIM LENGTH NAME ADDRESS      the line with the order comes on standard input, then "whole"
#
#   /muster/state/is.ATTEMPT   the claim, made by who becomes the attempt, or by this when nobody did within 2 s
#   /muster/state/before       how long the log was before; with it the pod's folders are the attempt's
#   /muster/state/taken        made as the attempt begins
b=/muster/bin/busybox
s=/muster/state
pipe=/muster/code/.muster/standby.pipe
order=$($b head -c "$3")
case $order in
    *"
whole") order=${order%whole} ;;
    *) exit 1 ;;
esac

# The member's name leads here before anybody is told to come; not for ever, as a name server may keep what it knew.
zone=
for domain in $($b sed -n 's/^search//p' /etc/resolv.conf); do
    case $domain in svc.*) zone=${domain#svc.} ;; esac
done
left=30
while [ -n "$zone" ] && [ $left -gt 0 ] && [ ! -e $s/is.$1 ]; do
    $b nslookup "$4.$zone" 2>/dev/null | $b sed '1,/^Name:/d' | $b grep -q "^Address.*: $5\( \|\$\)" && break
    left=$((left - 1))
    $b usleep 100000
done

# One after the other: two claims at once would be read as a claim and an order. One who is not done after 10 s never will be.
wait=500
while ! $b mkdir $s/taking 2>/dev/null && [ $wait -gt 0 ]; do
    wait=$((wait - 1))
    $b usleep 20000
done
trap '$b rmdir $s/taking' EXIT
[ ! -p $pipe ] || exec 3<>$pipe
left=100 claimed= ordered=
while [ $left -gt -100 ]; do
    left=$((left - 1))
    if [ -e $s/is.$1 ]; then
        who=
        read -r who <$s/is.$1
        if [ "$who" = nobody ]; then
            echo never
            exit
        elif [ "$who" = "$1" ]; then
            if [ -e $s/taken ] || { [ -n "$ordered" ] && [ $left -le 0 ]; }; then
                echo "taken $(TZ=UTC0 $b stat -c %y $s/is.$1)"
                exit
            elif [ -z "$ordered" ] && [ -p $pipe ]; then
                [ -e $s/before ] || { $b stat -c %s /muster/log >$s/before.new && $b mv $s/before.new $s/before; }
                printf %s "$order" >&3
                ordered=1
            fi
        fi
    elif [ $left -le 0 ] || [ -e $s/taken ] || [ -e $s/exit ] || [ ! -p $pipe ]; then
        # Made by who comes first, this or the one held ready.
        (set -C; echo nobody >$s/is.$1) 2>/dev/null
        [ -e $s/taken ] || $b rm -f $s/before
        continue
    elif [ -z "$claimed" ]; then
        printf '%s\n' "$2" >&3
        claimed=1
    fi
    $b usleep 20000
done
exit 1
