# Lets the program start, once the name server of the cluster knows the names given, or has been asked for 10 s: it learns of a pod a moment after
# the API server does. Run in Muster's container, whose names are the program's too.
#
#   sh go.sh NAME...      names of members, below the domain of the cluster (worker-0.JOB.NAMESPACE.svc)
cd /muster/state || exit 1
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
touch go
