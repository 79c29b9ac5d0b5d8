# What Muster's container runs: nothing, until all that the program left has been fetched. The kubelet sends SIGTERM as soon as the program has
# ended; leaving then would take the log and the model away with the pod's folder.
trap : TERM USR1
while [ ! -e /muster/state/collected ]; do
    sleep 86400 &
    wait $!
    kill $! 2>/dev/null
done
