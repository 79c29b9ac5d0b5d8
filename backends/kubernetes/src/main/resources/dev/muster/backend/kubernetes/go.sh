# Puts what was delivered in its place and lets the program start, once the name server of the cluster knows the names given, or has been asked for
# 10 s: it learns of a pod a moment after the API server does. Run in Muster's container, whose names are the program's too.
#
#   sh go.sh FOLDER NAME...      what was delivered; names of members, below the domain of the cluster (worker-0.JOB.NAMESPACE.svc)
cd /muster/state || exit 1
given=$1
shift
zone=
for domain in $(sed -n 's/^search//p' /etc/resolv.conf); do
    case $domain in svc.*) zone=${domain#svc.} ;; esac
done
# Where the pod's names are not the cluster's there is nothing to wait for.
[ -n "$zone" ] || set --
left=100
for name in "$@"; do
    while [ $left -gt 0 ] && [ ! -e kill ]; do
        # First the pause: a name server may keep a no for seconds.
        usleep 100000
        nslookup "$name.$zone" 2>/dev/null | grep -q '^Name:' && break
        left=$((left - 1))
    done
done

# Renamed, so it takes no time. What was in their place is of somebody who was ended while he did this.
put_in_place() {
    for each in code data resume; do
        rm -rf /muster/$each && mv "$given/$each" /muster/$each || return 1
    done
    for each in "$given"/checkpoints/* "$given"/checkpoints/.[!.]*; do
        [ ! -e "$each" ] || [ -e "/muster/checkpoints/${each##*/}" ] || mv "$each" /muster/checkpoints/ || return 1
    done
}

# One of several services that deliver at once is the first; one that was first and is not done after 10 s never will be.
left=100
while [ ! -e go ]; do
    if mkdir first 2>/dev/null; then
        put_in_place || { rmdir first; exit 1; }
        touch go
    elif [ $left -gt 0 ]; then
        left=$((left - 1))
        usleep 100000
    else
        left=100
        rmdir first
    fi
done
rm -rf /muster/in.*
exit 0
