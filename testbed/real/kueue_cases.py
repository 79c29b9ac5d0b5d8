"""Groups of plain pods that Kueue lets in as a whole, on a real cluster, by ./muster."""

import json

from harness import expect, until

BASE = "muster-test/base:1"
QUEUES = "/apis/kueue.x-k8s.io/v1beta2"
CORE = "/api/v1/namespaces/default"
JOB = """
name: {name}
framework: plain
backend: kubernetes
workers: 2
command: [sh, -c, {script}]
environment: {{image: "{image}"}}
restart: {{max: 1, backoff: {{first: 0s}}}}
startDeadline: 30m
kubernetes: {{kueueQueue: {queue}}}
"""


def job(muster, name, script, queue="team-a"):
    folder = muster.home.parent / f"{muster.home.name}-{name}"
    folder.mkdir()
    (folder / "job.yaml").write_text(JOB.format(name=name, script=json.dumps(script), image=BASE, queue=queue))
    return muster.submit(folder / "job.yaml")


def apply(muster, path, thing):
    muster.admin.send("PATCH", f"{path}/{thing['metadata']['name']}?fieldManager=testbed&force=true", json.dumps(thing).encode(), "application/apply-patch+yaml")


def queue_for_two_pods(muster):
    """A queue whose room is that of one group: Muster's own containers of two pods, which ask for 10 m each."""
    apply(muster, f"{QUEUES}/resourceflavors", {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "ResourceFlavor", "metadata": {"name": "any"}})
    apply(muster, f"{QUEUES}/clusterqueues", {
        "apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "ClusterQueue", "metadata": {"name": "team-a"},
        "spec": {"namespaceSelector": {}, "resourceGroups": [{"coveredResources": ["cpu", "memory"], "flavors": [{
            "name": "any", "resources": [{"name": "cpu", "nominalQuota": "25m"}, {"name": "memory", "nominalQuota": "1Gi"}]}]}]}})
    apply(muster, f"{QUEUES}/namespaces/default/localqueues", {
        "apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "LocalQueue", "metadata": {"name": "team-a", "namespace": "default"},
        "spec": {"clusterQueue": "team-a"}})


def pods(muster, made):
    return muster.admin.send("GET", f"{CORE}/pods?labelSelector=muster.dev/job={made}", None)["items"]


def told(muster, made, text):
    """The job's reason once it holds the text, as `muster get` shows it."""
    reason = muster.get(made)["reason"] or ""
    return reason if text in reason else None


def gated(muster, made):
    return [bool(pod["spec"].get("schedulingGates")) for pod in pods(muster, made)]


def groups_are_let_in_one_after_the_other(muster):
    """Two groups, room for one: of the second no pod runs until the first is over, and what it waits for is its reason."""
    queue_for_two_pods(muster)
    gate = "while [ ! -e $MUSTER_CONTROL_DIR/stop ]; do sleep 0.2; done"
    first = job(muster, "first", f"echo runs; {gate}; exit 0")
    until(lambda: muster.logs(first).count("runs") == 2, 400, "the first group runs")
    second = job(muster, "second", "echo ran")
    reason = until(lambda: told(muster, second, "from queue team-a yet: insufficient unused quota for cpu"), 400, "what it lacks is its reason")
    until(lambda: gated(muster, second) == [True, True], 240, "both pods of the second group wait")
    groups = {pod["metadata"]["labels"]["kueue.x-k8s.io/pod-group-name"] for pod in pods(muster, second)}
    expect(groups == {f"{second}-a1"}, f"groups are {groups}")
    muster("cancel", first, "--wait")
    muster.wait(second, "Succeeded", 600)
    expect(muster.logs(second).count("ran") == 2, "both of it ran")
    return reason


def group_started_anew_is_a_new_group(muster):
    """A rank that is killed: the old group gives its room back, and the new one is let in, in a queue that has no room for both."""
    queue_for_two_pods(muster)
    made = job(muster, "again", "echo attempt $MUSTER_ATTEMPT; [ $MUSTER_ATTEMPT -gt 1 ] || { [ $MUSTER_INDEX -ne 1 ] || { sleep 3; kill -KILL $$; }; sleep 600; }")
    last = muster.wait(made, "Succeeded", 900)
    expect(last["restarts"] == 1, f"restarts is {last['restarts']}")
    expect("attempt 2" in muster.logs(made), "its second attempt ran")


def queue_that_is_not_there(muster):
    """Kueue does not know the queue: the pods wait, which is told, and a cancel ends them."""
    made = job(muster, "nowhere", "echo never", queue="nobodys")
    reason = until(lambda: told(muster, made, "nobodys doesn't exist"), 400, "what it waits for is told")
    muster("cancel", made, "--wait")
    expect(muster.state(made) == "Cancelled", muster.state(made))
    muster("delete", made)
    until(lambda: not pods(muster, made), 400, "its pods are gone")
    return reason


CASES = [groups_are_let_in_one_after_the_other, group_started_anew_is_a_new_group, queue_that_is_not_there]
