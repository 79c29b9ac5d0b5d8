# Tells on standard output what the program says, from given offsets on, until all is told after its end.
#
#   sh follow.sh LOG-OFFSET REPORTS-OFFSET JOIN PORT SCAN PART
#
# PART is `held` for one that is held ready, which ends when it becomes an attempt, and `taken` for that attempt: the log of one is what the other left of it.
#
# Each piece is a line "KIND LENGTH" and that many bytes:
#   log, reports   the next bytes of the file
#   joined         the program has joined (JOIN is listens or connected, PORT in four hexadecimal digits)
#   files          every file of the checkpoint folder, a line "size seconds path" each (with SCAN, when anything changed)
#   same           they are as they were
#   alive          nothing new for a while
#   became         all was told of what is held ready, and it is an attempt now
#   end            all was told and the program is over
export LC_ALL=C
cd /muster || exit 1
log=$1 reports=$2 join=$3 port=$4 scan=$5 part=$6
quiet=0 joined= listing= round=0 told= before=0 upto=
[ "$part" != taken ] || read -r before <state/before || exit 1
log=$((log + before))

tell() {
    size=$(stat -c %s "$2")
    [ -z "$upto" ] || [ "$size" -le "$upto" ] || size=$upto
    [ "$size" -gt "$3" ] || return 0
    told=$((size - $3))
    [ $told -le 1048576 ] || told=1048576
    echo "$1 $told"
    tail -c +$(($3 + 1)) "$2" | head -c $told
}

# The tables of sockets: local and remote address, then the state (0A listens, 01 is connected).
has_joined() {
    case $join in
        listens) cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | grep -qi "^ *[0-9]*: [0-9A-F]*:$port [0-9A-F]*:[0-9A-F]* 0A " ;;
        connected) cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | grep -qi "^ *[0-9]*: [0-9A-F]*:[0-9A-F]* [0-9A-F]*:$port 01 " ;;
        *) return 1 ;;
    esac
}

while :; do
    over=
    [ ! -e state/exit ] || over=end
    if [ "$part" = held ]; then
        [ ! -e state/taken ] || over=became
        [ ! -e state/before ] || read -r upto <state/before
    fi
    news=
    told=0
    tell log log "$log"
    log=$((log + told))
    [ $told -eq 0 ] || news=1
    told=0 upto=
    tell reports reports.jsonl "$reports"
    reports=$((reports + told))
    [ $told -eq 0 ] || news=1
    if [ -z "$joined" ] && has_joined; then
        joined=1
        echo joined 0
    fi
    if [ -n "$scan" ] && { [ -n "$over" ] || [ $((round % 4)) -eq 0 ]; }; then
        found=$(cd checkpoints && find . -type f -exec stat -c '%s %Y %n' {} + 2>/dev/null | sort)
        if [ "$found" != "$listing" ]; then
            listing=$found
            echo "files ${#found}"
            printf '%s' "$found"
        else
            echo same 0
        fi
    fi
    round=$((round + 1))
    if [ -n "$news" ]; then
        quiet=0
        usleep 100000
    elif [ -n "$over" ]; then
        echo $over 0
        exit 0
    else
        quiet=$((quiet + 1))
        [ $((quiet % 20)) -ne 0 ] || echo alive 0
        if [ $quiet -lt 20 ]; then usleep 150000; else usleep 500000; fi
    fi
done
