"""Starts torchrun as one worker of an elastic Muster job, with the arguments of torchrun.

What it changes in torchrun, where that has the parts: rank 0 is on the worker of the lowest number; a worker that comes back takes its
own place at once, which would else be kept for the one that was lost until its heart-beat is missed; ranks that failed for want of a peer
use up none of the restarts; those who meet look for each other more often; who waits for the word of one that was lost meets anew, where torchrun
waits five minutes, out of reach of the others; all ranks of a round are told one checkpoint to resume from; a worker that comes when the training is over has nothing to do; and ranks are forked from a process that has
imported PyTorch.
"""

import inspect
import os
import re
import sys
import time
from datetime import timedelta

import torch.distributed.run as torchrun
from torch.distributed import PrefixStore
from torch.distributed.elastic.agent.server.api import SimpleElasticAgent as Agent
from torch.distributed.elastic.multiprocessing.api import Std, SubprocessHandler
from torch.distributed.elastic.rendezvous import dynamic_rendezvous as dynamic
from torch.distributed.elastic.rendezvous.api import RendezvousClosedError

import _muster_ranks

RESUME = "MUSTER_RESUME_FROM"
HEART_BEAT, MISSED = timedelta(seconds=1), 5
POLL = 0.05  # seconds
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


def step_of(checkpoint):
    """The last whole number of its name, by which Muster orders checkpoints; -1 for none."""
    numbers = re.findall(r"\d+", os.path.basename(checkpoint))
    return int(numbers[-1]) if numbers else -1


def agree_on_checkpoint():
    """Each launcher knows the newest whole checkpoint of when it was started itself: the ranks of all of them get the newest of these."""
    meet = Agent._rendezvous

    def rendezvous(self, group):
        meet(self, group)
        told = group.store
        if isinstance(told, Round):
            told.set(f"resume/{group.group_rank}", os.environ.get(RESUME, ""))
            known = [told.get(f"resume/{rank}").decode() for rank in range(group.group_world_size)]
            newest = max(known, key=lambda checkpoint: (step_of(checkpoint), checkpoint))
            if newest:
                os.environ[RESUME] = newest

    Agent._rendezvous = rendezvous


def redirect_nothing():
    """Python 3.11 leaves the zero of a Flag out when its members are gone through, among which PyTorch before 2.0 looks for what is to be redirected."""
    parse = Std.from_str
    if parse("0") is None:
        Std.from_str = lambda text: parse(text) or Std.NONE


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
    changes = (
        redirect_nothing, fork_ranks, order_by_worker, beat_faster, look_more_often, take_own_place, agree_on_checkpoint, notice_who_left, forgive_lost_peers)
    for change in changes:
        try:
            change()
        except AttributeError as unknown:
            print(f"muster: this torchrun is left as it is ({change.__name__}: {unknown})", file=sys.stderr)
    try:
        torchrun.main()
    except RendezvousClosedError:
        if rounds:
            raise
        print("muster: the training was over when this worker came")
