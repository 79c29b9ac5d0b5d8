"""Starts torchrun as one worker of an elastic Muster job, with the arguments of torchrun.

What it changes in torchrun, where that has the parts: rank 0 is on the worker of the lowest number; a worker that comes back takes its
own place at once, which would else be kept for the one that was lost until its heart-beat is missed; ranks that failed for want of a peer
use up none of the restarts; those who meet look for each other more often; who waits for the word of one that was lost meets anew, where torchrun
waits five minutes, out of reach of the others; rank 0 is looked for in each round; all ranks of a round are told one checkpoint to resume from; Muster is told of ranks that were killed, and of who waits
long for the others at the end; a worker that comes when the training is over has nothing to do; and ranks are forked from a process that has
imported PyTorch.
"""

import inspect
import json
import os
import signal
import sys
import threading
import time
from datetime import timedelta

import torch.distributed.run as torchrun
from torch.distributed import PrefixStore
from torch.distributed.elastic.agent.server.api import SimpleElasticAgent as Agent, WorkerState
from torch.distributed.elastic.agent.server.local_elastic_agent import LocalElasticAgent
from torch.distributed.elastic.multiprocessing.api import Std, SubprocessHandler
from torch.distributed.elastic.rendezvous import dynamic_rendezvous as dynamic
from torch.distributed.elastic.rendezvous.api import RendezvousClosedError

import _muster_ranks

RESUME = "MUSTER_RESUME_FROM"
HEART_BEAT, MISSED = timedelta(seconds=1), 5
POLL = 0.05  # seconds
LONG_ALONE = 10  # seconds
rounds = []  # (who took part, restarts that were left then)


class RoundIsOver(Exception):
    """Somebody left before all had told each other what they need, or somebody came."""


class Round(PrefixStore):
    """
    What the launchers of one round tell each other: their ranks, at the end that they are done.

    A get of PyTorch's waits in the store for a word that may never come, and while it does nothing else of this process gets through, heart-beats
    included: the others go on without it. So this one asks again and again, and looks who is there.
    """

    ABSENT = "(absent)"

    def __init__(self, store, handler):
        super().__init__("round", store)
        self.handler = handler
        self.there = len(handler._state_holder.state.participants)
        self.begun = False
        self.patience = timedelta(minutes=5)

    def set_timeout(self, patience):
        self.patience = patience
        super().set_timeout(patience)

    def get(self, key):
        end = time.monotonic() + self.patience.total_seconds()
        while self.compare_set(key, self.ABSENT, self.ABSENT) == self.ABSENT.encode():  # which sets nothing
            waiting = self.handler.num_nodes_waiting()
            if (waiting and not self.begun) or len(self.handler._state_holder.state.participants) < self.there:
                raise RoundIsOver(f"the group changed while this worker waited for {key}")
            if time.monotonic() > end:
                raise TimeoutError(f"{key} was not told within {self.patience}")
            time.sleep(POLL)
        return super().get(key)

    def multi_get(self, keys):
        return [self.get(key) for key in keys]


def agree_on_checkpoint():
    """
    Each launcher knows the newest whole checkpoint of when it was started itself: all ranks of a round get what the launcher was told that was started
    last. That is the newest, also where the others began with a checkpoint of another job, whose steps are higher.
    """
    handler = dynamic.DynamicRendezvousHandler
    join, get_store = handler.next_rendezvous, handler._get_store
    untold = [json.dumps(os.environ.get(RESUME))]

    def next_rendezvous(self):
        if untold:
            PrefixStore("muster", self._store).set("resume", untold.pop())
        return join(self)

    def store_of_round(self):
        store = get_store(self)
        last = PrefixStore("muster", self._store).get("resume").decode()
        agreed = json.loads(store.compare_set("resume", "", last))  # the first of a round says it, and none has to wait for it
        os.environ.pop(RESUME, None)
        if agreed is not None:
            os.environ[RESUME] = agreed
        return store

    handler.next_rendezvous, handler._get_store = next_rendezvous, store_of_round


def find_rank_0_anew():
    """
    PyTorch from 2.4 on keeps where the store of the ranks is from the first round it took part in: who stays would look for it at a rank 0 that was lost,
    and who comes would wait for a word of a rank 0 that stays. So it is made anew in each round, and no rank finds words of the round before in it.
    """
    join = dynamic.DynamicRendezvousHandler.next_rendezvous

    def next_rendezvous(self):
        self._bootstrap_store_info = None
        return join(self)

    dynamic.DynamicRendezvousHandler.next_rendezvous = next_rendezvous


def redirect_nothing():
    """
    Python 3.11 leaves out a Flag's zero, and what is several at once, when its members are gone through, among which PyTorch before 2.0 looks for what is to
    be redirected.
    """
    parse = Std.from_str
    if parse("0") is not None:
        return

    def from_str(text):
        parse(text)  # which refuses what is none
        pairs = (one.split(":") for one in text.split(","))
        return {int(rank): Std(int(std)) for rank, std in pairs} if ":" in text else Std(int(text))

    Std.from_str = from_str


def notice_who_left():
    get_store, meet = dynamic.DynamicRendezvousHandler._get_store, Agent._rendezvous

    def rendezvous(self, group):
        while True:
            try:
                meet(self, group)
                break
            except RoundIsOver as over:
                print(f"muster: {over}: meets the others anew", file=sys.stderr, flush=True)
        if isinstance(group.store, Round):
            group.store.begun = True

    dynamic.DynamicRendezvousHandler._get_store = lambda self: Round(get_store(self), self)
    Agent._rendezvous = rendezvous


def order_by_worker():
    dynamic.DynamicRendezvousHandler._node_desc_generator._local_id = int(os.environ["MUSTER_RANK"])
    dynamic._NodeDesc.__lt__ = lambda one, other: (one.local_id, repr(one)) < (other.local_id, repr(other))


def beat_faster():
    settings = dynamic.RendezvousSettings

    def faster(*words, **named):
        made = settings(*words, **named)
        object.__setattr__(made, "keep_alive_interval", HEART_BEAT)
        object.__setattr__(made, "keep_alive_max_attempt", MISSED)
        return made

    dynamic.RendezvousSettings = faster


def look_more_often():
    """For the others who are to meet: 20 times a second instead of once."""
    delay = dynamic._delay
    dynamic._delay = lambda seconds: delay(POLL if seconds == 1 else seconds)
    make = dynamic._BackendRendezvousStateHolder.__init__

    def made(self, *words, **named):
        make(self, *words, **named)
        self._cache_duration = POLL

    dynamic._BackendRendezvousStateHolder.__init__ = made


def take_own_place():
    join = dynamic.DynamicRendezvousHandler.next_rendezvous

    def next_rendezvous(self):
        if not rounds:
            holder, me = self._state_holder, self._this_node
            for _ in range(10):  # others may write at the same moment
                holder.sync()
                beats = holder.state.last_heartbeats
                lost = [node for node in beats if node.local_id == me.local_id and node != me]
                if not lost:
                    break
                for node in lost:
                    beats[node] -= timedelta(days=1)
                holder.mark_dirty()
                if holder.sync():
                    break
        return join(self)

    dynamic.DynamicRendezvousHandler.next_rendezvous = next_rendezvous


def forgive_lost_peers():
    meet = Agent._rendezvous

    def rendezvous(self, group):
        meet(self, group)
        there = sorted(map(repr, group.spec.rdzv_handler._state_holder.state.participants))
        if rounds:
            # Whatever was said before is no reason of what comes.
            print(f"muster: the ranks start anew, on {len(there)} workers", file=sys.stderr, flush=True)
            if rounds[-1][0] != there:
                self._remaining_restarts = rounds[-1][1]
        rounds.append((there, self._remaining_restarts))

    Agent._rendezvous = rendezvous


def tell(sentence):
    """Has Muster tell it, as an event of this worker."""
    print("::muster::" + json.dumps({"ranks": sentence}), flush=True)


def tell_who_waits():
    """Has Muster tell when the ranks of this worker have ended well and those of others go on: torchrun waits for them five minutes without a word."""
    wait = Agent._exit_barrier

    def exit_barrier(self):
        group = self._worker_group
        state, ranks = group.state, ", ".join(str(worker.global_rank) for worker in group.workers)
        ended = "ended" if state == WorkerState.SUCCEEDED else "failed"
        told = threading.Timer(LONG_ALONE, tell, [f"its ranks ({ranks}) {ended} {LONG_ALONE} s ago, those of other workers have not: it waits for them"])
        told.daemon = True
        told.start()
        try:
            wait(self)
        finally:
            told.cancel()

    Agent._exit_barrier = exit_barrier


def tell_killed_ranks():
    """
    Has Muster tell of a rank that was killed, as its launcher lives and starts it anew. One that leaves by itself, or aborts, may only lack a peer that
    was lost: that is told of the peer.
    """
    look = LocalElasticAgent._monitor_workers

    def monitor(self, group):
        result = look(self, group)
        if self._remaining_restarts > 0:
            number = group.spec.max_restarts - self._remaining_restarts + 1
            for rank, failure in result.failures.items():
                if failure.exitcode < 0 and failure.exitcode != -signal.SIGABRT:
                    what = f"rank {rank} (pid {failure.pid}) was killed by signal {-failure.exitcode}"
                    text = f"{what}: torchrun starts the ranks anew, {number} of at most {group.spec.max_restarts} times"
                    tell(text)
        return result

    LocalElasticAgent._monitor_workers = monitor


def fork_ranks():
    popen = SubprocessHandler._popen
    forks = _muster_ranks.Forks("start_new_session" in inspect.getsource(popen))

    def fork(self, args, env, *more, **named):
        python = args[:2] == (sys.executable, "-u") and (args[2] == "-m" or args[2].endswith(".py"))
        if more or named or not python:
            return popen(self, args, env, *more, **named)
        return forks.start(args[2:], env, self._stdout, self._stderr)

    SubprocessHandler._popen = fork


if __name__ == "__main__":
    # Where torchrun keeps what ranks say of their errors: it leaves the folder it makes for that in /tmp by itself, for ever.
    os.environ.setdefault("PET_LOG_DIR", os.path.join(os.path.dirname(os.path.abspath(__file__)), "torchrun"))
    changes = (
        redirect_nothing, fork_ranks, order_by_worker, beat_faster, look_more_often, take_own_place, find_rank_0_anew, notice_who_left, agree_on_checkpoint, forgive_lost_peers,
        tell_killed_ranks, tell_who_waits)
    for change in changes:
        try:
            change()
        except AttributeError as unknown:
            print(f"muster: this torchrun is left as it is ({change.__name__}: {unknown})", file=sys.stderr)
    try:
        torchrun.main()
    except RendezvousClosedError:
        if rounds:
            sys.exit("muster: the ranks do not start anew: those of another worker failed too often and the group is over; that worker's log says why")
        print("muster: the training was over when this worker came")
