#!/usr/bin/env python3
"""Holds what torchrun.py changes in torchrun to what it promises: `/usr/bin/python3 testbed/real/torchrun_test.py`. Needs PyTorch."""

import contextlib
import importlib.util
import io
import json
import os
import sys
import time
import types
import unittest
from pathlib import Path
from unittest import mock

from torch.distributed import HashStore, PrefixStore
from torch.distributed.elastic.agent.server.api import RunResult, WorkerState
from torch.distributed.elastic.multiprocessing.api import Std

FILE = Path(__file__).resolve().parents[2] / "frameworks/src/main/resources/dev/muster/frameworks/pytorch/torchrun.py"
NAME = "MUSTER_RESUME_FROM"


def load():
    """The program, which changes nothing until it is told to."""
    spec = importlib.util.spec_from_file_location("muster_torchrun", FILE)
    module = importlib.util.module_from_spec(spec)
    with mock.patch.dict(sys.modules, _muster_ranks=types.ModuleType("_muster_ranks")):
        spec.loader.exec_module(module)
    return module


class Launcher:
    """One process with its own variables and its own changed torchrun."""

    def __init__(self, store, told):
        class Handler:
            _store, round = store, 0

            def next_rendezvous(self):
                """All have joined before any goes on: see meet."""

            def _get_store(self):
                return PrefixStore(f"round-{self.round}", self._store)

        self.env = {} if told is None else {NAME: told}
        self.handler = Handler()
        module = load()
        with mock.patch.dict(os.environ, self.env, clear=True), mock.patch.object(module.dynamic, "DynamicRendezvousHandler", Handler):
            module.agree_on_checkpoint()

    @contextlib.contextmanager
    def at_work(self):
        with mock.patch.dict(os.environ, self.env, clear=True):
            yield self.handler
            self.env = dict(os.environ)


def meet(number, *launchers):
    """What the ranks of each are told in that round."""
    for launcher in launchers:
        with launcher.at_work() as handler:
            handler.next_rendezvous()
    for launcher in launchers:
        with launcher.at_work() as handler:
            handler.round = number
            handler._get_store()
    return [launcher.env.get(NAME) for launcher in launchers]


class AgreedCheckpoint(unittest.TestCase):
    def setUp(self):
        self.store = HashStore()

    def launchers(self, *told):
        return [Launcher(self.store, each) for each in told]

    def test_nobody_is_told_any(self):
        self.assertEqual(meet(1, *self.launchers(None, None)), [None, None])

    def test_all_are_told_what_the_last_one_was_told(self):
        others = self.launchers(None, None)
        meet(1, *others)
        self.assertEqual(meet(2, *others, *self.launchers("/c/ckpt-20.pt")), ["/c/ckpt-20.pt"] * 3)
        self.assertEqual(meet(3, *others), ["/c/ckpt-20.pt"] * 2, "it has left again")

    def test_a_checkpoint_of_another_job_that_all_began_with_is_not_newer(self):
        others = self.launchers("/other/step-10000", "/other/step-10000")
        meet(1, *others)
        self.assertEqual(meet(2, *others, *self.launchers("/c/step-20")), ["/c/step-20"] * 3)


class KilledRank(unittest.TestCase):
    def said(self, code, left=4):
        failure = types.SimpleNamespace(exitcode=code, pid=77)
        result = RunResult(state=WorkerState.FAILED, failures={1: failure})

        class Agent:
            _remaining_restarts = left

            def _monitor_workers(self, group):
                return result

        module = load()
        with mock.patch.object(module, "LocalElasticAgent", Agent):
            module.tell_killed_ranks()
        group = types.SimpleNamespace(spec=types.SimpleNamespace(max_restarts=4))
        with contextlib.redirect_stdout(io.StringIO()) as out:
            self.assertIs(Agent()._monitor_workers(group), result)
        return out.getvalue()

    def test_is_told(self):
        report = json.loads(self.said(-9).removeprefix("::muster::"))
        self.assertEqual(list(report), ["ranks"])
        self.assertIn("rank 1 (pid 77) was killed by signal 9", report["ranks"])
        self.assertIn("1 of at most 4 times", report["ranks"])

    def test_one_that_lacked_a_peer_is_not(self):
        self.assertEqual([self.said(1), self.said(-6)], ["", ""])

    def test_where_no_restart_is_left_the_end_of_the_launcher_tells(self):
        self.assertEqual(self.said(-9, left=0), "")


class WhoWaits(unittest.TestCase):
    def said(self, seconds):
        class Agent:
            _worker_group = types.SimpleNamespace(state=WorkerState.SUCCEEDED, workers=[types.SimpleNamespace(global_rank=0)])

            def _exit_barrier(self):
                time.sleep(seconds)

        module = load()
        with mock.patch.multiple(module, Agent=Agent, LONG_ALONE=0.2):
            module.tell_who_waits()
            with contextlib.redirect_stdout(io.StringIO()) as out:
                Agent()._exit_barrier()
        return out.getvalue()

    def test_who_waits_long_is_told(self):
        self.assertIn("its ranks (0) ended", json.loads(self.said(1).removeprefix("::muster::"))["ranks"])

    def test_who_hardly_waits_is_not(self):
        self.assertEqual(self.said(0), "")


class Redirects(unittest.TestCase):
    def test_nothing_is_something_torchrun_knows(self):
        load().redirect_nothing()
        self.assertEqual(Std.from_str("0"), Std.NONE)
        self.assertEqual([Std.from_str("2"), Std.from_str("3")], [Std.ERR, Std.ALL])
        self.assertEqual(Std.from_str("0:0,1:3"), {0: Std.NONE, 1: Std.ALL})


if __name__ == "__main__":
    unittest.main()
