# Makes the folder that both containers of a pod share. Run in Muster's container once it has started and before the program's container
# is begun; run again when Muster's container was started again, so it changes nothing that is there.
set -eu
umask 0
m=/muster
for folder in bin state control code model checkpoints data resume python; do
    [ -d $m/$folder ] || mkdir $m/$folder
done
for name in run ask kill shell; do
    cp /launch/$name $m/bin/$name.new
    chmod 755 $m/bin/$name.new
    mv $m/bin/$name.new $m/bin/$name
done
# Its own name last: the program's container needs it for everything else.
if [ ! -x $m/bin/busybox ]; then
    cp /bin/busybox $m/bin/busybox.new
    chmod 755 $m/bin/busybox.new
    mv $m/bin/busybox.new $m/bin/busybox
fi
chmod a+rwx $m/checkpoints 2>/dev/null || :
[ -e $m/log ] || : >$m/log
[ -e $m/reports.jsonl ] || : >$m/reports.jsonl
